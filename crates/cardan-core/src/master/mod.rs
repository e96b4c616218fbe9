//! Masters: who advances how far, and when a step counts.

mod adaptive;
mod calendar;
mod cuts;
mod ending;
mod fixed_step;
mod forecast;
mod gauge;
mod glue;
mod iterated;
mod lines;
mod multirate;
mod review;
mod sweep;

use crate::checkpoint::{Damage, Reader, Writer};
use crate::error::RunError;
use crate::plan::Plan;
use crate::time::SimTime;
use crate::world::World;
use std::sync::Arc;

/// How far an advance came.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Advanced {
    /// The new frontier.
    pub frontier: SimTime,
    /// Accepted steps on the way there; those of the participant with most of them where they have their own.
    pub steps: u64,
    /// Did a participant ask for the end of the simulation?
    pub terminated: bool,
}

/// Moves the world forward.
pub trait Master: Send {
    /// Moves the frontier forward by one accepted step, not past the end of the run.
    fn advance(&mut self, world: &mut World) -> Result<Advanced, RunError>;

    /// Writes down, after an accepted step, what decides the steps to come and the world does not show.
    fn keep(&self, writer: &mut Writer);

    /// Goes on in a world that was resumed, perhaps towards another end.
    fn resume(&mut self, world: &World, reader: &mut Reader<'_>) -> Result<(), Damage>;
}

/// The master that the plan asks for.
pub fn master(plan: &Arc<Plan>) -> Box<dyn Master> {
    if !plan.lines.is_empty() {
        Box::new(lines::Lines::new(Arc::clone(plan)))
    } else if let Some(wish) = plan.glue {
        Box::new(glue::Glue::new(Arc::clone(plan), wish))
    } else if let Some(control) = plan.control {
        Box::new(adaptive::Adaptive::new(Arc::clone(plan), control))
    } else if let Some(iteration) = plan.iteration {
        Box::new(iterated::Iterated::new(Arc::clone(plan), iteration))
    } else if plan.single_rate {
        Box::new(fixed_step::FixedStep::new(Arc::clone(plan)))
    } else {
        Box::new(multirate::Multirate::new(Arc::clone(plan)))
    }
}
