//! Saved states: the FMU's own, the memory of the solver, and what we know of both.

use cardan_core::participant::{Outcome, Portable, Rollback, Slot};
use cardan_core::planes::Planes;
use cardan_ode::Memory;

use super::ModelExchange;
use super::chatter::Chatter;
use super::events::Occasion;
use super::motion::Motion;
use crate::discrete::Told;
use crate::ffi::State;
use crate::saved::{Kept, copy};

/// A saved state.
pub(super) struct Saved {
    pub(super) state: State,
    pub(super) start: f64,
    pub(super) time: f64,
    pub(super) solver: Memory,
    pub(super) nominals: Vec<f64>,
    /// What the FMU was told: time, states, continuous inputs, and these where the solver rests.
    pub(super) told_time: f64,
    pub(super) told_states: Vec<f64>,
    pub(super) told_inputs: Vec<f64>,
    pub(super) last_inputs: Vec<f64>,
    pub(super) told: Told,
    pub(super) rest: Planes,
    pub(super) rest_is_stale: bool,
    pub(super) events: Kept,
    pub(super) occasion: Occasion,
    pub(super) chatter: Chatter,
}

impl Motion {
    fn save(&mut self, slot: Slot) -> Outcome<()> {
        self.expect_running()?;
        // A slot that was used before lends its memory, that of the FMU too.
        let old = self.slots.take(slot);
        let state = self
            .plant
            .instance
            .save_state(old.as_ref().map(|old| old.state))?;
        let mut saved = old.unwrap_or_else(|| Saved::blank(state));
        saved.state = state;
        (saved.start, saved.time) = (self.start, self.time);
        self.solver.save(&mut saved.solver);
        saved.nominals.clone_from(&self.nominals);
        let (time, states) = self.plant.told();
        saved.told_time = time;
        saved.told_states.clear();
        saved.told_states.extend_from_slice(states);
        let [last, told] = self.plant.drive.memory();
        saved.last_inputs.clear();
        saved.last_inputs.extend_from_slice(last);
        saved.told_inputs.clear();
        saved.told_inputs.extend_from_slice(told);
        saved.told.copy_from(&self.told);
        copy(&self.rest, &mut saved.rest);
        saved.rest_is_stale = self.rest_is_stale;
        saved.events = self.keep_events();
        (saved.occasion, saved.chatter) = (self.event, self.chatter);
        self.slots.put(slot, saved);
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> Outcome<()> {
        let slots = std::mem::take(&mut self.slots);
        let outcome = slots.get(slot).and_then(|saved| self.return_to(saved));
        self.slots = slots;
        outcome
    }

    fn return_to(&mut self, saved: &Saved) -> Outcome<()> {
        // A memory that does not fit is refused before the FMU has moved.
        self.solver.restore(&saved.solver)?;
        self.solver.rescale(&saved.nominals);
        self.plant.instance.restore_state(saved.state)?;
        (self.start, self.time) = (saved.start, saved.time);
        self.nominals.clone_from(&saved.nominals);
        self.plant.went_back(saved.told_time, &saved.told_states);
        self.plant.drive.restore([&saved.last_inputs, &saved.told_inputs]);
        self.told.copy_from(&saved.told);
        copy(&saved.rest, &mut self.rest);
        self.rest_is_stale = saved.rest_is_stale;
        self.restore_events(&saved.events);
        (self.event, self.chatter) = (saved.occasion, saved.chatter);
        Ok(())
    }
}

impl Saved {
    pub(super) fn blank(state: State) -> Self {
        Saved {
            state,
            start: 0.0,
            time: 0.0,
            solver: Memory::default(),
            nominals: Vec::new(),
            told_time: f64::NAN,
            told_states: Vec::new(),
            told_inputs: Vec::new(),
            last_inputs: Vec::new(),
            told: Told::default(),
            rest: Planes::default(),
            rest_is_stale: true,
            events: Kept::default(),
            occasion: Occasion::default(),
            chatter: Chatter::default(),
        }
    }
}

impl Rollback for ModelExchange {
    fn save(&mut self, slot: Slot) -> Outcome<()> {
        self.motion()?.save(slot)
    }

    fn restore(&mut self, slot: Slot) -> Outcome<()> {
        self.motion()?.restore(slot)
    }

    fn portable(&mut self) -> Option<&mut dyn Portable> {
        if self.abilities.usage.serializes_state {
            Some(self)
        } else {
            None
        }
    }
}
