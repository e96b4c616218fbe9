//! One input and one output of every type.

use super::places::Places;
use cardan_core::interface::{Interface, Port, PortId};
use cardan_core::participant::{
    Outcome, Participant, Rollback, RunWindow, Settings, Slot, StepEnd, StepRequest,
};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::shell::Slots;
use cardan_core::time::SimTime;
use cardan_core::value::{Shape, Value, ValueType};

/// Copies each input to the output of the same kind: `real_in` to `real_out`, and so on for `vector` (3 reals),
/// `rotation`, `integer`, `integers` (2), `boolean`, `booleans` (2), `string`, `strings` (2), `binary` and `choice` (an
/// enumeration). Every input has a start value, which is not the zero of its type.
pub struct AllTypes {
    interface: Interface,
    places: Places,
    at_once: bool,
    /// The inputs at the end of the last step, by kind; start values where an input is not bound.
    read: Vec<Value>,
    saved: Slots<Vec<Value>>,
}

/// A name, a start value and how to finish a port.
type Kind = (&'static str, Value, fn(Port) -> Port);

/// Names, start values and what else there is to say of each kind.
fn kinds() -> Vec<Kind> {
    let plain: fn(Port) -> Port = |port| port;
    let two: fn(Port) -> Port = |port| port.shaped(Shape::vector(2));
    let strings = ["left", "right"].map(String::from).to_vec();
    vec![
        ("real", Value::real(1.5), plain),
        ("vector", Value::Reals(vec![1.0, 2.0, 3.0]), |port| {
            port.shaped(Shape::vector(3))
        }),
        ("rotation", Value::Reals(vec![1.0, 0.0, 0.0, 0.0]), Port::rotation),
        ("integer", Value::integer(-7), plain),
        ("integers", Value::Integers(vec![1, i64::MAX]), two),
        ("boolean", Value::boolean(true), plain),
        ("booleans", Value::Booleans(vec![false, true]), two),
        ("string", Value::string("grüße"), plain),
        ("strings", Value::Strings(strings), two),
        ("binary", Value::Binaries(vec![vec![0, 255, 10]]), plain),
        ("choice", Value::integer(2), |port| {
            let mut port = port.typed(ValueType::Enumeration);
            port.choices = vec![("off".into(), 0), ("slow".into(), 2), ("fast".into(), 5)];
            port
        }),
    ]
}

impl AllTypes {
    /// Outputs are the inputs of the same instant: declared feedthrough.
    pub fn direct() -> Self {
        let mut all = AllTypes::held();
        all.at_once = true;
        for kind in 0..all.read.len() {
            all.interface.feeds_through(Self::output(kind), Self::input(kind));
        }
        all
    }

    /// Outputs are the inputs at the end of the last step, start values before the first: no feedthrough.
    pub fn held() -> Self {
        let mut interface = Interface::default();
        for (name, start, with) in kinds() {
            let value_type = start.value_type();
            let input = Port::input(format!("{name}_in")).typed(value_type).start(start);
            interface.port(with(input));
            interface.port(with(Port::output(format!("{name}_out")).typed(value_type)));
        }
        AllTypes {
            interface,
            places: Places::default(),
            at_once: false,
            read: starts(),
            saved: Slots::default(),
        }
    }

    /// The input of a kind, counted from zero in the order of the type's description.
    pub fn input(kind: usize) -> PortId {
        PortId(2 * kind as u32)
    }

    /// The output of a kind.
    pub fn output(kind: usize) -> PortId {
        PortId(2 * kind as u32 + 1)
    }

    /// The type, place and size of a bound input.
    fn driven(&self, kind: usize) -> Option<(ValueType, usize, usize)> {
        let port = &self.interface.ports[Self::input(kind).index()];
        let place = self.places.of(Self::input(kind))?;
        Some((port.value_type, place, port.shape.len()))
    }
}

fn starts() -> Vec<Value> {
    kinds().into_iter().map(|(_, start, _)| start).collect()
}

impl Participant for AllTypes {
    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        self.places = Places::bind(&self.interface, inputs, outputs)?;
        Ok(())
    }

    fn begin_initialization(&mut self, _run: &RunWindow, _settings: &Settings) -> Outcome<()> {
        self.read = starts();
        Ok(())
    }

    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        let held = request.inputs.held_after(request.to);
        for kind in 0..self.read.len() {
            self.read[kind] = match self.driven(kind) {
                None => continue,
                Some((ValueType::Real, place, count)) => {
                    let real = |index| request.inputs.real(index, request.to);
                    Value::Reals((place..place + count).map(real).collect())
                }
                Some((value_type, place, count)) => held.value(value_type, place, count),
            };
        }
        Ok(StepEnd::Completed)
    }

    fn outputs(&mut self, _at: SimTime, inputs: &Planes, mut values: PlanesMut<'_>) -> Outcome<()> {
        for (kind, read) in self.read.iter().enumerate() {
            let Some(place) = self.places.of(Self::output(kind)) else {
                continue;
            };
            match self.driven(kind) {
                Some((value_type, from, count)) if self.at_once => {
                    values.set(place, &inputs.view().value(value_type, from, count));
                }
                _ => values.set(place, read),
            }
        }
        Ok(())
    }

    fn set_parameters(&mut self, _at: SimTime, _changes: &Settings) -> Outcome<()> {
        Ok(())
    }

    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn rollback(&mut self) -> Option<&mut dyn Rollback> {
        Some(self)
    }
}

impl Rollback for AllTypes {
    fn save(&mut self, slot: Slot) -> Outcome<()> {
        self.saved.save(slot, &self.read);
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> Outcome<()> {
        self.read.clone_from(self.saved.get(slot)?);
        Ok(())
    }
}
