//! Other processes: participants that live there (the wire protocol, its transports, launching and serving), and running a
//! part of the program in one ([`process`], [`shared`]).
//!
//! A [`Remote`] is a participant that lives elsewhere; [`serve`](serve::serve) is its other half. Here both talk over a
//! pair of sockets:
//!
//! ```
//! use cardan_core::participant::Participant;
//! use cardan_link::transport::{Descriptors, Framed};
//! use cardan_link::{Manner, Remote, serve::serve};
//! use cardan_testkit::fakes::Relay;
//! use std::os::unix::net::UnixStream;
//!
//! let (here, there) = UnixStream::pair()?;
//! let serving = std::thread::spawn(move || {
//!     let mut transport = Framed::new(Descriptors::unix(there)?);
//!     serve(&mut Relay::held(2), &mut transport, "relay", None)
//! });
//! let transport = Framed::new(Descriptors::unix(here)?);
//! let remote = Remote::meet(Box::new(transport), None, &Manner::default())?;
//! assert_eq!(remote.interface().ports.len(), 4);
//! drop(remote);
//! assert!(serving.join().is_ok_and(|served| served.is_ok()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod copies;
mod error;
pub mod handshake;
mod isolate;
pub mod launch;
pub mod process;
mod remote;
pub mod serve;
pub mod shared;
pub mod transport;
pub mod wire;

pub use error::Error;
pub use isolate::isolate;
pub use remote::{Manner, Remote};
