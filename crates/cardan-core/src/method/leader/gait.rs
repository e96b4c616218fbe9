//! How participants of the glue walk.

use crate::graph::ParticipantId;
use crate::plan::Plan;
use crate::time::SimTime;

/// How long the steps of a participant are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gait {
    /// On its grid: a step that it was given, or its samples.
    Grid,
    /// As its solver likes it, one by one.
    Own,
    /// As far as it is asked to go; its solver may make several of it.
    Whole,
}

/// How far followers may go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Where the leader stands.
    pub(super) lead: SimTime,
    /// So many of their own steps they may be ahead of it.
    pub(super) ahead: u32,
    /// Are all to come to the leader, whatever their steps are?
    pub(super) land: bool,
    /// Nobody passes this.
    pub(super) limit: SimTime,
}

/// One who follows.
#[derive(Clone, Debug)]
pub(super) struct Follower {
    pub(super) participant: ParticipantId,
    pub(super) gait: Gait,
    /// Does it hold its values between its instants? Then everybody lands on them.
    pub(super) discrete: bool,
    /// Where its next step ends; none if it has to wait.
    pub(super) end: Option<SimTime>,
    /// Its next instant on its grid, when it stood at `at`.
    next: SimTime,
    at: SimTime,
    /// Whom it reads.
    reads: Vec<ParticipantId>,
}

impl Follower {
    pub(super) fn new(plan: &Plan, participant: ParticipantId) -> Self {
        let seat = &plan.seats[participant.index()];
        let reals = seat.real_inputs.iter().filter_map(|input| input.source());
        let mut reads: Vec<ParticipantId> = reals.chain(seat.held_wires.iter().map(|w| w.source)).collect();
        reads.sort_unstable();
        reads.dedup();
        Follower {
            participant,
            gait: match seat.has_own_grid {
                true => Gait::Grid,
                false => Gait::Whole,
            },
            discrete: seat.has_own_grid && seat.continuous.is_empty() && plan.is_read(participant),
            end: None,
            next: SimTime::PAST,
            at: SimTime::PAST,
            reads,
        }
    }

    pub(super) fn reads(&self, other: ParticipantId) -> bool {
        self.reads.binary_search(&other).is_ok()
    }

    /// Finds out where its next step from `at` ends; none if it has to wait.
    pub(super) fn plan_end(&mut self, plan: &Plan, at: SimTime, way: Way) {
        let Way {
            lead,
            ahead,
            land,
            limit,
        } = way;
        let resolution = plan.resolution;
        let behind = resolution.before(at, lead);
        self.end = match self.gait {
            Gait::Own | Gait::Whole => behind.then_some(lead),
            Gait::Grid => {
                if at != self.at {
                    self.next = next_on_grid(plan, self.participant, at).min(plan.window.stop);
                    self.at = at;
                }
                let allowed = match ahead {
                    0 => lead,
                    // What a discrete process does at an instant depends on what everybody is there.
                    _ if self.discrete => lead,
                    steps => lead.after(f64::from(steps) * plan.seats[self.participant.index()].grid.step()),
                };
                let allowed = allowed.min(limit);
                let free = resolution.before(at, self.next) && !resolution.before(allowed, self.next);
                match free {
                    true => Some(self.next),
                    // Between its instants a discrete process does not act, whoever asks.
                    false => (land && behind && !self.discrete).then_some(lead),
                }
            }
        };
    }
}

/// The next instant of a participant's grid after `at`.
pub(super) fn next_on_grid(plan: &Plan, participant: ParticipantId, at: SimTime) -> SimTime {
    let grid = plan.seats[participant.index()].grid;
    grid.at(grid.count_to(at, plan.resolution) + 1)
}
