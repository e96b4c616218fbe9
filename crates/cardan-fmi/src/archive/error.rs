//! Why an archive was not unpacked.

use std::io;
use std::path::{Path, PathBuf};

/// Why an archive was not unpacked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is something else.
    #[error("{} is not a zip archive: {looks}", path.display())]
    NotAnArchive {
        /// Which file.
        path: PathBuf,
        /// What it looks like.
        looks: &'static str,
    },
    /// The archive is damaged.
    #[error("{} is a damaged zip archive: {message}", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// An entry is refused.
    #[error("{}: the entry `{entry}` {refusal}", path.display())]
    Entry {
        /// Which file.
        path: PathBuf,
        /// Name of the entry, without characters that would disturb a terminal.
        entry: String,
        /// Why.
        refusal: Refusal,
    },
    /// There are too many entries.
    #[error("{} has {count} entries, more than the limit of {limit}", path.display())]
    TooMany {
        /// Which file.
        path: PathBuf,
        /// Entries.
        count: usize,
        /// Allowed.
        limit: usize,
    },
}

/// Why an entry of an archive is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Refusal {
    #[error("has an absolute path")]
    Absolute,
    #[error("leads out of the archive")]
    Upward,
    #[error("has control characters in its name")]
    Control,
    #[error("has no name")]
    Nameless,
    #[error("has too long a name")]
    LongName,
    #[error("is a link, which an FMU must not have")]
    Link,
    #[error("is a device, which an FMU must not have")]
    Device,
    #[error("comes twice")]
    Twice,
    #[error("differs from `{0}` only in upper and lower case")]
    Case(String),
    #[error("is encrypted")]
    Encrypted,
    #[error("is compressed with {0}, which FMI does not allow (only deflate)")]
    Compression(String),
    #[error("overlaps with others: this is how archives are made that grow without end")]
    Overlap,
    #[error("makes the content larger than the limit of {0} bytes")]
    TooLarge(u64),
    #[error("makes the content {0} times as large as the archive: this looks like a trap")]
    Ratio(u64),
    #[error("cannot be read: {0}")]
    Unreadable(String),
}

impl ArchiveError {
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        ArchiveError::Io {
            path: path.to_owned(),
            source,
        }
    }

    pub(super) fn entry(path: &Path, entry: &str, refusal: Refusal) -> Self {
        const SHOWN: usize = 120;
        let mut shown: String = entry.chars().take(SHOWN).flat_map(char::escape_debug).collect();
        if entry.chars().nth(SHOWN).is_some() {
            shown.push('…');
        }
        ArchiveError::Entry {
            path: path.to_owned(),
            entry: shown,
            refusal,
        }
    }

    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            ArchiveError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => "check the path",
            error if error.is_hostile() => "nothing was kept of it: ask its author for another export",
            _ => "export or copy it again",
        }
    }

    /// Is the archive built to do harm, or at least such that it would?
    pub fn is_hostile(&self) -> bool {
        use Refusal::{Absolute, Case, Control, Device, Link, Overlap, Ratio, TooLarge, Twice, Upward};
        match self {
            ArchiveError::TooMany { .. } => true,
            ArchiveError::Entry { refusal, .. } => matches!(
                refusal,
                Absolute
                    | Upward
                    | Control
                    | Link
                    | Device
                    | Twice
                    | Case(_)
                    | Overlap
                    | TooLarge(_)
                    | Ratio(_)
            ),
            _ => false,
        }
    }
}
