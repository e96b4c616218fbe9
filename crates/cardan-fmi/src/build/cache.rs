//! Compiled FMUs are kept, by everything that went into them.

use super::BuildError;
use super::compiler::Compilers;
use super::headers;
use super::recipe::Recipe;
use crate::description::Version;
use sha2::{Digest, Sha256};
use std::io;
use std::path::{Path, PathBuf};

/// Counted up when we compile differently, so that nothing old is taken for new.
const RECIPE_VERSION: u32 = 1;

/// The name of what these sources become with these compilers on this platform.
pub(super) fn key(recipe: &Recipe, compilers: &Compilers) -> Result<String, BuildError> {
    let mut hash = Sha256::new();
    let mut add = |text: &[u8]| {
        // With its length, or two parts could be split elsewhere and look the same.
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    add(&RECIPE_VERSION.to_le_bytes());
    add(crate::fmu::platform().as_bytes());
    for (name, text) in headers::of(Version::V2).iter().chain(headers::of(Version::V3)) {
        add(name.as_bytes());
        add(text.as_bytes());
    }
    compilers.identity().for_each(|compiler| add(compiler.as_bytes()));
    // Where the FMU was unpacked does not matter.
    let place = recipe.folder.display().to_string();
    let sets = format!("{:?}{:?}", recipe.sets, recipe.libraries).replace(&place, "sources");
    add(sets.as_bytes());
    let mut files = Vec::new();
    collect(&recipe.folder, &mut files).map_err(|error| BuildError::io(&recipe.folder, &error))?;
    files.sort();
    for file in files {
        let bytes = std::fs::read(&file).map_err(|error| BuildError::io(&file, &error))?;
        let name = file.strip_prefix(&recipe.folder).unwrap_or(&file);
        add(name.as_os_str().as_encoded_bytes());
        add(&bytes);
    }
    let digest = hash.finalize();
    Ok(digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect())
}

/// All files below a folder; whatever is linked from elsewhere is not followed.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
    }
    Ok(())
}

/// The library of that key. It is made in a folder of its own and moved into place, so that two who make it at once do
/// not see each other's halves.
pub(super) fn find_or_make(
    key: &str,
    name: &str,
    make: impl FnOnce(&Path, &Path) -> Result<(), BuildError>,
) -> Result<PathBuf, BuildError> {
    let home = root().ok_or(BuildError::NoCache)?.join("fmu").join(key);
    let library = home.join(name);
    if library.is_file() {
        return Ok(library);
    }
    create_private(&home).map_err(|error| BuildError::io(&home, &error))?;
    let work = tempfile::Builder::new().prefix("build-").tempdir_in(&home);
    let work = work.map_err(|error| BuildError::io(&home, &error))?;
    let fresh = work.path().join(name);
    make(work.path(), &fresh)?;
    std::fs::rename(&fresh, &library).map_err(|error| BuildError::io(&library, &error))?;
    Ok(library)
}

/// `$CARDAN_CACHE`, else where the system keeps such things.
fn root() -> Option<PathBuf> {
    let folder = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    folder("CARDAN_CACHE")
        .or_else(|| folder("XDG_CACHE_HOME").map(|path| path.join("cardan")))
        .or_else(|| folder("HOME").map(|path| path.join(".cache/cardan")))
        .or_else(|| folder("LOCALAPPDATA").map(|path| path.join("cardan")))
}

/// Code that we load must not be written by others.
fn create_private(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}
