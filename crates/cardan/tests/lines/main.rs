//! Transmission lines by numbers: what the examples with lines must show, against solutions in one piece and in closed form.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test may give up as the test itself may"
)]

mod double_pendulum;
mod effort;
mod held;
mod hose;
mod materials;
mod repeatable;
#[path = "../support/mod.rs"]
mod support;
mod three_shafts;
mod told;
mod two_masses;
