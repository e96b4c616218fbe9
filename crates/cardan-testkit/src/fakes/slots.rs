//! Saved states by slot number.

use cardan_core::participant::{Failure, Outcome, Slot};

/// A few saved states. The memory of a slot is reused, so saving again does not allocate.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots<T>(Vec<Option<T>>);

impl<T: Clone> Slots<T> {
    /// Keeps a copy of `state` in `slot`.
    pub(super) fn save(&mut self, slot: Slot, state: &T) {
        if self.0.len() <= slot {
            self.0.resize_with(slot + 1, || None);
        }
        match &mut self.0[slot] {
            Some(saved) => saved.clone_from(state),
            empty => *empty = Some(state.clone()),
        }
    }

    /// What is saved in `slot`.
    pub(super) fn get(&self, slot: Slot) -> Outcome<&T> {
        self.0
            .get(slot)
            .and_then(Option::as_ref)
            .ok_or_else(|| Failure::failed(format!("Nothing is saved in slot {slot}.")))
    }
}

/// Reads `N` numbers that were written one after the other as little-endian bytes.
pub(super) fn numbers<const N: usize>(bytes: &[u8]) -> Outcome<[f64; N]> {
    if bytes.len() != 8 * N {
        let message = format!("A saved state has {} bytes, found {}.", 8 * N, bytes.len());
        return Err(Failure::failed(message));
    }
    let mut numbers = [0.0; N];
    for (number, chunk) in numbers.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *number = f64::from_le_bytes(*chunk);
    }
    Ok(numbers)
}
