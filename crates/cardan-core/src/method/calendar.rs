//! Where the next step of everybody ends, where all have steps of their own: on its grid, or at an event before.

use super::grid::landing;
use crate::graph::ParticipantId;
use crate::plan::Plan;
use crate::time::SimTime;
use crate::world::World;
use std::sync::Arc;

pub(super) struct Calendar {
    plan: Arc<Plan>,
    steps: Vec<i64>,
    /// The far future once somebody has reached the end of the run.
    pub(super) next: Vec<SimTime>,
    /// The next instant that no step passes: one acts by itself there, or the advance ends there.
    pub(super) event: SimTime,
    /// Where the advance ends: whoever has come there waits.
    limit: SimTime,
}

impl Calendar {
    pub(super) fn new(plan: Arc<Plan>) -> Self {
        Calendar {
            steps: vec![0; plan.seats.len()],
            next: plan
                .seats
                .iter()
                .map(|seat| landing(&plan, seat.grid, 1))
                .collect(),
            event: SimTime::FUTURE,
            limit: SimTime::FUTURE,
            plan,
        }
    }

    /// Somebody has stepped.
    pub(super) fn tick(&mut self, participant: ParticipantId, world: &World) {
        let index = participant.index();
        let planned = landing(&self.plan, self.plan.seats[index].grid, self.steps[index] + 1);
        // A step that ended at an event before is not one of its own.
        if self.plan.resolution.reached(world.time_of(participant), planned) {
            self.steps[index] += 1;
        }
        self.next[index] = self.next_end(participant, world);
    }

    fn next_end(&self, participant: ParticipantId, world: &World) -> SimTime {
        let (index, resolution) = (participant.index(), self.plan.resolution);
        let at = world.time_of(participant);
        if resolution.reached(at, resolution.earlier(self.limit, self.plan.window.stop)) {
            return SimTime::FUTURE;
        }
        let planned = landing(&self.plan, self.plan.seats[index].grid, self.steps[index] + 1);
        match resolution.before(at, self.event) && !resolution.before(planned, self.event) {
            true => self.event,
            false => planned,
        }
    }

    /// Takes notice of the next event or of a limit before it: no step passes that.
    pub(super) fn watch_events(&mut self, world: &World, limit: SimTime) {
        let mut event = world.next_event();
        if self
            .plan
            .resolution
            .before(limit, event.min(self.plan.window.stop))
        {
            event = limit;
        }
        if event != self.event || limit != self.limit {
            (self.event, self.limit) = (event, limit);
            for index in 0..self.next.len() {
                self.next[index] = self.next_end(ParticipantId(index as u32), world);
            }
        }
    }

    /// Goes on where everybody stands.
    pub(super) fn resume(&mut self, world: &World) {
        self.event = world.next_event();
        for index in 0..self.next.len() {
            let participant = ParticipantId(index as u32);
            let grid = self.plan.seats[index].grid;
            self.steps[index] = grid.count_to(world.time_of(participant), self.plan.resolution);
            self.next[index] = self.next_end(participant, world);
        }
    }

    /// Where everybody has come.
    pub(super) fn frontier(&self, world: &World) -> SimTime {
        let all = self.plan.order.iter().map(|p| world.time_of(*p));
        all.fold(SimTime::FUTURE, SimTime::min)
    }

    /// Steps of the participant that took most.
    pub(super) fn most_steps(&self) -> u64 {
        self.steps.iter().copied().max().unwrap_or(0).unsigned_abs()
    }
}
