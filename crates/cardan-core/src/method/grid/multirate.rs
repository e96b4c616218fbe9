//! Jacobi and Gauss-Seidel where participants have steps of their own, multiples of each other or not.
//!
//! Who steps next follows from simulated times and the order alone.
//!
//! - Jacobi: all whose next instant is the earliest step to it together. Each sees what the others had published when
//!   its step began.
//! - Gauss-Seidel: a participant steps once everyone before it in the order whom it reads has passed the end of its
//!   step (so it interpolates), and everyone after it whom it reads can publish nothing more before its step begins (so
//!   it misses nothing). The one furthest behind goes; if it must wait for another, that one goes first, and nobody
//!   runs ahead whom nobody waits for. Where awkward ratios let them wait for each other in a circle, the one with the
//!   earliest end goes.

use crate::checkpoint::{Damage, Reader, Writer};
use crate::error::RunError;
use crate::graph::ParticipantId;
use crate::method::calendar::Calendar;
use crate::method::{Advanced, Master, Sweep, ending};
use crate::plan::{Plan, RealInput};
use crate::time::SimTime;
use crate::world::World;
use std::sync::Arc;

pub(super) struct Multirate {
    plan: Arc<Plan>,
    calendar: Calendar,
    /// Whom each reads: participants that lead it, and others.
    leading: Vec<Vec<ParticipantId>>,
    trailing: Vec<Vec<ParticipantId>>,
    group: Vec<ParticipantId>,
}

impl Multirate {
    pub(super) fn new(plan: Arc<Plan>) -> Self {
        let count = plan.seats.len();
        let mut leading = vec![Vec::new(); count];
        let mut trailing = vec![Vec::new(); count];
        for (index, seat) in plan.seats.iter().enumerate() {
            let reals = seat.real_inputs.iter().filter_map(|input| match input {
                RealInput::Open(_) | RealInput::Line { .. } => None,
                RealInput::Wire(w) | RealInput::Rotation(w) | RealInput::RotationRest(w) => {
                    Some((w.source, w.leads))
                }
            });
            let held = seat.held_wires.iter().map(|w| (w.source, w.leads));
            for (source, leads) in reals.chain(held) {
                let list = if leads {
                    &mut leading[index]
                } else {
                    &mut trailing[index]
                };
                if !list.contains(&source) && source.index() != index {
                    list.push(source);
                }
            }
        }
        Multirate {
            calendar: Calendar::new(Arc::clone(&plan)),
            leading,
            trailing,
            group: Vec::with_capacity(count),
            plan,
        }
    }

    /// Chooses who steps next, into `self.group`, and says to which instant.
    fn choose(&mut self, world: &World) -> SimTime {
        self.group.clear();
        match self.plan.method.sweep {
            Sweep::Jacobi => {
                let earliest = self
                    .calendar
                    .next
                    .iter()
                    .copied()
                    .fold(SimTime::FUTURE, SimTime::min);
                let plan = &self.plan;
                let due = |p: &&ParticipantId| plan.resolution.same(self.calendar.next[p.index()], earliest);
                self.group.extend(plan.order.iter().filter(due));
                // What is known ahead goes first; the others are still due when it has.
                let first = self.group.iter().take_while(|p| plan.seats[p.index()].foretold);
                let first = first.count();
                if first > 0 {
                    self.group.truncate(first);
                }
                earliest
            }
            Sweep::GaussSeidel => {
                let Some(behind) = self.furthest_behind(world) else {
                    return SimTime::FUTURE;
                };
                let chosen = self.who_lets(world, behind);
                self.group.clear();
                self.group.push(chosen);
                self.calendar.next[chosen.index()]
            }
        }
    }

    fn furthest_behind(&self, world: &World) -> Option<ParticipantId> {
        let mut best: Option<ParticipantId> = None;
        for &participant in &self.plan.order {
            let (at, next) = (
                world.time_of(participant),
                self.calendar.next[participant.index()],
            );
            let behind = best.is_none_or(|b| self.plan.resolution.before(at, world.time_of(b)));
            if next < SimTime::FUTURE && behind {
                best = Some(participant);
            }
        }
        best
    }

    /// Follows who waits for whom from `participant` to one that may step. The way is kept in `self.group`.
    fn who_lets(&mut self, world: &World, participant: ParticipantId) -> ParticipantId {
        let mut current = participant;
        loop {
            self.group.push(current);
            match self.awaited(world, current) {
                None => return current,
                Some(other) if self.group.contains(&other) => return self.earliest_end(current),
                Some(other) => current = other,
            }
        }
    }

    /// Somebody for whom `participant` must wait.
    fn awaited(&self, world: &World, participant: ParticipantId) -> Option<ParticipantId> {
        let resolution = self.plan.resolution;
        let index = participant.index();
        let (from, to) = (world.time_of(participant), self.calendar.next[index]);
        let leads = |q: &&ParticipantId| !resolution.reached(world.time_of(**q), to);
        let trails = |q: &&ParticipantId| !resolution.before(from, self.calendar.next[q.index()]);
        let leading = self.leading[index].iter().find(leads);
        leading
            .or_else(|| self.trailing[index].iter().find(trails))
            .copied()
    }

    /// Of those on the way the one with the earliest end; the order decides between equals.
    fn earliest_end(&self, any: ParticipantId) -> ParticipantId {
        let mut best = any;
        for participant in self.plan.order.iter().filter(|p| self.group.contains(p)) {
            if self.calendar.next[participant.index()] < self.calendar.next[best.index()] {
                best = *participant;
            }
        }
        best
    }

    /// Everyone who is behind `at`, the end that somebody asked for, steps up to it.
    fn catch_up(&mut self, world: &mut World, at: SimTime) -> Result<Advanced, RunError> {
        let plan = Arc::clone(&self.plan);
        for participant in &plan.order {
            if plan.resolution.before(world.time_of(*participant), at) {
                let unusual = world.step_group(std::slice::from_ref(participant), at)?.to_vec();
                ending::answer(world, &unusual, at, true)?;
                world.exchange(std::slice::from_ref(participant), at)?;
            }
        }
        world.settle(at);
        Ok(Advanced {
            frontier: at,
            steps: 1,
            terminated: true,
        })
    }
}

impl Master for Multirate {
    fn advance(&mut self, world: &mut World, limit: SimTime) -> Result<Advanced, RunError> {
        let before = world.frontier();
        let steps_before = self.calendar.most_steps();
        self.calendar.watch_events(world, limit);
        loop {
            let to = self.choose(world);
            let group = std::mem::take(&mut self.group);
            let unusual = world.step_group(&group, to)?;
            if !unusual.is_empty() {
                let unusual = unusual.to_vec();
                if let Some(at) = ending::answer(world, &unusual, to, true)? {
                    world.exchange(&group, to)?;
                    return self.catch_up(world, at);
                }
            }
            world.exchange(&group, to)?;
            for &participant in &group {
                self.calendar.tick(participant, world);
            }
            self.group = group;
            let frontier = self.calendar.frontier(world);
            // An event that was announced waits for everybody.
            if !self.plan.resolution.same(to, self.calendar.event)
                || self.plan.resolution.reached(frontier, to)
            {
                world.note_late_events(to)?;
                world.events(to)?;
                self.calendar.watch_events(world, limit);
            }
            if frontier > before {
                world.settle(frontier);
                return Ok(Advanced {
                    frontier,
                    steps: self.calendar.most_steps() - steps_before,
                    terminated: false,
                });
            }
        }
    }

    /// Where everybody stands says it all.
    fn keep(&self, _writer: &mut Writer) {}

    fn resume(&mut self, world: &World, _reader: &mut Reader<'_>) -> Result<(), Damage> {
        self.calendar.resume(world);
        Ok(())
    }
}
