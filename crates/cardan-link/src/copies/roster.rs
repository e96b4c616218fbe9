//! The memory that all copies see.

use super::SLOTS;
use crate::shared::{RosterMemory, Shared};
use cardan_core::participant::{Effort, Slot};
use rustix::process::Pid;
use std::io;
use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::SeqCst;

/// Who is awake, who keeps which slot, and what was asked of the one that wakes up.
pub(super) struct Roster(Shared<RosterMemory<SLOTS>>);

impl Roster {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Roster(Shared::new()?))
    }

    /// Who is awake.
    pub(super) fn awake(&self) -> Option<Pid> {
        Pid::from_raw(self.0.awake.load(SeqCst))
    }

    /// Notes who is awake now. Returns who was.
    pub(super) fn wake(&self, process: Pid) -> Option<Pid> {
        Pid::from_raw(self.0.awake.swap(number(process), SeqCst))
    }

    /// Who keeps a slot.
    pub(super) fn keeper(&self, slot: Slot) -> Option<Pid> {
        self.0
            .keepers
            .get(slot)
            .and_then(|keeper| Pid::from_raw(keeper.load(SeqCst)))
    }

    /// Notes who keeps a slot.
    pub(super) fn keep(&self, slot: Slot, copy: Pid) {
        if let Some(keeper) = self.0.keepers.get(slot) {
            keeper.store(number(copy), SeqCst);
        }
    }

    /// From now on nobody keeps a slot. Returns who did.
    pub(super) fn forget(&self, slot: Slot) -> Option<Pid> {
        let keeper = self.0.keepers.get(slot);
        keeper.and_then(|keeper| Pid::from_raw(keeper.swap(0, SeqCst)))
    }

    /// A process has ended, and its number may soon mean another one.
    pub(super) fn strike(&self, process: Pid) {
        for keeper in &self.0.keepers {
            let _ = AtomicI32::compare_exchange(keeper, number(process), 0, SeqCst, SeqCst);
        }
    }

    /// What the copy is to know that wakes up now: the number of the request, and the work done so far.
    pub(super) fn ask(&self, sequence: u64, spent: Effort) {
        self.0.sequence.store(sequence, SeqCst);
        self.0.inner_steps.store(spent.inner_steps, SeqCst);
        self.0.evaluations.store(spent.evaluations, SeqCst);
    }

    /// What was asked.
    pub(super) fn request(&self) -> (u64, Effort) {
        let spent = Effort {
            inner_steps: self.0.inner_steps.load(SeqCst),
            evaluations: self.0.evaluations.load(SeqCst),
            ..Effort::default()
        };
        (self.0.sequence.load(SeqCst), spent)
    }
}

fn number(process: Pid) -> i32 {
    process.as_raw_nonzero().get()
}
