//! The binary side of an FMU: everything `unsafe` of this crate.
//!
//! A [`Library`] is a loaded binary with the table of its functions; all instances made from it share it. An
//! [`Instance`] is one model in it. Its methods are safe: lengths are checked, handles are its own, and after an answer
//! of *fatal* nothing is called any more. What the order of calls may be is the business of those who use it; an order
//! that the FMU does not like ends in an error of the FMU.
//!
//! | file | holds |
//! | --- | --- |
//! | `fmi2.rs`, `fmi3.rs`, `table.rs` | the tables of functions |
//! | `library.rs`, `python/` | loading, sharing; what binaries of Python models need |
//! | `version.rs` | which version a binary follows |
//! | `instance.rs`, `instantiation.rs`, `lifecycle.rs` | from instantiation to freeing |
//! | `values.rs`, `integers.rs`, `bytes.rs` | setting and getting |
//! | `stepping.rs`, `intermediate.rs` | Co-Simulation |
//! | `exchange.rs` | Model Exchange |
//! | `events.rs`, `clocks.rs` | event mode |
//! | `state.rs`, `derivatives.rs` | going back, sensitivities |
//! | `environment.rs`, `logger.c` | what the FMU has to say |

#![allow(
    unsafe_code,
    reason = "calling foreign code is unsafe, and it is done here alone"
)]

mod bytes;
mod clocks;
mod derivatives;
mod environment;
mod error;
mod events;
mod exchange;
mod fmi2;
mod fmi3;
mod instance;
mod instantiation;
mod integers;
mod intermediate;
mod library;
mod lifecycle;
mod location;
#[cfg(unix)]
mod python;
mod state;
mod status;
mod stepping;
mod table;
mod values;
mod version;

pub use clocks::{Interval, IntervalQualifier};
pub use error::{CallError, Called, LoadError, Trouble};
pub use events::Update;
pub use exchange::CompletedStep;
pub use instance::{Instance, Logging, Setup, Usage};
pub use intermediate::{Access, Intermediate, Moment};
pub use library::Library;
pub use lifecycle::Experiment;
pub use state::State;
pub use status::Status;
pub use stepping::Stepped;
