//! What is put around a solver of `cardan-ode` to make a participant of it, whatever the equations are.
//!
//! Equations differ: those of a built-in model are functions, an FMU has to be told where it stands, and each has events of its
//! own. What the engine asks of both does not, and neither does the way in which a solver is led over a step: from break to
//! break of the inputs, to the end of the request or of one step of its own, with what is to be seen written down.
//!
//! | file | holds |
//! | --- | --- |
//! | `solver.rs` | how far a solver is to go, and one for what has no states |
//! | `way.rs` | the request of a step: does it fit, and where do laws of inputs end on the way |
//! | `laws.rs` | the inputs while the solver runs |
//! | `recording.rs` | what was seen on the way |
//! | `slots.rs`, `layout.rs` | saved states, and how they leave the process |
//! | `failure.rs` | what goes wrong, in words |
//!
//! What is behind that is up to each kind: what a new law of an input means, what an event is, and what has to be saved.

pub mod failure;
mod laws;
mod layout;
mod recording;
mod slots;
mod solver;
mod way;

pub use laws::{Laws, Wire};
pub use layout::Layout;
pub use recording::Recording;
pub use slots::Slots;
pub use solver::{Idle, Pace};
pub use way::{NEAR, Way, expect_present, same, span};
