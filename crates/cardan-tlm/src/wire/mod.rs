//! The bytes that managers, tools and monitors exchange.
//!
//! Every message is a header of 24 bytes and a payload. Whoever sends writes its own byte order and says which it is;
//! whoever receives honours that, message by message. Nothing that arrives is trusted.
//!
//! | file | holds |
//! | --- | --- |
//! | `header.rs`, `kind.rs`, `order.rs` | the header and what is in it |
//! | `inbox.rs` | messages out of a stream, without a copy |
//! | `outgoing.rs` | a message into a stream, header and payload in one call |
//! | `interface_text.rs`, `interface_reply.rs` | registering an interface point, and the answer |
//! | `parameter.rs` | asking for a parameter, and the answer |
//! | `sample.rs` | what interface points send |
//! | `angles.rs` | three angles and the rotation they stand for |
//! | `secret.rs` | how clients from elsewhere show that they belong here |

mod angles;
mod header;
mod inbox;
mod interface_reply;
mod interface_text;
mod kind;
mod order;
mod outgoing;
mod parameter;
mod sample;
mod secret;

pub use angles::{Matrix, angles_of, rotation_of};
pub use header::{HEADER_BYTES, Header, MAX_PAYLOAD, SIGNATURE};
pub use inbox::{Inbox, Message, ReadError};
pub use interface_reply::{INTERFACE_REPLY_BYTES, InterfaceReply, Mode};
pub use interface_text::InterfaceText;
pub use kind::Kind;
pub use order::ByteOrder;
pub use outgoing::{Sender, compose};
pub use parameter::{PARAMETER_REPLY_BYTES, parameter_reply, parameter_request, parameter_value};
pub use sample::{Sample, Sample1D, Sample3D, SignalSample, sample_bytes, samples, time_of};
pub use secret::{Introduction, Secret};

/// Why bytes are not what they should be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WireError {
    /// The message does not begin as messages do.
    #[error("it does not speak the TLM protocol: a message begins with {0}, not with TLM_0101")]
    Signature(String),
    /// The type of the message is none.
    #[error("it sent a message of the unknown type {0}")]
    Kind(u8),
    /// The byte order is neither.
    #[error("it sent a message whose byte order is {0}, which is neither little (0) nor big (1)")]
    Order(u8),
    /// The size of the payload is negative.
    #[error("it sent a message with the negative size {0}")]
    NegativeSize(i32),
    /// The payload is larger than any that makes sense.
    #[error("it announced a message of {0} bytes; {MAX_PAYLOAD} are the most")]
    HugeSize(u32),
    /// The payload has the wrong size for what it should be.
    #[error("{what} has {found} bytes instead of {expected}")]
    Size {
        /// What it should be.
        what: &'static str,
        /// How many bytes it should have, in words.
        expected: &'static str,
        /// How many it has.
        found: usize,
    },
    /// A text is none.
    #[error("{0} is not text")]
    Text(&'static str),
    /// A text does not say what it should.
    #[error("`{text}` is not {what}")]
    Meaning {
        /// The text.
        text: String,
        /// What it should be.
        what: &'static str,
    },
}
