//! Finds the shared library for this machine.

use crate::build::{self, BuildError, Order};
use crate::description::{ModelDescription, Version};
use cardan_core::participant::Failure;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Why there is no binary to load.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BinaryError {
    /// Neither a binary nor sources.
    #[error("the FMU has neither a binary nor sources for `{0}`")]
    Nothing(String),
    /// For other platforms only.
    #[error("the FMU has no binary for {wanted}, only for {}", found.join(", "))]
    OtherPlatforms {
        /// This platform.
        wanted: String,
        /// Those it has.
        found: Vec<String>,
    },
    /// For 32 bits only.
    #[error("the FMU has only 32-bit binaries ({})", .0.join(", "))]
    Only32Bit(Vec<String>),
    /// The folder of the platform is there, the file is not.
    #[error("there is no {wanted} in {folder} of the FMU, only {}", found.join(", "))]
    OtherNames {
        /// The file.
        wanted: String,
        /// Its folder.
        folder: String,
        /// What is there.
        found: Vec<String>,
    },
    /// The file is not what its folder promises.
    #[error("the binary {} cannot be loaded: it is {found}", path.file_name().unwrap_or_default().display())]
    Unfit {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: &'static str,
    },
    /// The sources cannot be compiled.
    #[error("the FMU has no binary for this machine, and its sources could not be compiled: {0}")]
    Build(#[from] BuildError),
}

impl BinaryError {
    /// What to do about it.
    pub fn advice(&self) -> String {
        match self {
            BinaryError::Build(BuildError::Failed { .. }) => {
                "see what the compiler says, or export the FMU with a binary".to_owned()
            }
            BinaryError::Build(BuildError::NoCompiler { .. }) => {
                "install a compiler or name one in CC, or export the FMU with a binary".to_owned()
            }
            BinaryError::Build(_) => "export the FMU anew with all its sources, or with a binary".to_owned(),
            BinaryError::Unfit { .. } | BinaryError::OtherNames { .. } => "export the FMU anew".to_owned(),
            BinaryError::Nothing(_) | BinaryError::OtherPlatforms { .. } | BinaryError::Only32Bit(_) => {
                format!("export the FMU for {}, or with its sources", platform())
            }
        }
    }
}

impl From<BinaryError> for Failure {
    fn from(error: BinaryError) -> Self {
        Failure::failed(error.to_string()).advise(error.advice())
    }
}

/// This platform in the words of FMI 3, such as `x86_64-linux`.
pub fn platform() -> String {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    format!("{}-{system}", std::env::consts::ARCH)
}

/// This platform in the words of FMI 2, which knows only those of one processor.
fn old_platform() -> Option<&'static str> {
    match (std::env::consts::ARCH, std::env::consts::OS) {
        ("x86_64", "linux") => Some("linux64"),
        ("x86_64", "windows") => Some("win64"),
        ("x86_64", "macos") => Some("darwin64"),
        _ => None,
    }
}

pub(super) fn find(
    folder: &Path,
    description: &ModelDescription,
    model_identifier: &str,
) -> Result<PathBuf, BinaryError> {
    let missing = match ready(folder, model_identifier) {
        Ok(path) => return Ok(path),
        Err(missing) => missing,
    };
    let usages = [
        description.co_simulation.as_ref().map(|cs| &cs.usage),
        description.model_exchange.as_ref().map(|me| &me.usage),
    ];
    let usage = usages
        .into_iter()
        .flatten()
        .find(|usage| usage.model_identifier == model_identifier);
    let order = Order {
        folder,
        version: description.version,
        model_identifier,
        source_files: usage.map_or(&[], |usage| &usage.source_files),
    };
    // Sources that are listed, or for FMI 3 described, are meant to be compiled.
    let described = folder.join("sources/buildDescription.xml").is_file();
    let offered = match description.version {
        Version::V2 => !order.source_files.is_empty() || build::has_sources(order),
        Version::V3 => described,
    };
    if !offered {
        return Err(missing);
    }
    match build::build(order) {
        Ok(path) => Ok(path),
        Err(BuildError::NoSources(_)) => Err(missing),
        Err(error) => Err(error.into()),
    }
}

/// A binary that the FMU brings. Both spellings of the platform are taken, whatever the version.
fn ready(folder: &Path, model_identifier: &str) -> Result<PathBuf, BinaryError> {
    let binaries = folder.join("binaries");
    let wanted = format!("{model_identifier}{}", std::env::consts::DLL_SUFFIX);
    let names = [Some(platform()), old_platform().map(str::to_owned)];
    let mut others = None;
    for name in names.into_iter().flatten() {
        let place = binaries.join(&name);
        let path = place.join(&wanted);
        if path.is_file() {
            return match unfit(&path) {
                Some(found) => Err(BinaryError::Unfit { path, found }),
                None => Ok(path),
            };
        }
        let found = entries(&place);
        if !found.is_empty() {
            others.get_or_insert(BinaryError::OtherNames {
                wanted: wanted.clone(),
                folder: format!("binaries/{name}"),
                found,
            });
        }
    }
    if let Some(others) = others {
        return Err(others);
    }
    let found = entries(&binaries);
    let is_32_bit =
        |name: &String| name.ends_with("32") || name.starts_with("x86-") || name.starts_with("i686-");
    Err(match found {
        found if found.is_empty() => BinaryError::Nothing(model_identifier.to_owned()),
        found if found.iter().all(is_32_bit) => BinaryError::Only32Bit(found),
        found => BinaryError::OtherPlatforms {
            wanted: old_platform().map_or_else(platform, |old| format!("{} ({old})", platform())),
            found,
        },
    })
}

/// Sorted names of what a folder holds; none where it is not there.
fn entries(folder: &Path) -> Vec<String> {
    let list = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = list
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// All files below a folder, sorted.
pub(super) fn all_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for name in entries(folder) {
        let path = folder.join(name);
        match path.symlink_metadata() {
            Ok(data) if data.is_dir() => all_files(&path, files),
            Ok(data) if data.is_file() => files.push(path),
            _ => {}
        }
    }
}

/// What a file is if it cannot be loaded here. Only Linux is looked at closely: its header is simple.
fn unfit(path: &Path) -> Option<&'static str> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let mut whole_head = Vec::new();
    let file = std::fs::File::open(path);
    let read = file.and_then(|file| file.take(64).read_to_end(&mut whole_head));
    if read.is_err() {
        return Some("not readable");
    }
    if is_cut_off(path, &whole_head) {
        return Some("cut off");
    }
    let head = whole_head.get(..20).unwrap_or(&whole_head);
    let machine = match *head {
        [0x7F, b'E', b'L', b'F', 2, 1, .., low, high] if head.len() == 20 => u16::from_le_bytes([low, high]),
        [0x7F, b'E', b'L', b'F', 1, ..] => return Some("a library for 32 bits"),
        [0x7F, b'E', b'L', b'F', ..] => return Some("a library that is cut off or for another byte order"),
        [b'M', b'Z', ..] => return Some("a library for Windows under the name of one for Linux"),
        [] => return Some("empty"),
        _ => return Some("not a library"),
    };
    let ours = match std::env::consts::ARCH {
        "x86_64" => 62,
        "aarch64" => 183,
        "riscv64" => 243,
        _ => return None,
    };
    match machine {
        machine if machine == ours => None,
        62 => Some("for x86-64 processors"),
        183 => Some("for ARM processors"),
        _ => Some("for another processor"),
    }
}

/// Does the header speak of tables that lie beyond the end? Loading such a file kills the process.
fn is_cut_off(path: &Path, head: &[u8]) -> bool {
    let [0x7F, b'E', b'L', b'F', 2, 1, ..] = head else {
        return false;
    };
    let word = |at: usize| {
        head.get(at..at + 8)
            .and_then(|b| Some(u64::from_le_bytes(b.try_into().ok()?)))
    };
    let half = |at: usize| {
        head.get(at..at + 2)
            .and_then(|b| Some(u16::from_le_bytes(b.try_into().ok()?)))
    };
    // Offset, size of an entry and number of entries, for segments and for sections.
    let tables = [(32, 54, 56), (40, 58, 60)];
    let length = std::fs::metadata(path).map_or(0, |data| data.len());
    tables.iter().any(|&(offset, size, count)| {
        let table = word(offset).zip(half(size)).zip(half(count));
        table.is_some_and(|((offset, size), count)| {
            let end = offset.checked_add(u64::from(size) * u64::from(count));
            end.is_none_or(|end| end > length)
        })
    })
}
