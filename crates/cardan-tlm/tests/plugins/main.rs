//! The clients for tools (`bindings/tlm`), compiled and run as a tool would have them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot be set up has failed"
)]

mod arithmetic;
mod drive;
mod faults;
mod managed;
mod peer;
mod registration;
mod relay;
mod runs;
mod wrappers;
