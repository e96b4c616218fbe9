//! The step size of an embedded method from its error estimates.

use crate::SolveError;
use crate::landing::{Limit, StepRange};
use crate::memory::{Reader, Writer};

const SAFETY: f64 = 0.9;
const SHRINK: f64 = 0.2;
const GROW: f64 = 10.0;
/// Weight of the last error: enough to calm steps that are held by stability, little enough not to slow the others.
const BETA: f64 = 0.04;
/// Errors below this are as good as none; keeps the memory of a perfect step from blowing up the next.
const LEAST_ERROR: f64 = 1e-4;

/// PI control (Gustafsson, ACM TOMS 17, 1991) with the constants of Hairer and Wanner's DOPRI5.
///
/// The wanted step is what the equations allow; limits may ask for shorter ones without making it forget.
#[derive(Debug)]
pub(crate) struct Controller {
    range: StepRange,
    /// The step goes with this power of the error.
    exponent: f64,
    /// Zero as long as none has been found.
    wanted: f64,
    last_error: f64,
    /// After a failure the step does not grow at once.
    failed: bool,
}

impl Controller {
    /// For a method whose estimate goes with this power of the step.
    pub(crate) fn new(range: StepRange, order: f64) -> Self {
        Self {
            range,
            exponent: 1.0 / order - 0.75 * BETA,
            wanted: 0.0,
            last_error: LEAST_ERROR,
            failed: false,
        }
    }

    pub(crate) fn has_step(&self) -> bool {
        self.wanted > 0.0
    }

    /// The end of the next step.
    pub(crate) fn next(&self, t: f64, limit: Limit) -> Result<f64, SolveError> {
        self.range.next(t, self.wanted, limit)
    }

    pub(crate) fn forget(&mut self) {
        self.wanted = 0.0;
        self.last_error = LEAST_ERROR;
        self.failed = false;
    }

    pub(crate) fn begin(&mut self, first: f64) {
        self.wanted = self.range.cap(first);
    }

    /// Something was in the way that is passed: steps at least this long again.
    pub(crate) fn recover(&mut self, least: f64) {
        self.wanted = self.range.cap(self.wanted.max(least));
    }

    /// A step of size `h` met the tolerance.
    pub(crate) fn accepted(&mut self, h: f64, error: f64) {
        let factor = SAFETY * error.max(1e-30).powf(-self.exponent) * self.last_error.powf(BETA);
        let most = if self.failed { 1.0 } else { GROW };
        let proposed = h * factor.clamp(SHRINK, most);
        // A step cut short by a limit says little about longer ones if it was far more exact than needed.
        let cut = h < self.wanted && factor >= most;
        self.wanted = self
            .range
            .cap(if cut { proposed.max(self.wanted) } else { proposed });
        self.last_error = error.max(LEAST_ERROR);
        self.failed = false;
    }

    /// A step of size `h` from `t` missed the tolerance.
    pub(crate) fn rejected(&mut self, t: f64, h: f64, error: f64) -> Result<(), SolveError> {
        // An overflow in the estimate (infinite or not a number) shrinks as far as a single failure may.
        let factor = (SAFETY * error.powf(-self.exponent)).clamp(SHRINK, SAFETY);
        let factor = if factor.is_nan() { SHRINK } else { factor };
        self.wanted = self.range.shorter(t, h, factor)?;
        self.failed = true;
        Ok(())
    }

    /// A step of size `h` could not be evaluated.
    pub(crate) fn halve(&mut self, h: f64) {
        self.wanted = 0.5 * h;
        self.failed = true;
    }

    pub(crate) fn save(&self, memory: &mut Writer<'_>) {
        memory.real(self.wanted);
        memory.real(self.last_error);
        memory.flag(self.failed);
    }

    pub(crate) fn restore(&mut self, memory: &mut Reader<'_>) {
        self.wanted = memory.real();
        self.last_error = memory.real();
        self.failed = memory.flag();
    }
}
