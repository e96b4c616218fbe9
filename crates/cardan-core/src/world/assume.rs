//! What is assumed of participants before they have come there.
//!
//! A circle of participants repeats a step until everybody does what the others assumed of it. What is assumed is a point
//! of the signal like any other: readings run through it, and the next point that is published at its instant replaces it.

use super::World;
use super::crew::Task;
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::plan::{RealInput, Wire};
use crate::planes::Planes;
use crate::signal::Reading;
use crate::time::SimTime;
use std::sync::Arc;

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

    /// From now on outputs react to discrete inputs as they are just before the end of a step. Signals are interpolated up
    /// to there, so what jumps at the end must not be seen on the way.
    pub fn approach(&mut self) {
        self.arriving = true;
    }

    /// Everybody has arrived at `at`, and what jumps there jumps. Answers whether a discrete source did.
    pub fn land(&mut self, at: SimTime) -> Result<bool, RunError> {
        let approached = std::mem::take(&mut self.arriving);
        let plan = Arc::clone(&self.plan);
        let before = plan.resolution.just_before(at);
        let jumped = |wire: &Wire| {
            let history = &self.histories[wire.source.index()];
            let column = wire.column as usize;
            wire.reading == Reading::Hold
                && plan.jumps(wire)
                && plan.resolution.same(history.latest(), at)
                && history.row(history.index_at(before)).reals[column] != history.latest_reals()[column]
        };
        let mut inputs = plan.seats.iter().flat_map(|seat| &seat.real_inputs);
        let reals = inputs.any(|input| matches!(input, RealInput::Wire(wire) if jumped(wire)));
        let others = plan.seats.iter().any(|seat| !seat.held_wires.is_empty());
        if approached && (reals || others) {
            self.evaluate_everyone(&plan.exchange)?;
            if plan.has_slopes {
                self.evaluate_slopes(&plan, at)?;
            }
        }
        Ok(reals)
    }

    /// The next corner: an instant at which somebody's law of time changes.
    pub fn next_corner(&mut self) -> Result<SimTime, RunError> {
        if self.corner > self.frontier {
            return Ok(self.corner);
        }
        self.corner = SimTime::FUTURE;
        for index in 0..self.corners.len() {
            let next = self.call(self.corners[index], Call::Events, None, |p| Ok(p.next_instant()))?;
            self.corner = self.corner.min(next.unwrap_or(SimTime::FUTURE));
        }
        Ok(self.corner)
    }

    /// Lets readings pass over the points before the latest ones, which nearly coincide with them.
    pub fn thin(&mut self) {
        for history in &mut self.histories {
            history.thin();
        }
    }

    /// Lets no reading look behind the present any more: something has jumped here.
    pub fn forget_past(&mut self) {
        for history in &mut self.histories {
            history.forget_past();
        }
    }
}
