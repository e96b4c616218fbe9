//! Checkpoints: a run as bytes, from which another run of the same system goes on with the same bits.
//!
//! | file | holds |
//! | --- | --- |
//! | `mod.rs` | what it means to be resumable, and what can be wrong with bytes |
//! | `writer.rs`, `reader.rs` | plain values as bytes and back; nothing that is read is trusted |
//! | `keeping.rs` | when a checkpoint is due, and whoever keeps it |
//! | `noticed.rs` | what the monitor has noticed |
//!
//! Everything else writes itself down where it lives: the world in `world/resume.rs`, signals in `signal/kept.rs`, each
//! master and each accelerator in its own file. What can be worked out again from what the world shows is not written:
//! a master with a fixed step keeps nothing, and so goes on towards another end of the run as well.

mod keeping;
mod noticed;
mod reader;
mod writer;

pub(crate) use keeping::Keeping;
pub use keeping::{Keeper, Mark};
pub use reader::Reader;
pub use writer::Writer;

use crate::error::RunError;
use crate::participant::{Failure, Slot};

/// The slot in which participants save their states for a checkpoint: none that a method uses.
pub(crate) const SLOT: Slot = 15;

/// Something that goes on from bytes as if nothing had happened in between.
pub trait Resumable {
    /// Writes down what decides how it goes on.
    fn keep(&self, writer: &mut Writer);

    /// Takes over what one of the same make has written down. After an error it is of no use.
    ///
    /// # Errors
    /// If the bytes do not fit.
    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage>;
}

/// What is wrong with the bytes of a checkpoint.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Damage {
    /// There are fewer bytes than belong there.
    #[error("it is cut short: {what} should follow where it ends")]
    CutShort {
        /// What was being read.
        what: &'static str,
    },
    /// There are more bytes than belong there.
    #[error("it has {count} bytes too many")]
    TooLong {
        /// How many are left over.
        count: usize,
    },
    /// Something has another size here.
    #[error("it holds {found} of {what} where this system has {expected}")]
    Unfit {
        /// What was being read.
        what: &'static str,
        /// How many there are here.
        expected: usize,
        /// How many it holds.
        found: usize,
    },
    /// Something is not what it should be.
    #[error("it holds {what} that make no sense")]
    Nonsense {
        /// What was being read.
        what: &'static str,
    },
    /// The run is to end before the checkpoint.
    #[error("it stands at t = {time} s, and the run is to stop at {stop} s, before that; give a later stop")]
    Beyond {
        /// Where it stands.
        time: f64,
        /// The end of the run.
        stop: f64,
    },
}

/// Of the state of a participant.
impl From<Damage> for Failure {
    fn from(damage: Damage) -> Self {
        Failure::failed(format!("the saved state is no use: {damage}"))
    }
}

/// Why a run cannot go on from a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The bytes do not fit.
    #[error(transparent)]
    Damaged(#[from] Damage),
    /// A participant failed to take over its state.
    #[error(transparent)]
    Run(#[from] RunError),
}
