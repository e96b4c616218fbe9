//! Whether the process at the other end still lives.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, getppid, pidfd_open};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

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

    /// Waits for its end.
    pub fn wait(&self, timeout: std::time::Duration) -> bool {
        let timeout = Timespec::try_from(timeout).unwrap_or_default();
        let mut fds = [PollFd::new(&*self.0, PollFlags::IN)];
        matches!(poll(&mut fds, Some(&timeout)), Ok(1..))
    }
}

impl AsFd for Peer {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
