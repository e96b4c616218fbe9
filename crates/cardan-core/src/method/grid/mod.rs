//! Steps of given lengths.
//!
//! | file | holds |
//! | --- | --- |
//! | `plain.rs` | the same steps for all, each taken once |
//! | `landing.rs` | the same with steps that may be taken back: they end at events, or are repeated |
//! | `multirate.rs` | steps of their own for each |

mod landing;
mod multirate;
mod plain;

use super::{Master, Method, Needs, Pacing};
use crate::plan::Plan;
use crate::time::{Grid, SimTime};
use landing::Landing;
use multirate::Multirate;
use plain::Plain;
use std::sync::Arc;

/// Steps end at points of a grid, one for all or one each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OnGrid;

impl Pacing for OnGrid {
    fn name(&self, solver: Option<&'static str>) -> Option<&'static str> {
        solver
    }

    fn words(&self, method: &Method, step: f64, _all_go_back: bool) -> String {
        let tolerance = match method.solver.allowed() {
            Some((relative, _)) => format!("tolerance {relative:e}, "),
            None => String::new(),
        };
        format!("{}, {tolerance}step {step} s", method.label(""))
    }

    fn needs(&self) -> Needs {
        Needs::PLAIN
    }

    fn master(&self, plan: &Arc<Plan>) -> Box<dyn Master> {
        let plan = Arc::clone(plan);
        match (plan.method.solver.steps_once(), plan.single_rate) {
            (false, _) => Box::new(Landing::new(plan)),
            (true, true) => Box::new(Plain::new(plan)),
            (true, false) => Box::new(Multirate::new(plan)),
        }
    }
}

/// Point `index` of the grid, or the end of the run where that is not truly later.
#[inline]
pub(super) fn landing(plan: &Plan, grid: Grid, index: i64) -> SimTime {
    let at = grid.at(index);
    if plan.resolution.reached(at, plan.window.stop) {
        plan.window.stop
    } else {
        at
    }
}
