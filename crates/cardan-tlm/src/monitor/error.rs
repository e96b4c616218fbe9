//! Why a monitor cannot go on.

use crate::plugin::PluginError;
use std::path::PathBuf;

/// Why a monitor cannot go on. What had arrived is on disk.
#[derive(Debug, thiserror::Error)]
pub enum MonitorError {
    /// The manager cannot be reached, or is gone.
    #[error(transparent)]
    Connection(#[from] PluginError),
    /// A file cannot be written.
    #[error("{} cannot be written: {reason}", file.display())]
    File {
        /// Which one.
        file: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// The manager knows nothing of what is to be watched.
    #[error("the manager knows none of the interface points of the meta-model: does it run another model?")]
    NothingToWatch,
    /// What came makes no sense.
    #[error("the manager sent {what}")]
    BadData {
        /// What came.
        what: String,
    },
}

impl MonitorError {
    /// Was the end asked for?
    pub fn is_interruption(&self) -> bool {
        matches!(self, MonitorError::Connection(error) if error.is_interruption())
    }
}
