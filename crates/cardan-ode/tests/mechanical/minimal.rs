//! Minimal coordinates: a mechanical system as an ordinary differential equation.

use cardan_ode::mechanical::Minimal;
use cardan_ode::{Equations, Method, Progress, SolverSettings, build};

use crate::Outcome;
use crate::rods::Rods;
use crate::support::{begin, fixed, run};

/// Goes from `x` at zero to `end` by a method for ordinary equations, with coordinates chosen anew where they are worn.
fn travel(rods: &mut Rods, settings: &SolverSettings, x: &[f64], end: f64) -> Outcome<(Vec<f64>, usize)> {
    let (mut t, mut x, mut charts) = (0.0, x.to_vec(), 0);
    while t < end {
        let mut minimal = Minimal::around(rods, t, &x);
        charts += 1;
        let mut solver = build(settings, minimal.states(), 0)?;
        solver.restart(t, &minimal.state())?;
        let mut first = true;
        while t < end && (first || !minimal.is_worn(t)) {
            let limit = (t + 0.005).min(end);
            while solver.advance(&mut minimal, limit)? == Progress::Step {}
            (t, first) = (limit, false);
            let lifted = minimal.lift(t, solver.state());
            x = lifted.map_err(|_| "no position fits")?.to_vec();
        }
    }
    Ok((x, charts))
}

/// As many coordinates as there are degrees of freedom, whatever is redundant.
#[test]
fn as_few_as_there_are_freedoms() {
    let mut pendulum = Rods::double_pendulum();
    let x = [0.6, -0.8, 1.4, -1.4, 0.0, 0.0, 0.0, 0.0];
    assert_eq!(Minimal::around(&mut pendulum, 0.0, &x).chosen().len(), 2);
    for loops in [1, 4] {
        let x = Rods::linkage_start(loops, 1.0);
        let mut linkage = Rods::linkage(loops);
        assert_eq!(Minimal::around(&mut linkage, 0.0, &x).chosen().len(), 1);
    }
}

/// The double pendulum of problem 10a over two seconds, against RATTLE at a tenth of a millisecond: at h = 1 ms its error at 10 s is
/// 1e-8, of order four.
#[test]
fn a_double_pendulum_swings_the_same() -> Outcome {
    let mut rods = Rods::double_pendulum();
    let start = [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let settings = SolverSettings {
        rtol: 1e-10,
        atol: 1e-12,
        ..SolverSettings::of(Method::Dopri5)
    };
    let (found, charts) = travel(&mut rods, &settings, &start, 2.0)?;
    let mut solver = begin(&fixed(Method::Rattle, 1e-4), &rods, &start)?;
    run(&mut *solver, &mut rods, 2.0)?;
    for (found, expected) in found.iter().zip(solver.state()) {
        // Dormand-Prince at 1e-10 in some thousand steps, in velocities of up to 10 m/s.
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
    // It swings through positions at which x or y tells nothing.
    assert!(charts > 2, "{charts}");
    Ok(())
}
