//! What is assumed of participants before they have come there.
//!
//! A circle of participants repeats a step until everybody does what the others assumed of it. What is assumed is a point
//! of the signal like any other: readings run through it, and the next point that is published at its instant replaces it.

use super::World;
use super::crew::Task;
use crate::error::RunError;
use crate::graph::ParticipantId;
use crate::planes::Planes;
use crate::time::SimTime;

impl World {
    /// Puts a point of assumed values and slopes at the end of a participant's signals. What is not a real stays as it is.
    pub fn assume(&mut self, participant: ParticipantId, at: SimTime, values: &[f64], slopes: &[f64]) {
        let history = &mut self.histories[participant.index()];
        if history.extent().has_discrete() {
            let held: Planes = history.latest_row().to_planes();
            history.publish(at, self.frontier).copy_from(held.view());
        } else {
            history.publish(at, self.frontier);
        }
        history.latest_reals_mut().copy_from_slice(values);
        let kept = history.latest_slopes_mut();
        if !kept.is_empty() {
            kept.copy_from_slice(slopes);
        }
    }

    /// Assumes another value of one real of the latest point.
    pub fn assume_value(&mut self, participant: ParticipantId, column: usize, value: f64) {
        self.histories[participant.index()].latest_reals_mut()[column] = value;
    }

    /// The same for its slope, where slopes are kept.
    pub fn assume_slope(&mut self, participant: ParticipantId, column: usize, slope: f64) {
        if let Some(kept) = self.histories[participant.index()]
            .latest_slopes_mut()
            .get_mut(column)
        {
            *kept = slope;
        }
    }

    /// Lets a group step to `to` without seeing anything of what its members do meanwhile: all inputs are read before
    /// anybody steps. Those that did not simply complete are the [`unusual`](World::unusual) ones.
    pub fn step_blindly(&mut self, group: &[ParticipantId], to: SimTime) -> Result<(), RunError> {
        self.unusual.clear();
        self.step_calls += group.len() as u64;
        for &participant in group {
            self.read_inputs(participant, to);
        }
        self.team.perform(Task::Step, group.iter().copied());
        for &participant in group {
            self.take_step(participant)?;
        }
        Ok(())
    }
}
