//! Stiff problems with answers from analysis or from the literature, and what they may cost.

use cardan_ode::{Equations, Method, Trouble};

use crate::Outcome;
use crate::problems::{Problem, ROBERTSON, VAN_DER_POL, begin, run, tight};

/// Robertson at t = 40, to ten digits; our own runs converge to them as the tolerance goes down.
const ROBERTSON_AT_40: [f64; 3] = [0.7158270688, 9.185534765e-6, 0.2841637457];

fn robertson_error(rtol: f64) -> Result<(f64, u64), Box<dyn std::error::Error>> {
    let mut solver = begin(
        &tight(Method::Bdf, rtol, rtol * 1e-6),
        &ROBERTSON,
        &[1.0, 0.0, 0.0],
    )?;
    run(&mut *solver, &mut ROBERTSON.clone(), 40.0)?;
    let errors = solver
        .state()
        .iter()
        .zip(ROBERTSON_AT_40)
        .map(|(x, exact)| (x / exact - 1.0).abs());
    Ok((errors.fold(0.0, f64::max), solver.counts().steps))
}

/// The slow manifold attracts: errors do not grow, and add up to no more than a tolerance a step (times √3 for the
/// mean square norm). With the order k at work, the error goes with the tolerance to the power k / (k + 1): at least
/// 2/3 once the order is two.
#[test]
fn robertson_at_moderate_time() -> Outcome {
    let (loose, steps) = robertson_error(1e-4)?;
    assert!(loose < 1e-4 * 3.0_f64.sqrt() * steps as f64);
    let (strict, steps) = robertson_error(1e-8)?;
    assert!(strict < 1e-8 * 3.0_f64.sqrt() * steps as f64);
    assert!((loose / strict).log10() > 4.0 * 2.0 / 3.0, "{loose} {strict}");
    Ok(())
}

/// Fourteen orders of magnitude in time. The reference has five digits; the solution falls like 1/t there, so the
/// relative error is again at most a tolerance a step.
#[test]
fn robertson_to_the_end_is_cheap() -> Outcome {
    let rtol = 1e-6;
    let mut solver = begin(&tight(Method::Bdf, rtol, 1e-14), &ROBERTSON, &[1.0, 0.0, 0.0])?;
    run(&mut *solver, &mut ROBERTSON.clone(), 4e10)?;
    let counts = solver.counts();
    let allowed = 1e-5 + rtol * 3.0_f64.sqrt() * counts.steps as f64;
    assert!(
        (solver.state()[0] / 5.2083e-8 - 1.0).abs() < allowed,
        "{:?}",
        solver.state()
    );
    let mass: f64 = solver.state().iter().sum();
    assert!((mass - 1.0).abs() < allowed, "the reaction lost mass: {mass}");
    assert!(counts.rhs < 2500, "{counts:?}");
    assert!(counts.jacobians < counts.steps / 10, "{counts:?}");
    Ok(())
}

/// Reference: Mazzia and Magherini, *Test Set for IVP Solvers*, vdpol, in slow time. The crawl forgets errors, the
/// jumps pass them on as a delay; the sum over all steps still bounds them.
#[test]
fn van_der_pol_through_several_jumps() -> Outcome {
    let rtol = 1e-6;
    let mut solver = begin(&tight(Method::Bdf, rtol, 1e-8), &VAN_DER_POL, &[2.0, 0.0])?;
    run(&mut *solver, &mut VAN_DER_POL.clone(), 2000.0)?;
    let counts = solver.counts();
    let allowed = rtol * counts.steps as f64;
    assert!(
        (solver.state()[0] / 1.706167732170483 - 1.0).abs() < allowed,
        "{:?}",
        solver.state()
    );
    assert!(
        (solver.state()[1] / -8.928097010247975e-4 - 1.0).abs() < allowed,
        "{:?}",
        solver.state()
    );
    Ok(())
}

/// Eigenvalues −1 and −1000; from (1, 0) the solution is (2e⁻ᵗ − e⁻¹⁰⁰⁰ᵗ, −e⁻ᵗ + e⁻¹⁰⁰⁰ᵗ).
const TWO_SCALES: Problem = Problem::new(2, |_, x, dx| {
    dx[0] = 998.0 * x[0] + 1998.0 * x[1];
    dx[1] = -999.0 * x[0] - 1999.0 * x[1];
});

#[test]
fn a_fast_transient_does_not_hold_the_step() -> Outcome {
    let rtol = 1e-6;
    let stop = 10.0;
    let mut cost = [0; 2];
    for (method, cost) in [Method::Bdf, Method::Dopri5].into_iter().zip(&mut cost) {
        let mut solver = begin(&tight(method, rtol, 1e-9), &TWO_SCALES, &[1.0, 0.0])?;
        run(&mut *solver, &mut TWO_SCALES.clone(), stop)?;
        let slow = (-stop).exp();
        let steps = solver.counts().steps as f64;
        // Errors decay with the solution: the last steps count, and the absolute tolerance with them.
        let allowed = steps * 2.0_f64.sqrt() * (1e-9 + rtol * slow);
        assert!((solver.state()[0] - 2.0 * slow).abs() < allowed, "{method}");
        *cost = solver.counts().rhs;
    }
    // An explicit method is held at h < 3.3/1000 by stability, six evaluations a step.
    assert!(cost[1] > 6 * 3000 && cost[0] < cost[1] / 20, "{cost:?}");
    Ok(())
}

/// Robertson with the Jacobian written down.
struct Offered;

impl Equations for Offered {
    fn states(&self) -> usize {
        3
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        (ROBERTSON.rhs)(t, x, dx);
        Ok(())
    }

    fn jacobian(&mut self, _t: f64, x: &[f64], jac: &mut [f64]) -> Result<bool, Trouble> {
        let (slow, middle, fast) = (
            [-0.04, 0.0, 0.0],
            [0.0, 1e4 * x[2], 1e4 * x[1]],
            [0.0, 6e7 * x[1], 0.0],
        );
        for j in 0..3 {
            jac[j] = slow[j] + middle[j];
            jac[3 + j] = -slow[j] - middle[j] - fast[j];
            jac[6 + j] = fast[j];
        }
        Ok(true)
    }
}

#[test]
fn an_offered_jacobian_is_used_and_saves_evaluations() -> Outcome {
    let settings = tight(Method::Bdf, 1e-6, 1e-12);
    let mut plain = begin(&settings, &ROBERTSON, &[1.0, 0.0, 0.0])?;
    run(&mut *plain, &mut ROBERTSON.clone(), 40.0)?;
    let mut offered = begin(&settings, &ROBERTSON, &[1.0, 0.0, 0.0])?;
    run(&mut *offered, &mut Offered, 40.0)?;
    let (a, b) = (plain.counts(), offered.counts());
    assert!(b.jacobians > 0 && b.rhs < a.rhs, "{a:?} {b:?}");
    for (x, exact) in offered.state().iter().zip(ROBERTSON_AT_40) {
        assert!((x / exact - 1.0).abs() < 1e-6 * 3.0_f64.sqrt() * b.steps as f64);
    }
    Ok(())
}
