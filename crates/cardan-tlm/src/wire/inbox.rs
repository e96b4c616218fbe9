//! Messages out of a stream.

use super::header::check_signature;
use super::{HEADER_BYTES, Header, WireError};
use std::io::{self, Read};

/// Room for a few hundred messages of one sample, so that one read takes many where many have arrived.
const START: usize = 32 << 10;

/// Why no message could be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The stream failed.
    #[error("{0}")]
    Stream(#[from] io::Error),
    /// What arrived is no message.
    #[error("{0}")]
    Wire(#[from] WireError),
    /// The stream ended in the middle of a message.
    #[error("the connection ended in the middle of a message")]
    CutOff,
}

/// Takes bytes from a stream, many at a time, and gives out whole messages.
///
/// The memory grows with what has arrived, not with what a header announces, and stays as it is afterwards: nothing is
/// allocated per message.
#[derive(Debug)]
pub struct Inbox {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

/// A message in an [`Inbox`].
#[derive(Debug)]
pub struct Message<'a> {
    /// Its header.
    pub header: Header,
    bytes: &'a mut [u8],
}

impl Message<'_> {
    /// What follows the header.
    pub fn payload(&self) -> &[u8] {
        &self.bytes[HEADER_BYTES..]
    }

    /// All of it, as it arrived.
    pub fn bytes(&self) -> &[u8] {
        self.bytes
    }

    /// Writes another number into the header, in the byte order of the message.
    pub fn readdress(&mut self, interface: i32) {
        self.header.interface = interface;
        self.bytes[16..20].copy_from_slice(&self.header.order.i32_bytes(interface));
    }
}

impl Default for Inbox {
    fn default() -> Self {
        Inbox::new()
    }
}

impl Inbox {
    /// An empty one.
    pub fn new() -> Self {
        Inbox {
            buffer: vec![0; START],
            start: 0,
            end: 0,
        }
    }

    /// Takes what one read of the stream gives: how many bytes, 0 at its end.
    pub fn fill(&mut self, stream: &mut impl Read) -> io::Result<usize> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        if self.end == self.buffer.len() {
            if self.start > 0 {
                self.buffer.copy_within(self.start..self.end, 0);
                (self.start, self.end) = (0, self.end - self.start);
            } else {
                // One message fills it: its size is bounded, and half of this has arrived.
                self.buffer.resize(2 * self.buffer.len(), 0);
            }
        }
        let taken = stream.read(&mut self.buffer[self.end..])?;
        self.end += taken;
        Ok(taken)
    }

    /// The next message, if all of it has arrived.
    pub fn take(&mut self) -> Result<Option<Message<'_>>, WireError> {
        let Some(header) = self.peek()? else {
            return Ok(None);
        };
        let from = self.start;
        self.start += header.message_bytes();
        Ok(Some(Message {
            header,
            bytes: &mut self.buffer[from..self.start],
        }))
    }

    /// Is there a part of a message that the rest must follow?
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Waits for the next message. None if the stream ended after the last one.
    pub fn receive(&mut self, stream: &mut impl Read) -> Result<Option<Message<'_>>, ReadError> {
        while self.peek()?.is_none() {
            match self.fill(stream) {
                Ok(0) if self.is_empty() => return Ok(None),
                Ok(0) => return Err(ReadError::CutOff),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(self.take()?)
    }

    /// The header of the next message, if all of the message has arrived.
    fn peek(&self) -> Result<Option<Header>, WireError> {
        let arrived = &self.buffer[self.start..self.end];
        let Some(bytes) = arrived.first_chunk::<HEADER_BYTES>() else {
            // A stranger is told apart by its first bytes: it need not say 24 of them.
            check_signature(arrived)?;
            return Ok(None);
        };
        let header = Header::decode(bytes)?;
        Ok((arrived.len() >= header.message_bytes()).then_some(header))
    }
}
