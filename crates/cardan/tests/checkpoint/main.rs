//! Checkpoints in files: runs that go on with the same bits, files that cannot be trusted, rows that are taken over.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test may give up as the test itself may"
)]

mod bench;
mod bits;
mod components;
mod hostile;
mod results;
mod systems;
#[path = "../fmus/workplace.rs"]
#[allow(dead_code, reason = "shared with another binary")]
mod workplace;
