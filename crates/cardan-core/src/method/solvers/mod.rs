//! Solvers: how the members of one wave cross one stretch of time.

mod repeated;

pub use repeated::{Acceleration, Iteration};

use super::{Solver, WaveSolver};
use crate::plan::Plan;

/// Each steps once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Once;

impl Solver for Once {
    fn steps_once(&self) -> bool {
        true
    }

    fn for_wave(&self, _plan: &Plan, _wave: usize) -> Option<Box<dyn WaveSolver>> {
        None
    }
}
