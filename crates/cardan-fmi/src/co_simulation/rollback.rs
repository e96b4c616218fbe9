//! Saved states: the FMU's own, and what we know of it.

use cardan_core::participant::{Failure, Outcome, Portable, Rollback, Slot};
use cardan_core::planes::Planes;
use cardan_core::time::SimTime;

use super::{CoSimulation, Stage};
use crate::discrete::Told;
use crate::ffi::State;
use crate::saved::{Kept, LAYOUT, copy, same_sizes};

/// A saved state.
pub(super) struct Saved {
    state: State,
    start: SimTime,
    time: SimTime,
    told: Told,
    moving: u32,
    rest: Planes,
    rest_is_stale: bool,
    events: Option<Kept>,
}

impl Rollback for CoSimulation {
    fn save(&mut self, slot: Slot) -> Outcome<()> {
        let instance = Self::running(&mut self.instance)?;
        // A slot that was used before lends its memory, that of the FMU too.
        let old = self.slots.take(slot);
        let state = instance.save_state(old.as_ref().map(|old| old.state))?;
        let (mut told, mut rest) = old.map_or_else(Default::default, |old| (old.told, old.rest));
        told.copy_from(&self.told);
        copy(&self.rest, &mut rest);
        let saved = Saved {
            state,
            start: self.start,
            time: self.time,
            told,
            moving: self.moving,
            rest,
            rest_is_stale: self.rest_is_stale,
            events: self.events.as_ref().map(|events| events.keep()),
        };
        self.slots.put(slot, saved);
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> Outcome<()> {
        let instance = Self::running(&mut self.instance)?;
        let saved = self.slots.get(slot)?;
        instance.restore_state(saved.state)?;
        (self.start, self.time) = (saved.start, saved.time);
        self.told.copy_from(&saved.told);
        copy(&saved.rest, &mut self.rest);
        (self.moving, self.rest_is_stale) = (saved.moving, saved.rest_is_stale);
        if let (Some(events), Some(kept)) = (&mut self.events, &saved.events) {
            events.restore(kept);
        }
        self.stage = Stage::Running;
        Ok(())
    }

    fn portable(&mut self) -> Option<&mut dyn Portable> {
        if self.abilities.usage.serializes_state {
            Some(self)
        } else {
            None
        }
    }
}

impl Portable for CoSimulation {
    fn export(&mut self, slot: Slot, bytes: &mut Vec<u8>) -> Outcome<()> {
        let instance = Self::running(&mut self.instance)?;
        let saved = self.slots.get(slot)?;
        let mut state = Vec::new();
        instance.serialize_state(saved.state, &mut state)?;
        LAYOUT.append(bytes, |writer| {
            writer.text(&self.fmu.description().token);
            writer.time(saved.start);
            writer.time(saved.time);
            saved.told.write(writer);
            writer.integer(i64::from(saved.moving));
            writer.planes(&saved.rest);
            writer.boolean(saved.rest_is_stale);
            Kept::write(saved.events.as_ref(), writer);
            writer.blob(&state);
        });
        Ok(())
    }

    fn import(&mut self, slot: Slot, bytes: &[u8]) -> Outcome<()> {
        const REST: &str = "values at rest";
        const STATE: &str = "the state of the FMU";
        let mut reader = LAYOUT.read(bytes)?;
        if reader.blob("the token of the FMU")? != self.fmu.description().token.as_bytes() {
            return Err(Failure::failed("the state was saved by another FMU"));
        }
        let (start, time) = (reader.time("its start")?, reader.time("its time")?);
        let told = Told::read(&mut reader)?;
        let moving = u32::try_from(reader.integer("orders of inputs")?).unwrap_or(0);
        let rest = reader.planes(REST)?;
        let rest_is_stale = reader.boolean(REST)?;
        let events = Kept::read(&mut reader)?;
        let state = reader.blob(STATE)?;
        reader.end()?;
        let fits = same_sizes(&told.values, &self.told.values) && same_sizes(&rest, &self.rest);
        if !fits || events.is_some() != self.events.is_some() {
            return Err(Failure::failed(
                "the saved state belongs to other connections of the FMU",
            ));
        }
        let instance = Self::running(&mut self.instance)?;
        let state = instance.deserialize_state(state)?;
        if let Some(old) = self.slots.take(slot) {
            instance.free_state(old.state)?;
        }
        let saved = Saved {
            state,
            start,
            time,
            told,
            moving,
            rest,
            rest_is_stale,
            events,
        };
        self.slots.put(slot, saved);
        Ok(())
    }
}
