//! All that are due go to an instant, wave after wave, each wave by its solver.

use super::ending;
use super::forecast::Forecast;
use super::gauge::Gauge;
use super::{WaveSolver, members};
use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use crate::error::RunError;
use crate::graph::ParticipantId;
use crate::participant::{Slot, StepEnd};
use crate::plan::Plan;
use crate::time::SimTime;
use crate::world::World;
use std::ops::Range;
use std::sync::Arc;

/// The slot of the state at the beginning of a step.
pub(super) const BEGINNING: Slot = 0;
/// That of the state in its middle, where one is done in two halves.
pub(super) const MIDDLE: Slot = 2;

/// How far a crossing came, or why it has to be taken back.
pub type Crossed = Result<Reached, Setback>;

/// Why a crossing did not come through.
#[derive(Debug)]
pub enum Setback {
    /// A participant has an event inside, at this instant.
    Early(SimTime, ParticipantId),
    /// A participant cannot take a step of this length, but perhaps one of that.
    Refused(ParticipantId, Option<f64>),
    /// The numbers broke, or did not come to fit together.
    Broken(RunError),
}

/// How far all came, and whether a participant wants the run to end there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reached {
    /// Where all stand now.
    pub at: SimTime,
    /// Is this the end of the run?
    pub terminated: bool,
}

impl Reached {
    /// All came there, and go on.
    pub fn at(at: SimTime) -> Self {
        Reached {
            at,
            terminated: false,
        }
    }

    /// Others came here on the way to the same end.
    pub fn join(&mut self, others: Reached) {
        self.at = others.at;
        self.terminated |= others.terminated;
    }
}

/// What a crossing is to do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stretch {
    /// Where all stand.
    pub from: SimTime,
    /// Where they are to go.
    pub to: SimTime,
    /// Was the state at the beginning saved, so that a crossing that does not come through can be taken back?
    pub repeats: bool,
    /// An event closer to the end than this is taken there.
    pub close: f64,
    /// Solvers that repeat steps go through at least so many rounds.
    pub rounds: u32,
    /// The part of what is allowed that solvers may leave of their residuals.
    pub part: f64,
    /// Where the state at the beginning was saved.
    pub slot: Slot,
}

/// Crossings; all memory is used again.
pub(super) struct Crossing {
    plan: Arc<Plan>,
    /// Parallel to the waves.
    solvers: Vec<Option<Box<dyn WaveSolver>>>,
    /// All that take part, wave after wave, and where the waves end.
    due: Vec<ParticipantId>,
    ends: Vec<usize>,
    /// What signals were foretold to be, where somebody wants to know.
    pub(super) forecast: Forecast,
}

impl Crossing {
    pub(super) fn new(plan: Arc<Plan>) -> Self {
        let solver = |wave: usize| plan.method.solver.for_wave(&plan, wave);
        Crossing {
            solvers: (0..plan.waves.len()).map(solver).collect(),
            due: Vec::with_capacity(plan.seats.len()),
            ends: Vec::with_capacity(plan.waves.len()),
            forecast: Forecast::new(&plan),
            plan,
        }
    }

    /// Lets everybody who is due go there, but for those who wait for [`finish`](Self::finish).
    pub(super) fn go(
        &mut self,
        world: &mut World,
        gauge: &Gauge,
        stretch: Stretch,
    ) -> Result<Crossed, RunError> {
        self.gather(stretch.to);
        if self.plan.needs.repeats {
            self.forecast.make(world, stretch.to);
        }
        world.approach();
        let mut reached = Reached::at(stretch.to);
        for index in 0..self.waiting(world) {
            let wave = &self.due[self.place(index)];
            if wave.is_empty() {
                continue;
            }
            let stretch = Stretch {
                to: reached.at,
                ..stretch
            };
            let crossed = match &mut self.solvers[index] {
                None => once(world, wave, stretch)?,
                Some(solver) => solver.cross(world, wave, (gauge, &mut self.forecast), stretch)?,
            };
            match crossed {
                Ok(wave) => reached.join(wave),
                setback => return Ok(setback),
            }
        }
        Ok(Ok(reached))
    }

    /// Lets those follow who cannot go back, now that the others are not going to be taken back for an error of theirs. If
    /// one of them has an event on its way, it stays there, and all others are to come to it.
    pub(super) fn finish(
        &mut self,
        world: &mut World,
        mut reached: Reached,
        close: f64,
    ) -> Result<Crossed, RunError> {
        for index in self.waiting(world)..self.ends.len() {
            let wave = &self.due[self.place(index)];
            for &one in wave {
                // It may have come here on its way to an event.
                if self.plan.resolution.reached(world.time_of(one), reached.at) {
                    world.exchange(&[one], reached.at)?;
                    continue;
                }
                world.step_group(&[one], reached.at)?;
                if let Some(at) = self.meets_event(world, reached.at, close) {
                    world.end_at(one, at)?;
                    return Ok(Err(Setback::Early(at, one)));
                }
                match arrive(world, &[one], (reached.at, close), false)? {
                    Ok(own) => reached.join(own),
                    setback => return Ok(setback),
                }
            }
        }
        Ok(Ok(reached))
    }

    /// The event at which whoever has just stepped by itself stopped, if all others can still come there.
    fn meets_event(&self, world: &World, to: SimTime, close: f64) -> Option<SimTime> {
        let &(who, StepEnd::Early { at }) = world.unusual().first()? else {
            return None;
        };
        let passed =
            |other: ParticipantId| other != who && self.plan.resolution.before(at, world.time_of(other));
        (to.since(at) > close && !world.one_way().any(passed)).then_some(at)
    }

    /// Do some wait until the others have come through?
    pub(super) fn lets_wait(&self, world: &World) -> bool {
        self.waiting(world) < self.ends.len()
    }

    /// The first wave of those who wait until the others have come through: in methods that repeat their steps, those who
    /// cannot go back.
    fn waiting(&self, world: &World) -> usize {
        let one_way = |wave: &usize| {
            let members = members(&self.plan, *wave);
            members.iter().any(|p| !world.can_go_back(*p))
        };
        let waves = self.plan.waves.len();
        match self.plan.needs.repeats {
            // Those known ahead do not depend on others.
            true => (0..waves).find(one_way).unwrap_or(waves),
            false => waves,
        }
    }

    /// Where the members of a wave lie among those who are due.
    fn place(&self, wave: usize) -> Range<usize> {
        let begin = match wave {
            0 => 0,
            _ => self.ends[wave - 1],
        };
        begin..self.ends[wave]
    }

    /// Finds out who steps to `to`: all but those with instants of their own, and these if it is one of theirs.
    fn gather(&mut self, to: SimTime) {
        let plan = &self.plan;
        self.due.clear();
        self.ends.clear();
        for wave in &plan.waves {
            let due = plan.order[wave.clone()].iter().copied().filter(|p| {
                let seat = &plan.seats[p.index()];
                let own = || seat.grid.at(seat.grid.count_to(to, plan.resolution));
                !seat.has_own_grid
                    || plan.resolution.same(own(), to)
                    || plan.resolution.same(to, plan.window.stop)
            });
            self.due.extend(due);
            self.ends.push(self.due.len());
        }
    }
}

impl Resumable for Crossing {
    /// What solvers have learnt; all else is made anew in every step.
    fn keep(&self, writer: &mut Writer) {
        let solvers = self.solvers.iter().flatten();
        solvers.for_each(|solver| solver.keep(writer));
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        let mut solvers = self.solvers.iter_mut().flatten();
        solvers.try_for_each(|solver| solver.resume(reader))
    }
}

/// Lets a wave go to `to`, once, and shows what it reached.
pub fn once(world: &mut World, wave: &[ParticipantId], stretch: Stretch) -> Result<Crossed, RunError> {
    world.step_group(wave, stretch.to)?;
    show(world, wave, stretch)
}

/// Shows what a group reached that has just stepped to the end of a stretch, where nobody stopped on the way.
pub fn show(world: &mut World, wave: &[ParticipantId], stretch: Stretch) -> Result<Crossed, RunError> {
    arrive(world, wave, (stretch.to, stretch.close), stretch.repeats)
}

/// Answers the unusual ends of a group that has just stepped to `to`, and shows what it reached.
pub(super) fn arrive(
    world: &mut World,
    group: &[ParticipantId],
    (to, close): (SimTime, f64),
    repeats: bool,
) -> Result<Crossed, RunError> {
    let mut reached = Reached::at(to);
    if !world.unusual().is_empty() {
        if repeats && let Some(setback) = cut_short(world, to, close) {
            return Ok(Err(setback));
        }
        let unusual = world.unusual().to_vec();
        if let Some(at) = ending::answer(world, &unusual, to, !repeats)? {
            world.exchange(group, to)?;
            reached = Reached { at, terminated: true };
        }
    }
    world.show_before_corner(group, reached.at)?;
    world.exchange(group, reached.at)?;
    Ok(Ok(reached))
}

/// Whether the step cannot stand as it is: somebody refuses it, or stopped before its end. What nobody reads may have its
/// events by itself.
fn cut_short(world: &World, to: SimTime, close: f64) -> Option<Setback> {
    let mut earliest: Option<(SimTime, ParticipantId)> = None;
    for &(who, end) in world.unusual() {
        let at = match end {
            StepEnd::Rejected { advice, .. } => return Some(Setback::Refused(who, advice)),
            StepEnd::Early { at } if world.plan().is_read(who) => at,
            StepEnd::Terminate { at } => at,
            StepEnd::Early { .. } | StepEnd::Completed => continue,
        };
        if earliest.is_none_or(|(known, _)| at < known) {
            earliest = Some((at, who));
        }
    }
    let (at, who) = earliest.filter(|(at, _)| to.since(*at) > close)?;
    Some(Setback::Early(at, who))
}
