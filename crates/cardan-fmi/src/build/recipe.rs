//! What has to be compiled, and how.

use super::{BuildError, Order, configuration};
use crate::archive;
use crate::description::Version;
use std::path::{Path, PathBuf};

/// Files that are compiled in the same way.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct FileSet {
    /// Below the folder of sources, as written.
    pub(super) files: Vec<String>,
    /// `C99`, `C++11` …
    pub(super) language: Option<String>,
    /// Harmless ones only.
    pub(super) options: Vec<String>,
    /// Names and values.
    pub(super) definitions: Vec<(String, Option<String>)>,
    /// Folders for headers.
    pub(super) includes: Vec<PathBuf>,
}

/// What has to be compiled, and how.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Recipe {
    /// The folder `sources` of the FMU.
    pub(super) folder: PathBuf,
    pub(super) sets: Vec<FileSet>,
    /// Of the system.
    pub(super) libraries: Vec<String>,
}

impl Recipe {
    pub(super) fn of(order: Order<'_>) -> Result<Recipe, BuildError> {
        let folder = order.folder.join("sources");
        let recipe = match order.version {
            Version::V3 => configuration::recipe(&folder, order.model_identifier)?,
            Version::V2 => Recipe {
                sets: vec![FileSet {
                    files: listed(&folder, order.source_files),
                    ..FileSet::default()
                }],
                folder,
                libraries: Vec::new(),
            },
        };
        if recipe.sets.iter().all(|set| set.files.is_empty()) {
            return Err(BuildError::NoSources(order.model_identifier.to_owned()));
        }
        for name in recipe.sets.iter().flat_map(|set| &set.files) {
            if !inside(&recipe.folder, name)?.is_file() {
                return Err(BuildError::Missing(name.clone()));
            }
        }
        Ok(recipe)
    }
}

/// The files that FMI 2 lists. Some tools list none and mean the one that includes all others.
fn listed(folder: &Path, files: &[String]) -> Vec<String> {
    let all = "all.c";
    if files.is_empty() && folder.join(all).is_file() {
        return vec![all.to_owned()];
    }
    // Headers are listed by some, and are not compiled.
    files
        .iter()
        .filter(|file| language(file).is_some())
        .cloned()
        .collect()
}

/// The place of a name below a folder; names that lead out of it are refused.
pub(super) fn inside(folder: &Path, name: &str) -> Result<PathBuf, BuildError> {
    let path = archive::inner_path(name).map_err(|refusal| BuildError::Name {
        name: name.to_owned(),
        refusal,
    })?;
    Ok(folder.join(path))
}

/// The two languages of sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Language {
    C,
    Cpp,
}

/// By the end of the name.
pub(super) fn language(file: &str) -> Option<Language> {
    let (_, end) = file.rsplit_once('.')?;
    match end {
        "c" => Some(Language::C),
        "C" | "cc" | "cpp" | "cxx" | "c++" | "CPP" => Some(Language::Cpp),
        _ => None,
    }
}
