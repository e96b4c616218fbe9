//! The engine of Cardan: signals, participants, graph, plan, masters and the run loop.
//!
//! No files, no sockets, no `unsafe`: everything here is computation on what others bring.
//!
//! A coupling variable is a signal: points in time, and a rule for reading between and beyond them.
//!
//! ```
//! use cardan_core::signal::{History, Reading};
//! use cardan_core::time::SimTime;
//!
//! let squares = History::of_points(&[(0.0, 0.0), (1.0, 1.0), (2.0, 4.0)]);
//! let at = |reading, t| squares.signal(0).read(reading, SimTime::from_seconds(t));
//! assert_eq!(at(Reading::Hold, 3.0), 4.0);
//! assert_eq!(at(Reading::Linear { weight: 1.0 }, 3.0), 7.0);
//! assert_eq!(at(Reading::Quadratic, 3.0), 9.0);
//! ```
//!
//! Everything else says who may advance how far and which points a reading may see: a [`graph`](graph::Graph) of
//! participants becomes a [`plan`](plan::Plan), and a [`run`](run::Run) carries it out with a
//! [`master`](method::Master) on a [`world`](world::World).

pub mod accel;
mod astray;
pub mod checkpoint;
pub mod defect;
pub mod doctor;
pub mod error;
pub mod flight;
pub mod form;
pub mod graph;
pub mod inputs;
pub mod interface;
pub mod line;
pub mod method;
pub mod monitor;
pub mod participant;
pub mod plan;
pub mod planes;
pub mod reaction;
pub mod record;
mod rows;
pub mod run;
pub mod shell;
pub mod signal;
pub mod spatial;
pub mod time;
pub mod value;
pub mod world;
