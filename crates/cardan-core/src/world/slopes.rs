//! How fast outputs change, where somebody wants to know.
//!
//! A slope follows from all inputs, not only from those that the output itself reacts to at once, so slopes come after all
//! values. Where outputs depend on each other at once, so do their slopes, with the same matrix: the slopes of the inputs at
//! which a loop is cut open are found by the Newton steps of its solver, which are exact but for the age of the matrix.

use super::World;
use super::crew::Task;
use crate::error::RunError;
use crate::graph::ParticipantId;
use crate::plan::{Loop, Plan};
use crate::time::SimTime;

/// Slopes of a loop are linear in each other: passes after these would not help.
const PASSES: usize = 8;
/// A residual this small against the slopes is good enough for any reading.
const TIGHT: f64 = 1e-9;
/// So is this one if it does not become smaller: slopes by differences are no better.
const ENOUGH: f64 = 1e-6;
/// A matrix that does not mend nine tenths of a residual is too old.
const QUICKLY: f64 = 0.1;

impl World {
    /// Asks everybody who stands at `at` and whose slopes somebody wants for them.
    #[cold]
    pub(super) fn evaluate_slopes(&mut self, plan: &Plan, at: SimTime) -> Result<(), RunError> {
        let feedthrough = &plan.exchange.feedthrough;
        let mut begin = 0;
        for together in feedthrough.rounds.chunk_by(|a, b| a == b) {
            let members = &feedthrough.sequence[begin..begin + together.len()];
            begin += together.len();
            let stands = |p: &ParticipantId| plan.resolution.same(self.at[p.index()], at);
            let circle = feedthrough.circular[together[0] as usize].map(|index| index as usize);
            match circle {
                Some(index) if plan.exchange.loops[index].members.iter().all(stands) => {
                    self.slopes_of_loop(plan, index, at)?;
                }
                _ => {
                    for &participant in members {
                        // Those who stand within a hair of it are asked where they stand.
                        let own = self.at[participant.index()];
                        if plan.seats[participant.index()].wants_slopes && plan.resolution.same(own, at) {
                            self.exchange_inputs(participant, own);
                            self.exchange_input_slopes(participant, own);
                            self.team.desk(participant).to = self.asked_at(participant);
                            self.ask_for_slopes(participant)?;
                        }
                    }
                }
            }
        }
        if plan.resolution.same(at, self.kink) {
            self.forget_slopes(plan, at);
        }
        Ok(())
    }

    /// Where laws change, a slope is that of one side only, and readings look at both: they do without.
    fn forget_slopes(&mut self, plan: &Plan, at: SimTime) {
        for (index, history) in self.histories.iter_mut().enumerate() {
            if plan.resolution.same(self.at[index], at) {
                history.latest_slopes_mut().fill(f64::NAN);
            }
        }
    }

    /// Asks for slopes with the inputs and input slopes that lie on the desk.
    fn ask_for_slopes(&mut self, participant: ParticipantId) -> Result<(), RunError> {
        self.called = participant;
        self.team.perform(Task::Slopes, std::iter::once(participant));
        let desk = self.team.desk(participant);
        if desk.failure.is_some() {
            return Err(self.failure(participant));
        }
        self.histories[participant.index()].tell_slopes(&desk.slopes);
        Ok(())
    }

    fn slopes_of_loop(&mut self, plan: &Plan, index: usize, at: SimTime) -> Result<(), RunError> {
        let circle = &plan.exchange.loops[index];
        let wanted = |p: &ParticipantId| plan.seats[p.index()].wants_slopes;
        if !circle.members.iter().any(wanted) {
            return Ok(());
        }
        // A slope that somebody in the loop does not know is missing to all.
        let known = circle.members.iter().all(wanted) && self.find_slopes(circle, index, at)?;
        if !known {
            for member in circle.members.iter().filter(|m| wanted(m)) {
                self.histories[member.index()].latest_slopes_mut().fill(f64::NAN);
            }
        }
        Ok(())
    }

    /// Finds slopes that fit each other. False if there are none.
    fn find_slopes(&mut self, circle: &Loop, index: usize, at: SimTime) -> Result<bool, RunError> {
        let mut slopes = vec![0.0; circle.tears.len()];
        let mut residual = vec![0.0; circle.tears.len()];
        let mut before = f64::INFINITY;
        let mut good = false;
        for _ in 0..PASSES {
            for &member in &circle.members {
                self.exchange_inputs(member, at);
                self.exchange_input_slopes(member, at);
                for (slope, tear) in slopes.iter().zip(&circle.tears) {
                    if tear.reader == member {
                        self.team.desk(member).input_slopes[tear.input as usize] = *slope;
                    }
                }
                self.ask_for_slopes(member)?;
            }
            let (mut left, mut size) = (0.0_f64, 0.0_f64);
            for ((residual, slope), tear) in residual.iter_mut().zip(&slopes).zip(&circle.tears) {
                let own = self.histories[tear.source.index()].latest_slopes();
                let came = tear.conversion.factor * own[tear.column as usize];
                if !came.is_finite() {
                    return Ok(false);
                }
                *residual = came - slope;
                left = left.max(residual.abs());
                size = size.max(came.abs());
            }
            if left <= TIGHT * size || (left <= ENOUGH * size && left >= 0.5 * before) {
                return Ok(true);
            }
            if left > QUICKLY * before {
                self.loops[index].forget();
            }
            before = left;
            good = left <= ENOUGH * size;
            if !self.newton_of_loop(circle, index, at, &mut residual)? {
                return Ok(false);
            }
            for (slope, change) in slopes.iter_mut().zip(&residual) {
                *slope += change;
            }
        }
        Ok(good)
    }
}
