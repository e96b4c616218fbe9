//! The mapped file.

#![allow(
    unsafe_code,
    reason = "memory that another process changes can only be reached through raw pointers"
)]

use crate::error::Error;
use memmap2::MmapRaw;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

const MAGIC: [u32; 2] = [u32::from_le_bytes(*b"CARD"), u32::from_le_bytes(*b"ANSM")];
const VERSION: u32 = 1;

/// Words at the beginning of the file, by their offset in bytes.
const MAGIC_AT: usize = 0;
const VERSION_AT: usize = 8;
const CAPACITY_AT: usize = 12;
const SPIN_AT: usize = 16;
const CLOSED_AT: usize = 20;

/// The bytes of the rings begin here.
const BYTES_AT: usize = 4096;
const LARGEST: u32 = 1 << 30;

/// A file in memory: words that both sides change, and the bytes of two rings.
#[derive(Debug)]
pub(super) struct Map {
    memory: MmapRaw,
    capacity: u32,
}

impl Map {
    pub(super) fn create(path: &Path, capacity: u32, spin: bool) -> Result<Self, Error> {
        let failed = |error| Error::system("Shared memory cannot be made", error);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)
            .map_err(failed)?;
        file.set_len(size(capacity)).map_err(failed)?;
        let map = Map {
            memory: memory(&file).map_err(failed)?,
            capacity,
        };
        map.word(VERSION_AT).store(VERSION, Ordering::Relaxed);
        map.word(CAPACITY_AT).store(capacity, Ordering::Relaxed);
        map.word(SPIN_AT).store(spin.into(), Ordering::Relaxed);
        map.word(MAGIC_AT).store(MAGIC[0], Ordering::Relaxed);
        map.word(MAGIC_AT + 4).store(MAGIC[1], Ordering::Release);
        Ok(map)
    }

    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let failed = |error| Error::system("Shared memory cannot be opened", error);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        if length < BYTES_AT as u64 {
            return Err(Error::other("The file is too short for shared memory of Cardan."));
        }
        let mut map = Map {
            memory: memory(&file).map_err(failed)?,
            capacity: 0,
        };
        let magic = [MAGIC_AT, MAGIC_AT + 4].map(|at| map.word(at).load(Ordering::Acquire));
        let version = map.word(VERSION_AT).load(Ordering::Relaxed);
        let capacity = map.word(CAPACITY_AT).load(Ordering::Relaxed);
        if magic != MAGIC || version != VERSION {
            return Err(Error::other(
                "The file is no shared memory of this version of Cardan.",
            ));
        }
        if !capacity.is_power_of_two() || capacity > LARGEST || length < size(capacity) {
            return Err(Error::other("The file says a size that it does not have."));
        }
        map.capacity = capacity;
        Ok(map)
    }

    /// Does whoever waits keep looking?
    pub(super) fn spins(&self) -> bool {
        self.word(SPIN_AT).load(Ordering::Relaxed) != 0
    }

    /// Bytes of each ring: a power of two.
    pub(super) fn capacity(&self) -> u32 {
        self.capacity
    }

    /// One of the two sides leaves.
    pub(super) fn close(&self) {
        self.word(CLOSED_AT).store(1, Ordering::SeqCst);
    }

    /// Has one of the two sides left?
    pub(super) fn is_closed(&self) -> bool {
        self.word(CLOSED_AT).load(Ordering::SeqCst) != 0
    }

    /// The word at an offset in bytes, in the first page.
    pub(super) fn word(&self, at: usize) -> &AtomicU32 {
        debug_assert!(at.is_multiple_of(4) && at + 4 <= BYTES_AT);
        let at = at.min(BYTES_AT - 4) & !3;
        // SAFETY: the map is at least a page long and begins at a page, so the word lies inside and is aligned; it
        // lives as long as the map, and both processes touch it by atomic operations only.
        unsafe { AtomicU32::from_ptr(self.memory.as_mut_ptr().add(at).cast()) }
    }

    /// Where a piece of `length` bytes lies: ring 0 or 1, beginning at `at` of its bytes.
    fn place(&self, ring: usize, at: u32, length: usize) -> Option<usize> {
        let capacity = self.capacity as usize;
        let fits = ring < 2 && (at as usize).checked_add(length)? <= capacity;
        fits.then_some(BYTES_AT + ring * capacity + at as usize)
    }

    /// Copies bytes into a ring, up to its end at most.
    pub(super) fn write(&self, ring: usize, at: u32, bytes: &[u8]) {
        if let Some(place) = self.place(ring, at, bytes.len()) {
            // SAFETY: `place` checked that the target lies inside the map, which does not overlap our own memory. The
            // other process does not read there until the counter says so; one that does reads bytes of no meaning.
            unsafe {
                let target = self.memory.as_mut_ptr().add(place);
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), target, bytes.len());
            }
        }
    }

    /// Copies bytes out of a ring, up to its end at most.
    pub(super) fn read(&self, ring: usize, at: u32, into: &mut [u8]) {
        if let Some(place) = self.place(ring, at, into.len()) {
            // SAFETY: as in `write`. They are copied before anybody looks at them, so that a process which changes
            // them meanwhile changes nothing that was checked.
            unsafe {
                let source = self.memory.as_ptr().add(place);
                std::ptr::copy_nonoverlapping(source, into.as_mut_ptr(), into.len());
            }
        }
    }
}

fn memory(file: &File) -> std::io::Result<MmapRaw> {
    MmapRaw::map_raw(file)
}

fn size(capacity: u32) -> u64 {
    BYTES_AT as u64 + 2 * u64::from(capacity)
}
