//! Writes the entries of an archive into a folder, counting what comes out.

use super::directory;
use super::entry::{Facts, Taken};
use super::looks::Archive;
use super::name::Name;
use super::{ArchiveError, Limits, Refusal};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;

/// Unpacks everything into a folder that is new and ours.
pub(super) fn extract(
    path: &Path,
    archive: &mut Archive,
    folder: &Path,
    limits: &Limits,
    warnings: &mut Vec<String>,
) -> Result<(), ArchiveError> {
    if archive.len() > limits.entries {
        return Err(ArchiveError::TooMany {
            path: path.to_owned(),
            count: archive.len(),
            limit: limits.entries,
        });
    }
    // The library keeps one entry a name, so a second one would go unnoticed.
    if archive.has_duplicate_names() {
        let name = directory::first_duplicate(path, archive.central_directory_start());
        let name = name.unwrap_or_else(|| "(one of them)".to_owned());
        return Err(ArchiveError::entry(path, &name, Refusal::Twice));
    }
    let size = fs::metadata(path)
        .map_err(|error| ArchiveError::io(path, error))?
        .len();
    let mut meter = Meter {
        limits,
        size,
        produced: 0,
    };
    let names = checked_names(path, archive, warnings)?;
    let overlaps = archive.has_overlapping_entries();
    if overlaps.map_err(|error| damaged(path, &error))? {
        return Err(ArchiveError::entry(path, "(one of them)", Refusal::Overlap));
    }
    for (index, name) in names.iter().enumerate() {
        let target = folder.join(name.path());
        let parent = if name.is_folder {
            Some(target.as_path())
        } else {
            target.parent()
        };
        if let Some(parent) = parent {
            create_folders(parent).map_err(|error| ArchiveError::io(parent, error))?;
        }
        if !name.is_folder {
            file(path, archive, index, &target, &mut meter)
                .map_err(|refusal| ArchiveError::entry(path, &name.text(), refusal))?;
        }
    }
    Ok(())
}

/// All names, before the first byte is written.
fn checked_names(
    path: &Path,
    archive: &mut Archive,
    warnings: &mut Vec<String>,
) -> Result<Vec<Name>, ArchiveError> {
    let (mut names, mut taken, mut odd) = (Vec::with_capacity(archive.len()), Taken::default(), None);
    for index in 0..archive.len() {
        let entry = archive
            .by_index_data(index)
            .map_err(|error| damaged(path, &error))?;
        let written = entry.name().map_err(|error| damaged(path, &error))?.into_owned();
        let refuse = |refusal| ArchiveError::entry(path, &written, refusal);
        let facts = Facts {
            mode: entry.unix_mode(),
            is_encrypted: entry.encrypted(),
            compression: entry.compression(),
        };
        let name = Name::new(&written).map_err(refuse)?;
        facts.check().map_err(refuse)?;
        taken.claim(&name).map_err(refuse)?;
        if name.has_backslashes {
            odd.get_or_insert(written);
        }
        names.push(name);
    }
    if let Some(odd) = odd {
        warnings.push(format!("`{odd}`: backslashes are read as separators of folders"));
    }
    Ok(names)
}

fn damaged(path: &Path, error: &zip::result::ZipError) -> ArchiveError {
    ArchiveError::Damaged {
        path: path.to_owned(),
        message: error.to_string(),
    }
}

/// Counts the bytes that come out, whatever the headers say.
struct Meter<'a> {
    limits: &'a Limits,
    size: u64,
    produced: u64,
}

impl Meter<'_> {
    fn count(&mut self, bytes: usize) -> Result<(), Refusal> {
        self.produced = self.produced.saturating_add(bytes as u64);
        if self.produced > self.limits.total {
            return Err(Refusal::TooLarge(self.limits.total));
        }
        let allowed = self.size.saturating_mul(self.limits.ratio);
        if self.produced > self.limits.ratio_from && self.produced > allowed {
            return Err(Refusal::Ratio(self.produced / self.size.max(1)));
        }
        Ok(())
    }
}

fn file(
    path: &Path,
    archive: &mut Archive,
    index: usize,
    target: &Path,
    meter: &mut Meter<'_>,
) -> Result<(), Refusal> {
    let unreadable = |error: &dyn std::fmt::Display| Refusal::Unreadable(error.to_string());
    let mut entry = archive.by_index(index).map_err(|error| unreadable(&error))?;
    let facts = Facts {
        mode: entry.unix_mode(),
        is_encrypted: entry.encrypted(),
        compression: entry.compression(),
    };
    let mut file = create(target, facts.is_executable()).map_err(|error| unreadable(&error))?;
    let mut buffer = vec![0; 64 << 10];
    loop {
        let count = entry.read(&mut buffer).map_err(|error| unreadable(&error))?;
        if count == 0 {
            tracing::trace!(archive = %path.display(), file = %target.display(), "unpacked");
            return Ok(());
        }
        meter.count(count)?;
        let bytes = buffer.get(..count).unwrap_or_default();
        file.write_all(bytes).map_err(|error| unreadable(&error))?;
    }
}

#[cfg(unix)]
fn create(path: &Path, is_executable: bool) -> std::io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let mode = if is_executable { 0o700 } else { 0o600 };
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path)
}

#[cfg(not(unix))]
fn create(path: &Path, _is_executable: bool) -> std::io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

fn create_folders(path: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}
