//! Participants in other processes.

pub mod wire;
