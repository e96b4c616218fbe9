//! Two rings of bytes in a file that both processes map: one each way.
//!
//! | file | holds |
//! | --- | --- |
//! | `map.rs` | the mapped file; everything `unsafe` |
//! | `ring.rs` | one direction: counters, copying, sleeping |
//!
//! `docs/book/protocol.md` describes the layout.

mod map;
mod ring;

use super::ByteStream;
use super::peer::Peer;
use crate::error::Error;
use map::Map;
use ring::{Patience, Ring};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Bytes of each ring: few enough to stay in the caches of both cores. Larger frames go through in pieces.
const CAPACITY: u32 = 1 << 16;

/// How a process waits for the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Waiting {
    /// It sleeps and is woken. The right choice unless there is a core for each process.
    #[default]
    Sleep,
    /// It keeps looking: the fastest answer, for the price of a core.
    Spin,
}

/// One end of a pair of rings.
#[derive(Debug)]
pub struct SharedMemory {
    map: Arc<Map>,
    inbound: Ring,
    outbound: Ring,
    waiting: Waiting,
    peer: Option<Peer>,
    /// The file that the maker removes.
    file: Option<PathBuf>,
}

impl SharedMemory {
    /// Makes the file, which only this user can open, and takes Cardan's end of it.
    pub fn create(path: &Path, waiting: Waiting) -> Result<Self, Error> {
        let map = Arc::new(Map::create(path, CAPACITY, waiting == Waiting::Spin)?);
        Ok(SharedMemory {
            inbound: Ring::to_cardan(Arc::clone(&map)),
            outbound: Ring::to_participant(Arc::clone(&map)),
            map,
            waiting,
            peer: None,
            file: Some(path.to_owned()),
        })
    }

    /// Opens the file, and takes the participant's end.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let map = Arc::new(Map::open(path)?);
        let waiting = if map.spins() {
            Waiting::Spin
        } else {
            Waiting::Sleep
        };
        Ok(SharedMemory {
            inbound: Ring::to_participant(Arc::clone(&map)),
            outbound: Ring::to_cardan(Arc::clone(&map)),
            map,
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

    fn patience(&self, deadline: Option<Instant>) -> Patience<'_> {
        Patience {
            deadline,
            spin: self.waiting == Waiting::Spin,
            peer: self.peer.as_ref(),
            map: &self.map,
        }
    }
}

impl ByteStream for SharedMemory {
    fn read_some(&mut self, into: &mut [u8], deadline: Option<Instant>) -> Result<usize, Error> {
        loop {
            let read = self.inbound.take(into)?;
            if read > 0 {
                return Ok(read);
            }
            if !self.inbound.wait_for_bytes(&self.patience(deadline))? {
                return self.inbound.take(into);
            }
        }
    }

    fn write_all(&mut self, mut bytes: &[u8], deadline: Option<Instant>) -> Result<(), Error> {
        while !bytes.is_empty() {
            let written = self.outbound.put(bytes)?;
            bytes = bytes.get(written..).unwrap_or_default();
            if written == 0 && !self.outbound.wait_for_room(&self.patience(deadline))? {
                return Err(super::gone());
            }
        }
        Ok(())
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        self.map.close();
        self.inbound.wake_all();
        self.outbound.wake_all();
        if let Some(file) = &self.file {
            // Nobody can come any more; if it is gone already, so much the better.
            let _ = std::fs::remove_file(file);
        }
    }
}
