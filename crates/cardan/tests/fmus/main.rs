//! FMUs and systems of them as users describe them, by their numbers.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test may give up as the test itself may"
)]

mod arrays;
mod clocks;
mod coupling;
mod doctor;
mod inputs;
mod lines;
mod loops;
mod osp;
mod recording;
mod ssp;
mod switches;
mod tolerances;
mod workplace;
