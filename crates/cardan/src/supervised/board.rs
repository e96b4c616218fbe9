//! The memory that both sides of a run see, and the bell by which the child calls.

use cardan_core::flight::{Flight, Sighting};
use cardan_core::record::{Bell, Ring, RowWriter};
use cardan_core::run::{Control, Ties};
use cardan_link::shared::{BoardMemory, Shared};
use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// While the ring is full, the child looks for room this often. A full ring takes milliseconds to write out.
const ROOM: Duration = Duration::from_micros(200);

/// The memory that both sides of a run see.
pub(super) struct Board {
    memory: Arc<Shared<BoardMemory>>,
    bell: Arc<OwnedFd>,
}

impl Board {
    pub(super) fn new() -> io::Result<Self> {
        let bell = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?;
        Ok(Board {
            memory: Arc::new(Shared::new()?),
            bell: Arc::new(bell),
        })
    }

    pub(super) fn control(&self) -> &Control {
        &self.memory.control
    }

    pub(super) fn ring(&self) -> Ring<'_> {
        Ring {
            head: &self.memory.head,
            words: &self.memory.words,
        }
    }

    /// What each thread of the run says of whom it is calling.
    pub(super) fn sightings(&self) -> impl Iterator<Item = Sighting> {
        self.memory.slots.iter().map(|slot| slot.read())
    }

    /// The call that the run is in, of the first thread that is in one.
    pub(super) fn sighting(&self) -> Option<Sighting> {
        self.sightings().find(|seen| seen.participant.is_some())
    }

    /// Becomes readable when rows are waiting.
    pub(super) fn bell(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }

    /// The bell was heard.
    pub(super) fn silence(&self) {
        // Where it has not rung there is nothing to read.
        let _ = rustix::io::read(&*self.bell, &mut [0; 8]);
    }

    /// The child's end: it keeps the memory until its own end.
    pub(super) fn for_child(&self) -> (Ties, RowWriter) {
        let memory: &'static BoardMemory = Box::leak(Box::new(Arc::clone(&self.memory)));
        let ties = Ties::Elsewhere(&memory.control, Flight::new(&memory.slots));
        let ring = Ring {
            head: &memory.head,
            words: &memory.words,
        };
        (ties, RowWriter::new(ring, Box::new(Rope(Arc::clone(&self.bell)))))
    }
}

/// The child's end of the bell.
struct Rope(Arc<OwnedFd>);

impl Bell for Rope {
    fn ring(&mut self) {
        // It fails only if nobody has listened for ages, and then once more makes no difference.
        let _ = rustix::io::write(&*self.0, &1_u64.to_ne_bytes());
    }

    fn wait(&mut self) {
        std::thread::sleep(ROOM);
    }
}
