//! Trying a step and judging it.

use super::controller::{GROW, GROW_SLOWLY};
use super::energy;
use super::gauge::{Gauge, Gauged, lowest_degree};
use crate::error::{RunError, RunErrorKind};
use crate::graph::ParticipantId;
use crate::master::ending;
use crate::participant::{Slot, StepEnd};
use crate::plan::{Estimator, Plan, StepControl};
use crate::time::SimTime;
use crate::world::World;
use std::sync::Arc;

/// The slot of the state at the beginning of a step.
pub(super) const BEGINNING: Slot = 0;

/// What became of an attempt.
pub(super) enum Attempt {
    /// It reached its end, with that error.
    Complete(Reached, Gauged),
    /// Somebody has an event inside, at this instant.
    Early(SimTime),
    /// Somebody cannot take a step of this length, but perhaps one of that.
    Refused(ParticipantId, Option<f64>),
    /// The numbers broke.
    Broken(RunError),
}

/// How far everybody came, and whether somebody wants the run to end there.
#[derive(Clone, Copy)]
pub(super) struct Reached {
    pub(super) at: SimTime,
    pub(super) terminated: bool,
}

/// Tries steps; all memory is used again.
pub(super) struct Trial {
    plan: Arc<Plan>,
    control: StepControl,
    estimator: Estimator,
    shortest: f64,
    gauge: Gauge,
    /// The error of a step shrinks with this power of its length.
    order: u32,
    /// Outputs after the step as a whole.
    whole: Vec<f64>,
    /// Everybody who takes part, wave after wave, and where the waves end.
    due: Vec<ParticipantId>,
    ends: Vec<usize>,
}

impl Trial {
    pub(super) fn new(plan: Arc<Plan>, control: StepControl) -> Self {
        let degree = lowest_degree(&plan);
        Trial {
            order: match control.estimator {
                // Inputs that are wrong by the power degree + 1 act over the length of a step.
                Estimator::Richardson => degree + 2,
                // A correction takes the leading part of what is wrong away.
                Estimator::Energy => degree + 2 + u32::from(plan.correction),
                Estimator::Embedded => degree + 1,
            },
            control,
            estimator: control.estimator,
            shortest: control.min,
            gauge: Gauge::new(Arc::clone(&plan), control),
            whole: Vec::new(),
            due: Vec::with_capacity(plan.seats.len()),
            ends: Vec::with_capacity(plan.waves.len()),
            plan,
        }
    }

    /// The error against what is allowed shrinks with this power of the step.
    pub(super) fn order(&self) -> f64 {
        match self.estimator {
            // Of what is allowed, a shorter step gets less.
            Estimator::Richardson => f64::from(self.order) - 0.5,
            Estimator::Embedded | Estimator::Energy => f64::from(self.order),
        }
    }

    /// No step is longer than the last by more than this.
    pub(super) fn growth(&self) -> f64 {
        match self.estimator {
            Estimator::Richardson | Estimator::Embedded => GROW,
            Estimator::Energy => GROW_SLOWLY,
        }
    }

    /// What everybody shows now counts.
    pub(super) fn learn(&mut self, world: &World) {
        self.gauge.learn(world);
    }

    /// The name of a real of a row.
    pub(super) fn name(&self, place: (ParticipantId, u32)) -> String {
        self.gauge.name(place)
    }

    /// Tries a step. Where it may be repeated, its beginning was saved.
    pub(super) fn attempt(
        &mut self,
        world: &mut World,
        span: (SimTime, SimTime),
        repeats: bool,
    ) -> Result<Attempt, RunError> {
        let tried = match (repeats, self.estimator) {
            (true, Estimator::Richardson) => self.in_halves(world, span),
            _ => self.at_once(world, span, repeats),
        };
        match tried {
            Err(error) if repeats && error.kind() == RunErrorKind::Numbers => Ok(Attempt::Broken(error)),
            other => other,
        }
    }

    /// The step once. Its error is how far off the readings were.
    fn at_once(
        &mut self,
        world: &mut World,
        (from, to): (SimTime, SimTime),
        repeats: bool,
    ) -> Result<Attempt, RunError> {
        Ok(match self.sweep(world, to, repeats)? {
            Attempt::Complete(reached, _) => {
                let gauged = match self.estimator {
                    Estimator::Energy => energy::residuals(&self.plan, self.control, world),
                    _ => self.gauge.defects(world, from, reached.at),
                };
                Attempt::Complete(reached, gauged)
            }
            other => other,
        })
    }

    /// The step as a whole, and once more in two halves, whose result is kept.
    fn in_halves(&mut self, world: &mut World, (from, to): (SimTime, SimTime)) -> Result<Attempt, RunError> {
        let whole = self.sweep(world, to, true)?;
        if !matches!(whole, Attempt::Complete(..)) {
            return Ok(whole);
        }
        self.gauge.note(world, &mut self.whole);
        world.restore(&self.plan.order, BEGINNING)?;
        let first = self.sweep(world, from.after(0.5 * to.since(from)), true)?;
        if !matches!(first, Attempt::Complete(..)) {
            return Ok(first);
        }
        Ok(match self.sweep(world, to, true)? {
            Attempt::Complete(reached, _) => {
                let halving = f64::from(2_u32.pow(self.order - 1) - 1);
                let share = halving * self.share(to.since(from));
                Attempt::Complete(reached, self.gauge.differences(world, &self.whole, share))
            }
            other => other,
        })
    }

    /// The share of the tolerance that belongs to a step. The tolerance is meant for the result, to which errors of all
    /// steps add up. Taken as independent of each other, n of them make √n times the error of one.
    fn share(&self, step: f64) -> f64 {
        let window = self.plan.window;
        (step / window.stop.since(window.start)).sqrt()
    }

    /// Lets everybody who is due go to `to`, wave after wave. Its error is not known yet.
    fn sweep(&mut self, world: &mut World, to: SimTime, repeats: bool) -> Result<Attempt, RunError> {
        self.gather(to);
        let mut reached = Reached {
            at: to,
            terminated: false,
        };
        let mut begin = 0;
        for &end in &self.ends {
            let wave = &self.due[begin..end];
            begin = end;
            if wave.is_empty() {
                continue;
            }
            let unusual = world.step_group(wave, reached.at)?;
            if !unusual.is_empty() {
                if repeats && let Some(attempt) = cut_short(unusual, reached.at, self.shortest) {
                    return Ok(attempt);
                }
                let unusual = unusual.to_vec();
                if let Some(at) = ending::answer(world, &unusual, reached.at)? {
                    world.exchange(wave, reached.at)?;
                    reached = Reached { at, terminated: true };
                }
            }
            world.exchange(wave, reached.at)?;
        }
        Ok(Attempt::Complete(reached, Gauged::default()))
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

/// Whether the step cannot stand as it is: somebody refuses it, or stopped before its end by more than the shortest step.
/// Closer than that, two ways to the same event cannot be told apart, and would be taken back for ever.
fn cut_short(unusual: &[(ParticipantId, StepEnd)], to: SimTime, shortest: f64) -> Option<Attempt> {
    let mut earliest = to;
    for &(who, end) in unusual {
        match end {
            StepEnd::Rejected { advice, .. } => return Some(Attempt::Refused(who, advice)),
            StepEnd::Early { at } | StepEnd::Terminate { at } => earliest = earliest.min(at),
            StepEnd::Completed => {}
        }
    }
    (to.since(earliest) > shortest).then_some(Attempt::Early(earliest))
}
