//! Looking again at switches, with inputs as they came.
//!
//! Whoever steps before its sources have come to the end of the step finds its switches along inputs that were extrapolated.
//! When all have arrived, it is known how inputs really went. A participant whose switch has changed, or would have changed,
//! takes its step once more with these, and what it finds then is the event.

use super::World;
use super::crew::Task;
use super::read::Hindsight;
use crate::error::RunError;
use crate::graph::ParticipantId;
use crate::participant::{Slot, StepEnd};
use crate::plan::RealInput;
use crate::time::SimTime;

impl World {
    /// Those who stand at `at` with an event that depends on inputs which were extrapolated: a switch of theirs has changed on
    /// the way, or with the inputs as exchanged here it should have.
    pub fn suspects(&mut self, at: SimTime) -> Result<Vec<ParticipantId>, RunError> {
        let mut suspects = Vec::new();
        for index in 0..self.actors.len() {
            let actor = &self.actors[index];
            let (participant, next) = (actor.participant, actor.next);
            // What acts at an instant that was known ahead does so whatever its inputs are.
            let known = self.plan.resolution.reached(at, next);
            if known || !self.stands_at(participant, at) || !self.reads_elsewhere(participant) {
                continue;
            }
            if !self.plan.seats[participant.index()].needs_inputs {
                // It hears of the exchanged inputs only now.
                self.evaluate(participant, at)?;
            }
            if self.event_call(participant, at, |mode| Ok(mode.pending()))? {
                suspects.push(participant);
            }
        }
        Ok(suspects)
    }

    /// Can it take its step again, with inputs that may differ?
    pub fn can_be_reviewed(&self, participant: ParticipantId) -> bool {
        self.can_go_back(participant) && self.reads_elsewhere(participant)
    }

    /// Does it read continuous signals otherwise than they came?
    fn reads_elsewhere(&self, participant: ParticipantId) -> bool {
        let seat = &self.plan.seats[participant.index()];
        let extrapolated = |input: &RealInput| match input {
            RealInput::Wire(w) | RealInput::Rotation(w) | RealInput::RotationRest(w) => {
                !w.leads && !self.plan.jumps(w)
            }
            RealInput::Open(_) | RealInput::Line { .. } => false,
        };
        seat.real_inputs.iter().any(extrapolated)
    }

    /// Lets one participant that stands at the end of a step take it again from the state in a slot, with inputs as they
    /// came, and shows what it reached. What others published stays.
    pub fn step_again(&mut self, participant: ParticipantId, slot: Slot) -> Result<StepEnd, RunError> {
        let to = self.at[participant.index()];
        self.step_in_hindsight(&[participant], slot, to, Hindsight::Interpolated)?;
        match self.unusual.first() {
            Some(&(_, end)) => Ok(end),
            None => Ok(StepEnd::Completed),
        }
    }

    /// Lets a group take its step to `to` again, all with inputs as they came, and as if what has jumped within it had
    /// jumped at its beginning.
    pub fn repeat_in_hindsight(
        &mut self,
        group: &[ParticipantId],
        slot: Slot,
        to: SimTime,
    ) -> Result<(), RunError> {
        self.step_in_hindsight(group, slot, to, Hindsight::Jumped)
    }

    fn step_in_hindsight(
        &mut self,
        group: &[ParticipantId],
        slot: Slot,
        to: SimTime,
        hindsight: Hindsight,
    ) -> Result<(), RunError> {
        self.move_states(Task::Restore, group, slot)?;
        self.unusual.clear();
        self.step_calls += group.len() as u64;
        for &participant in group {
            let from = self.saved[slot][participant.index()];
            self.at[participant.index()] = from;
            if let Some(samples) = &mut self.samples[participant.index()] {
                samples.rewind(from);
            }
            self.read_in_hindsight(participant, (from, to), hindsight);
        }
        self.team.perform(Task::Step, group.iter().copied());
        for &participant in group {
            self.take_step(participant)?;
        }
        Ok(())
    }
}
