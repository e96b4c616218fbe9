//! Arriving at instants at which something jumps.
//!
//! Steps that are chosen or repeated land where a law changes. Up to there signals are what they were; what jumps is seen
//! when everybody has arrived, and from then on no reading looks behind it.

use super::World;
use crate::error::{Call, RunError};
use crate::plan::{RealInput, Wire};
use crate::signal::Reading;
use crate::time::SimTime;
use std::sync::Arc;

impl World {
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

    /// The next corner after `from`: an instant at which somebody's law of time changes. Nobody whose law has corners may
    /// have passed it.
    pub fn next_corner(&mut self, from: SimTime) -> Result<SimTime, RunError> {
        if self.corner > from {
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
