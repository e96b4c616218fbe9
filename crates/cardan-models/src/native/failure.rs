//! Sentences for what goes wrong in a native model.

use cardan_core::participant::Failure;
use cardan_core::shell::failure::of_solver;
use cardan_ode::SolveError;

/// The solver of a mechanism gave up. Such solvers know more of what may be wrong.
pub(super) fn of_mechanism(error: &SolveError, broken_input: Option<(&str, f64)>) -> Failure {
    let (message, advice) = match error {
        SolveError::StepTooSmall { t, smallest } if broken_input.is_none() => (
            format!(
                "at t = {t} s even steps of {smallest:.1e} s are not as exact as the tolerance wants them"
            ),
            "a load may jump there without an event, or the mechanism come to the end of its reach; give the solver a \
             larger rtol or a `step`, and take trapezoidal for very stiff springs and dampers",
        ),
        SolveError::Newton { t, .. } if broken_input.is_none() => (
            format!("no position shortly after t = {t} s obeys all constraints"),
            "a drive may lead the mechanism beyond its reach, or a closed loop be stuck at a dead point; look at the \
             drives, or give the solver another `step`",
        ),
        _ => return of_solver(error, broken_input),
    };
    Failure::numbers(format!("the solver cannot go on: {message}")).advise(advice)
}

/// The model does not agree with what the solver found.
pub(super) fn of_objection(objection: String) -> Failure {
    Failure::numbers(objection).advise(
        "a drive may lead it beyond its reach, or loops be at a dead point, which only solvers for mechanisms pass: rattle, \
         trapezoidal, generalized-alpha",
    )
}
