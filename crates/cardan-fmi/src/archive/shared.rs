//! One folder for all who unpack the same archive: a thousand components of one FMU unpack it once.

use super::{ArchiveError, Unpacked};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};
use std::time::SystemTime;

/// A file that was not changed. One that was is another.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Identity {
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
}

impl Identity {
    /// None for what is not there.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let data = std::fs::metadata(path).ok()?;
        Some(Identity {
            path: path.canonicalize().ok()?,
            length: data.len(),
            modified: data.modified().ok(),
        })
    }
}

type Slot = Arc<Mutex<Weak<Unpacked>>>;

static SLOTS: LazyLock<Mutex<HashMap<Identity, Slot>>> = LazyLock::new(Mutex::default);

pub(super) fn unpacked(
    path: &Path,
    make: impl FnOnce() -> Result<Unpacked, ArchiveError>,
) -> Result<Arc<Unpacked>, ArchiveError> {
    let Some(identity) = Identity::of(path) else {
        return make().map(Arc::new);
    };
    let slot = slot(identity);
    // Others who want the same wait here; those who want something else do not.
    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = slot.upgrade() {
        return Ok(known);
    }
    let fresh = Arc::new(make()?);
    *slot = Arc::downgrade(&fresh);
    Ok(fresh)
}

fn slot(identity: Identity) -> Slot {
    let mut slots = SLOTS.lock().unwrap_or_else(PoisonError::into_inner);
    // Now and then, forget what nobody uses any more.
    if slots.len() >= 64 && !slots.contains_key(&identity) {
        slots.retain(|_, slot| {
            let in_use = Arc::strong_count(slot) > 1;
            in_use || slot.lock().is_ok_and(|slot| slot.strong_count() > 0)
        });
    }
    slots.entry(identity).or_default().clone()
}
