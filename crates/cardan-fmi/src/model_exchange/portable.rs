//! Saved states as bytes, to leave the process.

use cardan_core::checkpoint::{Damage, Reader, Writer};
use cardan_core::participant::{Failure, Outcome, Portable, Slot};
use cardan_core::planes::Planes;
use cardan_ode::Memory;

use super::ModelExchange;
use super::chatter::Chatter;
use super::events::Occasion;
use super::motion::Motion;
use super::rollback::Saved;
use crate::discrete::Told;
use crate::saved::{Kept, LAYOUT, same_sizes};

/// What tells these bytes from those of the same FMU in Co-Simulation.
const USE: &[u8] = b"model exchange";
const WHAT: &str = "parts of the state of an FMU";

impl Motion {
    fn export(&mut self, slot: Slot, bytes: &mut Vec<u8>) -> Outcome<()> {
        let saved = self.slots.get(slot)?;
        let mut state = Vec::new();
        self.plant.instance.serialize_state(saved.state, &mut state)?;
        LAYOUT.append(bytes, |writer| {
            writer.blob(USE);
            writer.text(&self.fmu.description().token);
            writer.real(saved.start);
            writer.real(saved.time);
            writer.planes(&saved.numbers());
            saved.told.write(writer);
            writer.planes(&saved.rest);
            writer.boolean(saved.rest_is_stale);
            Kept::write(Some(&saved.events), writer);
            saved.occasion.write(writer);
            saved.chatter.write(writer);
            writer.blob(&state);
        });
        Ok(())
    }

    fn import(&mut self, slot: Slot, bytes: &[u8]) -> Outcome<()> {
        let mut reader = LAYOUT.read(bytes)?;
        if reader.blob(WHAT)? != USE || reader.blob(WHAT)? != self.fmu.description().token.as_bytes() {
            return Err(Failure::failed(
                "the state was saved by another FMU, or not in Model Exchange",
            ));
        }
        let (start, time) = (reader.real(WHAT)?, reader.real(WHAT)?);
        let numbers = reader.planes(WHAT)?;
        let (told, rest) = (Told::read(&mut reader)?, reader.planes(WHAT)?);
        let rest_is_stale = reader.boolean(WHAT)?;
        let events = Kept::read(&mut reader)?.ok_or_else(elsewhere)?;
        let (occasion, chatter) = (Occasion::read(&mut reader)?, Chatter::read(&mut reader)?);
        let state = reader.blob(WHAT)?;
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
            ..Saved::blank(self.plant.instance.deserialize_state(state)?)
        };
        let fits = same_sizes(&saved.told.values, &self.told.values) && same_sizes(&saved.rest, &self.rest);
        if !fits || !self.remembers(&saved.solver) || saved.events.rhythms.len() != self.clocks.len() {
            self.plant.instance.free_state(saved.state)?;
            return Err(elsewhere());
        }
        if let Some(old) = self.slots.take(slot) {
            self.plant.instance.free_state(old.state)?;
        }
        self.slots.put(slot, saved);
        Ok(())
    }

    /// Could it be the memory of this solver?
    fn remembers(&self, memory: &Memory) -> bool {
        let mut own = Memory::default();
        self.solver.save(&mut own);
        (own.reals.len(), own.integers.len()) == (memory.reals.len(), memory.integers.len())
    }
}

impl Occasion {
    fn write(&self, writer: &mut Writer) {
        writer.integer(i64::from(self.rounds));
        for flag in [self.disturbed, self.states_changed, self.nominals_changed] {
            writer.boolean(flag);
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, Damage> {
        Ok(Occasion {
            rounds: u32::try_from(reader.integer(WHAT)?).unwrap_or(0),
            disturbed: reader.boolean(WHAT)?,
            states_changed: reader.boolean(WHAT)?,
            nominals_changed: reader.boolean(WHAT)?,
        })
    }
}

impl Chatter {
    fn write(&self, writer: &mut Writer) {
        writer.boolean(self.last.is_some());
        writer.real(self.last.unwrap_or(0.0));
        writer.integer(i64::from(self.close));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, Damage> {
        let (known, last) = (reader.boolean(WHAT)?, reader.real(WHAT)?);
        Ok(Chatter {
            last: known.then_some(last),
            close: u32::try_from(reader.integer(WHAT)?).unwrap_or(0),
        })
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
