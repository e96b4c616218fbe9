//! How long steps are: all the same, or as long as their errors allow.

use super::Structure;
use crate::control::Controller;
use crate::landing::{Limit, StepRange};
use crate::memory::{Reader, Writer};
use crate::plan::Plan;
use crate::{SolveError, SolverSettings};

/// The first step that is tried where nothing is known yet, in seconds. Mechanisms that people build swing within seconds;
/// for others a few steps more or less are lost.
const FIRST: f64 = 1e-3;

/// Positions are known to this part of the largest one, and velocities to what that makes of them within a step: close to where
/// constraints lose their rank a short step would only make more of it.
const ROUNDING: f64 = 1e-12;

/// The lengths of steps.
#[derive(Debug)]
pub(crate) enum Pace {
    /// Equal ones to each limit, not longer than this.
    Even { step: f64, plan: Plan },
    /// As long as errors allow.
    Judged(Judged),
}

/// Errors are judged against the largest position, and the largest velocity, that there were since the start: points and
/// directions of one mechanism are of one kind, and one that passes zero, or stands still, is not to be found more exactly.
#[derive(Debug)]
pub(crate) struct Judged {
    controller: Controller,
    first: f64,
    rtol: f64,
    atol: f64,
    coordinates: usize,
    largest: [f64; 2],
    errors: Vec<f64>,
}

impl Pace {
    /// For a method whose estimates go with the power `order` of the step.
    pub(crate) fn new(settings: &SolverSettings, structure: &Structure, order: f64) -> Self {
        match settings.step {
            Some(step) => Pace::Even {
                step,
                plan: Plan::default(),
            },
            None => Pace::Judged(Judged {
                controller: Controller::new(StepRange::new(settings), order),
                first: FIRST,
                rtol: settings.rtol,
                atol: settings.atol,
                coordinates: structure.coordinates,
                largest: [0.0; 2],
                errors: vec![0.0; structure.states()],
            }),
        }
    }

    /// Are errors wanted?
    pub(super) fn judges(&self) -> bool {
        matches!(self, Pace::Judged(_))
    }

    /// A new motion begins.
    pub(super) fn restart(&mut self) {
        match self {
            Pace::Even { plan, .. } => *plan = Plan::default(),
            Pace::Judged(judged) => {
                judged.controller.forget();
                judged.largest = [0.0; 2];
            }
        }
    }

    /// The motion goes on from somewhere inside the last step.
    pub(super) fn stray(&mut self) {
        if let Pace::Even { plan, .. } = self {
            *plan = Plan::default();
        }
    }

    /// The end of the next step from `t`.
    pub(super) fn next(&mut self, t: f64, limit: Limit) -> Result<f64, SolveError> {
        match self {
            Pace::Even { step, plan } => {
                if !plan.leads(t, limit.time()) {
                    *plan = Plan::new(t, limit.time(), Some(*step));
                }
                Ok(plan.next())
            }
            Pace::Judged(judged) => {
                if !judged.controller.has_step() {
                    judged.controller.begin(judged.first);
                }
                judged.controller.next(t, limit)
            }
        }
    }

    /// A step of length `h` led nowhere, again and again: those behind it are to begin shorter.
    pub(super) fn stumble(&mut self, h: f64) {
        if let Pace::Judged(judged) = self {
            judged.controller.halve(h);
        }
    }

    /// The step to `to` counts.
    pub(super) fn accept(&mut self, to: f64) {
        if let Pace::Even { plan, .. } = self
            && to == plan.next()
        {
            plan.take();
        }
    }

    pub(super) fn save(&self, memory: &mut Writer<'_>) {
        match self {
            Pace::Even { plan, .. } => plan.save(memory),
            Pace::Judged(judged) => {
                judged.controller.save(memory);
                memory.reals(&judged.largest);
            }
        }
    }

    pub(super) fn restore(&mut self, memory: &mut Reader<'_>) {
        match self {
            Pace::Even { plan, .. } => plan.restore(memory),
            Pace::Judged(judged) => {
                judged.controller.restore(memory);
                memory.reals(&mut judged.largest);
            }
        }
    }
}

impl Judged {
    /// Judges a step from `t` to `to` by the errors that `estimate` writes. If they are too large, the answer is where a shorter step
    /// ends.
    pub(super) fn judge(
        &mut self,
        (t, to): (f64, f64),
        limit: Limit,
        [from, state]: [&[f64]; 2],
        estimate: impl FnOnce(&mut [f64]),
    ) -> Result<Option<f64>, SolveError> {
        estimate(&mut self.errors);
        let (h, largest) = (to - t, self.largest_with(from, state));
        let error = self.weigh(h, largest, [from, state]);
        if error <= 1.0 {
            // A step that does not count may have led anywhere.
            self.largest = largest;
            self.controller.accepted(h, error);
            return Ok(None);
        }
        self.controller.rejected(t, h, error)?;
        self.controller.next(t, limit).map(Some)
    }

    /// The largest position and velocity so far, if a step counts between these states.
    fn largest_with(&self, from: &[f64], state: &[f64]) -> [f64; 2] {
        let n = self.coordinates;
        std::array::from_fn(|kind| {
            let part = kind * n..(kind + 1) * n;
            let both = from[part.clone()].iter().chain(&state[part]);
            both.fold(self.largest[kind], |largest, x| largest.max(x.abs()))
        })
    }

    /// The largest error against what is allowed; one is just acceptable.
    fn weigh(&self, h: f64, largest: [f64; 2], [from, state]: [&[f64]; 2]) -> f64 {
        let n = self.coordinates;
        let rounding = ROUNDING * largest[0];
        let positions = self.atol + self.rtol * largest[0] + rounding;
        let velocities = self.atol + self.rtol * largest[1] + rounding / h;
        let allowed = |i: usize| match i {
            i if i < n => positions,
            i if i < 2 * n => velocities,
            i => self.atol + self.rtol * from[i].abs().max(state[i].abs()),
        };
        let mut worst = 0.0_f64;
        for (i, error) in self.errors.iter().enumerate() {
            let error = (error / allowed(i)).abs();
            // An estimate that is not a number is no good one.
            worst = if error.is_nan() {
                f64::INFINITY
            } else {
                worst.max(error)
            };
        }
        worst
    }
}
