//! The step size of an embedded method from its error estimates.

use crate::SolveError;
use crate::landing::{Limit, StepRange};
use crate::memory::{Reader, Writer};

const SAFETY: f64 = 0.9;
const SHRINK: f64 = 0.2;
const GROW: f64 = 10.0;
/// Weight of the last error: enough to calm steps that are held by stability, little enough not to slow the others.
const BETA: f64 = 0.04;
/// The error of a step goes with its fifth power.
const EXPONENT: f64 = 0.2 - 0.75 * BETA;
/// Errors below this are as good as none; keeps the memory of a perfect step from blowing up the next.
const LEAST_ERROR: f64 = 1e-4;

/// PI control (Gustafsson, ACM TOMS 17, 1991) with the constants of Hairer and Wanner's DOPRI5.
///
/// The wanted step is what the equations allow; limits may ask for shorter ones without making it forget.
pub(super) struct Controller {
    range: StepRange,
    /// Zero as long as none has been found.
    wanted: f64,
    last_error: f64,
    /// After a failure the step does not grow at once.
    failed: bool,
}

impl Controller {
    pub(super) fn new(range: StepRange) -> Self {
        Self {
            range,
            wanted: 0.0,
            last_error: LEAST_ERROR,
            failed: false,
        }
    }

    pub(super) fn has_step(&self) -> bool {
        self.wanted > 0.0
    }

    /// The end of the next step.
    pub(super) fn next(&self, t: f64, limit: Limit) -> Result<f64, SolveError> {
        self.range.next(t, self.wanted, limit)
    }

    pub(super) fn forget(&mut self) {
        self.wanted = 0.0;
        self.last_error = LEAST_ERROR;
        self.failed = false;
    }

    pub(super) fn begin(&mut self, first: f64) {
        self.wanted = self.range.cap(first);
    }

    /// A step of size `h` met the tolerance.
    pub(super) fn accepted(&mut self, h: f64, error: f64) {
        let factor = SAFETY * error.max(1e-30).powf(-EXPONENT) * self.last_error.powf(BETA);
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
    pub(super) fn rejected(&mut self, t: f64, h: f64, error: f64) -> Result<(), SolveError> {
        // An overflow in the estimate (infinite or not a number) shrinks as far as a single failure may.
        let factor = (SAFETY * error.powf(-EXPONENT)).clamp(SHRINK, SAFETY);
        let factor = if factor.is_nan() { SHRINK } else { factor };
        self.wanted = self.range.shorter(t, h, factor)?;
        self.failed = true;
        Ok(())
    }

    /// A step of size `h` could not be evaluated.
    pub(super) fn halve(&mut self, h: f64) {
        self.wanted = 0.5 * h;
        self.failed = true;
    }

    pub(super) fn save(&self, memory: &mut Writer<'_>) {
        memory.real(self.wanted);
        memory.real(self.last_error);
        memory.flag(self.failed);
    }

    pub(super) fn restore(&mut self, memory: &mut Reader<'_>) {
        self.wanted = memory.real();
        self.last_error = memory.real();
        self.failed = memory.flag();
    }
}
