//! The bytes that go between Cardan and a participant in another process.
//!
//! Every message is a [frame](Header): sixteen bytes of header, then a payload. All numbers are little endian, nothing is
//! padded, texts are a length and UTF-8, so that a client in any language needs nothing but its own standard library.
//! `docs/book/protocol.md` describes the layout byte by byte; the files here follow its chapters:
//!
//! | file | holds |
//! | --- | --- |
//! | `header.rs` | the header, the kinds of messages |
//! | `reader.rs`, `writer.rs` | numbers, texts and counts |
//! | `greeting.rs` | who is there, and may they? |
//! | `interface.rs`, `ports.rs`, `value.rs` | what a participant shows |
//! | `planes.rs`, `segments.rs`, `step.rs` | the hot path |
//! | `settings.rs`, `standing.rs` | the other requests and replies |
//! | `word.rs` | failures and logs |
//! | `examine.rs` | reads a frame as whatever it claims to be, for those who test readers |
//!
//! Whoever reads treats every byte as hostile: lengths are compared with what has arrived before anything is allocated,
//! and numbers that index something are checked where they are read.

mod examine;
mod greeting;
mod header;
mod interface;
mod malformed;
mod planes;
mod ports;
mod reader;
mod segments;
mod settings;
mod standing;
mod step;
mod value;
mod word;
mod writer;

pub use examine::examine;
pub use greeting::{Challenge, Hello, Proof, Refusal, Welcome};
pub use header::{Flags, HEADER_SIZE, Header, Kind};
pub use interface::{Abilities, read_interface, write_interface};
pub use malformed::Malformed;
pub use planes::{read_planes, write_planes};
pub use reader::Reader;
pub use segments::StepInputs;
pub use settings::{read_binding, read_settings, read_window, write_binding, write_settings, write_window};
pub use standing::Standing;
pub use step::{StepHead, StepReply, Watched, read_end, write_end, write_step};
pub use word::{Level, read_failure, read_log, write_failure, write_log};
pub use writer::{Message, Writer};

/// The first bytes of the first message.
pub const MAGIC: [u8; 8] = *b"CARDAN\r\n";

/// The version of the protocol. Both sides must speak the same.
pub const VERSION: u32 = 1;

/// The largest payload that is taken from a participant, unless told otherwise.
pub const LARGEST_PAYLOAD: u32 = 256 << 20;

/// The largest payload before the two know each other.
pub const LARGEST_GREETING: u32 = 64 << 10;

/// How many single values the ports of one participant may hold together.
pub const MOST_ELEMENTS: usize = 1 << 24;
