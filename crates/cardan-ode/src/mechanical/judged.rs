//! Steps as long as their errors allow.

use super::Structure;
use crate::control::Controller;
use crate::landing::{Limit, StepRange};
use crate::memory::{Reader, Writer};
use crate::{SolveError, SolverSettings};

/// The first step that is tried where nothing is known yet, in seconds. Mechanisms that people build swing within seconds;
/// for others a few steps more or less are lost.
const FIRST: f64 = 1e-3;

/// Positions are known to this part of the largest one, and velocities to what that makes of them within a step: close to where
/// constraints lose their rank a short step would only make more of it.
const ROUNDING: f64 = 1e-12;

/// An error of this part of all that moves is small: a method of order two or more is where its errors fall with the step. If they
/// fall more slowly than its root, it is not the method's error.
const SMALL: f64 = 1e-3;

/// By this part of a step, errors that fall with its square have become nothing.
const SHORT: f64 = 1e-3;

/// Where constraints have lost their rank within a step, it becomes no shorter than this part of the usual ones. Steps that shrink towards
/// a dead point do not come past it.
const DEAD: f64 = 1e-2;

/// Errors are judged against the largest position, and the largest velocity, that there were since the start: points and
/// directions of one mechanism are of one kind, and one that passes zero, or stands still, is not to be found more exactly.
#[derive(Debug)]
pub(crate) struct Judged {
    controller: Controller,
    rtol: f64,
    atol: f64,
    coordinates: usize,
    largest: [f64; 2],
    errors: Vec<f64>,
    /// How long steps are where nothing is in the way.
    stride: f64,
    /// The first attempt from here whose error was small, and the last attempt.
    small: Option<Attempt>,
    last: Option<Attempt>,
}

/// A step that was tried, and its error against what is allowed.
#[derive(Debug, Clone, Copy)]
struct Attempt {
    length: f64,
    error: f64,
}

impl Judged {
    pub(super) fn new(settings: &SolverSettings, structure: &Structure, order: f64) -> Self {
        Judged {
            controller: Controller::new(StepRange::new(settings), order),
            rtol: settings.rtol,
            atol: settings.atol,
            coordinates: structure.coordinates,
            largest: [0.0; 2],
            errors: vec![0.0; structure.states()],
            stride: 0.0,
            small: None,
            last: None,
        }
    }

    /// A new motion begins.
    pub(super) fn restart(&mut self) {
        self.controller.forget();
        self.largest = [0.0; 2];
        self.stride = 0.0;
    }

    /// The end of the next step from `t`.
    pub(super) fn next(&mut self, t: f64, limit: Limit) -> Result<f64, SolveError> {
        if !self.controller.has_step() {
            self.controller.begin(FIRST);
        }
        (self.small, self.last) = (None, None);
        self.controller.next(t, limit)
    }

    /// Judges a step from `t` to `to` by the errors that `estimate` writes. If they are too large, the answer is where a shorter step
    /// ends. Were longer ones tried before, in which constraints lost their rank?
    pub(super) fn judge(
        &mut self,
        (t, to): (f64, f64),
        limit: Limit,
        singular: bool,
        [from, state]: [&[f64]; 2],
        estimate: impl FnOnce(&mut [f64]),
    ) -> Result<Option<f64>, SolveError> {
        estimate(&mut self.errors);
        let (h, largest) = (to - t, self.largest_with(from, state));
        let error = self.weigh(h, largest, [from, state]);
        let attempt = Attempt { length: h, error };
        if error <= 1.0 {
            self.controller.accepted(h, error);
            if !singular {
                self.stride = h.max(0.5 * self.stride);
            }
        } else if self.is_incurable(attempt, singular) {
            // It says nothing about the steps that follow.
            self.controller.begin(self.stride.max(h));
        } else {
            self.last = Some(attempt);
            self.controller.rejected(t, h, error)?;
            return self.controller.next(t, limit).map(Some);
        }
        if singular {
            self.controller.recover(4.0 * DEAD * self.stride);
        }
        // Only now: a step that does not count may have led anywhere.
        self.largest = largest;
        Ok(None)
    }

    /// Is the error small, and no shorter step makes it smaller? So it is close to dead points, where rounding becomes its square
    /// root, and where forces have no lever.
    fn is_incurable(&mut self, attempt: Attempt, singular: bool) -> bool {
        if attempt.error * self.rtol > SMALL {
            return false;
        }
        let first = *self.small.get_or_insert(attempt);
        let slow = self
            .last
            .is_some_and(|last| attempt.error > last.error * (attempt.length / last.length).sqrt());
        let dead = singular && attempt.length <= DEAD * self.stride;
        slow || dead || attempt.length < SHORT * first.length
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

    pub(super) fn save(&self, memory: &mut Writer<'_>) {
        self.controller.save(memory);
        memory.reals(&self.largest);
        memory.real(self.stride);
    }

    pub(super) fn restore(&mut self, memory: &mut Reader<'_>) {
        self.controller.restore(memory);
        memory.reals(&mut self.largest);
        self.stride = memory.real();
    }
}
