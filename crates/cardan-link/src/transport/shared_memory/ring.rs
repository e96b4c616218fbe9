//! One direction: a ring of bytes with one writer and one reader.

use super::map::Map;
use crate::error::Error;
use crate::transport::late;
use crate::transport::peer::Peer;
use rustix::io::Errno;
use rustix::thread::futex::{self, Flags, Timespec};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The words of a ring, from where its block begins. Each side's words have a pair of cache lines of their own, since
/// processors fetch them in pairs.
const WRITTEN: usize = 0;
const READER_SLEEPS: usize = 4;
const READ: usize = 128;
const WRITER_SLEEPS: usize = 132;

/// How long a sleeper sleeps before it looks whether the other process still lives.
const NAP: Duration = Duration::from_millis(20);

/// How often a spinner looks at the ring before it looks at the clock.
const LOOKS: u32 = 1 << 12;

/// How long to wait, and in which manner.
pub(super) struct Patience<'a> {
    pub(super) deadline: Option<Instant>,
    pub(super) spin: bool,
    pub(super) peer: Option<&'a Peer>,
    pub(super) map: &'a Map,
}

impl Patience<'_> {
    /// False means that the other side is gone.
    fn holds(&self) -> Result<bool, Error> {
        if self.map.is_closed() || self.peer.is_some_and(Peer::is_gone) {
            return Ok(false);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(late()),
            _ => Ok(true),
        }
    }

    fn nap(&self) -> Duration {
        match self.deadline {
            Some(deadline) => deadline.saturating_duration_since(Instant::now()).min(NAP),
            None => NAP,
        }
    }
}

/// A ring, seen by its writer or by its reader. Counters count bytes and wrap around.
#[derive(Debug)]
pub(super) struct Ring {
    map: Arc<Map>,
    index: usize,
    words: usize,
    /// The counter of this side. The word in the map is for the other side only, which may write nonsense there.
    own: u32,
    /// The counter of the other side when it was last looked at. Looking costs: the word is in the other core's cache.
    other: u32,
}

impl Ring {
    pub(super) fn to_participant(map: Arc<Map>) -> Self {
        Ring {
            map,
            index: 0,
            words: 128,
            own: 0,
            other: 0,
        }
    }

    pub(super) fn to_cardan(map: Arc<Map>) -> Self {
        Ring {
            map,
            index: 1,
            words: 384,
            own: 0,
            other: 0,
        }
    }

    fn word(&self, at: usize) -> &AtomicU32 {
        self.map.word(self.words + at)
    }

    /// How many bytes lie between two counters.
    fn between(&self, written: u32, read: u32) -> Result<u32, Error> {
        let between = written.wrapping_sub(read);
        match between <= self.map.capacity() {
            true => Ok(between),
            false => Err(
                Error::other("The counters in shared memory make no sense.").advise(
                    "only the two processes may write there: something else did, or one of them is broken",
                ),
            ),
        }
    }

    /// Puts in as many bytes as there is room for.
    pub(super) fn put(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        let mut room = self.map.capacity() - self.between(self.own, self.other)?;
        if (room as usize) < bytes.len() {
            self.other = self.word(READ).load(Ordering::Acquire);
            room = self.map.capacity() - self.between(self.own, self.other)?;
        }
        let bytes = &bytes[..bytes.len().min(room as usize)];
        if bytes.is_empty() {
            return Ok(0);
        }
        let at = self.own & (self.map.capacity() - 1);
        let to_end = (self.map.capacity() - at) as usize;
        let (first, second) = bytes.split_at(bytes.len().min(to_end));
        self.map.write(self.index, at, first);
        self.map.write(self.index, 0, second);
        self.own = self.own.wrapping_add(bytes.len() as u32);
        self.word(WRITTEN).store(self.own, Ordering::SeqCst);
        wake(self.word(READER_SLEEPS), self.word(WRITTEN));
        Ok(bytes.len())
    }

    /// Takes out as many bytes as there are.
    pub(super) fn take(&mut self, into: &mut [u8]) -> Result<usize, Error> {
        let written = self.word(WRITTEN).load(Ordering::Acquire);
        let there = self.between(written, self.own)? as usize;
        let count = into.len().min(there);
        if count == 0 {
            return Ok(0);
        }
        let at = self.own & (self.map.capacity() - 1);
        let to_end = (self.map.capacity() - at) as usize;
        let (first, second) = into[..count].split_at_mut(count.min(to_end));
        self.map.read(self.index, at, first);
        self.map.read(self.index, 0, second);
        self.own = self.own.wrapping_add(count as u32);
        self.word(READ).store(self.own, Ordering::SeqCst);
        wake(self.word(WRITER_SLEEPS), self.word(READ));
        Ok(count)
    }

    /// Waits until there is something to take. False means that the other side is gone; what it wrote before is there.
    pub(super) fn wait_for_bytes(&self, patience: &Patience<'_>) -> Result<bool, Error> {
        let (written, own) = (self.word(WRITTEN), self.own);
        wait(
            written,
            self.word(READER_SLEEPS),
            |written| written != own,
            patience,
        )
    }

    /// Waits until there is room to put something. False means that the other side is gone.
    pub(super) fn wait_for_room(&self, patience: &Patience<'_>) -> Result<bool, Error> {
        let full = self.own.wrapping_sub(self.map.capacity());
        wait(
            self.word(READ),
            self.word(WRITER_SLEEPS),
            |read| read != full,
            patience,
        )
    }

    /// Lets whoever sleeps at this ring look up.
    pub(super) fn wake_all(&self) {
        for word in [WRITTEN, READ] {
            // Nobody there is no mistake.
            let _ = futex::wake(self.word(word), Flags::empty(), u32::MAX >> 1);
        }
    }
}

/// Wakes the sleeper at `word` if there is one.
///
/// The sleeper writes its mark and then looks at the counter again; we wrote the counter and now look at the mark. Both
/// in one order for all, so one of the two sees the other.
fn wake(sleeps: &AtomicU32, word: &AtomicU32) {
    if sleeps.load(Ordering::SeqCst) != 0 {
        sleeps.store(0, Ordering::SeqCst);
        // Nobody there is no mistake.
        let _ = futex::wake(word, Flags::empty(), 1);
    }
}

fn wait(
    word: &AtomicU32,
    sleeps: &AtomicU32,
    ready: impl Fn(u32) -> bool,
    patience: &Patience<'_>,
) -> Result<bool, Error> {
    loop {
        if patience.spin {
            for look in 0..LOOKS {
                if ready(word.load(Ordering::Acquire)) {
                    return Ok(true);
                }
                // The hint makes way for the other thread of this core, but takes about as long as the answer.
                if look % 64 == 63 {
                    std::hint::spin_loop();
                }
            }
        } else {
            sleeps.store(1, Ordering::SeqCst);
            let seen = word.load(Ordering::SeqCst);
            if ready(seen) {
                sleeps.store(0, Ordering::Relaxed);
                return Ok(true);
            }
            let nap = Timespec::try_from(patience.nap()).unwrap_or_default();
            match futex::wait(word, Flags::empty(), seen, Some(&nap)) {
                Ok(()) | Err(Errno::AGAIN | Errno::INTR | Errno::TIMEDOUT) => {}
                Err(error) => return Err(Error::system("Shared memory cannot be waited for", error)),
            }
        }
        if ready(word.load(Ordering::Acquire)) {
            return Ok(true);
        }
        if !patience.holds()? {
            return Ok(false);
        }
    }
}
