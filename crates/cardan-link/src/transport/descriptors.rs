//! Pipes and sockets.

use super::peer::Peer;
use super::{ByteStream, Deadline, gone, late};
use crate::error::Error;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::net::{SendFlags, send};
use std::net::TcpStream;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

/// A pair of descriptors, one to read from and one to write to.
#[derive(Debug)]
pub struct Descriptors {
    input: OwnedFd,
    output: OwnedFd,
    /// Sockets can be written to without the signal that a broken pipe sends.
    socket: bool,
    /// Never blocks in a read or a write, so that deadlines can be kept.
    watchful: bool,
    peer: Option<Peer>,
}

impl Descriptors {
    /// The ends of two pipes that belong to us alone.
    pub fn pipes(input: OwnedFd, output: OwnedFd) -> Result<Self, Error> {
        Descriptors {
            input,
            output,
            socket: false,
            watchful: false,
            peer: None,
        }
        .watchful()
    }

    /// Our own standard input and output, or copies of them. They may be shared with others, who would not like it if
    /// reads came back without bytes: there are no deadlines here.
    pub fn inherited(input: OwnedFd, output: OwnedFd) -> Self {
        Descriptors {
            input,
            output,
            socket: false,
            watchful: false,
            peer: None,
        }
    }

    /// A Unix socket.
    pub fn unix(stream: UnixStream) -> Result<Self, Error> {
        Descriptors::socket(stream.into())
    }

    /// A TCP connection, which sends at once what it is given.
    pub fn tcp(stream: TcpStream) -> Result<Self, Error> {
        stream
            .set_nodelay(true)
            .map_err(|error| Error::system("A TCP connection cannot be set up", error))?;
        Descriptors::socket(stream.into())
    }

    fn socket(fd: OwnedFd) -> Result<Self, Error> {
        let input = fd
            .try_clone()
            .map_err(|error| Error::system("A socket cannot be set up", error))?;
        Descriptors {
            input,
            output: fd,
            socket: true,
            watchful: false,
            peer: None,
        }
        .watchful()
    }

    fn watchful(mut self) -> Result<Self, Error> {
        for fd in [&self.input, &self.output] {
            let set = fcntl_getfl(fd).and_then(|flags| fcntl_setfl(fd, flags | OFlags::NONBLOCK));
            set.map_err(|error| Error::system("A connection cannot be set up", error))?;
        }
        self.watchful = true;
        Ok(self)
    }

    /// Watches the process at the other end too: whoever inherits its descriptors keeps them open.
    #[must_use]
    pub fn watching(mut self, peer: Option<Peer>) -> Self {
        self.peer = peer;
        self
    }

    /// Waits until the descriptor is ready. False means that the process at the other end is gone.
    fn wait(&self, output: bool, deadline: &Deadline) -> Result<bool, Error> {
        let (fd, flags) = match output {
            true => (&self.output, PollFlags::OUT),
            false => (&self.input, PollFlags::IN),
        };
        loop {
            let patience = deadline.patience();
            let timeout = patience.map(|left| Timespec::try_from(left).unwrap_or_default());
            let ready = match &self.peer {
                None => poll(&mut [PollFd::new(fd, flags)], timeout.as_ref()).map(|n| (n > 0, false)),
                Some(peer) => {
                    let mut fds = [PollFd::new(fd, flags), PollFd::new(peer, PollFlags::IN)];
                    let polled = poll(&mut fds, timeout.as_ref());
                    let [of_fd, of_peer] = fds.map(|fd| !fd.revents().is_empty());
                    polled.map(|_| (of_fd, of_peer))
                }
            };
            match ready {
                Ok((true, _)) => return Ok(true),
                Ok((false, true)) => {
                    // It may have sent its last words between the two looks.
                    let mut fds = [PollFd::new(fd, flags)];
                    return Ok(matches!(poll(&mut fds, Some(&Timespec::default())), Ok(1..)));
                }
                Ok((false, false)) if deadline.has_passed() => return Err(late()),
                Ok((false, false)) => {}
                Err(Errno::INTR) => {}
                Err(error) => return Err(Error::system("A connection cannot be waited for", error)),
            }
        }
    }
}

impl ByteStream for Descriptors {
    fn read_some(&mut self, into: &mut [u8], deadline: &Deadline) -> Result<usize, Error> {
        loop {
            if self.watchful && !self.wait(false, deadline)? {
                return Ok(0);
            }
            match rustix::io::read(&self.input, &mut *into) {
                Ok(read) => return Ok(read),
                Err(Errno::CONNRESET) => return Ok(0),
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(error) => return Err(Error::system("The connection broke", error)),
            }
        }
    }

    fn write_all(&mut self, mut bytes: &[u8], deadline: &Deadline) -> Result<(), Error> {
        while !bytes.is_empty() {
            let written = match self.socket {
                true => send(&self.output, bytes, SendFlags::NOSIGNAL),
                false => rustix::io::write(self.output.as_fd(), bytes),
            };
            match written {
                Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
                Err(Errno::PIPE | Errno::CONNRESET) => return Err(gone()),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    if !self.wait(true, deadline)? {
                        return Err(gone());
                    }
                }
                Err(error) => return Err(Error::system("The connection broke", error)),
            }
        }
        Ok(())
    }
}
