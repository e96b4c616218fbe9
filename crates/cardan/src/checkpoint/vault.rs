//! Keeps the checkpoints of a run in a file.

use super::file::{self, Header};
use super::fingerprint::Fingerprint;
use crate::error::Error;
use crate::report::CheckpointReport;
use crate::system::System;
use cardan_core::checkpoint::{Keeper, Mark};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The place for the checkpoints of a run.
pub(crate) struct Vault {
    /// As the user wrote it.
    shown: PathBuf,
    path: PathBuf,
    header: Header,
    /// The last one that was kept.
    kept: Kept,
}

/// Tells what a vault has kept.
pub(crate) type Kept = Arc<Mutex<Option<CheckpointReport>>>;

impl Vault {
    /// For the checkpoints of a system. A place where none can be kept is refused before anything runs.
    pub(super) fn open(path: &Path, system: &System, fingerprint: Fingerprint) -> Result<Self, Error> {
        let refuse = |why: &str| {
            Error::usage(format!(
                "no checkpoint can be kept in {}: {why}; choose another file with --checkpoint",
                path.display()
            ))
        };
        // A link is followed, so that what it points to is replaced and not the link.
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        // A slip of the pen must not cost a file.
        if place.exists() && !file::may_be_replaced(&place) {
            return Err(refuse("it is there, and is no checkpoint"));
        }
        file::try_replace(&place).map_err(|error| refuse(&error.to_string()))?;
        let plan = &system.plan;
        Ok(Vault {
            shown: path.to_owned(),
            path: place,
            header: Header {
                version: Header::version(),
                system: system.spec.name.clone(),
                components: plan.seats.iter().map(|seat| seat.name.clone()).collect(),
                method: system.setup.pace(),
                window: (plan.window.start.seconds(), plan.window.stop.seconds()),
                time: plan.window.start.seconds(),
                last_row: plan.window.start.seconds(),
                steps: 0,
                fingerprint,
            },
            kept: Kept::default(),
        })
    }

    /// What will have been kept.
    pub(crate) fn kept(&self) -> Kept {
        Arc::clone(&self.kept)
    }
}

impl Keeper for Vault {
    fn keep(&mut self, mark: Mark, state: &[u8]) -> Result<(), String> {
        self.header.time = mark.at.seconds();
        self.header.last_row = mark.last_row.seconds();
        self.header.steps = mark.steps;
        let bytes = self.header.file(state);
        file::replace(&self.path, &bytes).map_err(|error| {
            format!(
                "the checkpoint could not be written to {}: {error}; the one before stays",
                self.shown.display()
            )
        })?;
        tracing::debug!(time = self.header.time, bytes = bytes.len(), "kept a checkpoint");
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some(CheckpointReport {
            file: self.shown.to_string_lossy().into_owned(),
            time: self.header.time,
        });
        Ok(())
    }
}
