//! A TLM client: one component of a co-simulation, seen from the inside.
//!
//! [`Plugin`] talks to the manager; [`LineEnd`] is the arithmetic at one interface point, for which [`Flow`] and
//! [`Placement`] are the laws.

mod client;
mod connection;
mod error;
mod law;
mod line_end;
mod line_reply;

pub(crate) use connection::{Connection, Message};
pub(crate) use line_end::orientation_at;
pub(crate) use line_reply::LineReply;

pub use client::{InterfaceId, InterfaceType, Plugin, Settings};
pub use connection::Patience;
pub use error::PluginError;
pub use law::{Flow, Motion3D, Placement};
pub use line_end::{Arithmetic, Beginning, Felt, Kind, Line, LineEnd, Objection, Readiness};
