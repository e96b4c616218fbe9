//! Steps that are repeated until values fit together.
//!
//! | file | holds |
//! | --- | --- |
//! | `iteration.rs` | what the user wants of it |
//! | `circle.rs` | the rounds of one coupling loop |
//! | `interface.rs` | the values that its members have to agree on |
//! | `newton.rs` | reactions of a whole step, measured |
//!
//! Only coupling loops are repeated; whoever is not part of one steps once, when its sources have come through. Over a step all
//! members of a loop read each other's signals through the point that is assumed at its end, so signals are interpolated
//! where other methods extrapolate.

mod circle;
mod interface;
mod iteration;
mod newton;

pub use iteration::{Acceleration, Iteration};

use crate::method::{Needs, Solver, WaveSolver};
use crate::plan::Plan;
use circle::Circle;

impl Solver for Iteration {
    fn name(&self) -> Option<&'static str> {
        Some("iterated")
    }

    fn words(&self) -> String {
        format!(", {}", self.acceleration)
    }

    fn needs(&self, pacing: Needs) -> Needs {
        Needs {
            meets: true,
            rollback: true,
            corners: true,
            repeats: true,
            // What members give inside a step changes from round to round.
            energy: false,
            ..pacing
        }
    }

    fn allowed(&self) -> Option<(f64, f64)> {
        Some((self.relative, self.absolute))
    }

    fn for_wave(&self, plan: &Plan, wave: usize) -> Option<Box<dyn WaveSolver>> {
        plan.repeats[wave].then(|| Box::new(Circle::new(plan, wave, *self)) as Box<dyn WaveSolver>)
    }
}
