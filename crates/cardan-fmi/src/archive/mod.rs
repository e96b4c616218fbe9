//! Archives (`.fmu`, `.ssp`) from whoever sent them: unpacked into a private folder, never outside of it, and gone when
//! nobody needs them, whatever becomes of the process.

mod directory;
mod entry;
mod error;
mod extract;
mod folder;
mod janitor;
mod limits;
mod listing;
mod looks;
mod name;
mod shared;
mod single;

pub use error::{ArchiveError, Refusal};
pub use janitor::JANITOR;
pub use limits::Limits;
pub use listing::entry_names;
pub(crate) use shared::Identity;
pub use single::read_entry;

use folder::PrivateFolder;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An archive that was unpacked, or a folder that already was one.
#[derive(Debug)]
pub struct Unpacked {
    root: PathBuf,
    /// Removed with the last user. None for a folder that was there before.
    _private: Option<PrivateFolder>,
    warnings: Vec<String>,
}

impl Unpacked {
    /// The folder that holds what the archive holds.
    pub fn folder(&self) -> &Path {
        &self.root
    }

    /// What was odd about it and did no harm.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// Unpacks an archive, once in a process: whoever asks again while the first answer is in use gets the same folder. A
/// folder is used as it lies.
pub fn unpack(path: &Path, limits: &Limits) -> Result<Arc<Unpacked>, ArchiveError> {
    shared::unpacked(path, || fresh(path, limits))
}

fn fresh(path: &Path, limits: &Limits) -> Result<Unpacked, ArchiveError> {
    if path.is_dir() {
        let root = path
            .canonicalize()
            .map_err(|error| ArchiveError::io(path, error))?;
        return Ok(Unpacked {
            root,
            _private: None,
            warnings: Vec::new(),
        });
    }
    let mut archive = looks::open(path)?;
    let private = PrivateFolder::new()?;
    let mut warnings = Vec::new();
    extract::extract(path, &mut archive, private.path(), limits, &mut warnings)?;
    let root = content(private.path(), &mut warnings);
    Ok(Unpacked {
        root,
        _private: Some(private),
        warnings,
    })
}

/// What an archive must have at its top.
const MARKS: [&str; 2] = ["modelDescription.xml", "SystemStructure.ssd"];

/// Some people pack the folder instead of its content. Then everything lies one level deeper.
fn content(folder: &Path, warnings: &mut Vec<String>) -> PathBuf {
    let holds = |folder: &Path| MARKS.iter().any(|mark| folder.join(mark).is_file());
    if holds(folder) {
        return folder.to_owned();
    }
    let inner = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut inner: Vec<PathBuf> = inner
        .map(|entry| entry.path())
        .filter(|path| holds(path))
        .collect();
    match (inner.pop(), inner.is_empty()) {
        (Some(only), true) => {
            let name = only
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            warnings.push(format!(
                "the archive holds a folder `{name}` instead of its content"
            ));
            only
        }
        _ => folder.to_owned(),
    }
}

/// The place below an archive that a name inside it stands for; names that lead elsewhere are refused.
pub(crate) fn inner_path(name: &str) -> Result<PathBuf, Refusal> {
    name::Name::new(name).map(|name| name.path())
}
