//! Sentences for what goes wrong when an FMU is solved.

use cardan_core::participant::Failure;
use cardan_core::shell::failure;
use cardan_ode::SolveError;

use crate::ffi::CallError;

/// The solver gave up. An input that is not finite is to blame before all else; then the FMU, if it refused.
pub(super) fn of_solver(
    error: &SolveError,
    broken_input: Option<(&str, f64)>,
    refusal: Option<Box<CallError>>,
) -> Failure {
    match (error, refusal) {
        (SolveError::Fatal { .. }, Some(refusal)) if broken_input.is_none() => Failure::from(refusal),
        (SolveError::Undefined { .. }, Some(refusal)) if broken_input.is_none() => Failure::numbers(format!(
            "the solver cannot go on: {error} ({refusal})"
        ))
        .advise("check the parameters and inputs of the FMU; with a fixed-step solver, take a smaller step"),
        _ => failure::of_solver(error, broken_input),
    }
}
