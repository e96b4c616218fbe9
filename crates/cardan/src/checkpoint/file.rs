//! The file of a checkpoint.
//!
//! ```text
//! "CARDANCP"  layout (8 bytes)  header (length, bytes)  state (length, bytes)  SHA-256 of all before
//! ```

use super::error::{CheckpointError, Why};
use super::fingerprint::Fingerprint;
use cardan_core::checkpoint::{Damage, Reader, Writer};
use sha2::{Digest, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"CARDANCP";
/// The layout of the file and of all that is in it.
pub(super) const LAYOUT: u64 = 3;
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");
const CHECKSUM: usize = 32;
/// Mark and layout.
const BEGINNING: usize = 16;

/// What a checkpoint is of.
#[derive(Clone, PartialEq, Debug)]
pub struct Header {
    /// The version of Cardan that wrote it.
    pub version: String,
    /// The name of the system.
    pub system: String,
    /// The components, in the order of the description.
    pub components: Vec<String>,
    /// The method, in words.
    pub method: String,
    /// The first and the last instant of the run.
    pub window: (f64, f64),
    /// Where the run stands, in seconds.
    pub time: f64,
    /// The last row of its results.
    pub last_row: f64,
    /// Accepted steps so far.
    pub steps: u64,
    pub(super) fingerprint: Fingerprint,
}

impl Header {
    /// Reads what a checkpoint is of. The whole file is checked.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        Contents::read(path).map(|contents| contents.header)
    }

    /// Does a file say that it is a checkpoint?
    pub fn is_in(path: &Path) -> bool {
        beginning(path).is_some_and(|beginning| beginning == MAGIC)
    }

    fn keep(&self, writer: &mut Writer) {
        writer.text(&self.version);
        writer.text(&self.system);
        writer.length(self.components.len());
        self.components.iter().for_each(|name| writer.text(name));
        writer.text(&self.method);
        for time in [self.window.0, self.window.1, self.time, self.last_row] {
            writer.real(time);
        }
        writer.count(self.steps);
        self.fingerprint.keep(writer);
    }

    fn parse(reader: &mut Reader<'_>) -> Result<Self, Damage> {
        const WHAT: &str = "its header";
        Ok(Header {
            version: reader.text(WHAT)?,
            system: reader.text(WHAT)?,
            components: reader.list(8, WHAT, |reader| reader.text(WHAT))?,
            method: reader.text(WHAT)?,
            window: (reader.time(WHAT)?.seconds(), reader.time(WHAT)?.seconds()),
            time: reader.time(WHAT)?.seconds(),
            last_row: reader.time(WHAT)?.seconds(),
            steps: reader.count(WHAT)?,
            fingerprint: Fingerprint::read(reader)?,
        })
    }
}

/// A whole checkpoint.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Contents {
    pub(super) header: Header,
    pub(super) state: Vec<u8>,
}

impl Contents {
    /// Reads a file that may be anything.
    pub(super) fn read(path: &Path) -> Result<Self, CheckpointError> {
        let refuse = |why: Why| CheckpointError::new(path, why);
        let unreadable = |error: io::Error| refuse(Why::Unreadable(error));
        // What is no file may never end, or never begin.
        let found = fs::metadata(path).map_err(unreadable)?;
        if found.is_dir() {
            return Err(refuse(Why::Folder));
        }
        if !found.is_file() {
            return Err(refuse(Why::NoFile));
        }
        let mut file = File::open(path).map_err(unreadable)?;
        let mut beginning = Vec::with_capacity(BEGINNING);
        let mut first = Read::by_ref(&mut file).take(BEGINNING as u64);
        first.read_to_end(&mut beginning).map_err(unreadable)?;
        // A file that is something else is not read to its end.
        let Some(layout) = beginning.strip_prefix(MAGIC) else {
            return Err(refuse(Why::Foreign));
        };
        match Reader::new(layout).count("its layout") {
            Ok(LAYOUT) => {}
            Ok(other) => return Err(refuse(Why::Layout(other))),
            Err(damage) => return Err(refuse(Why::Damaged(damage))),
        }
        let mut bytes = beginning;
        file.read_to_end(&mut bytes).map_err(unreadable)?;
        Contents::parse(&bytes).map_err(refuse)
    }

    fn parse(bytes: &[u8]) -> Result<Self, Why> {
        let Some((body, checksum)) = bytes.split_last_chunk::<CHECKSUM>() else {
            return Err(Why::Checksum);
        };
        if Sha256::digest(body).as_slice() != checksum {
            return Err(Why::Checksum);
        }
        let contents = body.get(BEGINNING..).unwrap_or_default();
        let mut reader = Reader::new(contents);
        let mut header = Reader::new(reader.blob("its header")?);
        // Others may have written another header; what comes first is always the version.
        let version = header.clone().text("its version")?;
        if version != VERSION {
            return Err(Why::Version(version));
        }
        let parsed = Header::parse(&mut header)?;
        header.end()?;
        let state = reader.blob("its state")?.to_vec();
        reader.end()?;
        Ok(Contents {
            header: parsed,
            state,
        })
    }
}

impl Header {
    /// Of a run of this version of Cardan.
    pub(super) fn version() -> String {
        VERSION.to_owned()
    }

    /// The file with this state, all of it.
    pub(super) fn file(&self, state: &[u8]) -> Vec<u8> {
        let mut header = Writer::new();
        self.keep(&mut header);
        let mut writer = Writer::new();
        MAGIC.iter().for_each(|byte| writer.byte(*byte));
        writer.count(LAYOUT);
        writer.blob(&header.into_bytes());
        writer.blob(state);
        let mut bytes = writer.into_bytes();
        let checksum = Sha256::digest(&bytes);
        bytes.extend_from_slice(&checksum);
        bytes
    }
}

/// Puts bytes in a file, of which there is the old one or the new one at any time.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let scratch = scratch(path);
    let written = write_new(&scratch, bytes).and_then(|()| fs::rename(&scratch, path));
    if written.is_err() {
        // It may not even have come to be.
        let _ = fs::remove_file(&scratch);
    } else if let Some(folder) = path.parent() {
        // So that the new name outlives a power cut too. Not everywhere can folders be synchronised.
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    written
}

/// Is it an empty file or an older checkpoint?
pub(super) fn may_be_replaced(path: &Path) -> bool {
    beginning(path).is_some_and(|beginning| beginning.is_empty() || beginning == MAGIC)
}

/// The first bytes of a file, if it is one that can be read.
fn beginning(path: &Path) -> Option<Vec<u8>> {
    let mut beginning = Vec::new();
    // What is no file may never begin.
    let file = path.is_file().then(|| File::open(path))?.ok()?;
    file.take(MAGIC.len() as u64).read_to_end(&mut beginning).ok()?;
    Some(beginning)
}

/// Can a file be put there?
pub(super) fn try_replace(path: &Path) -> io::Result<()> {
    let scratch = scratch(path);
    write_new(&scratch, &[])?;
    fs::remove_file(&scratch)
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Left by somebody who was killed while writing it.
    let _ = fs::remove_file(path);
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// A hidden file in the same folder, where a rename stays on the same disk. Its name is always the same, so that a killed
/// run leaves at most one behind.
fn scratch(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or("checkpoint".as_ref()));
    name.push(".tmp");
    path.with_file_name(name)
}
