//! What is said about steps that are repeated until values fit together.

use cardan_core::method::{Acceleration, Iteration, StepControl};
use cardan_describe::SystemSpec;
use cardan_describe::spec::AcceleratorKind;

/// Without a word about it, values of steps of a given length must fit together so well.
const TOLERANCE: f64 = 1e-6;
/// What may be left against nominal values, as a part of the tolerance.
const ABSOLUTE: f64 = 1e-3;
/// A step that takes more rounds is given up; earlier where a shorter one can be tried instead.
const ROUNDS: u32 = 50;
const ROUNDS_OF_CHOSEN: u32 = 10;
/// Directions of so many steps before are kept.
const REUSE: u32 = 8;

/// What the user wants, with what he leaves open. Where steps are chosen, their tolerance is that of the values too.
pub(super) fn of(spec: &SystemSpec, control: Option<StepControl>) -> Iteration {
    let method = &spec.method;
    let tolerance = method.tolerance.as_ref().map_or(TOLERANCE, |t| t.value);
    let relative = control.map_or(tolerance, |control| control.relative);
    let absolute = method.absolute.as_ref().map_or(ABSOLUTE * relative, |a| a.value);
    let reuse = method.reuse.as_ref().map_or(REUSE, |r| r.value);
    let kind = method.accelerator.as_ref().map(|a| a.value).unwrap_or_default();
    Iteration {
        relative,
        absolute,
        rounds: match (&method.max_iterations, control) {
            (Some(rounds), _) => rounds.value,
            (None, None) => ROUNDS,
            (None, Some(_)) => ROUNDS_OF_CHOSEN,
        },
        acceleration: match kind {
            AcceleratorKind::FixedPoint => Acceleration::FixedPoint {
                factor: method.relaxation.as_ref().map_or(1.0, |r| r.value),
            },
            AcceleratorKind::Aitken => Acceleration::Aitken,
            AcceleratorKind::Broyden => Acceleration::Broyden,
            AcceleratorKind::IqnIls => Acceleration::IqnIls {
                reuse: reuse as usize,
            },
            AcceleratorKind::Newton => Acceleration::Newton,
        },
    }
}
