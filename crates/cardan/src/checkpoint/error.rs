//! Why a run cannot go on from a file.

use super::file::{LAYOUT, VERSION};
use cardan_core::checkpoint::Damage;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a run cannot go on from a file.
#[derive(Debug)]
pub struct CheckpointError {
    path: PathBuf,
    why: Why,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum Why {
    #[error("it cannot be read: {0}")]
    Unreadable(io::Error),
    #[error("it is a folder; give the file that --checkpoint wrote")]
    Folder,
    #[error("it is no regular file; give the file that --checkpoint wrote")]
    NoFile,
    #[error("it is no checkpoint; give the file that --checkpoint wrote")]
    Foreign,
    #[error(
        "it has layout {0}, and this version of cardan reads layout {LAYOUT}; resume with the version that wrote it"
    )]
    Layout(u64),
    #[error(
        "it was written by cardan {0}, and this is cardan {VERSION}; resume with the version that wrote it"
    )]
    Version(String),
    #[error(
        "it is damaged, for its checksum is wrong: it was cut short or changed; take an earlier copy, or start anew"
    )]
    Checksum,
    #[error("it is damaged: {0}; take an earlier copy, or start anew")]
    Damaged(#[from] Damage),
    #[error(
        "it belongs to `{system}` with {difference}; resume the system as it was, only its stop may change"
    )]
    OtherSystem {
        system: String,
        difference: &'static str,
    },
    #[error(
        "it stands at t = {time} s, and the run is to stop at {stop} s, before that; give a later --stop"
    )]
    Beyond { time: f64, stop: f64 },
}

impl CheckpointError {
    pub(super) fn new(path: &Path, why: Why) -> Self {
        CheckpointError {
            path: path.to_owned(),
            why,
        }
    }

    pub(super) fn other_system(path: &Path, system: &str, difference: &'static str) -> Self {
        let system = system.to_owned();
        CheckpointError::new(path, Why::OtherSystem { system, difference })
    }

    pub(super) fn beyond(path: &Path, time: f64, stop: f64) -> Self {
        CheckpointError::new(path, Why::Beyond { time, stop })
    }
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "cannot use the checkpoint {}: {}",
            self.path.display(),
            self.why
        )
    }
}

impl std::error::Error for CheckpointError {}
