//! Saved states as bytes, to leave the process.

use cardan_core::participant::{Failure, Outcome, Portable, Slot};
use cardan_core::planes::Planes;
use cardan_ode::Memory;

use super::ModelExchange;
use super::chatter::Chatter;
use super::events::Occasion;
use super::motion::Motion;
use super::rollback::Saved;
use crate::saved::{Reader, Writer, empty, same_sizes};

/// What tells these bytes from those of the same FMU in Co-Simulation.
const USE: &[u8] = b"model exchange";

impl Motion {
    fn export(&mut self, slot: Slot, bytes: &mut Vec<u8>) -> Outcome<()> {
        let saved = self.slots.get(slot).and_then(Option::as_ref);
        let saved = saved.ok_or_else(|| empty(slot))?;
        let mut state = Vec::new();
        self.plant.instance.serialize_state(saved.state, &mut state)?;
        let mut writer = Writer::begin(bytes);
        writer.bytes(USE);
        writer.bytes(self.fmu.description().token.as_bytes());
        writer.real(saved.start);
        writer.real(saved.time);
        writer.planes(&saved.numbers());
        writer.told(&saved.told);
        writer.planes(&saved.rest);
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
        if reader.bytes()? != USE || reader.bytes()? != self.fmu.description().token.as_bytes() {
            return Err(Failure::failed(
                "the state was saved by another FMU, or not in Model Exchange",
            ));
        }
        let (start, time) = (reader.real()?, reader.real()?);
        let numbers = reader.planes()?;
        let (told, rest) = (reader.told()?, reader.planes()?);
        let rest_is_stale = reader.boolean()?;
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
        let saved = Saved {
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
            rest,
            rest_is_stale,
            events,
            occasion,
            chatter,
            ..Saved::blank(self.plant.instance.deserialize_state(&state)?)
        };
        let fits = same_sizes(&saved.told.values, &self.told.values) && same_sizes(&saved.rest, &self.rest);
        if !fits || !self.remembers(&saved.solver) || saved.events.rhythms.len() != self.clocks.len() {
            self.plant.instance.free_state(saved.state)?;
            return Err(elsewhere());
        }
        if let Some(old) = self.slots.get_mut(slot).and_then(Option::take) {
            self.plant.instance.free_state(old.state)?;
        }
        self.put(slot, saved);
        Ok(())
    }
}

impl Motion {
    /// Could it be the memory of this solver?
    fn remembers(&self, memory: &Memory) -> bool {
        let mut own = Memory::default();
        if let Some(solver) = &self.solver {
            solver.save(&mut own);
        }
        (own.reals.len(), own.integers.len()) == (memory.reals.len(), memory.integers.len())
    }
}

impl Saved {
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

fn elsewhere() -> Failure {
    Failure::failed("the saved state belongs to other connections of the FMU, or to another solver")
}

impl Portable for ModelExchange {
    fn export(&mut self, slot: Slot, bytes: &mut Vec<u8>) -> Outcome<()> {
        self.motion()?.export(slot, bytes)
    }

    fn import(&mut self, slot: Slot, bytes: &[u8]) -> Outcome<()> {
        self.motion()?.import(slot, bytes)
    }
}
