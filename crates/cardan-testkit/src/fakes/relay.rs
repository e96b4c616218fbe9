//! Passes its inputs on, and counts how often it is called.

use super::places::Places;
use cardan_core::interface::{Interface, Port, PortId};
use cardan_core::participant::{
    Outcome, Participant, Rollback, RunWindow, Settings, Slot, StepEnd, StepRequest,
};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::shell::Slots;
use cardan_core::time::SimTime;
use cardan_core::value::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often each call came. Shared, so that a test can look after the engine took the participant.
#[derive(Debug, Default)]
pub struct Calls {
    steps: AtomicU64,
    outputs: AtomicU64,
    accepted: AtomicU64,
    saves: AtomicU64,
    restores: AtomicU64,
}

impl Calls {
    /// Of `step`.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::SeqCst)
    }

    /// Of `outputs`.
    pub fn outputs(&self) -> u64 {
        self.outputs.load(Ordering::SeqCst)
    }

    /// Of `accepted`.
    pub fn accepted(&self) -> u64 {
        self.accepted.load(Ordering::SeqCst)
    }

    /// Of `save`.
    pub fn saves(&self) -> u64 {
        self.saves.load(Ordering::SeqCst)
    }

    /// Of `restore`.
    pub fn restores(&self) -> u64 {
        self.restores.load(Ordering::SeqCst)
    }
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::SeqCst);
}

/// Copies each real input `in1`, `in2` … to the output `out1`, `out2` …, at once or with the next step.
pub struct Relay {
    interface: Interface,
    places: Places,
    at_once: bool,
    rollback: bool,
    /// The inputs at the end of the last step.
    read: Vec<f64>,
    saved: Slots<Vec<f64>>,
    calls: Arc<Calls>,
}

impl Relay {
    /// Outputs are the inputs of the same instant: declared feedthrough.
    pub fn direct(count: usize) -> Self {
        let mut relay = Relay::undeclared(count);
        for index in 0..count {
            relay
                .interface
                .feeds_through(Self::output(index), Self::input(index));
        }
        relay
    }

    /// Outputs are the inputs at the end of the last step, zero before the first: no feedthrough.
    pub fn held(count: usize) -> Self {
        let mut relay = Relay::undeclared(count);
        relay.at_once = false;
        relay
    }

    /// Like [`direct`](Self::direct) but without saying so: a participant that lies.
    pub fn undeclared(count: usize) -> Self {
        let mut interface = Interface::default();
        for index in 0..count {
            interface.port(Port::input(format!("in{}", index + 1)).start(Value::real(0.0)));
            interface.port(Port::output(format!("out{}", index + 1)));
        }
        Relay {
            interface,
            places: Places::default(),
            at_once: true,
            rollback: true,
            read: vec![0.0; count],
            saved: Slots::default(),
            calls: Arc::default(),
        }
    }

    /// Without the ability to go back.
    #[must_use]
    pub fn without_rollback(mut self) -> Self {
        self.rollback = false;
        self
    }

    /// The port `in1`, `in2` … counted from zero.
    pub fn input(index: usize) -> PortId {
        PortId(2 * index as u32)
    }

    /// The port `out1`, `out2` … counted from zero.
    pub fn output(index: usize) -> PortId {
        PortId(2 * index as u32 + 1)
    }

    /// The counts, which go on counting when the relay is given away.
    pub fn calls(&self) -> Arc<Calls> {
        Arc::clone(&self.calls)
    }
}

impl Participant for Relay {
    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        self.places = Places::bind(&self.interface, inputs, outputs)?;
        Ok(())
    }

    fn begin_initialization(&mut self, _run: &RunWindow, _settings: &Settings) -> Outcome<()> {
        self.read.fill(0.0);
        Ok(())
    }

    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        count(&self.calls.steps);
        for (index, read) in self.read.iter_mut().enumerate() {
            if let Some(place) = self.places.of(Self::input(index)) {
                *read = request.inputs.real(place, request.to);
            }
        }
        Ok(StepEnd::Completed)
    }

    fn outputs(&mut self, _at: SimTime, inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        count(&self.calls.outputs);
        for (index, read) in self.read.iter().enumerate() {
            let driven = self
                .places
                .of(Self::input(index))
                .map_or(0.0, |place| inputs.reals[place]);
            if let Some(place) = self.places.of(Self::output(index)) {
                values.reals[place] = if self.at_once { driven } else { *read };
            }
        }
        Ok(())
    }

    fn set_parameters(&mut self, _at: SimTime, _changes: &Settings) -> Outcome<()> {
        Ok(())
    }

    fn accepted(&mut self, _at: SimTime) {
        count(&self.calls.accepted);
    }

    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn rollback(&mut self) -> Option<&mut dyn Rollback> {
        if self.rollback { Some(self) } else { None }
    }
}

impl Rollback for Relay {
    fn save(&mut self, slot: Slot) -> Outcome<()> {
        count(&self.calls.saves);
        self.saved.save(slot, &self.read);
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> Outcome<()> {
        count(&self.calls.restores);
        self.read.clone_from(self.saved.get(slot)?);
        Ok(())
    }
}
