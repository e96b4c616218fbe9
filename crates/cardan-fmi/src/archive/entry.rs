//! Looks at an entry before a byte of it is unpacked.

use super::Refusal;
use super::name::Name;
use std::collections::{HashMap, HashSet};
use zip::CompressionMethod;

/// The type of a file in the mode bits of Unix.
const TYPE: u32 = 0o170_000;
const LINK: u32 = 0o120_000;
const REGULAR: u32 = 0o100_000;
const FOLDER: u32 = 0o040_000;

/// What the directory of an archive says of an entry.
pub(super) struct Facts {
    pub(super) mode: Option<u32>,
    pub(super) is_encrypted: bool,
    pub(super) compression: CompressionMethod,
}

impl Facts {
    pub(super) fn check(&self) -> Result<(), Refusal> {
        match self.mode.unwrap_or(0) & TYPE {
            0 | REGULAR | FOLDER => {}
            LINK => return Err(Refusal::Link),
            _ => return Err(Refusal::Device),
        }
        if self.is_encrypted {
            return Err(Refusal::Encrypted);
        }
        match self.compression {
            CompressionMethod::Stored | CompressionMethod::Deflated => Ok(()),
            other => Err(Refusal::Compression(other.to_string())),
        }
    }

    /// Programs that an FMU brings along stay programs.
    pub(super) fn is_executable(&self) -> bool {
        self.mode.is_some_and(|mode| mode & 0o100 != 0)
    }
}

/// The names that were there already.
#[derive(Default)]
pub(super) struct Taken {
    /// In lower case, with the spelling.
    files: HashMap<String, String>,
    folders: HashSet<String>,
}

impl Taken {
    /// A name that no other takes, in whatever case, and that is not a file and a folder at once.
    pub(super) fn claim(&mut self, name: &Name) -> Result<(), Refusal> {
        for parent in name.parents() {
            let folded = parent.to_lowercase();
            if self.files.contains_key(&folded) {
                return Err(Refusal::Twice);
            }
            self.folders.insert(folded);
        }
        let text = name.text();
        let folded = text.to_lowercase();
        if name.is_folder {
            self.folders.insert(folded.clone());
            return if self.files.contains_key(&folded) {
                Err(Refusal::Twice)
            } else {
                Ok(())
            };
        }
        if self.folders.contains(&folded) {
            return Err(Refusal::Twice);
        }
        match self.files.insert(folded, text.clone()) {
            Some(other) if other == text => Err(Refusal::Twice),
            Some(other) => Err(Refusal::Case(other)),
            None => Ok(()),
        }
    }
}
