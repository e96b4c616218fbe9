//! Participants whose discrete outputs jump without a word.
//!
//! A controller that looks at its inputs when it steps shows what it made of them a step later, whatever the length of the
//! step. So it is asked at the end of a step what it would do next: it takes a tiny step with the inputs as they are there, and
//! goes back. If a discrete output changes, the cause lies in the step behind, which can be taken back and shortened.

use super::World;
use super::read::Hindsight;
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::inputs::{HeldInputs, Inputs};
use crate::monitor::WarningKind;
use crate::participant::{Outcome, Participant, Slot, StepEnd, StepRequest, Watch};
use crate::plan::{Plan, RealInput};
use crate::planes::Planes;
use crate::signal::Segment;
use crate::time::SimTime;
use crate::value::Plane;
use std::sync::Arc;

/// Where the state is kept meanwhile; others are kept where steps begin.
const SLOT: Slot = 1;
/// The length of the tiny step, as a part of the run.
const TINY: f64 = 1e-9;
/// Into so many parts a step is cut to see whether an output came and went inside.
const LOOKS: u32 = 8;

/// A participant whose discrete outputs somebody reads and nobody announces.
pub(super) struct Silent {
    participant: ParticipantId,
    /// Places of these outputs.
    outputs: Vec<(Plane, u32)>,
    /// Does somebody pass on at once what it shows? Then a jump cannot be told from what is read of those.
    passed_on: bool,
    /// Does it take tiny steps?
    answers: bool,
    /// Did it jump in the last step, with inputs that it did not follow?
    guessed: bool,
    /// What it would show next, if that is something else.
    next: Option<Planes>,
    /// Where it showed something that it is yet to find out itself.
    shown: SimTime,
}

/// Whether a discrete output jumped in a step without a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SilentJump {
    /// None did.
    None,
    /// Those who read it know what it does to them.
    Read,
    /// Some answer it at once, and others read what they make of it.
    PassedOn,
}

/// What it takes to ask one.
pub(super) struct Question {
    at: SimTime,
    until: SimTime,
    inputs: Planes,
    /// How fast real inputs change; nothing if they do not.
    rates: Vec<f64>,
    outputs: Planes,
}

impl World {
    /// Finds those whose discrete outputs may jump anywhere inside a step.
    pub(super) fn find_silent(&mut self) {
        let plan = Arc::clone(&self.plan);
        self.silent.clear();
        self.outspoken.clear();
        for (index, seat) in plan.seats.iter().enumerate() {
            let participant = ParticipantId(index as u32);
            let outputs = discrete_outputs(&plan, participant);
            // Laws of time are known ahead, with all their corners.
            let known = seat.foretold || seat.has_own_grid || self.laws.contains(&participant);
            if outputs.is_empty() || known {
                continue;
            }
            let silent = Silent {
                participant,
                passed_on: is_passed_on(&plan, participant),
                outputs,
                answers: self.can_go_back(participant),
                guessed: false,
                next: None,
                shown: SimTime::PAST,
            };
            if self.acts(participant) {
                self.outspoken.push(silent);
                continue;
            }
            self.silent.push(silent);
            self.feeds.follow_closely(participant);
        }
    }

    /// Those whose discrete outputs may jump anywhere inside a step.
    pub(super) fn silent_ones(&self) -> impl Iterator<Item = ParticipantId> {
        self.silent.iter().map(|silent| silent.participant)
    }

    /// Has a discrete output jumped without a word in the step that ends at `to`, or would it next, with inputs as they are
    /// there? Where one may have come and gone inside, the step is looked at from the state in a slot at which it began.
    pub fn jumps_silently(
        &mut self,
        (from, to): (SimTime, SimTime),
        inside: Option<Slot>,
    ) -> Result<SilentJump, RunError> {
        if self.silent.is_empty() {
            return Ok(SilentJump::None);
        }
        let mut silent = std::mem::take(&mut self.silent);
        let mut jumps = Ok(SilentJump::None);
        for one in &mut silent {
            (one.next, one.guessed) = (None, false);
            if !self.plan.resolution.same(self.at[one.participant.index()], to) {
                continue;
            }
            let changed = self.has_changed(one, from);
            one.guessed = changed && self.blunt.contains(&one.participant);
            let jumped = changed || self.would_change(one, to)?;
            let jump = match (jumped, one.passed_on) {
                (false, _) if self.has_pulsed(one, (from, to), inside)? => SilentJump::PassedOn,
                (false, _) => SilentJump::None,
                (true, false) => SilentJump::Read,
                (true, true) => SilentJump::PassedOn,
            };
            jumps = jumps.map(|others: SilentJump| others.max(jump));
        }
        self.silent = silent;
        jumps
    }

    /// Those who jumped without a word in the step that was looked at last, on their own, with inputs that they do not follow: what
    /// they made of these is as old as the beginning of the step.
    pub fn guessing(&self) -> impl Iterator<Item = ParticipantId> {
        let guessing = self.silent.iter().filter(|one| one.guessed);
        guessing.map(|one| one.participant)
    }

    /// Has a discrete output of one with an event mode jumped inside the step since `from`, where nobody called for it?
    pub(super) fn has_jumped_alone(&self, participant: ParticipantId, from: SimTime) -> bool {
        let mut outspoken = self.outspoken.iter();
        outspoken.any(|one| one.participant == participant && self.has_changed(one, from))
    }

    /// Notes discrete outputs that have jumped somewhere in the step that ends at `to`, of those who cannot go back to find
    /// out where.
    pub fn note_jumps_somewhere(&mut self, (from, to): (SimTime, SimTime)) {
        for silent in &self.silent {
            let index = silent.participant.index();
            let lost = !self.repeatable[index] && self.plan.resolution.same(self.at[index], to);
            if lost && self.has_changed(silent, from) {
                let name = &self.plan.seats[index].name;
                self.monitor.notice(WarningKind::Tolerance, name, to, || {
                    format!(
                        "the tolerance is not kept: a discrete output of {name} changed somewhere between t = {from} s and \
                         {to} s, and {name} cannot go back to find out where; `isolate = true` would let it, or \
                         `rollback = True` in a Python class"
                    )
                });
            }
        }
    }

    /// Lets those who would change next show it: what they see has already happened.
    pub fn show_silent(&mut self, at: SimTime) {
        let mut silent = std::mem::take(&mut self.silent);
        for one in &mut silent {
            let Some(next) = &one.next else { continue };
            let history = &mut self.histories[one.participant.index()];
            if history.latest() != at {
                continue;
            }
            one.shown = at;
            let row = history.publish(at, self.frontier);
            for &(plane, place) in &one.outputs {
                let place = place as usize;
                match plane {
                    Plane::Reals => row.reals[place] = next.reals[place],
                    Plane::Integers => row.integers[place] = next.integers[place],
                    Plane::Booleans => row.booleans[place] = next.booleans[place],
                    Plane::Bytes => row.bytes[place].clone_from(&next.bytes[place]),
                }
            }
        }
        self.silent = silent;
    }

    /// A participant that has shown what it is yet to find out takes its step with the inputs that make it do so: they may
    /// go back at once, just because of what it has shown.
    pub(super) fn hold_inputs_of_silent(&mut self, participant: ParticipantId, from: SimTime) {
        let mut silent = self.silent.iter();
        if !silent.any(|one| one.participant == participant && one.shown == from) {
            return;
        }
        let desk = self.team.desk(participant);
        let mut begin = 0;
        for input in 0..desk.ends.len().max(desk.segments.len()) {
            let end = match desk.ends.get(input) {
                Some(&end) => end as usize,
                None if desk.ends.is_empty() => input + 1,
                None => break,
            };
            let value = desk.segments[begin].at(from);
            for segment in &mut desk.segments[begin..end] {
                *segment = Segment::constant(value, segment.until);
            }
            begin = end;
        }
    }

    fn has_changed(&self, silent: &Silent, from: SimTime) -> bool {
        let history = &self.histories[silent.participant.index()];
        let before = history.row(history.index_at(self.plan.resolution.just_after(from)));
        let now = history.latest_row();
        silent.differs(|plane, place| match plane {
            Plane::Reals => before.reals[place] != now.reals[place],
            Plane::Integers => before.integers[place] != now.integers[place],
            Plane::Booleans => before.booleans[place] != now.booleans[place],
            Plane::Bytes => before.bytes[place] != now.bytes[place],
        })
    }

    pub(super) fn question(&mut self, participant: ParticipantId, at: SimTime) -> Question {
        self.exchange_inputs(participant, at);
        self.step_calls += 1;
        let window = self.plan.window;
        Question {
            at,
            until: at.after(TINY * window.stop.since(window.start)),
            inputs: self.team.desk(participant).current.clone(),
            rates: Vec::new(),
            outputs: self.histories[participant.index()].latest_row().to_planes(),
        }
    }

    /// Has a discrete output come and gone inside a step at whose ends it is the same? The step is taken once more in small parts,
    /// with inputs as they came, by this one alone.
    fn has_pulsed(
        &mut self,
        silent: &Silent,
        step: (SimTime, SimTime),
        inside: Option<Slot>,
    ) -> Result<bool, RunError> {
        let participant = silent.participant;
        let Some(slot) = inside.filter(|_| silent.answers) else {
            return Ok(false);
        };
        self.exchange_inputs(participant, step.1);
        self.read_in_hindsight(participant, step, Hindsight::Interpolated);
        self.step_calls += u64::from(LOOKS);
        let outputs = self.histories[participant.index()].latest_row().to_planes();
        let places = silent.outputs.clone();
        let desk = self.team.desk(participant);
        let look = Look {
            step,
            slot,
            segments: desk.segments.clone(),
            ends: desk.ends.clone(),
            held: desk.held.clone(),
            inputs: desk.current.clone(),
            outputs,
            places,
        };
        self.call(participant, Call::Step, Some(step.0), move |p| look.finds(p))
    }

    /// Would one with an event mode raise an event next, with inputs as they are at `at`?
    pub(super) fn would_raise(&mut self, participant: ParticipantId, at: SimTime) -> Result<bool, RunError> {
        let question = self.question(participant, at);
        self.call(participant, Call::Step, Some(at), move |p| question.raises(p))
    }

    fn would_change(&mut self, silent: &mut Silent, at: SimTime) -> Result<bool, RunError> {
        if !silent.answers {
            return Ok(false);
        }
        let participant = silent.participant;
        let question = self.question(participant, at);
        let now = question.outputs.clone();
        let answer = self.call(participant, Call::Step, Some(at), move |p| question.ask(p))?;
        let Some(next) = answer else {
            silent.answers = false;
            return Ok(false);
        };
        let differs = silent.differs(|plane, place| match plane {
            Plane::Reals => next.reals[place] != now.reals[place],
            Plane::Integers => next.integers[place] != now.integers[place],
            Plane::Booleans => next.booleans[place] != now.booleans[place],
            Plane::Bytes => next.bytes[place] != now.bytes[place],
        });
        silent.next = differs.then_some(next);
        Ok(differs)
    }
}

impl Silent {
    fn differs(&self, at: impl Fn(Plane, usize) -> bool) -> bool {
        let mut outputs = self.outputs.iter();
        outputs.any(|&(plane, place)| at(plane, place as usize))
    }
}

/// A step to be looked at from inside.
struct Look {
    step: (SimTime, SimTime),
    slot: Slot,
    segments: Vec<Segment>,
    ends: Vec<u32>,
    held: Vec<HeldInputs>,
    inputs: Planes,
    /// What was shown at its end.
    outputs: Planes,
    places: Vec<(Plane, u32)>,
}

impl Look {
    /// Does a discrete output differ somewhere inside?
    fn finds(&self, participant: &mut dyn Participant) -> Outcome<bool> {
        let Some(rollback) = participant.rollback() else {
            return Ok(false);
        };
        rollback.save(SLOT)?;
        rollback.restore(self.slot)?;
        // What goes wrong here goes wrong in the run again, if it matters.
        let found = self.walk(participant).unwrap_or(false);
        if let Some(rollback) = participant.rollback() {
            rollback.restore(SLOT)?;
        }
        Ok(found)
    }

    fn walk(&self, participant: &mut dyn Participant) -> Outcome<bool> {
        let inputs = Inputs::new(&self.segments, &self.ends, &self.held);
        let (begin, end) = self.step;
        let mut from = begin;
        for look in 1..LOOKS {
            let to = begin.after(end.since(begin) * f64::from(look) / f64::from(LOOKS));
            let request = StepRequest {
                from,
                to,
                inputs,
                watch: Watch::Nothing,
            };
            if participant.step(request)? != StepEnd::Completed {
                return Ok(false);
            }
            let mut given = self.inputs.clone();
            for (index, value) in given.reals.iter_mut().enumerate() {
                *value = inputs.real(index, to);
            }
            let mut shown = self.outputs.clone();
            participant.outputs(to, &given, shown.view_mut())?;
            if self
                .places
                .iter()
                .any(|place| differs(&self.outputs, &shown, *place))
            {
                return Ok(true);
            }
            from = to;
        }
        Ok(false)
    }
}

fn differs(a: &Planes, b: &Planes, (plane, place): (Plane, u32)) -> bool {
    let place = place as usize;
    match plane {
        Plane::Reals => a.reals[place] != b.reals[place],
        Plane::Integers => a.integers[place] != b.integers[place],
        Plane::Booleans => a.booleans[place] != b.booleans[place],
        Plane::Bytes => a.bytes[place] != b.bytes[place],
    }
}

impl Question {
    /// With inputs that go on as they do.
    pub(super) fn along(self, rates: &[f64]) -> Self {
        Question {
            rates: rates.to_vec(),
            ..self
        }
    }

    /// How long the tiny step is.
    pub(super) fn length(&self) -> f64 {
        self.until.since(self.at)
    }

    /// What the outputs are a tiny step later. None if it does not take such a step.
    fn ask(&self, participant: &mut dyn Participant) -> Outcome<Option<Planes>> {
        self.and_back(participant, |participant| self.step(participant))
    }

    /// The same after one and after two of them.
    pub(super) fn ask_twice(&self, participant: &mut dyn Participant) -> Outcome<Option<[Planes; 2]>> {
        let further = self.until.after(self.length());
        self.and_back(participant, |participant| {
            let first = self.step(participant)?;
            let second = match first {
                Some(_) => self.show(participant, (self.until, further))?,
                None => None,
            };
            Ok(first.zip(second).map(|(first, second)| [first, second]))
        })
    }

    /// Does something and goes back.
    fn and_back<T>(
        &self,
        participant: &mut dyn Participant,
        work: impl FnOnce(&mut dyn Participant) -> Outcome<Option<T>>,
    ) -> Outcome<Option<T>> {
        let Some(rollback) = participant.rollback() else {
            return Ok(None);
        };
        rollback.save(SLOT)?;
        // What goes wrong here goes wrong in the run again, if it matters.
        let answer = work(participant).unwrap_or(None);
        if let Some(rollback) = participant.rollback() {
            rollback.restore(SLOT)?;
        }
        Ok(answer)
    }

    /// Does it raise an event within a tiny step?
    fn raises(&self, participant: &mut dyn Participant) -> Outcome<bool> {
        let Some(rollback) = participant.rollback() else {
            return Ok(false);
        };
        rollback.save(SLOT)?;
        let end = self.go(participant, (self.at, self.until));
        let raises = match end {
            Ok(StepEnd::Early { .. }) => true,
            Ok(_) => participant.events().is_some_and(|mode| mode.pending()),
            Err(_) => false,
        };
        if let Some(rollback) = participant.rollback() {
            rollback.restore(SLOT)?;
        }
        Ok(raises)
    }

    fn step(&self, participant: &mut dyn Participant) -> Outcome<Option<Planes>> {
        self.show(participant, (self.at, self.until))
    }

    /// What the outputs are after a step. None if it does not simply complete.
    fn show(&self, participant: &mut dyn Participant, way: (SimTime, SimTime)) -> Outcome<Option<Planes>> {
        if self.go(participant, way)? != StepEnd::Completed {
            return Ok(None);
        }
        let mut outputs = self.outputs.clone();
        let mut inputs = self.inputs.clone();
        for (value, rate) in inputs.reals.iter_mut().zip(&self.rates) {
            *value += rate * way.1.since(self.at);
        }
        participant.outputs(way.1, &inputs, outputs.view_mut())?;
        Ok(Some(outputs))
    }

    fn go(&self, participant: &mut dyn Participant, (from, to): (SimTime, SimTime)) -> Outcome<StepEnd> {
        let values = self.inputs.reals.iter();
        let rates = self.rates.iter().copied().chain(std::iter::repeat(0.0));
        let law = |(value, rate): (&f64, f64)| {
            Segment::polynomial([*value, rate, 0.0, 0.0], self.at, SimTime::FUTURE)
        };
        let segments: Vec<Segment> = values.zip(rates).map(law).collect();
        let held = [HeldInputs {
            until: SimTime::FUTURE,
            values: Planes {
                reals: Vec::new(),
                ..self.inputs.clone()
            },
        }];
        let others = !(self.inputs.integers.is_empty()
            && self.inputs.booleans.is_empty()
            && self.inputs.bytes.is_empty());
        let request = StepRequest {
            from,
            to,
            inputs: Inputs::new(&segments, &[], if others { &held } else { &[] }),
            watch: Watch::Nothing,
        };
        participant.step(request)
    }
}

/// Does a reader of its discrete outputs answer at once, so that others may read the jump?
fn is_passed_on(plan: &Plan, participant: ParticipantId) -> bool {
    plan.seats.iter().any(|seat| {
        let jumps = |input: &RealInput| {
            matches!(input, RealInput::Wire(wire) if wire.source == participant && plan.jumps(wire))
        };
        let reads = seat.real_inputs.iter().any(jumps)
            || seat.held_wires.iter().any(|wire| wire.source == participant);
        seat.needs_inputs && reads
    })
}

/// The discrete outputs of a participant that somebody reads.
fn discrete_outputs(plan: &Plan, participant: ParticipantId) -> Vec<(Plane, u32)> {
    let mut outputs = Vec::new();
    for seat in &plan.seats {
        for input in &seat.real_inputs {
            if let RealInput::Wire(wire) = input
                && wire.source == participant
                && plan.jumps(wire)
            {
                outputs.push((Plane::Reals, wire.column));
            }
        }
        let held = seat.held_wires.iter().filter(|wire| wire.source == participant);
        outputs.extend(held.map(|wire| (wire.plane, wire.from)));
    }
    outputs
}
