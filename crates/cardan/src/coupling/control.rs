//! What is said about steps that the method chooses.

use cardan_core::method::{Estimator, StepControl};
use cardan_describe::spec::EstimatorKind;
use cardan_describe::{Reporter, SystemSpec};

/// Without a word about it, errors of a step may be so large.
pub(super) const TOLERANCE: f64 = 1e-4;
/// What is allowed against nominal values, as a part of the tolerance.
const ABSOLUTE: f64 = 1e-3;
/// The shortest, the longest and the first step, as parts of the run.
const MIN: f64 = 1e-11;
const MAX: f64 = 1.0 / 20.0;
const FIRST: f64 = 1e-4;

/// What the user wants, with what he leaves open.
pub(super) fn of(spec: &SystemSpec, span: f64, reasons: &mut Vec<String>) -> StepControl {
    let method = &spec.method;
    let relative = method.tolerance.as_ref().map(|t| t.value).unwrap_or_else(|| {
        if method.energy_tolerance.is_none() {
            reasons.push(format!("tolerance {TOLERANCE}, since none is given"));
        }
        TOLERANCE
    });
    let max = method.max_step.as_ref().map_or(MAX * span, |s| s.value);
    let first = method.step.as_ref().map_or((FIRST * span).min(max), |s| s.value);
    let min = method.min_step.as_ref();
    StepControl {
        relative,
        absolute: method.absolute.as_ref().map_or(ABSOLUTE * relative, |a| a.value),
        min: min.map_or((MIN * span).min(first), |s| s.value),
        max,
        first,
        estimator: match method.estimator.as_ref().map(|e| e.value) {
            None if method.repeats_steps() => Estimator::Corrected,
            None | Some(EstimatorKind::Richardson) => Estimator::Richardson,
            Some(EstimatorKind::Embedded) => Estimator::Embedded,
            Some(EstimatorKind::Corrected) => Estimator::Corrected,
            Some(EstimatorKind::Energy) => Estimator::Energy,
        },
        energy: method.energy_tolerance.as_ref().map(|joules| joules.value),
    }
}

/// The shortest step must not be longer than the longest, and steps that are not repeated cannot be corrected.
pub(super) fn is_sane(spec: &SystemSpec, control: StepControl, reporter: &mut Reporter) -> bool {
    let method = &spec.method;
    if let Some(estimator) = &method.estimator
        && method.repeats_steps()
        && control.estimator != Estimator::Corrected
    {
        reporter
            .error(
                estimator.span,
                format!(
                    "steps that are repeated are judged by what that made of them, not by `{}`",
                    control.estimator.name()
                ),
            )
            .advice("leave `estimator` out, or take kind = \"adaptive\"");
        return false;
    }
    if let Some(estimator) = &method.estimator
        && control.estimator == Estimator::Corrected
        && !method.repeats_steps()
    {
        reporter
            .error(
                estimator.span,
                "errors by correction need steps that are repeated",
            )
            .advice("take kind = \"iterated\", or the estimator richardson or embedded");
        return false;
    }
    let place = |given: &Option<cardan_describe::Spanned<f64>>| given.as_ref().map(|g| g.span);
    if control.min > control.max {
        let span = place(&method.min_step)
            .or(place(&method.max_step))
            .unwrap_or(spec.span);
        reporter
            .error(
                span,
                format!(
                    "the shortest step, {} s, is longer than the longest, {} s",
                    control.min, control.max
                ),
            )
            .advice("choose min_step below max_step");
        return false;
    }
    true
}
