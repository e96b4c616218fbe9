//! The plugin and the monitor against the manager, over real sockets.

mod failing;
mod monitored;
mod repeatable;
mod stage;
mod survey;
