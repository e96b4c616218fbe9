//! What lies in an archive, without unpacking it.

use super::name::Name;
use super::{ArchiveError, looks};
use std::path::Path;

/// The names of all files, with slashes and sorted. A path may be that of an unpacked archive. Names that lead out of
/// the archive are left out; who unpacks it hears of them.
pub fn entry_names(path: &Path) -> Result<Vec<String>, ArchiveError> {
    let mut names = Vec::new();
    if path.is_dir() {
        below(path, "", &mut names)?;
    } else {
        let archive = looks::open(path)?;
        for index in 0..archive.len() {
            let written = archive.name_for_index(index).and_then(Result::ok);
            let name = written.and_then(|written| Name::new(&written).ok());
            names.extend(name.filter(|name| !name.is_folder).map(|name| name.text()));
        }
    }
    names.sort();
    Ok(names)
}

fn below(folder: &Path, prefix: &str, names: &mut Vec<String>) -> Result<(), ArchiveError> {
    let entries = std::fs::read_dir(folder).map_err(|error| ArchiveError::io(folder, error))?;
    for entry in entries.flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        // Links lead elsewhere, or in circles.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => below(&entry.path(), &format!("{name}/"), names)?,
            Ok(kind) if kind.is_file() => names.push(name),
            _ => {}
        }
    }
    Ok(())
}
