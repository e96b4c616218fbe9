//! Steps of participants at their own pace: what they show of them, how they react inside of them.

use super::World;
use super::crew::Task;
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::participant::{Failure, StepEnd};
use crate::reaction::Reaction;
use crate::signal::Reading;
use crate::time::SimTime;
use std::time::Duration;

/// What a participant can do at its own pace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// Has it steps of its own, which can be asked for one by one?
    pub own_steps: bool,
    /// Can its inputs react to its outputs inside a step?
    pub reacts: bool,
    /// Can it tell how its outputs change with its inputs?
    pub tangent: bool,
    /// Can it show its own steps inside a longer one?
    pub shows: bool,
}

/// What a participant was told its inputs are at the end of its step, as far as their sources have not come there.
#[derive(Debug, Default)]
pub(super) struct Told {
    who: Option<ParticipantId>,
    at: SimTime,
    /// By real input.
    values: Vec<f64>,
    slopes: Vec<f64>,
}

impl Told {
    /// An input and its slope, if it was told.
    pub(super) fn of(&self, who: ParticipantId, input: usize, at: SimTime) -> Option<(f64, f64)> {
        let known = self.who == Some(who) && self.at == at;
        known.then(|| (self.values[input], self.slopes[input]))
    }
}

impl World {
    /// Where a participant stands, its inputs are these, as far as their sources are behind.
    pub fn tell(&mut self, participant: ParticipantId, values: &[f64], slopes: &[f64]) {
        let told = &mut self.told;
        (told.who, told.at) = (Some(participant), self.at[participant.index()]);
        for (known, new) in [(&mut told.values, values), (&mut told.slopes, slopes)] {
            known.clear();
            known.extend_from_slice(new);
        }
    }

    /// At `at` laws change: slopes there are those of one side only.
    pub fn expect_kink(&mut self, at: SimTime) {
        self.kink = at;
    }

    /// Finds out what a participant can do at its own pace.
    pub fn pace_of(&mut self, participant: ParticipantId) -> Result<Pace, RunError> {
        self.call(participant, Call::Step, None, |p| {
            Ok(Pace {
                own_steps: p.own_steps().is_some(),
                reacts: p.reactive().is_some(),
                tangent: p.derivatives().is_some(),
                shows: p.trace().is_some(),
            })
        })
    }

    /// From now on what a participant publishes has its own steps in it, if it can show them.
    pub fn show_inner_steps(&mut self, participant: ParticipantId) {
        self.team.desk(participant).shows_inner = true;
        // Rows between points come from the signals then.
        self.samples[participant.index()] = None;
    }

    /// Lets a participant take one step of its own, to `limit` at the latest. What did not simply come there or nearer is
    /// among the [`unusual`](World::unusual) ends.
    pub fn step_own(&mut self, participant: ParticipantId, limit: SimTime) -> Result<SimTime, RunError> {
        self.unusual.clear();
        self.step_calls += 1;
        self.read_inputs(participant, limit);
        self.team.perform(Task::OwnStep, std::iter::once(participant));
        self.take_step(participant)?;
        if let Some(&(_, StepEnd::Early { at })) = self.unusual.first() {
            return Err(self.backwards(participant, at));
        }
        Ok(self.at[participant.index()])
    }

    /// Lets each step to an instant of its own, side by side where they are on several threads. What did not simply come there
    /// is among the [`unusual`](World::unusual) ends.
    pub fn step_each(&mut self, steps: &[(ParticipantId, SimTime)]) -> Result<(), RunError> {
        self.unusual.clear();
        self.step_calls += steps.len() as u64;
        for &(participant, to) in steps {
            self.read_inputs(participant, to);
        }
        self.team.perform(Task::Step, steps.iter().map(|(who, _)| *who));
        for &(participant, _) in steps {
            self.take_step(participant)?;
        }
        Ok(())
    }

    /// A group has kept all others waiting for so long.
    pub fn busy(&mut self, group: &[ParticipantId], time: Duration) {
        let share = time / group.len().max(1) as u32;
        for participant in group {
            self.busy[participant.index()] += share;
        }
    }

    /// How long each has kept the others waiting so far; nothing where nobody waits by rule.
    pub fn kept_waiting(&self) -> &[Duration] {
        &self.busy
    }

    /// Publishes the inner steps that lie on the desk, but for the last, which is the end of the step.
    pub(super) fn publish_inner(&mut self, participant: ParticipantId) -> Result<(), RunError> {
        let resolution = self.plan.resolution;
        let frontier = self.frontier;
        let desk = self.team.desk(participant);
        if desk.failure.is_some() {
            return Err(self.failure(participant));
        }
        let history = &mut self.histories[participant.index()];
        let mut last = desk.from;
        let steps = desk.watch.iter().zip(&desk.forced).zip(&desk.watched);
        for ((&at, &forced), row) in steps {
            if at < last || at > desk.to {
                return Err(self.backwards(participant, at));
            }
            let inside = resolution.before(last, at) && resolution.before(at, desk.to);
            let told = !forced || {
                let apart = at.since(last).min(desk.to.since(at));
                self.lines.hand_back(&self.plan, participant, at, apart)
            };
            if inside && told {
                history.publish(at, frontier).copy_from(row.view());
                last = at;
            }
        }
        Ok(())
    }

    /// Whatever it may do inside a step, nobody goes back behind its last success.
    #[cold]
    fn backwards(&mut self, participant: ParticipantId, at: SimTime) -> RunError {
        let desk = self.team.desk(participant);
        let (from, to) = (desk.from, desk.to);
        let failure = Failure::failed(format!(
            "published a step at t = {at} s, which does not lie between its last success at {from} s and the {to} s it was \
             asked for"
        ))
        .advise("only successful steps are to be published, each later than the one before");
        let name = &self.plan.seats[participant.index()].name;
        RunError::participant(name, Call::Step, Some(from), failure)
    }

    /// In steps from now on, inputs of a participant react to its outputs.
    pub fn react(&mut self, participant: ParticipantId, reaction: &Reaction) -> Result<(), RunError> {
        let at = self.at[participant.index()];
        let desk = self.team.desk(participant);
        (desk.from, desk.to) = (at, at);
        desk.reaction.clone_from(reaction);
        self.team.perform(Task::React, std::iter::once(participant));
        match self.team.desk(participant).failure.is_some() {
            true => Err(self.failure(participant)),
            false => Ok(()),
        }
    }

    /// How the bound real outputs of a participant change where it stands, with the inputs as exchanged there, when its
    /// inputs change along `direction`.
    pub fn change_along(
        &mut self,
        participant: ParticipantId,
        direction: &[f64],
        change: &mut [f64],
    ) -> Result<(), RunError> {
        let at = self.at[participant.index()];
        let desk = self.team.desk(participant);
        (desk.from, desk.to) = (at, at);
        desk.direction.clear();
        desk.direction.extend_from_slice(direction);
        desk.change.resize(change.len(), 0.0);
        self.team.perform(Task::Derivatives, std::iter::once(participant));
        let desk = self.team.desk(participant);
        if desk.failure.is_some() {
            return Err(self.failure(participant));
        }
        change.copy_from_slice(&desk.change);
        Ok(())
    }

    /// How fast the bound real outputs of a participant change where it stands while its inputs stay what they are; not
    /// numbers where it does not tell.
    pub fn drift_of(&mut self, participant: ParticipantId, drift: &mut [f64]) -> Result<(), RunError> {
        let at = self.at[participant.index()];
        let desk = self.team.desk(participant);
        (desk.from, desk.to) = (at, at);
        desk.input_slopes.fill(0.0);
        desk.slopes.resize(drift.len(), f64::NAN);
        self.team.perform(Task::Slopes, std::iter::once(participant));
        let desk = self.team.desk(participant);
        if desk.failure.is_some() {
            return Err(self.failure(participant));
        }
        drift.copy_from_slice(&desk.slopes);
        Ok(())
    }

    /// The real inputs of a participant as exchanged where it stands.
    pub fn inputs_here(&mut self, participant: ParticipantId) -> &[f64] {
        let at = self.at[participant.index()];
        self.exchange_inputs(participant, at);
        &self.team.desk(participant).current.reals
    }

    /// What a real input was taken for at an instant inside the last step.
    pub fn input_used(&mut self, participant: ParticipantId, input: usize, at: SimTime) -> f64 {
        let desk = self.team.desk(participant);
        super::inner::law_at(desk, input, at).map_or(f64::NAN, |law| law.at(at))
    }

    /// What a real input is at an instant by the law of the last step, and its slope.
    pub fn input_law(&mut self, participant: ParticipantId, input: usize, at: SimTime) -> (f64, f64) {
        let desk = self.team.desk(participant);
        let law = super::inner::law_at(desk, input, at);
        law.map_or((0.0, 0.0), |law| (law.at(at), law.slope(at)))
    }

    /// The real outputs of a participant at an instant between its points.
    pub fn outputs_between(&self, participant: ParticipantId, at: SimTime, outputs: &mut [f64]) {
        let history = &self.histories[participant.index()];
        for (column, output) in outputs.iter_mut().enumerate() {
            *output = history.signal(column).read(Reading::Quadratic, at);
        }
    }
}
