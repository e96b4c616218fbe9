//! Equations that cannot be evaluated, solutions that end, and calls that make no sense.

use cardan_ode::{Equations, Method, Progress, SolveError, SolverSettings, Trouble};

use crate::Outcome;
use crate::problems::{DECAY, OSCILLATOR, Problem, begin, bits, every_method, run};

/// x' = f(x), undefined beyond a border, fatal beyond a time.
struct Bounded {
    rhs: fn(f64) -> f64,
    least: f64,
    dies: f64,
}

impl Equations for Bounded {
    fn states(&self) -> usize {
        1
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        if t > self.dies {
            return Err(Trouble::Fatal);
        }
        if x[0] < self.least {
            return Err(Trouble::Discard);
        }
        dx[0] = (self.rhs)(x[0]);
        Ok(())
    }
}

const POSITIVE: Bounded = Bounded {
    rhs: |x| -x,
    least: 0.0,
    dies: f64::INFINITY,
};

/// The first step asked for leads beyond zero, where the equations are undefined; the solution itself never goes.
#[test]
fn a_discarded_step_is_tried_again_shorter() -> Outcome {
    for method in [Method::Heun, Method::Rk4, Method::Dopri5, Method::Bdf] {
        let settings = SolverSettings {
            step: Some(8.0),
            ..SolverSettings::of(method)
        };
        let mut solver = begin(&settings, &DECAY, &[1.0])?;
        let mut equations = POSITIVE;
        assert_eq!(run(&mut *solver, &mut equations, 8.0)?, Progress::Limit);
        assert!(solver.counts().rejected > 0, "{method}");
        // Not a claim about accuracy (the fixed ones take the longest step that works): it decays.
        assert!(
            (0.0..0.2).contains(&solver.state()[0]),
            "{method}: {:?}",
            solver.state()
        );
    }
    Ok(())
}

/// x' = −1 runs out of its domain at t = 1: that is an error, close to where it happens.
#[test]
fn a_solution_that_leaves_the_domain_is_an_error() -> Outcome {
    for settings in every_method() {
        let mut solver = begin(&settings, &DECAY, &[1.0])?;
        let mut equations = Bounded {
            rhs: |_| -1.0,
            ..POSITIVE
        };
        let error = run(&mut *solver, &mut equations, 8.0).err();
        let Some(SolveError::Undefined { t }) = error else {
            return Err(format!("{}: {error:?}", settings.method).into());
        };
        assert!((t - 1.0).abs() < 2e-2, "{}: {t}", settings.method);
        assert!(
            (solver.time() + solver.state()[0] - 1.0).abs() < 1e-12,
            "{}",
            settings.method
        );
    }
    Ok(())
}

#[test]
fn a_fatal_answer_passes_through_and_leaves_the_state() -> Outcome {
    for settings in every_method() {
        let mut solver = begin(&settings, &DECAY, &[1.0])?;
        let mut equations = Bounded {
            dies: 0.5,
            ..POSITIVE
        };
        run(&mut *solver, &mut equations, 0.5)?;
        let before = bits(&*solver);
        let error = run(&mut *solver, &mut equations, 0.51).err();
        let Some(SolveError::Fatal { t }) = error else {
            return Err(format!("{}: {error:?}", settings.method).into());
        };
        assert!(t > 0.5 && t <= 0.51);
        // Euler looks at the end of a step only when it begins the next.
        assert!(
            settings.method == Method::Euler || before == bits(&*solver),
            "{}",
            settings.method
        );
    }
    Ok(())
}

/// x' = x² from 1 is 1/(1 − t): there is no solution beyond t = 1.
#[test]
fn a_solution_that_blows_up_ends_with_an_error_there() -> Outcome {
    let explosion = Problem::new(1, |_, x, dx| dx[0] = x[0] * x[0]);
    for method in [Method::Dopri5, Method::Bdf] {
        let mut solver = begin(&SolverSettings::of(method), &explosion, &[1.0])?;
        let error = run(&mut *solver, &mut explosion.clone(), 2.0).err();
        assert!(
            matches!(
                error,
                Some(
                    SolveError::StepTooSmall { .. }
                        | SolveError::NonFinite { .. }
                        | SolveError::Newton { .. }
                )
            ),
            "{method}: {error:?}"
        );
        assert!((solver.time() - 1.0).abs() < 1e-3, "{method}: {}", solver.time());
    }
    Ok(())
}

#[test]
fn a_derivative_that_is_not_a_number_is_named() -> Outcome {
    let broken = Problem::new(2, |t, _, dx| {
        dx[0] = 1.0;
        dx[1] = if t < 0.5 { 1.0 } else { f64::NAN };
    });
    for settings in every_method() {
        let mut solver = begin(&settings, &broken, &[0.0, 0.0])?;
        let error = run(&mut *solver, &mut broken.clone(), 1.0).err();
        assert!(
            matches!(error, Some(SolveError::NonFinite { state: 1, .. })),
            "{}: {error:?}",
            settings.method
        );
    }
    Ok(())
}

#[test]
fn a_root_function_that_is_not_a_number_is_named() -> Outcome {
    let broken = OSCILLATOR.with_roots(2, |t, _, g| {
        g[0] = 1.0;
        g[1] = if t < 0.5 { 1.0 } else { f64::NAN };
    });
    for settings in every_method() {
        let mut solver = begin(&settings, &broken, &[1.0, 0.0])?;
        let error = run(&mut *solver, &mut broken.clone(), 1.0).err();
        assert!(
            matches!(error, Some(SolveError::RootNonFinite { root: 1, .. })),
            "{}",
            settings.method
        );
    }
    Ok(())
}

/// A jump without a mark, which a smallest step keeps from being resolved.
#[test]
fn the_smallest_step_is_respected() -> Outcome {
    let jump = Problem::new(1, |t, _, dx| dx[0] = if t < 0.5 { 0.0 } else { 1e9 });
    let settings = SolverSettings {
        min_step: Some(1e-3),
        ..SolverSettings::of(Method::Dopri5)
    };
    let mut solver = begin(&settings, &jump, &[0.0])?;
    let error = run(&mut *solver, &mut jump.clone(), 1.0).err();
    assert!(
        matches!(error, Some(SolveError::StepTooSmall { smallest: 1e-3, .. })),
        "{error:?}"
    );
    Ok(())
}

/// x' = −k (x − cos t), offering a given number as its Jacobian.
struct Offering {
    k: f64,
    jacobian: f64,
}

impl Equations for Offering {
    fn states(&self) -> usize {
        1
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        dx[0] = -self.k * (x[0] - t.cos());
        Ok(())
    }

    fn jacobian(&mut self, _t: f64, _x: &[f64], jac: &mut [f64]) -> Result<bool, Trouble> {
        jac[0] = self.jacobian;
        Ok(true)
    }
}

/// With a Jacobian of zero the iteration only contracts for steps below 1/k, far below what cutting the first step
/// to a quarter again and again reaches in the tries allowed.
#[test]
fn an_iteration_that_cannot_converge_ends_in_an_error() -> Outcome {
    let settings = SolverSettings {
        step: Some(1.0),
        ..SolverSettings::of(Method::Bdf)
    };
    let mut solver = begin(&settings, &DECAY, &[2.0])?;
    let error = run(
        &mut *solver,
        &mut Offering {
            k: 1e12,
            jacobian: 0.0,
        },
        1.0,
    )
    .err();
    assert!(
        matches!(error, Some(SolveError::Newton { t: 0.0, .. })),
        "{error:?}"
    );
    Ok(())
}

/// The Jacobian only serves the iteration: a bad one costs work, not accuracy. The solution is cos t + sin t / k up
/// to 1/k²; errors decay within a few steps, so that it is met to a few tolerances.
#[test]
fn a_wrong_jacobian_costs_work_and_not_accuracy() -> Outcome {
    let k = 1e3;
    let mut work = [0; 2];
    for (jacobian, work) in [-k, -0.3 * k].into_iter().zip(&mut work) {
        let mut solver = begin(&SolverSettings::of(Method::Bdf), &DECAY, &[1.0])?;
        run(&mut *solver, &mut Offering { k, jacobian }, 1.0)?;
        let exact = 1.0_f64.cos() + 1.0_f64.sin() / k;
        assert!((solver.state()[0] - exact).abs() < 1e-5, "{:?}", solver.state());
        *work = solver.counts().rhs;
    }
    assert!(work[0] < work[1], "{work:?}");
    Ok(())
}

#[test]
fn a_jacobian_that_is_not_a_number_is_named() -> Outcome {
    let mut solver = begin(&SolverSettings::of(Method::Bdf), &DECAY, &[1.0])?;
    let error = run(
        &mut *solver,
        &mut Offering {
            k: 1.0,
            jacobian: f64::NAN,
        },
        1.0,
    )
    .err();
    assert!(
        matches!(error, Some(SolveError::JacobianNonFinite { .. })),
        "{error:?}"
    );
    Ok(())
}

#[test]
fn calls_that_make_no_sense_are_refused() -> Outcome {
    for settings in every_method() {
        let mut solver = begin(&settings, &DECAY, &[1.0])?;
        run(&mut *solver, &mut DECAY.clone(), 0.1)?;
        let before = bits(&*solver);
        for limit in [0.05, f64::NAN, f64::INFINITY] {
            assert!(matches!(
                solver.advance(&mut DECAY.clone(), limit),
                Err(SolveError::Backwards { .. })
            ));
        }
        let mismatch = |outcome: Result<(), SolveError>| matches!(outcome, Err(SolveError::Mismatch { .. }));
        assert!(mismatch(solver.restart(0.0, &[1.0, 2.0])));
        assert!(mismatch(solver.advance(&mut OSCILLATOR.clone(), 1.0).map(|_| ())));
        assert!(mismatch(
            solver
                .advance(&mut DECAY.with_roots(1, |_, _, _| {}), 1.0)
                .map(|_| ())
        ));
        assert_eq!(before, bits(&*solver));
    }
    Ok(())
}
