//! Ways for frames to go from one process to another.
//!
//! A [`Transport`] carries whole frames, blocks, and keeps deadlines. Underneath each is a [`ByteStream`]: descriptors
//! for pipes, Unix sockets and TCP, TLS on top of the latter, or parcels in shared memory.

mod address;
mod deadline;
mod descriptors;
mod framed;
mod listener;
mod peer;
mod shared_memory;
mod tls;

pub use address::Address;
pub use deadline::Deadline;
pub use descriptors::Descriptors;
pub use framed::Framed;
pub use listener::{Listener, connect};
pub use peer::Peer;
pub use shared_memory::{SharedMemory, Waiting};
pub use tls::{TlsClient, TlsServer, TlsStream};

use crate::error::Error;
use crate::wire::Header;

/// Carries frames to and from one other process.
pub trait Transport: Send {
    /// Sends a whole frame.
    fn send(&mut self, frame: &[u8], deadline: &Deadline) -> Result<(), Error>;

    /// Waits for the next frame.
    fn receive(&mut self, deadline: &Deadline) -> Result<Header, Error>;

    /// The payload of the frame that was received last.
    fn payload(&self) -> &[u8];

    /// The largest payload to take from now on.
    fn limit(&mut self, most: u32);

    /// The first bytes of what arrived and could not be read as a frame, for messages.
    fn unread(&self) -> &[u8];
}

/// Carries bytes to and from one other process.
pub trait ByteStream: Send {
    /// Waits for some bytes. None means that the other side has ended.
    fn read_some(&mut self, into: &mut [u8], deadline: &Deadline) -> Result<usize, Error>;

    /// Sends all bytes.
    fn write_all(&mut self, bytes: &[u8], deadline: &Deadline) -> Result<(), Error>;
}

/// The bare message of a deadline that passed; whoever knows what was waited for says it better.
fn late() -> Error {
    Error::timed_out("The other process did not answer in time.")
}

/// The bare message of a connection that ended; whoever knows the other side says it better.
fn gone() -> Error {
    Error::closed("The other process closed the connection.")
}
