//! Saved states by the numbers of their slots.

use crate::participant::{Failure, Outcome, Slot};

/// A few saved states. One that is replaced lends its memory to the next.
#[derive(Clone, Debug)]
pub struct Slots<S>(Vec<Option<S>>);

impl<S> Default for Slots<S> {
    fn default() -> Self {
        Slots(Vec::new())
    }
}

impl<S> Slots<S> {
    /// Was nothing ever saved?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is saved in `slot`.
    ///
    /// # Errors
    /// If nothing is.
    pub fn get(&self, slot: Slot) -> Outcome<&S> {
        self.0
            .get(slot)
            .and_then(Option::as_ref)
            .ok_or_else(|| empty(slot))
    }

    /// Takes out what is saved in `slot`: to write the next state over it, or for as long as it is in use.
    pub fn take(&mut self, slot: Slot) -> Option<S> {
        self.0.get_mut(slot).and_then(Option::take)
    }

    /// Keeps a state in `slot`.
    pub fn put(&mut self, slot: Slot, state: S) {
        if self.0.len() <= slot {
            self.0.resize_with(slot + 1, || None);
        }
        self.0[slot] = Some(state);
    }
}

impl<S: Clone> Slots<S> {
    /// Keeps a copy of `state` in `slot`, in the memory of what was there.
    pub fn save(&mut self, slot: Slot, state: &S) {
        let saved = match self.take(slot) {
            Some(mut saved) => {
                saved.clone_from(state);
                saved
            }
            None => state.clone(),
        };
        self.put(slot, saved);
    }
}

#[cold]
fn empty(slot: Slot) -> Failure {
    Failure::failed(format!("no state was saved in slot {slot}"))
}
