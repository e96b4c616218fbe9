//! Frames on top of bytes.

use super::{ByteStream, Deadline, Transport, gone};
use crate::error::Error;
use crate::wire::{HEADER_SIZE, Header, LARGEST_GREETING};
use std::ops::Range;

/// Room for frames of ordinary size; one read then takes header and payload at once.
const ROOM: usize = 64 << 10;

/// Frames over a stream of bytes.
#[derive(Debug)]
pub struct Framed<S> {
    stream: S,
    inbox: Vec<u8>,
    /// What arrived and was not yet given away lies between the two.
    begin: usize,
    end: usize,
    /// The payload that was given away last.
    given: Range<usize>,
    most: u32,
}

impl<S: ByteStream> Framed<S> {
    /// Takes short frames only, until told otherwise.
    pub fn new(stream: S) -> Self {
        Framed {
            stream,
            inbox: vec![0; ROOM],
            begin: 0,
            end: 0,
            given: 0..0,
            most: LARGEST_GREETING,
        }
    }

    /// Waits until `count` bytes are there. The inbox grows as bytes arrive and not as a length promises.
    fn gather(&mut self, count: usize, deadline: &Deadline) -> Result<(), Error> {
        while self.end - self.begin < count {
            if self.inbox.len() - self.begin < count {
                self.inbox.copy_within(self.begin..self.end, 0);
                self.end -= self.begin;
                self.begin = 0;
            }
            if self.end == self.inbox.len() {
                let size = (2 * self.inbox.len()).min(count.max(ROOM));
                self.inbox.resize(size, 0);
            }
            let room = self.inbox.get_mut(self.end..).unwrap_or_default();
            match self.stream.read_some(room, deadline)? {
                0 if self.end == self.begin => return Err(gone()),
                0 => {
                    let message = "The other process ended in the middle of a message.";
                    return Err(Error::closed(message));
                }
                read => self.end += read,
            }
        }
        Ok(())
    }
}

impl<S: ByteStream> Transport for Framed<S> {
    fn send(&mut self, frame: &[u8], deadline: &Deadline) -> Result<(), Error> {
        self.stream.write_all(frame, deadline)
    }

    fn receive(&mut self, deadline: &Deadline) -> Result<Header, Error> {
        self.given = 0..0;
        if self.begin == self.end {
            (self.begin, self.end) = (0, 0);
        }
        self.gather(HEADER_SIZE, deadline)?;
        let arrived = self.inbox.get(self.begin..).unwrap_or_default();
        let Some(bytes) = arrived.first_chunk::<HEADER_SIZE>() else {
            return Err(gone());
        };
        let header = Header::read(bytes, self.most)?;
        let whole = HEADER_SIZE + header.length as usize;
        self.gather(whole, deadline)?;
        self.given = self.begin + HEADER_SIZE..self.begin + whole;
        self.begin += whole;
        Ok(header)
    }

    fn payload(&self) -> &[u8] {
        self.inbox.get(self.given.clone()).unwrap_or_default()
    }

    fn limit(&mut self, most: u32) {
        self.most = most;
    }

    fn unread(&self) -> &[u8] {
        self.inbox.get(self.begin..self.end).unwrap_or_default()
    }
}
