//! The way over a step: does its request fit, and where do laws of inputs end on it?

use crate::inputs::Inputs;
use crate::participant::{Failure, Outcome, RunWindow, StepRequest};
use crate::time::SimTime;

/// An event within this part of the run before the end of a step is at its end: it was located on another way, with other
/// rounding.
pub const NEAR: f64 = 4e-12;

/// The length of a run, or a second where it has no end.
pub fn span(run: &RunWindow) -> f64 {
    let span = run.stop.since(run.start);
    if span.is_finite() { span } else { 1.0 }
}

/// Numbers that differ by rounding only: whoever asks may have computed them on another way.
#[inline]
pub fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 8.0 * f64::EPSILON * a.abs().max(b.abs())
}

/// Refuses to speak about another instant than the present one.
///
/// # Errors
/// If `at` differs from where the participant stands by more than rounding.
pub fn expect_present(at: SimTime, stands: f64) -> Outcome<()> {
    let at = at.seconds();
    if same(at, stands) {
        return Ok(());
    }
    Err(Failure::failed(format!(
        "asked for t = {at} s, but the participant stands at t = {stands} s"
    )))
}

/// What lies ahead of a participant on its way over a step.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// The laws in force are those just after this instant: where the participant stands, or a break of the inputs that rounding
    /// puts just ahead, which is passed already.
    pub passed: f64,
    /// Where one of them ends, before the end of the request.
    pub next_break: Option<f64>,
}

impl Way {
    /// Refuses a request that does not fit a participant that stands at `stands` and has so many `reals` bound.
    ///
    /// # Errors
    /// With what does not fit.
    pub fn check(request: &StepRequest<'_>, stands: f64, reals: usize) -> Outcome<()> {
        expect_present(request.from, stands)?;
        let to = request.to.seconds();
        if !(to >= stands && to.is_finite()) {
            return Err(Failure::failed(format!(
                "asked to step from t = {stands} s to t = {to} s, which does not lie ahead"
            )));
        }
        let brought = request.inputs.reals();
        if brought != reals {
            return Err(Failure::failed(format!(
                "the step brings {brought} real inputs, but {reals} are bound"
            )));
        }
        Ok(())
    }

    /// From `t` on. A break that is the end of the request but for rounding is the end.
    pub fn from(t: f64, request: &StepRequest<'_>) -> Self {
        let to = request.to.seconds();
        let mut passed = t;
        let mut next = next_break(&request.inputs, passed);
        while let Some(near) = next.filter(|&next| same(next, t)) {
            passed = near;
            next = next_break(&request.inputs, passed);
        }
        Way {
            passed,
            next_break: next.filter(|&next| next < to && !same(next, to)),
        }
    }
}

fn next_break(inputs: &Inputs<'_>, after: f64) -> Option<f64> {
    inputs
        .next_break(SimTime::from_seconds(after))
        .map(SimTime::seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::participant::Watch;
    use crate::signal::Segment;

    fn at(seconds: f64) -> SimTime {
        SimTime::from_seconds(seconds)
    }

    #[test]
    fn breaks_at_either_end_but_for_rounding_are_none() {
        let hair = 1.0 + 2.0 * f64::EPSILON;
        let segments = [hair, 1.5, 2.0 - f64::EPSILON, 2.0].map(|until| Segment::constant(0.0, at(until)));
        let request = StepRequest {
            from: at(1.0),
            to: at(2.0),
            inputs: Inputs::new(&segments, &[4], &[]),
            watch: Watch::Nothing,
        };
        let way = Way::from(1.0, &request);
        assert_eq!((way.passed, way.next_break), (hair, Some(1.5)));
        assert_eq!(Way::from(1.5, &request).next_break, None);
        assert!(Way::check(&request, 1.0, 1).is_ok());
        for (stands, reals) in [(1.1, 1), (1.0, 2)] {
            assert!(Way::check(&request, stands, reals).is_err());
        }
    }
}
