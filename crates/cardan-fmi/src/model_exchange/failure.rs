//! Sentences for what goes wrong when an FMU is solved.

use cardan_core::participant::Failure;
use cardan_ode::SolveError;

use crate::ffi::CallError;

/// A call speaks about an instant at which the participant does not stand.
pub(super) fn elsewhere(asked: f64, present: f64) -> Failure {
    Failure::failed(format!(
        "asked for t = {asked} s, but the participant stands at t = {present} s"
    ))
}

/// The solver gave up. An input that is not finite is to blame before all else; then the FMU, if it refused.
pub(super) fn of_solver(
    error: &SolveError,
    broken_input: Option<(&str, f64)>,
    refusal: Option<Box<CallError>>,
) -> Failure {
    if let Some((name, value)) = broken_input {
        return Failure::numbers(format!("the input {name} is not finite, it is {value}"))
            .advise("look at the component that drives it, or at a coupling that grows without bound");
    }
    match (error, refusal) {
        (SolveError::Fatal { .. }, Some(refusal)) => Failure::from(refusal),
        (SolveError::Undefined { .. }, Some(refusal)) => Failure::numbers(format!(
            "the solver cannot go on: {error} ({refusal})"
        ))
        .advise("check the parameters and inputs of the FMU; with a fixed-step solver, take a smaller step"),
        (SolveError::Fatal { .. } | SolveError::Backwards { .. } | SolveError::Mismatch { .. }, _) => {
            Failure::failed(format!("the solver cannot go on: {error}"))
        }
        (
            SolveError::NonFinite { .. }
            | SolveError::Undefined { .. }
            | SolveError::JacobianNonFinite { .. },
            _,
        ) => Failure::numbers(format!("the solver cannot go on: {error}"))
            .advise("check the parameters; with a fixed-step solver, take a smaller step or dopri5"),
        _ => Failure::numbers(format!("the solver cannot go on: {error}"))
            .advise("check the inputs for jumps, relax the tolerances of the solver, or try bdf"),
    }
}

/// The state itself grew beyond all numbers.
pub(super) fn not_finite(state: &str, t: f64) -> Failure {
    Failure::numbers(format!("{state} is not finite at t = {t} s"))
        .advise("take a smaller step for the solver, or one with step control such as dopri5 or bdf")
}
