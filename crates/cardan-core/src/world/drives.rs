//! Inputs that the engine itself writes: values of inputs that nothing is connected to, and laws of time beside whatever else
//! comes there.
//!
//! A value stands until another one is written: that of a slider, or of an input at the border of a system that is part of a
//! larger one. A law is added to the value or to what a connection brings: a multiplier that holds two bodies together, or the
//! flow into a pin. Both are written while all that they act on stand still, and count for the steps that begin there.

use super::World;
use crate::checkpoint::{Damage, Reader, Writer};
use crate::error::RunError;
use crate::graph::ParticipantId;
use crate::interface::PortId;
use crate::plan::{Plan, RealInput};
use crate::planes::Planes;
use crate::signal::Segment;
use crate::time::SimTime;
use crate::value::{Plane, Value, ValueType};
use std::collections::BTreeMap;
use std::fmt;

/// Why an input cannot be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undrivable {
    /// It is not among the inputs that the participant is given.
    Unbound,
    /// A connection or a line says what it is.
    Connected,
    /// The value is of another type, or has another number of elements.
    OtherType,
    /// It is part of a rotation, which cannot be added to, or there is no such input.
    NotANumber,
}

impl fmt::Display for Undrivable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Undrivable::Unbound => "it is not among the inputs that can be set in this run",
            Undrivable::Connected => "something is connected to it",
            Undrivable::OtherType => "the value is of another type, or has another number of elements",
            Undrivable::NotANumber => "it is not a single real number",
        })
    }
}

/// What was written.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Drives {
    /// Of those whose values are not those of the plan any more, all that nothing drives.
    values: BTreeMap<ParticipantId, Planes>,
    laws: Vec<Law>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Law {
    participant: ParticipantId,
    input: u32,
    law: Segment,
}

impl Drives {
    fn of(&self, participant: ParticipantId) -> impl Iterator<Item = &Law> {
        self.laws.iter().filter(move |law| law.participant == participant)
    }

    /// Adds laws to the inputs of a participant over a step.
    fn apply(&self, participant: ParticipantId, segments: &mut [Segment], ends: &[u32]) {
        for law in self.of(participant) {
            let input = law.input as usize;
            let end = |index: usize| ends.get(index).map_or(index + 1, |end| *end as usize);
            let begin = input.checked_sub(1).map_or(0, end);
            for segment in segments.get_mut(begin..end(input)).unwrap_or_default() {
                *segment = segment.plus(&law.law, 1.0);
            }
        }
    }

    /// The values of inputs that nothing else drives, without laws.
    fn open<'a>(&'a self, plan: &'a Plan, participant: ParticipantId) -> &'a Planes {
        let seat = &plan.seats[participant.index()];
        self.values.get(&participant).unwrap_or(&seat.open)
    }

    pub(super) fn keep(&self, writer: &mut Writer) {
        writer.length(self.values.len());
        for (participant, open) in &self.values {
            writer.count(u64::from(participant.0));
            writer.planes(open);
        }
        writer.length(self.laws.len());
        for law in &self.laws {
            writer.count(u64::from(law.participant.0));
            writer.count(u64::from(law.input));
            law.law.keep(writer);
        }
    }
}

impl World {
    /// Writes the value of an input that nothing is connected to. It counts from where the participant stands.
    pub fn set_input(
        &mut self,
        participant: ParticipantId,
        port: PortId,
        value: &Value,
    ) -> Result<(), Undrivable> {
        let plan = self.shared_plan();
        let first = open_place(&plan, participant, port, value)?;
        let mut open = self.drives.open(&plan, participant).clone();
        open.view_mut().set(first, value);
        self.lay_open(participant, open);
        Ok(())
    }

    /// Whether [`set_input`](Self::set_input) would do that.
    pub fn can_be_set(
        &self,
        participant: ParticipantId,
        port: PortId,
        value: &Value,
    ) -> Result<(), Undrivable> {
        open_place(&self.plan, participant, port, value).map(|_| ())
    }

    /// The present value of an input that nothing is connected to, without laws beside it.
    pub fn open_input(
        &self,
        participant: ParticipantId,
        port: PortId,
        value_type: ValueType,
    ) -> Option<Value> {
        let seat = &self.plan.seats[participant.index()];
        let place = seat.input_places[seat.inputs.iter().position(|bound| *bound == port)?];
        let open = self.drives.open(&self.plan, participant);
        Some(
            open.view()
                .value(value_type, place.first as usize, place.count as usize),
        )
    }

    /// Adds a law of time to a real input, in its own unit, over the steps to come; another one takes its place.
    pub fn drive(&mut self, participant: ParticipantId, input: u32, law: Segment) -> Result<(), Undrivable> {
        match self.plan.seats[participant.index()]
            .real_inputs
            .get(input as usize)
        {
            Some(RealInput::Open(_) | RealInput::Wire(_)) => {}
            Some(RealInput::Line { .. }) => return Err(Undrivable::Connected),
            _ => return Err(Undrivable::NotANumber),
        }
        let mut laws = self.drives.laws.iter_mut();
        match laws.find(|known| (known.participant, known.input) == (participant, input)) {
            Some(known) => known.law = law,
            None => {
                self.feeds.add_laws(participant);
                self.drives.laws.push(Law {
                    participant,
                    input,
                    law,
                });
            }
        }
        Ok(())
    }

    /// The value of a real input that nothing is connected to, with the laws beside it, at `at`.
    pub(crate) fn open_real(&self, participant: ParticipantId, input: u32, at: SimTime) -> f64 {
        let value = self.drives.open(&self.plan, participant).reals[input as usize];
        let laws = self.drives.of(participant).filter(|law| law.input == input);
        value + laws.map(|law| law.law.at(at)).sum::<f64>()
    }

    /// The same of inputs that are not reals.
    pub(crate) fn open_values(&self, participant: ParticipantId) -> &Planes {
        self.drives.open(&self.plan, participant)
    }

    /// Something was written where all stand at `at`: what answers to it at once does, and events that it causes happen.
    pub(crate) fn spread_change(&mut self, at: SimTime) -> Result<(), RunError> {
        let plan = self.shared_plan();
        self.evaluate_everyone(&plan.exchange)?;
        if plan.has_slopes {
            self.evaluate_slopes(&plan, at)?;
        }
        self.events(at).map(|_| ())
    }

    /// From now on these are the inputs of a participant that nothing else drives.
    fn lay_open(&mut self, participant: ParticipantId, open: Planes) {
        let plan = self.shared_plan();
        let seat = &plan.seats[participant.index()];
        let desk = self.team.desk(participant);
        for (index, (input, value)) in seat.real_inputs.iter().zip(&open.reals).enumerate() {
            if let RealInput::Open(_) = input {
                self.feeds.set_open(participant, index, *value);
                desk.current.reals[index] = *value;
            }
        }
        let driven = |plane, place: usize| {
            let mut wires = seat.held_wires.iter();
            wires.any(|wire| (wire.plane, wire.to as usize) == (plane, place))
        };
        let held = desk.held.iter_mut().map(|held| &mut held.values);
        for values in held.chain([&mut desk.current]) {
            for place in (0..open.integers.len()).filter(|p| !driven(Plane::Integers, *p)) {
                values.integers[place] = open.integers[place];
            }
            for place in (0..open.booleans.len()).filter(|p| !driven(Plane::Booleans, *p)) {
                values.booleans[place] = open.booleans[place];
            }
            for place in (0..open.bytes.len()).filter(|p| !driven(Plane::Bytes, *p)) {
                values.bytes[place].clone_from(&open.bytes[place]);
            }
        }
        self.drives.values.insert(participant, open);
    }

    /// Adds laws to the inputs that lie on the desk for a step to `to`.
    pub(super) fn add_laws(&mut self, participant: ParticipantId, to: SimTime) {
        let desk = self.team.desk(participant);
        self.drives.apply(participant, &mut desk.segments, &desk.ends);
        self.exchange_laws(participant, to, false);
    }

    /// Adds laws to the inputs as exchanged at `at`: to those that nothing else drives, or to all, once what connections bring
    /// has been laid down anew.
    pub(super) fn exchange_laws(&mut self, participant: ParticipantId, at: SimTime, connected: bool) {
        let seat = &self.plan.seats[participant.index()];
        let open = self.drives.open(&self.plan, participant);
        let current = &mut self.team.desk(participant).current.reals;
        for law in self.drives.of(participant) {
            let input = law.input as usize;
            match seat.real_inputs[input] {
                RealInput::Open(_) => current[input] = open.reals[input] + law.law.at(at),
                _ if connected => current[input] += law.law.at(at),
                _ => {}
            }
        }
    }

    /// The slopes of laws are parts of those of inputs.
    pub(super) fn add_slopes_of_laws(&mut self, participant: ParticipantId, at: SimTime) {
        let slopes = &mut self.team.desk(participant).input_slopes;
        for law in self.drives.of(participant) {
            slopes[law.input as usize] += law.law.slope(at);
        }
    }

    /// Takes over what was written before a checkpoint.
    pub(super) fn resume_drives(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "written inputs";
        let plan = self.shared_plan();
        let nonsense = || Damage::Nonsense { what: WHAT };
        let place = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        for _ in 0..reader.length(8, WHAT)? {
            let participant = ParticipantId(place(reader.count(WHAT)?));
            let seat = plan.seats.get(participant.index()).ok_or_else(nonsense)?;
            let mut open = seat.open.clone();
            reader.replace(&mut open, WHAT)?;
            self.lay_open(participant, open);
        }
        for _ in 0..reader.length(8, WHAT)? {
            let (participant, input) = (
                ParticipantId(place(reader.count(WHAT)?)),
                place(reader.count(WHAT)?),
            );
            let law = Segment::read(reader)?;
            if participant.index() >= plan.seats.len() || self.drive(participant, input, law).is_err() {
                return Err(nonsense());
            }
        }
        Ok(())
    }
}

/// Where the first element of an open input lies, if the value fits there.
fn open_place(
    plan: &Plan,
    participant: ParticipantId,
    port: PortId,
    value: &Value,
) -> Result<usize, Undrivable> {
    let seat = &plan.seats[participant.index()];
    let index = seat.inputs.iter().position(|bound| *bound == port);
    let place = seat.input_places[index.ok_or(Undrivable::Unbound)?];
    let (first, count) = (place.first as usize, place.count as usize);
    if value.value_type().plane() != place.plane || value.len() != count {
        return Err(Undrivable::OtherType);
    }
    let here = first..first + count;
    let open = |input: &RealInput| matches!(input, RealInput::Open(_));
    let driven = match place.plane {
        Plane::Reals => !seat.real_inputs[here].iter().all(open),
        plane => {
            let mut wires = seat.held_wires.iter();
            wires.any(|wire| wire.plane == plane && here.contains(&(wire.to as usize)))
        }
    };
    match driven {
        true => Err(Undrivable::Connected),
        false => Ok(first),
    }
}
