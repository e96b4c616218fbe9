//! Saved states.

use std::ffi::c_void;
use std::ptr;

use super::error::{Called, Trouble};
use super::instance::{Instance, Phase, call};
use super::library::Functions;

/// A saved state, by its number in its instance. States that were not freed are freed with the instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State(usize);

/// What the FMU gave for it, and where the instance was in its life.
pub(super) struct Kept {
    handle: *mut c_void,
    phase: Phase,
}

impl Instance {
    /// Saves the present state, into the place of an older one if there is one.
    pub fn save_state(&mut self, over: Option<State>) -> Called<State> {
        let old = over.and_then(|state| self.states.get(state.0)?.as_ref());
        let mut handle = old.map_or(ptr::null_mut(), |kept| kept.handle);
        let outcome = match &self.library.functions {
            Functions::V2(f) => call!(self, f.get_fmu_state(&raw mut handle)),
            Functions::V3(f) => call!(self, f.get_fmu_state(&raw mut handle)),
        };
        let place = over.filter(|state| self.states.get(state.0).is_some_and(Option::is_some));
        match (outcome, place) {
            (Err(error), None) => Err(error),
            // The FMU may have moved the old state before it failed, so its present place is noted in any case.
            (outcome, place) => {
                let state = self.keep(place, handle);
                outcome.map(|()| state)
            }
        }
    }

    /// Goes back to a saved state, which stays saved.
    pub fn restore_state(&mut self, state: State) -> Called<()> {
        let (handle, phase) = self.kept("fmi3SetFMUState", state)?;
        match &self.library.functions {
            Functions::V2(f) => call!(self, f.set_fmu_state(handle))?,
            Functions::V3(f) => call!(self, f.set_fmu_state(handle))?,
        }
        self.phase.set(phase);
        Ok(())
    }

    /// Frees a saved state.
    pub fn free_state(&mut self, state: State) -> Called<()> {
        let Some(kept) = self.states.get_mut(state.0).and_then(Option::take) else {
            return Ok(());
        };
        let mut handle = kept.handle;
        match &self.library.functions {
            Functions::V2(f) => call!(self, f.free_fmu_state(&raw mut handle)),
            Functions::V3(f) => call!(self, f.free_fmu_state(&raw mut handle)),
        }
    }

    /// Appends a saved state to `bytes`.
    pub fn serialize_state(&mut self, state: State, bytes: &mut Vec<u8>) -> Called<()> {
        let (handle, _) = self.kept("fmi3SerializeFMUState", state)?;
        let mut size = 0_usize;
        match &self.library.functions {
            Functions::V2(f) => call!(self, f.serialized_size(handle, &raw mut size))?,
            Functions::V3(f) => call!(self, f.serialized_size(handle, &raw mut size))?,
        }
        let before = bytes.len();
        bytes.resize(before + size, 0);
        let place = bytes[before..].as_mut_ptr();
        let outcome = match &self.library.functions {
            Functions::V2(f) => call!(self, f.serialize(handle, place, size)),
            Functions::V3(f) => call!(self, f.serialize(handle, place, size)),
        };
        if outcome.is_err() {
            bytes.truncate(before);
        }
        outcome
    }

    /// Makes a saved state of bytes that came from an instance of the same FMU.
    pub fn deserialize_state(&mut self, bytes: &[u8]) -> Called<State> {
        let mut handle = ptr::null_mut();
        match &self.library.functions {
            Functions::V2(f) => call!(self, f.deserialize(bytes.as_ptr(), bytes.len(), &raw mut handle))?,
            Functions::V3(f) => call!(self, f.deserialize(bytes.as_ptr(), bytes.len(), &raw mut handle))?,
        }
        Ok(self.keep(None, handle))
    }

    /// Before the instance itself is freed.
    pub(super) fn free_all_states(&mut self) {
        for place in 0..self.states.len() {
            // There is nobody left to tell.
            let _ = self.free_state(State(place));
        }
    }

    fn kept(&self, function: &'static str, state: State) -> Called<(*mut c_void, Phase)> {
        match self.states.get(state.0).and_then(Option::as_ref) {
            Some(kept) => Ok((kept.handle, kept.phase)),
            None => {
                let why = "there is no such saved state".to_string();
                Err(self.error(function, Trouble::Refused(why)))
            }
        }
    }

    fn keep(&mut self, place: Option<State>, handle: *mut c_void) -> State {
        let phase = match self.phase.get() {
            // A state that came as bytes, or was saved in trouble, leads back into a run.
            Phase::Failed | Phase::Terminated => Phase::Running,
            phase => phase,
        };
        let kept = Some(Kept { handle, phase });
        let place = place.map(|state| state.0);
        let place = place.or_else(|| self.states.iter().position(Option::is_none));
        let place = place.unwrap_or_else(|| {
            self.states.push(None);
            self.states.len() - 1
        });
        self.states[place] = kept;
        State(place)
    }
}
