//! Transmission lines between processes.
//!
//! Tools that take part in a TLM co-simulation keep their own solvers and meet a manager over TCP. Each sends the waves that
//! leave its interface points; the manager hands them on to the other end of the line, where they arrive after the
//! delay of the line, so nobody waits for anybody within it.

pub mod general;
pub mod manager;
pub mod monitor;
pub mod plugin;
pub mod rotation;
pub mod track;
pub mod wire;
