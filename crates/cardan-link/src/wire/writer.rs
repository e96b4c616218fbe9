//! Puts a message together, in a buffer that is used again and again.

use super::header::{Flags, HEADER_SIZE, Header, Kind};
use cardan_core::time::SimTime;

/// A message in the making. Keeps its memory from one message to the next.
#[derive(Debug, Default)]
pub struct Message {
    bytes: Vec<u8>,
}

impl Message {
    /// Begins a request or a message that needs no reply.
    pub fn begin(&mut self, kind: Kind, flags: Flags, sequence: u64) -> Writer<'_> {
        self.start(kind, flags, sequence, false)
    }

    /// Begins the reply to a request.
    pub fn reply(&mut self, kind: Kind, flags: Flags, sequence: u64) -> Writer<'_> {
        self.start(kind, flags, sequence, true)
    }

    fn start(&mut self, kind: Kind, flags: Flags, sequence: u64, reply: bool) -> Writer<'_> {
        let header = Header {
            length: 0,
            kind,
            reply,
            flags,
            sequence,
        };
        self.bytes.clear();
        self.bytes.extend_from_slice(&header.bytes());
        Writer {
            bytes: &mut self.bytes,
        }
    }

    /// Adds bits to the flags of the message, once its content is known.
    pub fn flag(&mut self, flags: Flags) {
        if let Some([low, high]) = self.bytes.get_mut(6..8).and_then(|b| b.first_chunk_mut::<2>()) {
            [*low, *high] = (u16::from_le_bytes([*low, *high]) | flags.0).to_le_bytes();
        }
    }

    /// The whole frame. Its length is written here, where it is known.
    pub fn frame(&mut self) -> &[u8] {
        let length = self.bytes.len().saturating_sub(HEADER_SIZE);
        // A payload beyond 4 GiB cannot be said; the other side refuses this one by its limit.
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        if let Some(field) = self.bytes.first_chunk_mut::<4>() {
            *field = length.to_le_bytes();
        }
        &self.bytes
    }
}

/// A count as it is written. What cannot be said is said as too much, which every reader refuses.
#[inline]
pub(super) fn said(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Writes a payload.
#[derive(Debug)]
pub struct Writer<'a> {
    bytes: &'a mut Vec<u8>,
}

impl<'a> Writer<'a> {
    /// Writes at the end of `bytes`.
    pub fn new(bytes: &'a mut Vec<u8>) -> Self {
        Writer { bytes }
    }

    /// Room for this many bytes at once, to be written in place.
    #[inline]
    pub(super) fn room(&mut self, count: usize) -> &mut [u8] {
        let begin = self.bytes.len();
        self.bytes.resize(begin + count, 0);
        self.bytes.get_mut(begin..).unwrap_or_default()
    }

    /// Bytes as they are.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// One byte.
    #[inline]
    pub fn u8(&mut self, number: u8) -> &mut Self {
        self.bytes.push(number);
        self
    }

    /// Four bytes.
    #[inline]
    pub fn u32(&mut self, number: u32) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    /// Four bytes with a sign.
    pub fn i32(&mut self, number: i32) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    /// Eight bytes.
    pub fn u64(&mut self, number: u64) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    /// Eight bytes with a sign.
    pub fn i64(&mut self, number: i64) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    /// A real.
    #[inline]
    pub fn f64(&mut self, number: f64) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    /// An instant.
    #[inline]
    pub fn time(&mut self, time: SimTime) -> &mut Self {
        self.f64(time.seconds())
    }

    /// Reals one after the other, without their count.
    #[inline]
    pub fn reals(&mut self, reals: &[f64]) -> &mut Self {
        self.bytes.reserve(8 * reals.len());
        for real in reals {
            self.bytes.extend_from_slice(&real.to_le_bytes());
        }
        self
    }

    /// How many items follow.
    pub fn count(&mut self, count: usize) -> &mut Self {
        self.u32(said(count))
    }

    /// Bytes with their length before them.
    pub fn blob(&mut self, bytes: &[u8]) -> &mut Self {
        self.count(bytes.len()).bytes(bytes)
    }

    /// A text with its length before it.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.blob(text.as_bytes())
    }

    /// Something that may be missing.
    pub fn optional<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) -> &mut Self {
        self.u8(u8::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
        self
    }
}
