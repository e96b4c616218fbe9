//! Sentences for what goes wrong where equations are solved.

use cardan_ode::{SolveError, Solver};

use crate::participant::{Failure, Outcome};

/// The solver gave up. `broken_input` names an input that is not finite: then neither equations nor solver are to blame.
pub fn of_solver(error: &SolveError, broken_input: Option<(&str, f64)>) -> Failure {
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

/// Refuses a state that grew beyond all numbers; `name` says what a state is called.
///
/// # Errors
/// If one of them is not finite.
pub fn expect_finite(solver: &dyn Solver, name: impl FnOnce(usize) -> String) -> Outcome<()> {
    let Some(state) = solver.state().iter().position(|x| !x.is_finite()) else {
        return Ok(());
    };
    let (state, t) = (name(state), solver.time());
    Err(Failure::numbers(format!("{state} is not finite at t = {t} s"))
        .advise("take a smaller step for the solver, or one with step control such as dopri5 or bdf"))
}
