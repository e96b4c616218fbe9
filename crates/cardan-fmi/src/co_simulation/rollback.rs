//! Saved states: the FMU's own, and what we know of it.

use cardan_core::participant::{Failure, Outcome, Portable, Rollback, Slot};
use cardan_core::planes::Planes;
use cardan_core::time::SimTime;

use super::{CoSimulation, Stage};
use crate::discrete::Told;
use crate::ffi::State;
use crate::saved::{Kept, Reader, Writer, copy, empty, same_sizes};

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
        let old = self.slots.get_mut(slot).and_then(Option::take);
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
        self.put(slot, saved);
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> Outcome<()> {
        let instance = Self::running(&mut self.instance)?;
        let saved = self
            .slots
            .get(slot)
            .and_then(Option::as_ref)
            .ok_or_else(|| empty(slot))?;
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

impl CoSimulation {
    fn put(&mut self, slot: Slot, saved: Saved) {
        if self.slots.len() <= slot {
            self.slots.resize_with(slot + 1, || None);
        }
        self.slots[slot] = Some(saved);
    }
}

impl Portable for CoSimulation {
    fn export(&mut self, slot: Slot, bytes: &mut Vec<u8>) -> Outcome<()> {
        let instance = Self::running(&mut self.instance)?;
        let saved = self
            .slots
            .get(slot)
            .and_then(Option::as_ref)
            .ok_or_else(|| empty(slot))?;
        let mut state = Vec::new();
        instance.serialize_state(saved.state, &mut state)?;
        let mut writer = Writer::begin(bytes);
        writer.bytes(self.fmu.description().token.as_bytes());
        writer.real(saved.start.seconds());
        writer.real(saved.time.seconds());
        writer.told(&saved.told);
        writer.integer(i64::from(saved.moving));
        writer.planes(&saved.rest);
        writer.boolean(saved.rest_is_stale);
        writer.events(saved.events.as_ref());
        writer.bytes(&state);
        Ok(())
    }

    fn import(&mut self, slot: Slot, bytes: &[u8]) -> Outcome<()> {
        let mut reader = Reader::begin(bytes)?;
        if reader.bytes()? != self.fmu.description().token.as_bytes() {
            return Err(Failure::failed("the state was saved by another FMU"));
        }
        let (start, time) = (reader.time()?, reader.time()?);
        let told = reader.told()?;
        let moving = u32::try_from(reader.integer()?).unwrap_or(0);
        let rest = reader.planes()?;
        let rest_is_stale = reader.boolean()?;
        let events = reader.events()?;
        let state = reader.bytes()?.to_vec();
        reader.end()?;
        let fits = same_sizes(&told.values, &self.told.values) && same_sizes(&rest, &self.rest);
        if !fits || events.is_some() != self.events.is_some() {
            return Err(Failure::failed(
                "the saved state belongs to other connections of the FMU",
            ));
        }
        let instance = Self::running(&mut self.instance)?;
        let state = instance.deserialize_state(&state)?;
        if let Some(old) = self.slots.get_mut(slot).and_then(Option::take) {
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
        self.put(slot, saved);
        Ok(())
    }
}
