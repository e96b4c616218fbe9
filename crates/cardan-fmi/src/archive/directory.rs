//! Walks through the directory at the end of an archive, to name what the library does not show.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes of an entry in front of its name.
const FIXED: usize = 46;

/// The first name that comes twice.
pub(super) fn first_duplicate(path: &Path, start: u64) -> Option<String> {
    let mut file = BufReader::new(File::open(path).ok()?);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut seen = HashSet::new();
    let mut head = [0; FIXED];
    loop {
        file.read_exact(&mut head).ok()?;
        if !head.starts_with(b"PK\x01\x02") {
            return None;
        }
        let length = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let mut name = vec![0; length(28).into()];
        file.read_exact(&mut name).ok()?;
        let behind = i64::from(length(30)) + i64::from(length(32));
        file.seek_relative(behind).ok()?;
        let text = String::from_utf8_lossy(&name).into_owned();
        if !seen.insert(name) {
            return Some(text);
        }
    }
}
