//! The other end of the line: a manager of few words, for tests that want to choose every byte and its moment.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

pub(crate) const TIME_DATA: u8 = 1;
pub(crate) const REG_COMPONENT: u8 = 2;
pub(crate) const REG_INTERFACE: u8 = 3;
pub(crate) const CHECK_MODEL: u8 = 4;
pub(crate) const ABORT: u8 = 5;
pub(crate) const REG_PARAMETER: u8 = 6;
pub(crate) const CLOSE_REQUEST: u8 = 7;
pub(crate) const CLOSE_PERMISSION: u8 = 8;

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) kind: u8,
    pub(crate) id: i32,
    pub(crate) payload: Vec<u8>,
}

impl Message {
    /// The payload as numbers of this machine, which is little-endian.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        let bytes = self.payload.chunks_exact(8);
        bytes.map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
    }
}

/// The bytes of a message in either order.
pub(crate) fn encoded(kind: u8, id: i32, numbers: &[f64], big: bool) -> Vec<u8> {
    let mut bytes = b"TLM_0101".to_vec();
    let size = i32::try_from(8 * numbers.len()).unwrap();
    let int = |value: i32| {
        if big {
            value.to_be_bytes()
        } else {
            value.to_le_bytes()
        }
    };
    bytes.extend([kind, u8::from(big), 0, 0]);
    bytes.extend(int(size));
    bytes.extend(int(id));
    bytes.extend(int(0));
    for n in numbers {
        bytes.extend(if big { n.to_be_bytes() } else { n.to_le_bytes() });
    }
    bytes
}

/// What the manager answers about an interface: a line in the global frame.
pub(crate) fn line(delay: f64, zf: f64, zfr: f64, alpha: f64) -> [f64; 29] {
    let mut all = [0.0; 29];
    all[..4].copy_from_slice(&[delay, zf, zfr, alpha]);
    for k in [7, 11, 15, 19, 23, 27] {
        all[k] = 1.0;
    }
    all
}

/// A connection to one component.
pub(crate) struct Peer {
    stream: TcpStream,
    /// Whether to send in the order that is not this machine's.
    pub(crate) big: bool,
}

impl Peer {
    pub(crate) fn accept(listener: &TcpListener) -> Self {
        let (stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, big: false }
    }

    /// The next message, or none at the end of the connection.
    pub(crate) fn next(&mut self) -> Option<Message> {
        let mut header = [0; 24];
        self.stream.read_exact(&mut header).ok()?;
        assert_eq!(&header[..8], b"TLM_0101");
        assert_eq!(header[9], 0, "this machine is little-endian and must say so");
        let int = |at: usize| i32::from_le_bytes(header[at..at + 4].try_into().unwrap());
        let mut payload = vec![0; usize::try_from(int(12)).unwrap()];
        self.stream.read_exact(&mut payload).ok()?;
        Some(Message {
            kind: header[8],
            id: int(16),
            payload,
        })
    }

    pub(crate) fn expect(&mut self, kind: u8) -> Message {
        let message = self.next().unwrap();
        assert_eq!(message.kind, kind, "{message:?}");
        message
    }

    pub(crate) fn send(&mut self, kind: u8, id: i32, numbers: &[f64]) {
        self.raw(&encoded(kind, id, numbers, self.big));
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// Whether nothing has arrived so far, and does not within a moment.
    pub(crate) fn silent(&mut self) -> bool {
        self.stream
            .set_read_timeout(Some(Duration::from_millis(100)))
            .unwrap();
        let silent = self.stream.peek(&mut [0]).is_err();
        self.stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        silent
    }
}
