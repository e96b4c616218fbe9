//! Opens an archive, or says what the file is instead.

use super::ArchiveError;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use zip::ZipArchive;

/// An archive on disk.
pub(super) type Archive = ZipArchive<BufReader<File>>;

pub(super) fn open(path: &Path) -> Result<Archive, ArchiveError> {
    let io = |error| ArchiveError::io(path, error);
    let mut file = File::open(path).map_err(io)?;
    if !file.metadata().map_err(io)?.is_file() {
        return Err(not_an_archive(path, "it is not a file"));
    }
    let mut head = Vec::new();
    (&mut file).take(512).read_to_end(&mut head).map_err(io)?;
    file.seek(SeekFrom::Start(0)).map_err(io)?;
    ZipArchive::new(BufReader::new(file)).map_err(|error| {
        let is_zip = head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06");
        if is_zip {
            return ArchiveError::Damaged {
                path: path.to_owned(),
                message: format!("is it cut off? {error}"),
            };
        }
        not_an_archive(path, looks_like(&head))
    })
}

fn not_an_archive(path: &Path, looks: &'static str) -> ArchiveError {
    ArchiveError::NotAnArchive {
        path: path.to_owned(),
        looks,
    }
}

/// What a file is, by its first bytes.
fn looks_like(head: &[u8]) -> &'static str {
    let text = String::from_utf8_lossy(head).to_lowercase();
    let text = text.trim_start_matches('\u{feff}').trim_start();
    match head {
        [] => "it is empty",
        [0x1F, 0x8B, ..] => "it is compressed with gzip",
        [b'B', b'Z', b'h', ..] => "it is compressed with bzip2",
        [0xFD, b'7', b'z', b'X', ..] => "it is compressed with xz",
        [b'7', b'z', 0xBC, 0xAF, ..] => "it is a 7z archive",
        [b'R', b'a', b'r', b'!', ..] => "it is a RAR archive",
        [0x7F, b'E', b'L', b'F', ..] => "it is a program or library for Linux",
        [b'M', b'Z', ..] => "it is a program or library for Windows",
        _ if head.get(257..262) == Some(b"ustar") => "it is a tar archive",
        _ if head.iter().all(|byte| *byte == 0) => "it holds nothing but zeros",
        _ if text.starts_with("<!doctype html") || text.starts_with("<html") => {
            "it is a web page: did a download ask for a login?"
        }
        _ if text.starts_with("<?xml") || text.starts_with("<fmi") => {
            "it is an XML file: name the FMU or the folder that it lies in"
        }
        _ if text.starts_with("version https://git-lfs") => {
            "it is the placeholder of a file in Git LFS: run `git lfs pull`"
        }
        _ => "its first bytes are not those of a zip file",
    }
}
