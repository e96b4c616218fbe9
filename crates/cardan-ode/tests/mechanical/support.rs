//! What many of the tests do.

use cardan_ode::mechanical::{MechanicalSettings, Mechanics};
use cardan_ode::{Equations, Method, Progress, Solver, SolverSettings, build_mechanical};

use crate::Outcome;

/// A method with a fixed step; corrections go down to rounding, so that only the method's own error is seen.
pub(crate) fn fixed(method: Method, step: f64) -> SolverSettings {
    SolverSettings {
        step: Some(step),
        mechanical: MechanicalSettings {
            tolerance: Some(1e-12),
            ..MechanicalSettings::default()
        },
        ..SolverSettings::of(method)
    }
}

/// A method with steps as long as a tolerance allows.
pub(crate) fn judged(method: Method, rtol: f64) -> SolverSettings {
    SolverSettings {
        step: None,
        rtol,
        atol: 1e-3 * rtol,
        ..fixed(method, 1.0)
    }
}

/// The trapezoidal rule as the literature runs it.
pub(crate) fn trapezoidal(step: f64, tolerance: f64, penalty: Option<f64>) -> SolverSettings {
    SolverSettings {
        step: Some(step),
        mechanical: MechanicalSettings {
            tolerance: Some(tolerance),
            penalty,
            ..MechanicalSettings::default()
        },
        ..SolverSettings::of(Method::Trapezoidal)
    }
}

/// A solver at time zero.
pub(crate) fn begin(
    settings: &SolverSettings,
    mechanics: &impl Mechanics,
    x: &[f64],
) -> Outcome<Box<dyn Solver>> {
    let mut solver = build_mechanical(settings, mechanics.structure(), 0)?;
    solver.restart(0.0, x)?;
    Ok(solver)
}

/// Goes to a limit and looks at every step.
pub(crate) fn watch<E: Equations>(
    solver: &mut dyn Solver,
    equations: &mut E,
    limit: f64,
    mut look: impl FnMut(&mut E, f64, &[f64]),
) -> Outcome {
    loop {
        let progress = solver.advance(equations, limit)?;
        look(equations, solver.time(), solver.state());
        if progress == Progress::Limit {
            return Ok(());
        }
    }
}

pub(crate) fn run(solver: &mut dyn Solver, equations: &mut impl Equations, limit: f64) -> Outcome {
    watch(solver, equations, limit, |_, _, _| ())
}

/// The largest difference of two vectors.
pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .fold(0.0, |largest, (a, b)| (a - b).abs().max(largest))
}

/// Within five parts of a hundred: published figures have two digits.
#[track_caller]
pub(crate) fn close(what: &str, found: f64, published: f64) {
    assert!(
        (found / published - 1.0).abs() <= 0.05,
        "{what}: {found:e}, published is {published:e}"
    );
}
