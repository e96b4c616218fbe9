//! The engine of Cardan: signals, participants, graph, plan, masters and the run loop.
//!
//! No files, no sockets, no `unsafe`: everything here is computation on what others bring.

pub mod error;
pub mod graph;
pub mod inputs;
pub mod interface;
pub mod master;
pub mod monitor;
pub mod participant;
pub mod plan;
pub mod planes;
pub mod record;
mod rows;
pub mod run;
pub mod signal;
pub mod time;
pub mod value;
pub mod world;
