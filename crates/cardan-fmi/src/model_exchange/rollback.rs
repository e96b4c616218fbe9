//! Saved states: the FMU's own, the memory of the solver, and what we know of both.

use cardan_core::participant::{Failure, Outcome, Portable, Rollback, Slot};
use cardan_core::planes::Planes;
use cardan_ode::Memory;

use super::bytes::{Reader, Writer};
use super::chatter::Chatter;
use super::events::{Kept, Occasion};
use super::motion::{Mode, Motion};
use super::{ModelExchange, failure};
use crate::ffi::State;

/// A saved state.
pub(super) struct Saved {
    state: State,
    start: f64,
    time: f64,
    solver: Memory,
    nominals: Vec<f64>,
    /// What the FMU was told: time, states, continuous inputs, and these where the solver rests.
    told_time: f64,
    told_states: Vec<f64>,
    told_inputs: Vec<f64>,
    last_inputs: Vec<f64>,
    told: Planes,
    told_any: bool,
    rest: Planes,
    rest_is_stale: bool,
    events: Kept,
    occasion: Occasion,
    chatter: Chatter,
}

impl Motion {
    fn save(&mut self, slot: Slot) -> Outcome<()> {
        self.expect_running()?;
        // A slot that was used before lends its memory, that of the FMU too.
        let old = self.slots.get_mut(slot).and_then(Option::take);
        let state = self
            .plant
            .instance
            .save_state(old.as_ref().map(|old| old.state))?;
        let mut saved = old.unwrap_or_else(|| Saved::blank(state));
        saved.state = state;
        (saved.start, saved.time) = (self.start, self.time);
        if let Some(solver) = &self.solver {
            solver.save(&mut saved.solver);
        }
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
        saved.told.clone_from(&self.told);
        saved.rest.clone_from(&self.rest);
        (saved.told_any, saved.rest_is_stale) = (self.told_any, self.rest_is_stale);
        saved.events = self.keep_events();
        (saved.occasion, saved.chatter) = (self.event, self.chatter);
        self.put(slot, saved);
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> Outcome<()> {
        let saved = self.slots.get_mut(slot).and_then(Option::take);
        let saved = saved.ok_or_else(|| empty(slot))?;
        let outcome = self.return_to(&saved);
        self.put(slot, saved);
        outcome
    }

    fn return_to(&mut self, saved: &Saved) -> Outcome<()> {
        self.plant.instance.restore_state(saved.state)?;
        if let Some(solver) = &mut self.solver {
            solver.rescale(&saved.nominals);
            let restored = solver.restore(&saved.solver);
            restored.map_err(|error| failure::of_solver(&error, None, None))?;
        }
        (self.start, self.time) = (saved.start, saved.time);
        self.nominals.clone_from(&saved.nominals);
        self.plant.went_back(saved.told_time, &saved.told_states);
        self.plant.drive.restore([&saved.last_inputs, &saved.told_inputs]);
        self.told.clone_from(&saved.told);
        self.rest.clone_from(&saved.rest);
        (self.told_any, self.rest_is_stale) = (saved.told_any, saved.rest_is_stale);
        self.restore_events(&saved.events);
        (self.event, self.chatter) = (saved.occasion, saved.chatter);
        Ok(())
    }

    fn put(&mut self, slot: Slot, saved: Saved) {
        if self.slots.len() <= slot {
            self.slots.resize_with(slot + 1, || None);
        }
        self.slots[slot] = Some(saved);
    }

    fn export(&mut self, slot: Slot, bytes: &mut Vec<u8>) -> Outcome<()> {
        let saved = self.slots.get(slot).and_then(Option::as_ref);
        let saved = saved.ok_or_else(|| empty(slot))?;
        let mut state = Vec::new();
        self.plant.instance.serialize_state(saved.state, &mut state)?;
        let mut writer = Writer::begin(bytes);
        writer.bytes(self.fmu.description().token.as_bytes());
        writer.real(saved.start);
        writer.real(saved.time);
        writer.planes(&saved.numbers());
        writer.planes(&saved.told);
        writer.planes(&saved.rest);
        writer.boolean(saved.told_any);
        writer.boolean(saved.rest_is_stale);
        writer.events(Some(&saved.events));
        let occasion = &saved.occasion;
        writer.integer(i64::from(occasion.rounds));
        for flag in [
            occasion.disturbed,
            occasion.states_changed,
            occasion.nominals_changed,
        ] {
            writer.boolean(flag);
        }
        writer.boolean(saved.chatter.last.is_some());
        writer.real(saved.chatter.last.unwrap_or(0.0));
        writer.integer(i64::from(saved.chatter.close));
        writer.bytes(&state);
        Ok(())
    }

    fn import(&mut self, slot: Slot, bytes: &[u8]) -> Outcome<()> {
        let mut reader = Reader::begin(bytes)?;
        if reader.bytes()? != self.fmu.description().token.as_bytes() {
            return Err(Failure::failed("the state was saved by another FMU"));
        }
        let (start, time) = (reader.real()?, reader.real()?);
        let numbers = reader.planes()?;
        let (told, rest) = (reader.planes()?, reader.planes()?);
        let (told_any, rest_is_stale) = (reader.boolean()?, reader.boolean()?);
        let events = reader.events()?.ok_or_else(elsewhere)?;
        let occasion = Occasion {
            rounds: u32::try_from(reader.integer()?).unwrap_or(0),
            disturbed: reader.boolean()?,
            states_changed: reader.boolean()?,
            nominals_changed: reader.boolean()?,
        };
        let (known, last) = (reader.boolean()?, reader.real()?);
        let chatter = Chatter {
            last: known.then_some(last),
            close: u32::try_from(reader.integer()?).unwrap_or(0),
        };
        let state = reader.bytes()?.to_vec();
        reader.end()?;
        let (states, inputs) = (self.x.len(), self.inputs.extent.reals);
        let mut parts = Parts(&numbers.reals);
        let mut saved = Saved {
            start,
            time,
            told_time: parts.take(1)?[0],
            nominals: parts.take(states)?,
            told_states: parts.take(states)?,
            told_inputs: parts.take(inputs)?,
            last_inputs: parts.take(inputs)?,
            solver: Memory {
                reals: parts.0.to_vec(),
                integers: numbers.integers,
            },
            told,
            told_any,
            rest,
            rest_is_stale,
            events,
            occasion,
            chatter,
            ..Saved::blank(self.plant.instance.deserialize_state(&state)?)
        };
        let fits = same_sizes(&saved.told, &self.told) && same_sizes(&saved.rest, &self.rest);
        if !fits || saved.events.rhythms.len() != self.clocks.len() {
            self.plant.instance.free_state(saved.state)?;
            return Err(elsewhere());
        }
        if let Some(old) = self.slots.get_mut(slot).and_then(Option::take) {
            self.plant.instance.free_state(old.state)?;
        }
        saved.rest_is_stale |= self.mode == Mode::Initializing;
        self.put(slot, saved);
        Ok(())
    }
}

impl Saved {
    fn blank(state: State) -> Self {
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
            told: Planes::default(),
            told_any: false,
            rest: Planes::default(),
            rest_is_stale: true,
            events: Kept {
                inside: false,
                raised: false,
                terminating: false,
                next: None,
                rhythms: Vec::new(),
            },
            occasion: Occasion::default(),
            chatter: Chatter::default(),
        }
    }

    /// All loose numbers in one row; the memory of the solver is the rest of it.
    fn numbers(&self) -> Planes {
        let mut reals = vec![self.told_time];
        for part in [
            &self.nominals,
            &self.told_states,
            &self.told_inputs,
            &self.last_inputs,
        ] {
            reals.extend_from_slice(part);
        }
        reals.extend_from_slice(&self.solver.reals);
        Planes {
            reals,
            integers: self.solver.integers.clone(),
            ..Planes::default()
        }
    }
}

/// A row of numbers, taken apart.
struct Parts<'a>(&'a [f64]);

impl Parts<'_> {
    fn take(&mut self, count: usize) -> Outcome<Vec<f64>> {
        let (part, rest) = self.0.split_at_checked(count).ok_or_else(elsewhere)?;
        self.0 = rest;
        Ok(part.to_vec())
    }
}

fn same_sizes(one: &Planes, other: &Planes) -> bool {
    let sizes = |p: &Planes| (p.reals.len(), p.integers.len(), p.booleans.len(), p.bytes.len());
    sizes(one) == sizes(other)
}

fn elsewhere() -> Failure {
    Failure::failed("the saved state belongs to other connections of the FMU, or to another solver")
}

fn empty(slot: Slot) -> Failure {
    Failure::failed(format!("no state was saved in slot {slot}"))
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

impl Portable for ModelExchange {
    fn export(&mut self, slot: Slot, bytes: &mut Vec<u8>) -> Outcome<()> {
        self.motion()?.export(slot, bytes)
    }

    fn import(&mut self, slot: Slot, bytes: &[u8]) -> Outcome<()> {
        self.motion()?.import(slot, bytes)
    }
}
