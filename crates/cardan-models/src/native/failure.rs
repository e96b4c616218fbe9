//! Sentences for what goes wrong in a native model.

use cardan_core::participant::Failure;
use cardan_ode::SolveError;

/// A call speaks about an instant at which the participant does not stand.
pub(super) fn elsewhere(asked: f64, present: f64) -> Failure {
    Failure::failed(format!(
        "asked for t = {asked} s, but the participant stands at t = {present} s"
    ))
}

/// The solver gave up. `broken_input` names an input that is not finite: then neither model nor solver is to blame.
pub(super) fn of_solver(error: &SolveError, broken_input: Option<(&str, f64)>) -> Failure {
    if let Some((name, value)) = broken_input {
        return Failure::numbers(format!("the input {name} is not finite, it is {value}"))
            .advise("look at the component that drives it, or at a coupling that grows without bound");
    }
    match error {
        SolveError::Fatal { .. } | SolveError::Backwards { .. } | SolveError::Mismatch { .. } => {
            Failure::failed(format!("the solver cannot go on: {error}"))
        }
        SolveError::NonFinite { .. }
        | SolveError::Undefined { .. }
        | SolveError::JacobianNonFinite { .. } => {
            Failure::numbers(format!("the solver cannot go on: {error}"))
                .advise("check the parameters; with a fixed-step solver, take a smaller step or dopri5")
        }
        _ => Failure::numbers(format!("the solver cannot go on: {error}"))
            .advise("check the inputs for jumps, relax the tolerances of the solver, or try bdf"),
    }
}

/// The state itself grew beyond all numbers.
pub(super) fn not_finite(state: usize, t: f64) -> Failure {
    Failure::numbers(format!("state {state} is not finite at t = {t} s"))
        .advise("take a smaller step for the solver, or one with step control such as dopri5 or bdf")
}
