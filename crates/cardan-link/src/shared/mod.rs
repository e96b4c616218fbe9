//! Memory that this process and those forked from it see together.

#![allow(unsafe_code)] // all of it is here, each block with its reason

mod board;
mod roster;

pub use board::BoardMemory;
pub(crate) use roster::RosterMemory;

use std::io;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

/// Types that may lie in shared memory.
///
/// # Safety
///
/// Whatever bytes there are must be a value of the type, and whatever can change behind a shared reference must be
/// atomic: another process may write at any time, and may be damaged.
pub unsafe trait Shareable: Send + Sync {}

/// A value in memory of its own, all zeros at first. A process that is forked sees the same memory, and what it writes
/// stays after its end.
#[derive(Debug)]
pub struct Shared<T: Shareable> {
    start: NonNull<T>,
    owned: PhantomData<T>,
}

// SAFETY: it is handed out only as shared references to a type that is made for access from several threads.
unsafe impl<T: Shareable> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Shareable> Sync for Shared<T> {}

impl<T: Shareable> Shared<T> {
    /// Only pages that are touched need memory.
    pub fn new() -> io::Result<Self> {
        use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
        let (read_write, shared) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED);
        // SAFETY: the kernel chooses a place where nothing is.
        let start = unsafe { mmap_anonymous(std::ptr::null_mut(), Self::size(), read_write, shared) }?;
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Shared {
            start,
            owned: PhantomData,
        })
    }

    fn size() -> usize {
        size_of::<T>().max(1)
    }
}

impl<T: Shareable> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the mapping is as large as `T`, lives as long as `self`, begins with a page, which is aligned for
        // everything, and any bytes in it are a `T` by the promise of the trait.
        unsafe { self.start.as_ref() }
    }
}

impl<T: Shareable> Drop for Shared<T> {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours alone, and no reference into it outlives `self`.
        let unmapped = unsafe { rustix::mm::munmap(self.start.as_ptr().cast(), Self::size()) };
        debug_assert!(unmapped.is_ok());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Child;

    #[test]
    fn what_a_child_writes_stays_after_its_end() {
        let board = Shared::<BoardMemory>::new().unwrap();
        assert!(!board.control.is_stopped());
        let mut child = Child::start(|| {
            board.control.stop();
            0
        })
        .unwrap();
        child.wait().unwrap();
        assert!(board.control.is_stopped());
    }
}
