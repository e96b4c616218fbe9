//! What copies of one process write for each other.

use super::Shareable;
use std::sync::atomic::{AtomicI32, AtomicU64};

/// What copies of one process write for each other.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct RosterMemory<const SLOTS: usize> {
    /// The number of the process that is awake.
    pub(crate) awake: AtomicI32,
    /// The numbers of those that sleep, by slot; zero where there is none.
    pub(crate) keepers: [AtomicI32; SLOTS],
    /// The request that the one that wakes up is to answer.
    pub(crate) sequence: AtomicU64,
    /// Inner steps done so far.
    pub(crate) inner_steps: AtomicU64,
    /// Evaluations done so far.
    pub(crate) evaluations: AtomicU64,
}

// SAFETY: it consists of atomic integers, of which any bytes are a value.
unsafe impl<const SLOTS: usize> Shareable for RosterMemory<SLOTS> {}
