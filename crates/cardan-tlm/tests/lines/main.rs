//! The plugin and the monitor against the manager, over real sockets.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod failing;
mod monitored;
mod repeatable;
mod stage;
mod survey;
