//! One side of the memory: parcels of bytes, one at a time each way.
//!
//! Each side has a block that only it writes: how many parcels it sent, how many it took, and the bytes of the last one
//! right behind these words. So a small message is one cache line that changes hands, and whoever looks whether
//! something has come looks at the message itself.

use super::map::{AT_BYTES, Map};
use crate::error::Error;
use crate::transport::peer::Peer;
use crate::transport::{Deadline, late};
use rustix::io::Errno;
use rustix::thread::futex::{self, Flags, Timespec};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The words of a block.
const SENT: usize = 0;
const LENGTH: usize = 4;
const TAKEN: usize = 8;
const SLEEPS: usize = 12;

/// Bytes that lie in the same cache line as the words.
const BESIDE: usize = 64 - AT_BYTES;

/// How long a sleeper sleeps before it looks whether the other process still lives.
const NAP: Duration = Duration::from_millis(20);

/// How often a spinner looks at the other block before it looks at the clock.
const LOOKS: u32 = 1 << 12;

/// How long to wait, and in which manner.
pub(super) struct Patience<'a> {
    pub(super) deadline: &'a Deadline,
    pub(super) spin: bool,
    pub(super) peer: Option<&'a Peer>,
}

/// What a side waits for; the number it writes where the other side looks before it wakes anybody.
#[derive(Clone, Copy)]
enum For {
    Parcel = 1,
    Room = 2,
}

impl For {
    /// The word of the other side that tells.
    fn word(self) -> usize {
        match self {
            For::Parcel => SENT,
            For::Room => TAKEN,
        }
    }
}

/// One of the two sides. Counters count parcels and wrap around; what the other side may write is never relied on.
#[derive(Debug)]
pub(super) struct Mailbox {
    map: Map,
    own: usize,
    sent: u32,
    taken: u32,
    /// What the other side can see of `taken`. It is told with the next parcel, or before this side waits: a word of
    /// its own for every message would cost as much as the message.
    told: u32,
    /// The part of the present parcel that was not yet asked for.
    at: usize,
    end: usize,
}

impl Mailbox {
    pub(super) fn of_cardan(map: Map) -> Self {
        Mailbox::new(map, 0)
    }

    pub(super) fn of_participant(map: Map) -> Self {
        Mailbox::new(map, 1)
    }

    fn new(map: Map, own: usize) -> Self {
        Mailbox {
            map,
            own,
            sent: 0,
            taken: 0,
            told: 0,
            at: 0,
            end: 0,
        }
    }

    pub(super) fn map(&self) -> &Map {
        &self.map
    }

    fn mine(&self, word: usize) -> &AtomicU32 {
        self.map.block(self.own, word)
    }

    fn theirs(&self, word: usize) -> &AtomicU32 {
        self.map.block(1 - self.own, word)
    }

    /// Sends a parcel of at most the capacity. False means that the other side is gone.
    pub(super) fn send(&mut self, bytes: &[u8], patience: &Patience<'_>) -> Result<bool, Error> {
        let taken = self.theirs(TAKEN).load(Ordering::Acquire);
        if taken != self.sent && !self.wait(For::Room, taken, self.sent, patience)? {
            return Ok(false);
        }
        // What lies beside the words comes last, and the words at once after it: else that line, which the other side
        // keeps looking at, would go there and back once more.
        let (beside, beyond) = bytes.split_at(bytes.len().min(BESIDE));
        self.map.write(self.own, BESIDE, beyond);
        self.map.write(self.own, 0, beside);
        self.sent = self.sent.wrapping_add(1);
        self.told = self.taken;
        self.mine(LENGTH).store(bytes.len() as u32, Ordering::Relaxed);
        self.mine(TAKEN).store(self.taken, Ordering::Release);
        self.publish(SENT, self.sent, patience.spin);
        Ok(true)
    }

    /// Takes bytes of the next parcel, or of what is left of the last one. None means that the other side is gone.
    pub(super) fn take(&mut self, into: &mut [u8], patience: &Patience<'_>) -> Result<usize, Error> {
        if self.at == self.end {
            let sent = self.theirs(SENT).load(Ordering::Acquire);
            let next = self.taken.wrapping_add(1);
            if sent != next {
                self.tell(patience.spin);
                if !self.wait(For::Parcel, sent, next, patience)? {
                    return Ok(0);
                }
            }
            let length = self.theirs(LENGTH).load(Ordering::Relaxed) as usize;
            if length == 0 || length > self.map.capacity() {
                return Err(nonsense());
            }
            (self.at, self.end) = (0, length);
        }
        let count = into.len().min(self.end - self.at);
        let into = into.get_mut(..count).unwrap_or_default();
        self.map.read(1 - self.own, self.at, into);
        self.at += count;
        if self.at == self.end {
            self.taken = self.taken.wrapping_add(1);
        }
        Ok(count)
    }

    /// Lets the other side know what was taken.
    fn tell(&mut self, spin: bool) {
        if self.told != self.taken {
            self.told = self.taken;
            self.publish(TAKEN, self.taken, spin);
        }
    }

    /// Writes a counter, and wakes the other side if it sleeps there.
    ///
    /// The sleeper writes its mark and then looks at the counter again; we wrote the counter and now look at the mark.
    /// Both in one order for all, so one of the two sees the other. Where nobody sleeps there is nothing to look at.
    fn publish(&self, word: usize, count: u32, spin: bool) {
        if spin {
            self.mine(word).store(count, Ordering::Release);
            return;
        }
        self.mine(word).store(count, Ordering::SeqCst);
        let mark = self.theirs(SLEEPS).load(Ordering::SeqCst);
        for sought in [For::Parcel, For::Room] {
            if mark == sought as u32 {
                // Nobody there is no mistake.
                let _ = futex::wake(self.mine(sought.word()), Flags::empty(), 1);
            }
        }
    }

    /// Waits until the other side's counter is no longer `seen` but `wanted`. False means that it is gone; what it
    /// wrote before is there.
    fn wait(&self, sought: For, seen: u32, wanted: u32, patience: &Patience<'_>) -> Result<bool, Error> {
        // There is one parcel at a time: the counter stands at `wanted` or just before it.
        if seen != wanted.wrapping_sub(1) {
            return Err(nonsense());
        }
        let word = self.theirs(sought.word());
        loop {
            if patience.spin {
                for look in 0..LOOKS {
                    if word.load(Ordering::Acquire) != seen {
                        break;
                    }
                    // The hint makes way for the other thread of this core, but takes about as long as the answer.
                    if look % 64 == 63 {
                        std::hint::spin_loop();
                    }
                }
            } else {
                self.sleep(sought, seen, patience.deadline)?;
            }
            match word.load(Ordering::Acquire) {
                found if found == wanted => return Ok(true),
                found if found != seen => return Err(nonsense()),
                _ => {}
            }
            if self.map.is_closed() || patience.peer.is_some_and(Peer::is_gone) {
                // It may have written its last words between the two looks.
                return Ok(word.load(Ordering::Acquire) == wanted);
            }
            if patience.deadline.has_passed() {
                return Err(late());
            }
        }
    }

    fn sleep(&self, sought: For, seen: u32, deadline: &Deadline) -> Result<(), Error> {
        let nap = deadline.left().map_or(NAP, |left| left.min(NAP));
        let nap = Timespec::try_from(nap).unwrap_or_default();
        let word = self.theirs(sought.word());
        self.mine(SLEEPS).store(sought as u32, Ordering::SeqCst);
        let slept = match word.load(Ordering::SeqCst) == seen {
            true => futex::wait(word, Flags::empty(), seen, Some(&nap)),
            false => Ok(()),
        };
        self.mine(SLEEPS).store(0, Ordering::Relaxed);
        match slept {
            Ok(()) | Err(Errno::AGAIN | Errno::INTR | Errno::TIMEDOUT) => Ok(()),
            Err(error) => Err(Error::system("Shared memory cannot be waited for", error)),
        }
    }

    /// This side leaves; whoever sleeps looks up.
    pub(super) fn close(&self) {
        self.map.close();
        for word in [SENT, TAKEN] {
            // Nobody there is no mistake.
            let _ = futex::wake(self.mine(word), Flags::empty(), u32::MAX >> 1);
        }
    }
}

#[cold]
fn nonsense() -> Error {
    Error::other("The counters in shared memory make no sense.")
        .advise("only the two processes may write there: something else did, or one of them is broken")
}
