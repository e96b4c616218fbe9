//! Parcels of bytes in a file that both processes map: one at a time each way.
//!
//! | file | holds |
//! | --- | --- |
//! | `map.rs` | the mapped file; everything `unsafe` |
//! | `mailbox.rs` | one side: counters, parcels, waiting |
//!
//! `docs/book/protocol.md` describes the layout.

mod mailbox;
mod map;

use super::peer::Peer;
use super::{ByteStream, Deadline};
use crate::error::Error;
use mailbox::{Mailbox, Patience};
use map::Map;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

/// Bytes of each block: few enough to stay in the caches of both cores. Larger frames go through in pieces.
const SIZE: u32 = 1 << 16;

/// How a process waits for the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Waiting {
    /// It sleeps and is woken. The right choice unless there is a core for each process.
    #[default]
    Sleep,
    /// It keeps looking: the fastest answer, for the price of a core.
    Spin,
}

/// One end of a file that two processes map.
#[derive(Debug)]
pub struct SharedMemory {
    mailbox: Mailbox,
    waiting: Waiting,
    peer: Option<Peer>,
    /// The file, as long as its maker lives: it has no name, and is gone when nobody has it open.
    file: Option<File>,
}

impl SharedMemory {
    /// Makes the file, which only processes of this user can open, and takes Cardan's end of it.
    pub fn create(waiting: Waiting) -> Result<Self, Error> {
        let (map, file) = Map::create(SIZE, waiting == Waiting::Spin)?;
        Ok(SharedMemory {
            mailbox: Mailbox::of_cardan(map),
            waiting,
            peer: None,
            file: Some(file),
        })
    }

    /// Where another process can open the file, while its maker lives. None at the participant's end.
    pub fn path(&self) -> Option<PathBuf> {
        let file = self.file.as_ref()?.as_raw_fd();
        Some(PathBuf::from(format!("/proc/{}/fd/{file}", std::process::id())))
    }

    /// Opens the file, and takes the participant's end.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let map = Map::open(path)?;
        let waiting = if map.spins() {
            Waiting::Spin
        } else {
            Waiting::Sleep
        };
        Ok(SharedMemory {
            mailbox: Mailbox::of_participant(map),
            waiting,
            peer: None,
            file: None,
        })
    }

    /// Watches the other process: memory does not tell that it is gone.
    #[must_use]
    pub fn watching(mut self, peer: Option<Peer>) -> Self {
        self.peer = peer;
        self
    }
}

impl ByteStream for SharedMemory {
    fn read_some(&mut self, into: &mut [u8], deadline: &Deadline) -> Result<usize, Error> {
        let patience = Patience {
            deadline,
            spin: self.waiting == Waiting::Spin,
            peer: self.peer.as_ref(),
        };
        self.mailbox.take(into, &patience)
    }

    fn write_all(&mut self, bytes: &[u8], deadline: &Deadline) -> Result<(), Error> {
        let patience = Patience {
            deadline,
            spin: self.waiting == Waiting::Spin,
            peer: self.peer.as_ref(),
        };
        for parcel in bytes.chunks(self.mailbox.map().capacity()) {
            if !self.mailbox.send(parcel, &patience)? {
                return Err(super::gone());
            }
        }
        Ok(())
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        self.mailbox.close();
    }
}

#[cfg(test)]
mod tests;
