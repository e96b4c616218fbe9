//! Checkpoints in files: a run that ends before its end, whatever ends it, goes on later with the same bits.
//!
//! | file | holds |
//! | --- | --- |
//! | `file.rs` | the file: what is in it, writing it whole or not at all, reading it without trust |
//! | `error.rs` | why a run cannot go on from a file |
//! | `fingerprint.rs` | what must be the same in the system that goes on |
//! | `vault.rs` | keeps the checkpoints of a run in a file, of which there is always a whole one |
//! | `able.rs` | whose state cannot be written down, and what to do |
//! | `rows.rs` | the results: earlier rows taken over, and those that checkpoints rely on on disk |

mod able;
mod error;
mod file;
mod fingerprint;
mod rows;
mod vault;

pub use error::CheckpointError;
pub use file::Header;
pub(crate) use rows::{Gap, Results};
pub(crate) use vault::{Kept, Vault};

use crate::error::Error;
use crate::report::CheckpointReport;
use crate::system::System;
use file::Contents;
use fingerprint::Fingerprint;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Where the checkpoints of a run go, and how often.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoints {
    /// The file; each checkpoint takes the place of the one before.
    pub file: PathBuf,
    /// The time between two of them, on the clock.
    pub every: Duration,
}

impl Checkpoints {
    /// One a minute.
    pub fn to(file: impl Into<PathBuf>) -> Self {
        Checkpoints {
            file: file.into(),
            every: Duration::from_secs(60),
        }
    }
}

/// The checkpoint in a file, if it was written since; for when whoever wrote it cannot tell any more.
pub(crate) fn written_since(file: &Path, since: SystemTime) -> Option<CheckpointReport> {
    let written = std::fs::metadata(file).and_then(|found| found.modified()).ok()?;
    let header = Header::read(file).ok().filter(|_| written >= since)?;
    Some(CheckpointReport {
        file: file.to_string_lossy().into_owned(),
        time: header.time,
    })
}

/// Where a run goes on.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Resumed {
    /// Everything before is settled.
    pub time: f64,
    /// The last row of the results up to there.
    pub last_row: f64,
}

/// What a run needs of checkpoints, found to be in order before anything runs.
#[derive(Default)]
pub(crate) struct Prepared {
    /// Where a run goes on, and from what.
    resumed: Option<(Resumed, Vec<u8>)>,
    /// Where checkpoints go.
    vault: Option<(Vault, Duration)>,
}

impl Prepared {
    /// Looks whether everybody's state can be written down, whether there is a place for it, and whether the checkpoint
    /// to go on from is one of this system.
    pub(crate) fn of(
        system: &mut System,
        checkpoints: Option<&Checkpoints>,
        resume: Option<&Path>,
    ) -> Result<Self, Error> {
        if checkpoints.is_none() && resume.is_none() {
            return Ok(Prepared::default());
        }
        able::check(system)?;
        let fingerprint = Fingerprint::of(system);
        let mut prepared = Prepared::default();
        if let Some(path) = resume {
            let resumed = open(path, system, &fingerprint);
            prepared.resumed = Some(resumed.map_err(|error| Error::usage(error.to_string()))?);
        }
        if let Some(Checkpoints { file, every }) = checkpoints {
            prepared.vault = Some((Vault::open(file, system, fingerprint)?, *every));
        }
        Ok(prepared)
    }

    /// Where the run goes on, if not at its start.
    pub(crate) fn resumed(&self) -> Option<Resumed> {
        self.resumed.as_ref().map(|(resumed, _)| *resumed)
    }

    /// The state to go on from, and the place for those to come.
    pub(crate) fn into_parts(self) -> (Option<Vec<u8>>, Option<(Vault, Duration)>) {
        (self.resumed.map(|(_, state)| state), self.vault)
    }
}

fn open(
    path: &Path,
    system: &System,
    fingerprint: &Fingerprint,
) -> Result<(Resumed, Vec<u8>), CheckpointError> {
    let Contents { header, state } = Contents::read(path)?;
    if let Some(difference) = header.fingerprint.difference(fingerprint) {
        return Err(CheckpointError::other_system(path, &header.system, difference));
    }
    let (stop, resolution) = (system.plan.window.stop, system.plan.resolution);
    if resolution.before(stop, cardan_core::time::SimTime::from_seconds(header.time)) {
        return Err(CheckpointError::beyond(path, header.time, stop.seconds()));
    }
    let resumed = Resumed {
        time: header.time,
        last_row: header.last_row,
    };
    Ok((resumed, state))
}
