//! Everybody as far ahead as transmission lines let it.
//!
//! What arrives at an end of a line is known up to a delay after the last point of the other end. So whoever is furthest behind may
//! always go, and with it all whose next step ends within what they know. They go side by side, each at its own steps. Connections
//! beside the lines are read as Jacobi reads them: a step sees what the others had published up to where it begins, and waits for
//! nothing but that. What is seen depends on simulated times alone.

use super::calendar::Calendar;
use super::{Advanced, Master, Method, Needs, Pacing, Steps, ending};
use crate::checkpoint::{Damage, Reader, Writer};
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::participant::Failure;
use crate::plan::{Plan, RealInput};
use crate::time::SimTime;
use crate::world::World;
use std::sync::Arc;

/// All go as far ahead as the delay of transmission lines lets them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OverLines;

impl Pacing for OverLines {
    fn name(&self, _solver: Option<&'static str>) -> Option<&'static str> {
        Some("tlm")
    }

    fn words(&self, _method: &Method, _step: f64, _all_go_back: bool) -> String {
        "tlm, everybody up to the delay of its lines ahead".to_owned()
    }

    fn needs(&self) -> Needs {
        Needs {
            steps: Steps::Apart,
            ..Needs::PLAIN
        }
    }

    fn master(&self, plan: &Arc<Plan>) -> Box<dyn Master> {
        Box::new(Lines::new(Arc::clone(plan)))
    }
}

struct Lines {
    plan: Arc<Plan>,
    calendar: Calendar,
    /// Whom each reads by connections, and whether that one steps before it.
    sources: Vec<Vec<(ParticipantId, bool)>>,
    group: Vec<(ParticipantId, SimTime)>,
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
            calendar: Calendar::new(Arc::clone(&plan)),
            sources,
            group: Vec::with_capacity(count),
            plan,
        }
    }

    /// Chooses who goes next and how far each, into `self.group`: all that may, and so at least whoever is furthest behind.
    fn choose(&mut self, world: &World) {
        let (resolution, plan) = (self.plan.resolution, &self.plan);
        // Those who have nothing to do with each other do not part for ever: what is ahead has to be kept.
        let behind = self.calendar.frontier(world);
        let delays = plan.lines.iter().map(|line| line.properties.transport());
        let furthest = behind.after(delays.fold(0.0, f64::max));
        self.group.clear();
        for &participant in &plan.order {
            let (from, to) = (
                world.time_of(participant),
                self.calendar.next[participant.index()],
            );
            let known = |&(source, leads): &(ParticipantId, bool)| {
                let wanted = if leads { to } else { from };
                resolution.reached(world.time_of(source), wanted)
            };
            let near = resolution.reached(furthest, to) || resolution.same(from, behind);
            let may = to < SimTime::FUTURE
                && near
                && resolution.reached(world.horizon(participant), to)
                && self.sources[participant.index()].iter().all(known);
            if may {
                self.group.push((participant, to));
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
                let asked = ending::answer(world, &[one], to.unwrap_or(self.plan.window.stop), true)?;
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
            self.calendar.tick(participant, world);
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

    /// Everyone who is behind `at`, the end that somebody asked for, steps up to it.
    fn catch_up(&mut self, world: &mut World, at: SimTime) -> Result<Advanced, RunError> {
        let resolution = self.plan.resolution;
        self.calendar.event = self.calendar.event.min(at);
        for index in 0..self.calendar.next.len() {
            self.calendar.next[index] =
                match resolution.reached(world.time_of(ParticipantId(index as u32)), at) {
                    true => SimTime::FUTURE,
                    false => self.calendar.next[index].min(at),
                };
        }
        while resolution.before(self.calendar.frontier(world), at) {
            self.round(world)?;
            for index in 0..self.calendar.next.len() {
                if resolution.reached(world.time_of(ParticipantId(index as u32)), at) {
                    self.calendar.next[index] = SimTime::FUTURE;
                }
            }
        }
        let frontier = self.calendar.frontier(world).min(at);
        world.settle(frontier);
        Ok(Advanced {
            frontier,
            steps: 1,
            terminated: true,
        })
    }
}

impl Master for Lines {
    fn advance(&mut self, world: &mut World, limit: SimTime) -> Result<Advanced, RunError> {
        let (before, steps_before) = (world.frontier(), self.calendar.most_steps());
        self.calendar.watch_events(world, limit);
        loop {
            if let Some(end) = self.round(world)? {
                return self.catch_up(world, end);
            }
            let frontier = self.calendar.frontier(world);
            // An event that was announced waits for all; a limit keeps no event waiting.
            if self.plan.resolution.reached(frontier, self.calendar.event)
                || world.next_event() == SimTime::FUTURE
            {
                world.events(frontier)?;
                self.calendar.watch_events(world, limit);
            }
            if frontier > before {
                world.settle(frontier);
                world.survey_lines(frontier);
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
