//! The mapped file.

#![allow(
    unsafe_code,
    reason = "memory that another process changes can only be reached through raw pointers"
)]

use crate::error::Error;
use memmap2::MmapRaw;
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use std::fs::{File, OpenOptions};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

const MAGIC: [u32; 2] = [u32::from_le_bytes(*b"CARD"), u32::from_le_bytes(*b"ANSM")];
const VERSION: u32 = 2;

/// Words at the beginning of the file, by their offset in bytes.
const MAGIC_AT: usize = 0;
const VERSION_AT: usize = 8;
const SIZE_AT: usize = 12;
const SPIN_AT: usize = 16;
const CLOSED_AT: usize = 20;

/// The two blocks begin here, and in each of them the bytes behind the words.
const BLOCKS_AT: usize = 4096;
pub(super) const AT_BYTES: usize = 16;
const SMALLEST: u32 = 1 << 6;
const LARGEST: u32 = 1 << 30;

/// A file in memory: a page that says what it is, and a block for each side.
#[derive(Debug)]
pub(super) struct Map {
    memory: MmapRaw,
    /// Of a block: a power of two.
    size: usize,
}

impl Map {
    /// Makes a file without a name, and gives it along. Its size is sealed: a file that another process could shorten
    /// would end this one at the next access beyond its end.
    pub(super) fn create(size: u32, spin: bool) -> Result<(Self, File), Error> {
        let failed = |error| Error::system("Shared memory cannot be made", error);
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let file = File::from(memfd_create("cardan", flags).map_err(|error| failed(error.into()))?);
        file.set_len(whole(size)).map_err(failed)?;
        let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
        fcntl_add_seals(&file, seals).map_err(|error| failed(error.into()))?;
        let map = Map {
            memory: memory(&file).map_err(failed)?,
            size: size as usize,
        };
        map.word(VERSION_AT).store(VERSION, Ordering::Relaxed);
        map.word(SIZE_AT).store(size, Ordering::Relaxed);
        map.word(SPIN_AT).store(spin.into(), Ordering::Relaxed);
        map.word(MAGIC_AT).store(MAGIC[0], Ordering::Relaxed);
        map.word(MAGIC_AT + 4).store(MAGIC[1], Ordering::Release);
        Ok((map, file))
    }

    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let failed = |error| Error::system("Shared memory cannot be opened", error);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        if length < BLOCKS_AT as u64 {
            return Err(Error::other("The file is too short for shared memory of Cardan."));
        }
        let mut map = Map {
            memory: memory(&file).map_err(failed)?,
            size: 0,
        };
        let magic = [MAGIC_AT, MAGIC_AT + 4].map(|at| map.word(at).load(Ordering::Acquire));
        let version = map.word(VERSION_AT).load(Ordering::Relaxed);
        let size = map.word(SIZE_AT).load(Ordering::Relaxed);
        if magic != MAGIC || version != VERSION {
            return Err(Error::other(
                "The file is no shared memory of this version of Cardan.",
            ));
        }
        if !size.is_power_of_two() || !(SMALLEST..=LARGEST).contains(&size) || length < whole(size) {
            return Err(Error::other("The file says a size that it does not have."));
        }
        map.size = size as usize;
        Ok(map)
    }

    /// Does whoever waits keep looking?
    pub(super) fn spins(&self) -> bool {
        self.word(SPIN_AT).load(Ordering::Relaxed) != 0
    }

    /// The most bytes of a parcel.
    pub(super) fn capacity(&self) -> usize {
        self.size - AT_BYTES
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
    fn word(&self, at: usize) -> &AtomicU32 {
        debug_assert!(at.is_multiple_of(4) && at + 4 <= BLOCKS_AT);
        let at = at.min(BLOCKS_AT - 4) & !3;
        // SAFETY: the map is at least a page long and begins at a page, so the word lies inside and is aligned; it
        // lives as long as the map, and both processes touch it by atomic operations only.
        unsafe { AtomicU32::from_ptr(self.memory.as_mut_ptr().add(at).cast()) }
    }

    /// The word at an offset in bytes, in block 0 (Cardan's) or 1 (the participant's).
    #[inline]
    pub(super) fn block(&self, block: usize, at: usize) -> &AtomicU32 {
        debug_assert!(at.is_multiple_of(4) && at < AT_BYTES && block < 2);
        let at = BLOCKS_AT + (block & 1) * self.size + (at & (AT_BYTES - 4));
        // SAFETY: the map holds both blocks, each larger than its words and of a size that keeps them aligned; else as
        // in `word`.
        unsafe { AtomicU32::from_ptr(self.memory.as_mut_ptr().add(at).cast()) }
    }

    /// Where a piece of `length` bytes lies: in block 0 or 1, beginning at `at` of its bytes.
    #[inline]
    fn place(&self, block: usize, at: usize, length: usize) -> Option<usize> {
        let fits = block < 2 && at.checked_add(length)? <= self.capacity();
        fits.then_some(BLOCKS_AT + block * self.size + AT_BYTES + at)
    }

    /// Copies bytes into a block.
    #[inline]
    pub(super) fn write(&self, block: usize, at: usize, bytes: &[u8]) {
        if let Some(place) = self.place(block, at, bytes.len()) {
            // SAFETY: `place` checked that the target lies inside the map, which does not overlap our own memory. The
            // other process does not read there until the counter says so; one that does reads bytes of no meaning.
            unsafe {
                let target = self.memory.as_mut_ptr().add(place);
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), target, bytes.len());
            }
        }
    }

    /// Copies bytes out of a block.
    #[inline]
    pub(super) fn read(&self, block: usize, at: usize, into: &mut [u8]) {
        if let Some(place) = self.place(block, at, into.len()) {
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

fn whole(size: u32) -> u64 {
    BLOCKS_AT as u64 + 2 * u64::from(size)
}
