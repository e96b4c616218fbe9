//! From the error of a step to the length of the next.

use crate::checkpoint::{Damage, Reader, Resumable, Writer};

/// Steps are chosen a little shorter than the error allows, so that few are repeated.
const SAFETY: f64 = 0.9;
/// Between two steps the length changes by no more than this.
const SHRINK: f64 = 0.2;
pub(super) const GROW: f64 = 2.5;
/// The same where the error may be small by chance: a residual energy passes through zero while readings are as wrong as
/// ever. Steps that grow slowly have not grown much when it is over.
pub(super) const GROW_SLOWLY: f64 = 1.1;
/// What an error that is no number is taken for.
const HOPELESS: f64 = 1e6;

/// A PI controller (Gustafsson 1991): it looks at the present error and at how the error changed, so that steps do not
/// swing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Controller {
    /// The error grows with this power of the step.
    order: f64,
    /// A step is no longer than the last by more than this.
    growth: f64,
    /// The error of the last step that was accepted, as a multiple of what is allowed.
    before: f64,
    /// Was the last attempt thrown away?
    failed: bool,
}

impl Controller {
    pub(super) fn new(order: f64, growth: f64) -> Self {
        Controller {
            order,
            growth,
            before: 1.0,
            failed: false,
        }
    }

    /// Errors grow with this power of the step.
    pub(super) fn follow(&mut self, order: f64) {
        self.order = order;
    }

    /// How much longer the next step may be, after one with this error was accepted.
    pub(super) fn accepted(&mut self, error: f64) -> f64 {
        let error = error.max(1e-4);
        let factor = SAFETY * error.powf(-0.7 / self.order) * self.before.powf(0.4 / self.order);
        self.before = error;
        let most = if self.failed { 1.0 } else { self.growth };
        self.failed = false;
        factor.clamp(SHRINK, most)
    }

    /// How much shorter the step must be when it is tried again.
    pub(super) fn rejected(&mut self, error: f64) -> f64 {
        self.failed = true;
        let error = if error.is_finite() {
            error.min(HOPELESS)
        } else {
            HOPELESS
        };
        (SAFETY * error.powf(-1.0 / self.order)).clamp(SHRINK, 0.9)
    }
}

impl Resumable for Controller {
    fn keep(&self, writer: &mut Writer) {
        writer.real(self.before);
        writer.boolean(self.failed);
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        self.before = reader.size("the error of a step")?;
        self.failed = reader.boolean("the fate of a step")?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a problem whose error is a constant times a power of the step, the steps settle where the error is what is
    /// allowed, less the safety.
    #[test]
    fn steps_settle() {
        for order in [2.0, 3.0, 4.0] {
            let mut controller = Controller::new(order, GROW);
            let error = |step: f64| (step / 0.01).powf(order);
            let mut step = 1e-5;
            for _ in 0..200 {
                let e = error(step);
                step *= match e <= 1.0 {
                    true => controller.accepted(e),
                    false => controller.rejected(e),
                };
            }
            // At rest the factor is one: SAFETY · e^(-0.3/order) = 1.
            let rest = SAFETY.powf(order / 0.3);
            assert!(
                (error(step) / rest - 1.0).abs() < 1e-6,
                "{order}: {}",
                error(step)
            );
        }
    }

    #[test]
    fn what_is_no_number_makes_steps_short() {
        let mut controller = Controller::new(3.0, GROW);
        assert_eq!(controller.rejected(f64::NAN), SHRINK);
        assert!(
            controller.accepted(1e-9) <= 1.0,
            "no growth right after a failure"
        );
        // The second small error in a row; the first looks like a sudden fall, which the controller mistrusts.
        assert!(controller.accepted(0.0) > 2.0);
    }
}
