//! The cheapest participant that is one: it sums up its input.

use super::numbers::numbers;
use super::places::Places;
use cardan_core::interface::{Interface, Port, PortId};
use cardan_core::participant::{
    Outcome, Participant, Portable, Rollback, RunWindow, Settings, Slot, StepEnd, StepRequest,
};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::shell::Slots;
use cardan_core::time::SimTime;
use cardan_core::value::Value;

/// `x' = u`: input `u`, output `x`, no feedthrough; exact for inputs that are lines. It allocates nothing after `bind`
/// and does next to nothing in a step, so that what a run of it costs is what the engine costs.
pub struct Accumulator {
    interface: Interface,
    start: f64,
    x: f64,
    input: Option<usize>,
    output: Option<usize>,
    saved: Slots<f64>,
}

impl Accumulator {
    /// The port `u`.
    pub const INPUT: PortId = PortId(0);
    /// The port `x`.
    pub const OUTPUT: PortId = PortId(1);

    /// Starts from `x = start`.
    pub fn new(start: f64) -> Self {
        let mut interface = Interface::default();
        interface.port(Port::input("u").start(Value::real(0.0)));
        interface.port(Port::output("x"));
        Accumulator {
            interface,
            start,
            x: start,
            input: None,
            output: None,
            saved: Slots::default(),
        }
    }
}

impl Participant for Accumulator {
    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        let places = Places::bind(&self.interface, inputs, outputs)?;
        (self.input, self.output) = (places.of(Self::INPUT), places.of(Self::OUTPUT));
        Ok(())
    }

    fn begin_initialization(&mut self, _run: &RunWindow, _settings: &Settings) -> Outcome<()> {
        self.x = self.start;
        Ok(())
    }

    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }

    #[inline]
    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        if let Some(input) = self.input {
            let (from, to) = (request.from.seconds(), request.to.seconds());
            let middle = SimTime::from_seconds(0.5 * (from + to));
            self.x += request.inputs.real(input, middle) * (to - from);
        }
        Ok(StepEnd::Completed)
    }

    #[inline]
    fn outputs(&mut self, _at: SimTime, _inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        if let Some(output) = self.output {
            values.reals[output] = self.x;
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

impl Rollback for Accumulator {
    fn save(&mut self, slot: Slot) -> Outcome<()> {
        self.saved.save(slot, &self.x);
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> Outcome<()> {
        self.x = *self.saved.get(slot)?;
        Ok(())
    }

    fn portable(&mut self) -> Option<&mut dyn Portable> {
        Some(self)
    }
}

impl Portable for Accumulator {
    fn export(&mut self, slot: Slot, bytes: &mut Vec<u8>) -> Outcome<()> {
        bytes.extend_from_slice(&self.saved.get(slot)?.to_le_bytes());
        Ok(())
    }

    fn import(&mut self, slot: Slot, bytes: &[u8]) -> Outcome<()> {
        let [x] = numbers(bytes)?;
        self.saved.save(slot, &x);
        Ok(())
    }
}
