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

/// The state itself grew beyond all numbers.
pub(super) fn not_finite(state: usize, t: f64) -> Failure {
    Failure::numbers(format!("state {state} is not finite at t = {t} s"))
        .advise("take a smaller step for the solver, or one with step control such as dopri5 or bdf")
}
