//! What a run and whoever watches over it write for each other.

use super::Shareable;
use cardan_core::flight::Slot;
use cardan_core::record::RingHead;
use cardan_core::run::Control;
use std::sync::atomic::AtomicU64;

/// Words of the ring through which rows go: 512 kB, enough for wide rows, and little enough to stay in a processor's second cache.
const RING: usize = 1 << 16;
/// Threads with notes of their own; those beyond share the last.
const THREADS: usize = 64;

/// What a run and whoever watches over it write for each other.
#[derive(Debug)]
#[repr(C)]
pub struct BoardMemory {
    /// How far the run is; to stop it.
    pub control: Control,
    /// Whom it is calling.
    pub slots: [Slot; THREADS],
    /// How far its rows are.
    pub head: RingHead,
    /// Its rows.
    pub words: [AtomicU64; RING],
}

// SAFETY: it consists of atomic integers, of which any bytes are a value.
unsafe impl Shareable for BoardMemory {}
