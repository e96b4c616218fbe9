//! A binary, loaded once for all its instances.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};

use super::environment::lock;
use super::error::LoadError;
use super::instance::Usage;
use super::table::Need;
use super::{fmi2, fmi3};
use crate::description::Version;

/// A loaded binary and its functions. All instances share it; the last one unloads it.
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
        let binary = open(&path).map_err(|error| LoadError::Open {
            path: path.clone(),
            reason: reason(&error),
        })?;
        let functions = match version {
            // SAFETY: the description says that the binary follows this version. A symbol with a name of the standard
            // and another type cannot be told by anybody. The table is dropped before the binary.
            Version::V2 => Functions::V2(unsafe { fmi2::Functions::find(&binary) }),
            // SAFETY: as above.
            Version::V3 => Functions::V3(unsafe { fmi3::Functions::find(&binary) }),
        };
        let library = Library {
            path,
            functions,
            _binary: binary,
        };
        library.require_version()?;
        Ok(library)
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

    /// A binary without these functions lacks others too, and [`require`](Self::require) tells all of them.
    fn require_version(&self) -> Result<(), LoadError> {
        // All of FMI 2 answers 2.0; minor versions of FMI 3 can be used as if they were 3.0.
        let (expected, prefix, get_version) = match &self.functions {
            Functions::V2(functions) => ("2.0", "2.0", functions.get_version.function),
            Functions::V3(functions) => ("3.0", "3.", functions.get_version.function),
        };
        if let Some(get_version) = get_version {
            // SAFETY: the function takes nothing and answers with a text that stays.
            let found = unsafe { text(get_version()) };
            if !found.starts_with(prefix) {
                return Err(LoadError::Version {
                    path: self.path.clone(),
                    expected,
                    found,
                });
            }
        }
        if let Functions::V2(functions) = &self.functions
            && let Some(get_types_platform) = functions.get_types_platform.function
        {
            // SAFETY: as above.
            let found = unsafe { text(get_types_platform()) };
            if found != "default" {
                return Err(LoadError::Platform {
                    path: self.path.clone(),
                    found,
                });
            }
        }
        Ok(())
    }
}

/// # Safety
/// The text is null or ends with a zero byte.
unsafe fn text(text: *const std::ffi::c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
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
fn open(path: &Path) -> Result<libloading::Library, libloading::Error> {
    // SAFETY: the initialisers of the binary run here. That is what loading an FMU means.
    unsafe { libloading::Library::new(path) }
}

/// The words of the system lie one layer below those of the crate.
fn reason(error: &libloading::Error) -> String {
    let deeper = std::error::Error::source(error).map(ToString::to_string);
    deeper.unwrap_or_else(|| error.to_string())
}
