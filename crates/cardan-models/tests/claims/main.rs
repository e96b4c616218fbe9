//! What the built-in models claim, one file for each group.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod bench;
mod building;
mod chain;
mod control;
mod hydraulics;
mod inputs;
mod mechanics;
mod multibody;
mod own_steps;
mod reactions;
mod sensitivity;
mod sources;
mod space;
mod states;
mod tracing;
mod vehicle;
