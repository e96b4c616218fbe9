//! A connection: what is waiting to be sent, and what the loop waits for.

use crate::wire::{ByteOrder, Header, compose};
use rustix::event::epoll::EventFlags;
use std::io::{self, ErrorKind, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Instant;

/// Whose samples fill this much memory waits until the receiver has taken them.
pub(super) const FULL: usize = 16 << 20;

/// Memory that a line keeps when it has nothing to send.
const KEPT: usize = 1 << 20;

/// Who is at the other end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Nobody has said it yet, on the port for tools.
    Stranger,
    /// A component, by its number.
    Component(usize),
    /// A monitor that has said nothing yet.
    NewMonitor,
    /// A monitor.
    Monitor,
}

impl Role {
    /// Has it not said yet who it is?
    pub(super) fn is_new(self) -> bool {
        matches!(self, Role::Stranger | Role::NewMonitor)
    }
}

#[derive(Debug)]
pub(super) struct Line {
    pub(super) stream: TcpStream,
    pub(super) peer: SocketAddr,
    /// Its number in the event queue.
    pub(super) token: u64,
    pub(super) role: Role,
    pub(super) since: Instant,
    /// The byte order of the last request: answers are written in it.
    pub(super) order: ByteOrder,
    /// The line that must take what is waiting there before more is read here.
    pub(super) held_by: Option<usize>,
    /// What the loop waits for.
    pub(super) interest: EventFlags,
    /// Nothing can be sent any more; its end will be read.
    deaf: bool,
    outbox: Vec<u8>,
    sent: usize,
}

impl Line {
    pub(super) fn new(stream: TcpStream, peer: SocketAddr, token: u64, role: Role) -> Self {
        Line {
            stream,
            peer,
            token,
            role,
            since: Instant::now(),
            order: ByteOrder::NATIVE,
            held_by: None,
            interest: EventFlags::IN,
            deaf: false,
            outbox: Vec::new(),
            sent: 0,
        }
    }

    /// Bytes that wait to be sent.
    pub(super) fn waiting(&self) -> usize {
        self.outbox.len() - self.sent
    }

    /// Puts whole messages behind those that wait.
    pub(super) fn push(&mut self, messages: &[u8]) {
        if !self.deaf {
            self.outbox.extend_from_slice(messages);
        }
    }

    /// Answers in the byte order of the last request.
    pub(super) fn answer(&mut self, header: Header, payload: &[u8]) {
        if !self.deaf {
            compose(&mut self.outbox, header.ordered(self.order), payload);
        }
    }

    /// Sends as much as can be taken now. The end of a connection shows when it is read.
    pub(super) fn flush(&mut self) {
        while self.waiting() > 0 {
            match (&self.stream).write(&self.outbox[self.sent..]) {
                Ok(0) => self.give_up(),
                Ok(taken) => self.sent += taken,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if self.sent > KEPT {
                        self.outbox.drain(..self.sent);
                        self.sent = 0;
                    }
                    return;
                }
                Err(_) => self.give_up(),
            }
        }
        self.outbox.clear();
        self.outbox.shrink_to(KEPT);
        self.sent = 0;
    }

    fn give_up(&mut self) {
        self.deaf = true;
        self.outbox.clear();
        self.sent = 0;
    }

    /// Tells the other end that nothing will follow.
    pub(super) fn hang_up(&mut self) {
        self.flush();
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// What the loop has to wait for now.
    pub(super) fn wanted(&self) -> EventFlags {
        let mut wanted = EventFlags::empty();
        wanted.set(EventFlags::IN, self.held_by.is_none());
        wanted.set(EventFlags::OUT, self.waiting() > 0);
        wanted
    }
}

/// Small messages go at once, nobody waits for more to send, and a machine that is gone is noticed.
pub(super) fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nonblocking(true)?;
    stream.set_nodelay(true)?;
    Ok(rustix::net::sockopt::set_socket_keepalive(stream, true)?)
}
