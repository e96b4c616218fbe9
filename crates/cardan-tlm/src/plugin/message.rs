//! Messages on the wire: a header of 24 bytes, and what follows it.

/// Bytes in a header.
pub(crate) const HEADER: usize = 24;
const SIGNATURE: &[u8; 8] = b"TLM_0101";

/// What a message is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum MessageType {
    TimeData = 1,
    RegisterComponent = 2,
    RegisterInterface = 3,
    CheckModel = 4,
    Abort = 5,
    RegisterParameter = 6,
    CloseRequest = 7,
    ClosePermission = 8,
}

/// The beginning of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    pub(crate) kind: u8,
    pub(crate) big_endian: bool,
    pub(crate) size: i32,
    pub(crate) interface: i32,
    pub(crate) parameter: i32,
}

/// A message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Message {
    pub(crate) header: Header,
    pub(crate) payload: Vec<u8>,
}

impl Header {
    pub(crate) fn encode(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(SIGNATURE);
        bytes[8] = self.kind;
        bytes[9] = u8::from(self.big_endian);
        for (at, number) in [(12, self.size), (16, self.interface), (20, self.parameter)] {
            bytes[at..at + 4].copy_from_slice(&match self.big_endian {
                true => number.to_be_bytes(),
                false => number.to_le_bytes(),
            });
        }
        bytes
    }

    /// None if the signature is another one.
    pub(crate) fn decode(bytes: &[u8; HEADER]) -> Option<Self> {
        if &bytes[..8] != SIGNATURE {
            return None;
        }
        let big_endian = bytes[9] != 0;
        let number = |at: usize| {
            let four = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
            match big_endian {
                true => i32::from_be_bytes(four),
                false => i32::from_le_bytes(four),
            }
        };
        Some(Header {
            kind: bytes[8],
            big_endian,
            size: number(12),
            interface: number(16),
            parameter: number(20),
        })
    }
}

impl Message {
    pub(crate) fn is(&self, kind: MessageType) -> bool {
        self.header.kind == kind as u8
    }

    /// The payload as numbers; none if it is no whole number of them.
    pub(crate) fn numbers(&self) -> Option<Vec<f64>> {
        let (numbers, rest) = self.payload.as_chunks::<8>();
        rest.is_empty().then(|| {
            numbers
                .iter()
                .map(|bytes| match self.header.big_endian {
                    true => f64::from_be_bytes(*bytes),
                    false => f64::from_le_bytes(*bytes),
                })
                .collect()
        })
    }
}
