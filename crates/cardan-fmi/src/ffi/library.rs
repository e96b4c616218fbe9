//! A binary, loaded once for all its instances.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};

use super::environment::lock;
use super::error::LoadError;
use super::instance::Usage;
#[cfg(unix)]
use super::python;
use super::table::Need;
use super::{fmi2, fmi3, version};
use crate::description::Version;

/// A loaded binary and its functions. All instances share it; the last one unloads it, unless it uses Python.
pub struct Library {
    path: PathBuf,
    pub(super) functions: Functions,
    /// Dropped last, after the functions in it.
    _binary: libloading::Library,
}

/// The functions of either version.
#[allow(
    clippy::large_enum_variant,
    reason = "there is one for each binary, and calls should not go through a box"
)]
pub(super) enum Functions {
    V2(fmi2::Functions),
    V3(fmi3::Functions),
}

/// By path and version, in case somebody puts both into one binary.
static LOADED: Mutex<BTreeMap<(PathBuf, Version), Weak<Library>>> = Mutex::new(BTreeMap::new());

/// Those that Python may still point into.
#[cfg(unix)]
static FOR_EVER: Mutex<Vec<Arc<Library>>> = Mutex::new(Vec::new());

impl Library {
    /// Loads a binary, or finds it loaded. It must have what the use needs.
    pub fn open(path: &Path, version: Version, usage: &Usage<'_>) -> Result<Arc<Self>, LoadError> {
        let path = path.canonicalize().map_err(|error| LoadError::Open {
            path: path.to_path_buf(),
            reason: error.to_string(),
        })?;
        let key = (path, version);
        let mut loaded = lock(&LOADED);
        let library = match loaded.get(&key).and_then(Weak::upgrade) {
            Some(library) => library,
            None => {
                let library = Arc::new(Library::load(key.0.clone(), version)?);
                #[cfg(unix)]
                if python::is_used_by(&key.0) {
                    lock(&FOR_EVER).push(Arc::clone(&library));
                }
                loaded.insert(key, Arc::downgrade(&library));
                library
            }
        };
        drop(loaded);
        library.require(usage)?;
        Ok(library)
    }

    /// The file it was loaded from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The version whose functions it has.
    pub fn version(&self) -> Version {
        match self.functions {
            Functions::V2(_) => Version::V2,
            Functions::V3(_) => Version::V3,
        }
    }

    fn load(path: PathBuf, version: Version) -> Result<Self, LoadError> {
        let binary = load(&path)?;
        let functions = match version {
            // SAFETY: the description says that the binary follows this version. A symbol with a name of the standard
            // and another type cannot be told by anybody. The table is dropped before the binary.
            Version::V2 => Functions::V2(unsafe { fmi2::Functions::find(&binary) }),
            // SAFETY: as above.
            Version::V3 => Functions::V3(unsafe { fmi3::Functions::find(&binary) }),
        };
        version::check(&path, &functions)?;
        Ok(Library {
            path,
            functions,
            _binary: binary,
        })
    }

    fn require(&self, usage: &Usage<'_>) -> Result<(), LoadError> {
        let needed = match usage {
            Usage::CoSimulation { .. } => [Need::Always, Need::CoSimulation],
            Usage::ModelExchange => [Need::Always, Need::ModelExchange],
        };
        let missing = match &self.functions {
            Functions::V2(functions) => functions.missing(&needed),
            Functions::V3(functions) => functions.missing(&needed),
        };
        if missing.is_empty() {
            return Ok(());
        }
        Err(LoadError::Missing {
            path: self.path.clone(),
            functions: missing,
        })
    }
}

/// Loads a binary, after Python if it needs that.
#[cfg(unix)]
fn load(path: &Path) -> Result<libloading::Library, LoadError> {
    let mut opened = open(path);
    if let Err(error) = &opened
        && python::is_missing(path, &reason(error))
    {
        let needs_python = |reason: String| LoadError::Python {
            path: path.to_path_buf(),
            reason,
        };
        python::provide().map_err(needs_python)?;
        opened = open(path);
        if let Err(error) = &opened
            && python::is_missing(path, &reason(error))
        {
            return Err(needs_python(format!(
                "the one that was found is of another version: {}",
                reason(error)
            )));
        }
    }
    opened.map_err(|error| LoadError::Open {
        path: path.to_path_buf(),
        reason: reason(&error),
    })
}

/// With all its symbols resolved at once, so that what is missing shows here, and hidden from other binaries, so that
/// two FMUs with functions of one name do not meet.
#[cfg(unix)]
fn open(path: &Path) -> Result<libloading::Library, libloading::Error> {
    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
    // SAFETY: the initialisers of the binary run here. That is what loading an FMU means.
    unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map(Into::into)
}

#[cfg(not(unix))]
fn load(path: &Path) -> Result<libloading::Library, LoadError> {
    open(path).map_err(|error| LoadError::Open {
        path: path.to_path_buf(),
        reason: reason(&error),
    })
}

#[cfg(not(unix))]
fn open(path: &Path) -> Result<libloading::Library, libloading::Error> {
    // SAFETY: the initialisers of the binary run here. That is what loading an FMU means.
    unsafe { libloading::Library::new(path) }
}

/// The words of the system lie one layer below those of the crate.
pub(super) fn reason(error: &libloading::Error) -> String {
    let deeper = std::error::Error::source(error).map(ToString::to_string);
    deeper.unwrap_or_else(|| error.to_string())
}
