//! Order and step size of the next step.

use super::coefficients::MAX_ORDER;
use crate::SolveError;
use crate::landing::{Limit, StepRange};
use crate::memory::{Reader, Writer};

/// How much shorter than its error allows a step is taken: for the present order, one below, one above. A change of
/// order must pay.
const SAFETY: [f64; 3] = [1.2, 1.3, 1.4];

const GROW: f64 = 10.0;
const SHRINK: f64 = 0.2;

/// Smaller gains than this are not worth a new grid.
const WORTHWHILE: f64 = 1.2;

/// What is known of a step that missed the tolerance.
pub(super) struct Judgement {
    pub(super) error: f64,
    /// The error one order below, where there is one.
    pub(super) below: Option<f64>,
}

/// Chooses the order by the longest step (Shampine and Reichelt 1997), after so many steps that the differences
/// needed to tell have been formed.
///
/// The wanted step is what the equations allow; limits may ask for shorter ones without making it forget (but much
/// shorter ones leave nothing in the differences that could carry a long step).
pub(super) struct Control {
    range: StepRange,
    order: usize,
    /// Zero as long as none has been found.
    wanted: f64,
    /// Steps since order or wanted step last changed.
    steady: usize,
}

impl Control {
    pub(super) fn new(range: StepRange) -> Self {
        Self {
            range,
            order: 1,
            wanted: 0.0,
            steady: 0,
        }
    }

    pub(super) fn order(&self) -> usize {
        self.order
    }

    pub(super) fn wanted(&self) -> f64 {
        self.wanted
    }

    /// The end of the next step.
    pub(super) fn next(&self, t: f64, limit: Limit) -> Result<f64, SolveError> {
        self.range.next(t, self.wanted, limit)
    }

    pub(super) fn has_step(&self) -> bool {
        self.wanted > 0.0
    }

    pub(super) fn forget(&mut self) {
        self.wanted = 0.0;
    }

    /// Begins at order 1, after a disturbance with no longer a step than before it.
    pub(super) fn begin(&mut self, first: f64) {
        let known = if self.has_step() {
            self.wanted
        } else {
            f64::INFINITY
        };
        self.change(1, self.range.cap(first).min(known));
    }

    fn change(&mut self, order: usize, wanted: f64) {
        self.order = order;
        self.wanted = wanted;
        self.steady = 0;
    }

    /// For tests of a single order.
    #[cfg(test)]
    pub(super) fn fix(&mut self, order: usize) {
        self.order = order;
    }

    /// A step of size `h` met the tolerance; `error_of` tells what other orders would have done.
    pub(super) fn accepted(&mut self, h: f64, error: f64, error_of: impl Fn(usize) -> f64) {
        self.wanted = self.wanted.min(GROW * h);
        self.steady += 1;
        if self.steady <= self.order {
            return;
        }
        let order = self.order;
        let mut best = (order, factor(error, order, SAFETY[0]));
        if order > 1 {
            best = longer(
                best,
                (order - 1, factor(error_of(order - 1), order - 1, SAFETY[1])),
            );
        }
        if order < MAX_ORDER {
            best = longer(
                best,
                (order + 1, factor(error_of(order + 1), order + 1, SAFETY[2])),
            );
        }
        let proposed = self.range.cap(h * best.1.min(GROW));
        if proposed >= WORTHWHILE * self.wanted || proposed < self.wanted / WORTHWHILE {
            self.change(best.0, proposed);
        } else if best.0 != order {
            self.change(best.0, self.wanted);
        }
    }

    /// A step of size `h` from `t` missed the tolerance.
    pub(super) fn rejected(&mut self, t: f64, h: f64, judgement: Judgement) -> Result<(), SolveError> {
        let here = (self.order, factor(judgement.error, self.order, SAFETY[0]));
        let best = match judgement.below {
            Some(error) => longer(here, (self.order - 1, factor(error, self.order - 1, SAFETY[1]))),
            None => here,
        };
        let shrink = best.1.clamp(SHRINK, 1.0 / SAFETY[0]);
        let wanted = self.range.shorter(t, h, shrink)?;
        self.change(best.0, wanted);
        Ok(())
    }

    /// A step of size `h` could not be computed.
    pub(super) fn cut(&mut self, h: f64, factor: f64) {
        self.change(self.order, h * factor);
    }

    pub(super) fn save(&self, memory: &mut Writer<'_>) {
        memory.real(self.wanted);
        memory.count(self.order);
        memory.count(self.steady);
    }

    pub(super) fn restore(&mut self, memory: &mut Reader<'_>) {
        self.wanted = memory.real();
        self.order = memory.count().clamp(1, MAX_ORDER);
        self.steady = memory.count();
    }
}

/// By how much the step may change at this order. An error that is not finite shrinks it.
fn factor(error: f64, order: usize, safety: f64) -> f64 {
    if !error.is_finite() {
        return SHRINK;
    }
    error.max(1e-30).powf(-1.0 / (order + 1) as f64) / safety
}

fn longer(a: (usize, f64), b: (usize, f64)) -> (usize, f64) {
    if b.1 > a.1 { b } else { a }
}
