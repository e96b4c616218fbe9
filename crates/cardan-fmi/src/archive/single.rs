//! One file of an archive, without unpacking the rest.

use super::name::Name;
use super::{ArchiveError, Refusal, looks};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The bytes of one entry, such as `modelDescription.xml`. None where there is none, an error where it is longer than
/// `limit` bytes. A folder in front of everything is overlooked, and a path may be that of an unpacked archive.
pub fn read_entry(path: &Path, name: &str, limit: u64) -> Result<Option<Vec<u8>>, ArchiveError> {
    if path.is_dir() {
        return match File::open(path.join(name)) {
            Ok(file) => read(path, name, file, limit).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ArchiveError::io(&path.join(name), error)),
        };
    }
    let mut archive = looks::open(path)?;
    let mut found = None;
    for index in 0..archive.len() {
        let written = archive.name_for_index(index).and_then(Result::ok);
        let Some(Ok(entry)) = written.map(|written| Name::new(&written)) else {
            continue;
        };
        let text = entry.text();
        let inner = text.split_once('/').map_or("", |(_, rest)| rest);
        if text == name {
            found = Some(index);
            break;
        }
        if inner == name {
            found.get_or_insert(index);
        }
    }
    let Some(index) = found else {
        return Ok(None);
    };
    let entry = archive
        .by_index(index)
        .map_err(|error| ArchiveError::entry(path, name, Refusal::Unreadable(error.to_string())))?;
    read(path, name, entry, limit).map(Some)
}

fn read(path: &Path, name: &str, from: impl Read, limit: u64) -> Result<Vec<u8>, ArchiveError> {
    let mut bytes = Vec::new();
    let refuse = |refusal| ArchiveError::entry(path, name, refusal);
    let count = from.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    count.map_err(|error| refuse(Refusal::Unreadable(error.to_string())))?;
    if bytes.len() as u64 > limit {
        return Err(refuse(Refusal::TooLarge(limit)));
    }
    Ok(bytes)
}
