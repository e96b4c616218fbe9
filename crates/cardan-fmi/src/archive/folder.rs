//! A folder of our own, for as long as it is needed.

use super::{ArchiveError, janitor};
use std::path::Path;
use tempfile::TempDir;

/// A folder that nobody else may enter, removed on drop, and by the janitor if there is no drop.
#[derive(Debug)]
pub(super) struct PrivateFolder {
    /// None once it has been given up.
    folder: Option<TempDir>,
    /// A process that forked from ours drops its copy too, and must leave the folder to us.
    owner: u32,
}

impl PrivateFolder {
    pub(super) fn new() -> Result<Self, ArchiveError> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("cardan-").rand_bytes(12);
        #[cfg(unix)]
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        #[cfg(unix)]
        builder.permissions(private);
        let folder = builder.tempdir();
        let folder = folder.map_err(|error| ArchiveError::io(&std::env::temp_dir(), error))?;
        janitor::watch(folder.path());
        Ok(PrivateFolder {
            folder: Some(folder),
            owner: std::process::id(),
        })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.as_ref().map_or(Path::new(""), TempDir::path)
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        let Some(folder) = self.folder.take() else {
            return;
        };
        if self.owner != std::process::id() {
            let _ = folder.keep();
            return;
        }
        let path = folder.path().to_owned();
        match folder.close() {
            Ok(()) => janitor::forget(&path),
            // It stays with the janitor, who tries again when we are gone.
            Err(error) => tracing::warn!(folder = %path.display(), %error, "cannot be removed yet"),
        }
    }
}
