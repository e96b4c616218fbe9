//! Whether the process at the other end still lives.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, getppid, pidfd_open};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longer than anybody waits, and short enough for the system to count.
const LONGEST: Duration = Duration::from_secs(1 << 30);

/// Stands for a process of this host; becomes readable when the process ends.
///
/// A connection alone does not tell: a child of the process may hold it open, and shared memory says nothing at all.
#[derive(Clone, Debug)]
pub struct Peer(Arc<OwnedFd>);

impl Peer {
    /// A process by its number, which must be ours to reap, so that the number cannot mean another one.
    pub fn of(pid: Pid) -> rustix::io::Result<Self> {
        pidfd_open(pid, PidfdFlags::empty()).map(|fd| Peer(Arc::new(fd)))
    }

    /// The process that started this one.
    pub fn parent() -> Option<Self> {
        getppid().and_then(|pid| Peer::of(pid).ok())
    }

    /// Has it ended?
    pub fn is_gone(&self) -> bool {
        let mut fds = [PollFd::new(&*self.0, PollFlags::IN)];
        matches!(poll(&mut fds, Some(&Timespec::default())), Ok(1..))
    }

    /// Waits for its end, whatever signals arrive meanwhile.
    pub fn wait(&self, timeout: Duration) -> bool {
        let begun = Instant::now();
        loop {
            let left = timeout.saturating_sub(begun.elapsed()).min(LONGEST);
            let left = Timespec::try_from(left).unwrap_or_default();
            let mut fds = [PollFd::new(&*self.0, PollFlags::IN)];
            match poll(&mut fds, Some(&left)) {
                Err(Errno::INTR) => {}
                polled => return matches!(polled, Ok(1..)),
            }
        }
    }
}

impl AsFd for Peer {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
