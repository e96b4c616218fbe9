//! Messages into a stream.

use super::Header;
use std::io::{self, Write};

/// Puts a message behind what is in a buffer. The size of the payload is written into its header.
pub fn compose(buffer: &mut Vec<u8>, header: Header, payload: &[u8]) {
    let size = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    buffer.extend_from_slice(&Header { size, ..header }.encode());
    buffer.extend_from_slice(payload);
}

/// Writes messages, header and payload in one call: two would cost a fifth of a second each where the system waits for
/// more to send.
#[derive(Debug, Default)]
pub struct Sender {
    buffer: Vec<u8>,
}

impl Sender {
    /// One with nothing to send.
    pub fn new() -> Self {
        Sender::default()
    }

    /// Writes a message.
    pub fn send(&mut self, stream: &mut impl Write, header: Header, payload: &[u8]) -> io::Result<()> {
        self.send_with(stream, header, |buffer| buffer.extend_from_slice(payload))
    }

    /// Writes a message whose payload is put behind what is in the buffer.
    pub fn send_with(
        &mut self,
        stream: &mut impl Write,
        header: Header,
        payload: impl FnOnce(&mut Vec<u8>),
    ) -> io::Result<()> {
        self.buffer.clear();
        self.buffer.extend_from_slice(&header.encode());
        let start = self.buffer.len();
        payload(&mut self.buffer);
        let size = u32::try_from(self.buffer.len() - start).unwrap_or(u32::MAX);
        self.buffer[..start].copy_from_slice(&Header { size, ..header }.encode());
        stream.write_all(&self.buffer)
    }
}
