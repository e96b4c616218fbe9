//! Reads a description from disk, whatever lies there.

use crate::diagnostic::{Reporter, Source};
use crate::spec::SystemSpec;
use crate::toml;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The name of a description in a folder.
pub const FILE_NAME: &str = "system.toml";

/// No description is longer; what is, is likely something else.
pub const MAX_BYTES: u64 = 16 << 20;

/// Reads a description from a file, or from `system.toml` in a folder. None if there was nothing to read; what is wrong
/// inside is reported, and the rest comes back.
pub fn load(path: &Path, reporter: &mut Reporter) -> Option<SystemSpec> {
    let file = if path.is_dir() {
        path.join(FILE_NAME)
    } else {
        path.to_owned()
    };
    if path != file && !file.exists() {
        reporter
            .file_error(file, format!("the folder has no `{FILE_NAME}`"))
            .advice("name the description itself, or a folder that has one");
        return None;
    }
    let text = text_of(&file, MAX_BYTES, reporter)?;
    Some(toml::parse(Source::new(file, text), reporter))
}

/// The text of a file of at most so many bytes. None if it cannot be read, which is reported.
pub(crate) fn text_of(file: &Path, limit: u64, reporter: &mut Reporter) -> Option<String> {
    read(file, limit)
        .map_err(|trouble| report(trouble, file, limit, reporter))
        .ok()
}

/// The beginning of a file, as far as it is text; none if it cannot be read.
pub(crate) fn beginning_of(file: &Path, bytes: u64) -> Option<String> {
    if is_a_wait(file) {
        return None;
    }
    let mut beginning = Vec::new();
    let handle = File::open(file).ok()?;
    handle.take(bytes).read_to_end(&mut beginning).ok()?;
    Some(String::from_utf8_lossy(&beginning).into_owned())
}

enum Trouble {
    Io(io::Error),
    NotAFile,
    TooLong,
    NotText { line: usize },
    Empty,
}

/// Opening a pipe waits for somebody to write to it, maybe for ever.
#[cfg(unix)]
fn is_a_wait(file: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let kind = std::fs::metadata(file).map(|data| data.file_type());
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket())
}

#[cfg(not(unix))]
fn is_a_wait(_file: &Path) -> bool {
    false
}

/// Reads no more than is allowed, from a device without end too.
fn read(file: &Path, limit: u64) -> Result<String, Trouble> {
    if is_a_wait(file) {
        return Err(Trouble::NotAFile);
    }
    let handle = File::open(file).map_err(Trouble::Io)?;
    if handle.metadata().is_ok_and(|data| data.len() > limit) {
        return Err(Trouble::TooLong);
    }
    let mut bytes = Vec::new();
    handle
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(Trouble::Io)?;
    if bytes.len() as u64 > limit {
        return Err(Trouble::TooLong);
    }
    // Windows editors put a mark at the beginning of UTF-8 files.
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let lines = error
            .as_bytes()
            .iter()
            .take(valid)
            .filter(|byte| **byte == b'\n')
            .count();
        Trouble::NotText { line: lines + 1 }
    })?;
    if let Some(at) = text.bytes().position(|byte| byte == 0) {
        let lines = text.bytes().take(at).filter(|byte| *byte == b'\n').count();
        return Err(Trouble::NotText { line: lines + 1 });
    }
    if text.trim().is_empty() {
        return Err(Trouble::Empty);
    }
    Ok(text)
}

fn report(trouble: Trouble, file: &Path, limit: u64, reporter: &mut Reporter) {
    match trouble {
        Trouble::Io(error) if error.kind() == io::ErrorKind::NotFound => reporter
            .file_error(file, "there is no such file")
            .advice("check the path"),
        Trouble::Io(error) if error.kind() == io::ErrorKind::PermissionDenied => reporter
            .file_error(file, "the file may not be read")
            .advice("check its permissions"),
        Trouble::Io(error) if error.kind() == io::ErrorKind::IsADirectory => reporter
            .file_error(file, "this is a folder, not a file")
            .advice("name a description in it"),
        Trouble::Io(error) => reporter
            .file_error(file, format!("the file cannot be read: {error}"))
            .advice("check the path and the disk"),
        Trouble::NotAFile => reporter
            .file_error(file, "this is a pipe or a socket, not a file")
            .advice("write the description to a file, and name that"),
        Trouble::TooLong => reporter
            .file_error(file, format!("the file is longer than {} MB", limit >> 20))
            .advice("a description is a short text: is this the right file?"),
        Trouble::NotText { line } => {
            let diagnostic = reporter.file_error(file, format!("line {line} is not text in UTF-8"));
            diagnostic.line = Some(line);
            diagnostic.column = Some(1);
            diagnostic.advice("save the file as UTF-8: is this the right file?")
        }
        Trouble::Empty => reporter
            .file_error(file, "the file is empty")
            .advice("`cardan example` writes a description to start from"),
    };
}
