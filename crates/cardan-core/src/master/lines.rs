//! Everybody as far ahead as transmission lines let it.
//!
//! What arrives at an end of a line is known up to a delay after the last point of the other end. So whoever is furthest behind may
//! always go, and with it all whose next step ends within what they know. They go side by side, each at its own steps. Connections
//! beside the lines are read as Jacobi reads them: a step sees what the others had published up to where it begins, and waits for
//! nothing but that. What is seen depends on simulated times alone.

use super::fixed_step::landing;
use super::{Advanced, Master, ending};
use crate::checkpoint::{Damage, Reader, Writer};
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::participant::Failure;
use crate::plan::{Plan, RealInput};
use crate::time::SimTime;
use crate::world::World;
use std::sync::Arc;

pub(super) struct Lines {
    plan: Arc<Plan>,
    steps: Vec<i64>,
    /// Where the next step of each participant ends; the far future once it has reached the end of the run.
    next: Vec<SimTime>,
    /// Whom each reads by connections, and whether that one steps before it.
    sources: Vec<Vec<(ParticipantId, bool)>>,
    group: Vec<(ParticipantId, SimTime)>,
    /// The next instant at which somebody acts by itself.
    event: SimTime,
}

impl Lines {
    pub(super) fn new(plan: Arc<Plan>) -> Self {
        let sources = plan.seats.iter().enumerate().map(|(index, seat)| {
            let mut sources: Vec<(ParticipantId, bool)> = Vec::new();
            let reals = seat.real_inputs.iter().filter_map(|input| match input {
                RealInput::Open(_) | RealInput::Line { .. } => None,
                RealInput::Wire(w) | RealInput::Rotation(w) | RealInput::RotationRest(w) => {
                    Some((w.source, w.leads))
                }
            });
            let held = seat.held_wires.iter().map(|w| (w.source, w.leads));
            for source in reals.chain(held) {
                if source.0.index() != index && !sources.contains(&source) {
                    sources.push(source);
                }
            }
            sources
        });
        let sources = sources.collect();
        let count = plan.seats.len();
        Lines {
            steps: vec![0; count],
            next: plan
                .seats
                .iter()
                .map(|seat| landing(&plan, seat.grid, 1))
                .collect(),
            sources,
            group: Vec::with_capacity(count),
            event: SimTime::FUTURE,
            plan,
        }
    }

    /// Chooses who goes next and how far each, into `self.group`: all that may, and so at least whoever is furthest behind.
    fn choose(&mut self, world: &World) {
        let (resolution, plan) = (self.plan.resolution, &self.plan);
        self.group.clear();
        for &participant in &plan.order {
            let (from, to) = (world.time_of(participant), self.next[participant.index()]);
            let known = |&(source, leads): &(ParticipantId, bool)| {
                let wanted = if leads { to } else { from };
                resolution.reached(world.time_of(source), wanted)
            };
            let may = to < SimTime::FUTURE
                && resolution.reached(world.horizon(participant), to)
                && self.sources[participant.index()].iter().all(known);
            if may {
                self.group.push((participant, to));
            }
        }
    }

    fn tick(&mut self, participant: ParticipantId, world: &World) {
        let index = participant.index();
        let planned = landing(&self.plan, self.plan.seats[index].grid, self.steps[index] + 1);
        // A step that ended at an event before is not one of its own.
        if self.plan.resolution.reached(world.time_of(participant), planned) {
            self.steps[index] += 1;
        }
        self.next[index] = self.next_end(participant, world);
    }

    /// Where the next step of a participant ends: on its grid, or at an event before.
    fn next_end(&self, participant: ParticipantId, world: &World) -> SimTime {
        let (index, resolution) = (participant.index(), self.plan.resolution);
        let at = world.time_of(participant);
        if resolution.reached(at, self.plan.window.stop) {
            return SimTime::FUTURE;
        }
        let planned = landing(&self.plan, self.plan.seats[index].grid, self.steps[index] + 1);
        match resolution.before(at, self.event) && !resolution.before(planned, self.event) {
            true => self.event,
            false => planned,
        }
    }

    /// Takes notice of the next event: nobody steps over it.
    fn watch_events(&mut self, world: &World) {
        let event = world.next_event();
        if event != self.event {
            self.event = event;
            for index in 0..self.next.len() {
                self.next[index] = self.next_end(ParticipantId(index as u32), world);
            }
        }
    }

    /// One round: those who may, step; their waves leave. Answers where the run is to end if somebody asked for it.
    fn round(&mut self, world: &mut World) -> Result<Option<SimTime>, RunError> {
        self.choose(world);
        if self.group.is_empty() {
            return Err(self.nobody(world));
        }
        let group = std::mem::take(&mut self.group);
        world.step_each(&group)?;
        let mut end = None;
        if !world.unusual().is_empty() {
            let unusual = world.unusual().to_vec();
            for one in unusual {
                let to = group.iter().find(|(who, _)| *who == one.0).map(|(_, to)| *to);
                let asked = ending::answer(world, &[one], to.unwrap_or(self.plan.window.stop))?;
                end = match (end, asked) {
                    (Some(a), Some(b)) => Some(SimTime::min(a, b)),
                    (a, b) => a.or(b),
                };
            }
        }
        for &(participant, _) in &group {
            let at = world.time_of(participant);
            world.exchange(&[participant], at)?;
        }
        world.transmit(group.iter().map(|(who, _)| *who));
        for &(participant, _) in &group {
            self.tick(participant, world);
        }
        self.group = group;
        Ok(end)
    }

    /// Everybody waits for somebody, which steps that lines allow cannot come to.
    #[cold]
    fn nobody(&self, world: &World) -> RunError {
        let behind = self.plan.order.iter().min_by(|a, b| {
            let (a, b) = (world.time_of(**a), world.time_of(**b));
            a.seconds().total_cmp(&b.seconds())
        });
        let name = behind.map_or("", |who| self.plan.seats[who.index()].name.as_str());
        let failure = Failure::failed(
            "waits for waves that nobody will send: its step is longer than the delay of a line",
        )
        .advise("leave out `step`, or choose one up to the delay");
        RunError::participant(name, Call::Step, Some(world.frontier()), failure)
    }

    /// Where everybody has come.
    fn frontier(&self, world: &World) -> SimTime {
        let all = self.plan.order.iter().map(|p| world.time_of(*p));
        all.fold(SimTime::FUTURE, SimTime::min)
    }

    /// Everyone who is behind `at`, the end that somebody asked for, steps up to it.
    fn catch_up(&mut self, world: &mut World, at: SimTime) -> Result<Advanced, RunError> {
        let resolution = self.plan.resolution;
        self.event = self.event.min(at);
        for index in 0..self.next.len() {
            self.next[index] = match resolution.reached(world.time_of(ParticipantId(index as u32)), at) {
                true => SimTime::FUTURE,
                false => self.next[index].min(at),
            };
        }
        while resolution.before(self.frontier(world), at) {
            self.round(world)?;
            for index in 0..self.next.len() {
                if resolution.reached(world.time_of(ParticipantId(index as u32)), at) {
                    self.next[index] = SimTime::FUTURE;
                }
            }
        }
        let frontier = self.frontier(world).min(at);
        world.settle(frontier);
        Ok(Advanced {
            frontier,
            steps: 1,
            terminated: true,
        })
    }

    /// Steps of the participant that took most.
    fn most_steps(&self) -> u64 {
        self.steps.iter().copied().max().unwrap_or(0).unsigned_abs()
    }
}

impl Master for Lines {
    fn advance(&mut self, world: &mut World) -> Result<Advanced, RunError> {
        let (before, steps_before) = (world.frontier(), self.most_steps());
        self.watch_events(world);
        loop {
            if let Some(end) = self.round(world)? {
                return self.catch_up(world, end);
            }
            let frontier = self.frontier(world);
            // An event that was announced waits for everybody.
            if self.plan.resolution.reached(frontier, self.event) || self.event == SimTime::FUTURE {
                world.events(frontier)?;
                self.watch_events(world);
            }
            if frontier > before {
                world.settle(frontier);
                world.survey_lines(frontier);
                return Ok(Advanced {
                    frontier,
                    steps: self.most_steps() - steps_before,
                    terminated: false,
                });
            }
        }
    }

    /// Where everybody stands says it all.
    fn keep(&self, _writer: &mut Writer) {}

    fn resume(&mut self, world: &World, _reader: &mut Reader<'_>) -> Result<(), Damage> {
        self.event = world.next_event();
        for index in 0..self.next.len() {
            let participant = ParticipantId(index as u32);
            let grid = self.plan.seats[index].grid;
            self.steps[index] = grid.count_to(world.time_of(participant), self.plan.resolution);
            self.next[index] = self.next_end(participant, world);
        }
        Ok(())
    }
}
