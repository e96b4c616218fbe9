//! The manager, from outside: real sockets, real bytes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may give up")]

mod bench;
mod conformance;
mod early_ends;
mod faults;
mod hush;
mod monitors;
mod parameters;
mod survey;
mod tools;
