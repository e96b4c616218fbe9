//! Trying a step and judging it.

use crate::error::{RunError, RunErrorKind};
use crate::graph::ParticipantId;
use crate::master::gauge::{Gauge, Gauged, lowest_degree};
use crate::master::sweep::{BEGINNING, Reached, Setback, Stretch, Sweep};
use crate::plan::{Estimator, Plan, StepControl};
use crate::time::SimTime;
use crate::world::World;
use std::sync::Arc;

/// Circles may leave this part of the error that a step is allowed.
const LEFT_BY_CIRCLES: f64 = 0.1;

/// How far an attempt came and with what error, or why it has to be taken back.
pub(super) type Attempt = Result<(Reached, Gauged), Setback>;

/// Tries steps; all memory is used again.
pub(super) struct Trial {
    plan: Arc<Plan>,
    estimator: Estimator,
    gauge: Gauge,
    sweep: Sweep,
    /// The degree of what signals are read by.
    degree: u32,
    /// Outputs after the step as a whole.
    whole: Vec<f64>,
    /// Those who can go back, once that is known.
    saved: Vec<ParticipantId>,
}

impl Trial {
    pub(super) fn new(plan: Arc<Plan>, control: StepControl) -> Self {
        Trial {
            degree: lowest_degree(&plan),
            estimator: control.estimator,
            gauge: Gauge::new(Arc::clone(&plan), control.relative, control.absolute),
            sweep: Sweep::new(Arc::clone(&plan), control.min),
            whole: Vec::new(),
            saved: Vec::new(),
            plan,
        }
    }

    /// The error of a step shrinks with this power of its length.
    fn power(&self) -> u32 {
        match self.estimator {
            // Inputs that are wrong by the power degree + 1 act over the length of a step.
            Estimator::Richardson | Estimator::Corrected => self.degree + 2,
            Estimator::Embedded => self.degree + 1,
        }
    }

    /// The error against what is allowed shrinks with this power of the step.
    pub(super) fn order(&self) -> f64 {
        match self.estimator {
            // Of what is allowed, a shorter step gets less.
            Estimator::Richardson | Estimator::Corrected => f64::from(self.power()) - 0.5,
            Estimator::Embedded => f64::from(self.power()),
        }
    }

    /// What everybody shows now counts. Where steps can be repeated, this is where they are repeated from.
    pub(super) fn begin(&mut self, world: &mut World, repeats: bool) -> Result<(), RunError> {
        self.gauge.learn(world);
        if !repeats {
            return Ok(());
        }
        if self.saved.is_empty() {
            self.saved = world.two_way().collect();
        }
        world.save(&self.saved, BEGINNING)
    }

    /// Takes an attempt back.
    pub(super) fn reject(&self, world: &mut World) -> Result<(), RunError> {
        world.reject(&self.saved, BEGINNING)
    }

    /// The name of a real of a row.
    pub(super) fn name(&self, place: (ParticipantId, u32)) -> String {
        self.gauge.name(place)
    }

    /// Tries a step. Where it may be repeated, its beginning was saved. `before` is the length of the step before it.
    pub(super) fn attempt(
        &mut self,
        world: &mut World,
        (from, to): (SimTime, SimTime),
        before: f64,
        repeats: bool,
    ) -> Result<Attempt, RunError> {
        let stretch = Stretch {
            from,
            to,
            repeats,
            part: LEFT_BY_CIRCLES * self.share(to.since(from)),
        };
        let tried = match (repeats, self.estimator) {
            (true, Estimator::Richardson) => self.in_halves(world, stretch),
            (true, Estimator::Corrected) => self.corrected(world, stretch, before),
            _ => self.at_once(world, stretch),
        };
        match tried {
            Ok(Ok((reached, gauged))) if gauged.error <= 1.0 => self.follow(world, reached, gauged),
            Err(error) if repeats && error.kind() == RunErrorKind::Numbers => {
                Ok(Err(Setback::Broken(error)))
            }
            other => other,
        }
    }

    /// The step is good: those who wait for that follow.
    fn follow(&mut self, world: &mut World, reached: Reached, gauged: Gauged) -> Result<Attempt, RunError> {
        let finished = self.sweep.finish(world, reached)?;
        Ok(finished.map(|reached| (reached, gauged)))
    }

    /// The step once. Its error is how far off the readings were.
    fn at_once(&mut self, world: &mut World, stretch: Stretch) -> Result<Attempt, RunError> {
        let swept = self.sweep.go(world, &self.gauge, stretch)?;
        Ok(swept.map(|reached| (reached, self.gauge.defects(world, stretch.from, reached.at))))
    }

    /// The step, repeated in its circles until values fit together.
    fn corrected(&mut self, world: &mut World, stretch: Stretch, before: f64) -> Result<Attempt, RunError> {
        let step = stretch.to.since(stretch.from);
        let scale = interpolating(self.degree, before / step) / self.share(step);
        let swept = self.sweep.go(world, &self.gauge, stretch)?;
        let forecast = &self.sweep.forecast;
        Ok(swept.map(|reached| (reached, self.gauge.corrections(world, forecast, scale))))
    }

    /// The step as a whole, and once more in two halves, whose result is kept.
    fn in_halves(&mut self, world: &mut World, stretch: Stretch) -> Result<Attempt, RunError> {
        if let Err(setback) = self.sweep.go(world, &self.gauge, stretch)? {
            return Ok(Err(setback));
        }
        self.gauge.note(world, &mut self.whole);
        world.restore(&self.saved, BEGINNING)?;
        let step = stretch.to.since(stretch.from);
        let middle = stretch.from.after(0.5 * step);
        let first = Stretch { to: middle, ..stretch };
        if let Err(setback) = self.sweep.go(world, &self.gauge, first)? {
            return Ok(Err(setback));
        }
        let second = Stretch {
            from: middle,
            ..stretch
        };
        let share = f64::from(2_u32.pow(self.power() - 1) - 1) * self.share(step);
        let swept = self.sweep.go(world, &self.gauge, second)?;
        Ok(swept.map(|reached| (reached, self.gauge.differences(world, &self.whole, share))))
    }

    /// The share of the tolerance that belongs to a step. The tolerance is meant for the result, to which errors of all
    /// steps add up. Taken as independent of each other, n of them make √n times the error of one.
    fn share(&self, step: f64) -> f64 {
        let window = self.plan.window;
        (step / window.stop.since(window.start)).sqrt()
    }
}

/// The mean error of interpolating to the end of a step against that of foretelling, both by the same rule, where the step
/// before was `ratio` times as long. The errors of the polynomials over s from 0 to 1 are in proportion to s and 1 - s;
/// s (s + r) and s (1 - s); s (s + r) (s + 2r) and s (1 - s) (s + r); s² (s + r)² and s² (1 - s)².
fn interpolating(degree: u32, ratio: f64) -> f64 {
    let r = ratio;
    match degree {
        0 => 1.0,
        1 => (1.0 / 6.0) / (1.0 / 3.0 + r / 2.0),
        2 => (1.0 / 12.0 + r / 6.0) / (1.0 / 4.0 + r + r * r),
        _ => (1.0 / 30.0) / (1.0 / 5.0 + r / 2.0 + r * r / 3.0),
    }
}
