//! The exchange at a communication point: outputs from current inputs, in an order in which that works.

use super::World;
use super::crew::Task;
use crate::error::RunError;
use crate::graph::ParticipantId;
use crate::plan::Exchange;
use crate::time::SimTime;
use std::sync::Arc;

impl World {
    /// Lets everybody see what the group reached at `at`: outputs that react at once to inputs are evaluated with
    /// the exchanged current inputs, those of others that stand at the same instant too.
    #[inline(always)]
    pub fn exchange(&mut self, group: &[ParticipantId], at: SimTime) -> Result<(), RunError> {
        match self.plan.has_exchange {
            true => self.exchange_now(group, at),
            false => Ok(()),
        }
    }

    fn exchange_now(&mut self, group: &[ParticipantId], at: SimTime) -> Result<(), RunError> {
        if self.keeps_books {
            self.enter_in_books(group)?;
        }
        let plan = Arc::clone(&self.plan);
        self.worklist.clear();
        let mut waiting = |p: ParticipantId| {
            if plan.seats[p.index()].needs_inputs {
                self.worklist.extend(&plan.exchange.places[p.index()]);
            }
        };
        let everyone = group.len() == plan.seats.len();
        for &member in group {
            waiting(member);
            if !everyone {
                for &other in &plan.exchange.feedthrough.downstream[member.index()] {
                    if plan.resolution.same(self.at[other.index()], at) {
                        waiting(other);
                    }
                }
            }
        }
        self.worklist.sort_unstable();
        self.worklist.dedup();
        self.evaluate_worklist(&plan.exchange)?;
        if plan.has_slopes {
            self.evaluate_slopes(&plan, at)
        } else {
            Ok(())
        }
    }

    /// Evaluates everybody's outputs where they stand.
    pub(super) fn evaluate_everyone(&mut self, exchange: &Exchange) -> Result<(), RunError> {
        self.worklist.clear();
        self.worklist
            .extend(0..exchange.feedthrough.sequence.len() as u32);
        self.evaluate_worklist(exchange)
    }

    fn evaluate_worklist(&mut self, exchange: &Exchange) -> Result<(), RunError> {
        let worklist = std::mem::take(&mut self.worklist);
        let mut result = Ok(());
        let feedthrough = &exchange.feedthrough;
        let round = |place: &u32| feedthrough.rounds[*place as usize];
        for places in worklist.chunk_by(|a, b| round(a) == round(b)) {
            let group = places.iter().map(|&place| feedthrough.sequence[place as usize]);
            result = match feedthrough.circular[round(&places[0]) as usize] {
                None => self.evaluate_group(group),
                Some(index) => {
                    let members: Vec<ParticipantId> = group.collect();
                    self.solve_loop(index as usize, &exchange.loops[index as usize], &members)
                }
            };
            if result.is_err() {
                break;
            }
        }
        self.worklist = worklist;
        result
    }

    /// Evaluates and publishes the outputs of participants that do not depend on each other, where each stands.
    fn evaluate_group(&mut self, group: impl Iterator<Item = ParticipantId> + Clone) -> Result<(), RunError> {
        if self.team.is_local() {
            for participant in group {
                self.evaluate(participant, self.at[participant.index()])?;
            }
            return Ok(());
        }
        for participant in group.clone() {
            self.exchange_inputs(participant, self.at[participant.index()]);
        }
        self.team.perform(Task::Outputs, group.clone());
        for participant in group {
            self.take_outputs(participant)?;
        }
        Ok(())
    }

    /// Evaluates and publishes the outputs of one participant.
    pub(super) fn evaluate(&mut self, participant: ParticipantId, at: SimTime) -> Result<(), RunError> {
        self.exchange_inputs(participant, at);
        self.called = participant;
        if self.team.is_local() {
            return self.outputs_at_home(participant, at);
        }
        self.team.perform(Task::Outputs, std::iter::once(participant));
        self.take_outputs(participant)
    }

    pub(super) fn take_outputs(&mut self, participant: ParticipantId) -> Result<(), RunError> {
        if self.team.desk(participant).failure.is_some() {
            return Err(self.failure(participant));
        }
        self.publish(participant)
    }
}
