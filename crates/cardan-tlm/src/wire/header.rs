//! The header of a message.
//!
//! | bytes | hold |
//! | --- | --- |
//! | 0..8 | `TLM_0101` |
//! | 8 | the type |
//! | 9 | 0 if this message is little-endian, 1 if it is big-endian |
//! | 10..12 | nothing |
//! | 12..16 | the size of the payload |
//! | 16..20 | the number of an interface point or a component, -1 where there is none |
//! | 20..24 | the number of a parameter |

use super::{ByteOrder, Kind, WireError};

/// Bytes of a header.
pub const HEADER_BYTES: usize = 24;

/// What every message begins with.
pub const SIGNATURE: [u8; 8] = *b"TLM_0101";

/// The largest payload that is taken. Three-dimensional samples have 200 bytes, so this is a message of 80,000 of them.
pub const MAX_PAYLOAD: u32 = 16 << 20;

/// A parameter has no higher number than this. It tells in which order the number was written.
const PLAUSIBLE_PARAMETER: i32 = 0xFFFF;

/// The header of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// What the message is about.
    pub kind: Kind,
    /// The byte order of this message.
    pub order: ByteOrder,
    /// Bytes that follow.
    pub size: u32,
    /// The number of an interface point or a component; -1 where there is none.
    pub interface: i32,
    /// The number of a parameter.
    pub parameter: i32,
}

impl Header {
    /// A header in the order of this machine, for a message without a payload.
    pub fn new(kind: Kind, interface: i32) -> Self {
        Header {
            kind,
            order: ByteOrder::NATIVE,
            size: 0,
            interface,
            parameter: 0,
        }
    }

    /// The same in another order.
    pub fn ordered(self, order: ByteOrder) -> Self {
        Header { order, ..self }
    }

    /// Its bytes.
    pub fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&SIGNATURE);
        bytes[8] = self.kind.number();
        bytes[9] = u8::from(self.order == ByteOrder::Big);
        // Sizes are far below the largest whole number.
        let size = i32::try_from(self.size).unwrap_or(i32::MAX);
        bytes[12..16].copy_from_slice(&self.order.i32_bytes(size));
        bytes[16..20].copy_from_slice(&self.order.i32_bytes(self.interface));
        bytes[20..24].copy_from_slice(&self.order.i32_bytes(self.parameter));
        bytes
    }

    /// Reads a header.
    ///
    /// The number of a parameter is read leniently: the reference never swaps its bytes, so it may stand in the order
    /// of the receiver.
    pub fn decode(bytes: &[u8; HEADER_BYTES]) -> Result<Self, WireError> {
        let word = |at: usize| [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        check_signature(&bytes[..8])?;
        let kind = Kind::from_number(bytes[8]).ok_or(WireError::Kind(bytes[8]))?;
        let order = match bytes[9] {
            0 => ByteOrder::Little,
            1 => ByteOrder::Big,
            other => return Err(WireError::Order(other)),
        };
        let size = order.i32(word(12));
        let size = u32::try_from(size).map_err(|_| WireError::NegativeSize(size))?;
        if size > MAX_PAYLOAD {
            return Err(WireError::HugeSize(size));
        }
        let (parameter, swapped) = (order.i32(word(20)), order.other().i32(word(20)));
        let plausible = |number: i32| (0..=PLAUSIBLE_PARAMETER).contains(&number);
        Ok(Header {
            kind,
            order,
            size,
            interface: order.i32(word(16)),
            parameter: match !plausible(parameter) && plausible(swapped) {
                true => swapped,
                false => parameter,
            },
        })
    }

    /// Bytes of the whole message.
    pub fn message_bytes(&self) -> usize {
        HEADER_BYTES + self.size as usize
    }
}

/// Is this how a message begins? The start of a signature is fine too: the rest may follow.
pub(super) fn check_signature(bytes: &[u8]) -> Result<(), WireError> {
    let start = &bytes[..bytes.len().min(8)];
    if SIGNATURE.starts_with(start) {
        return Ok(());
    }
    let shown: String = start.iter().map(|byte| byte.escape_ascii().to_string()).collect();
    Err(WireError::Signature(format!("\"{shown}\"")))
}
