//! Minimal coordinates: a mechanical system as an ordinary differential equation.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "mechanical/rods.rs"]
#[allow(dead_code, reason = "other tests need more of them")]
mod rods;

use cardan_ode::mechanical::Minimal;
use cardan_ode::{Equations, Method, Progress, SolverSettings, build};
use rods::Rods;

/// Goes from `x` at zero to `end` by a method for ordinary equations, with coordinates chosen anew where they are worn.
fn travel(rods: &mut Rods, settings: &SolverSettings, x: &[f64], end: f64) -> (Vec<f64>, usize) {
    let (mut t, mut x, mut charts) = (0.0, x.to_vec(), 0);
    while t < end {
        let mut minimal = Minimal::around(rods, t, &x);
        charts += 1;
        let mut solver = build(settings, minimal.states(), 0).unwrap();
        solver.restart(t, &minimal.state()).unwrap();
        while t < end && (t == 0.0 || !minimal.is_worn(t)) {
            let limit = (t + 0.005).min(end);
            while solver.advance(&mut minimal, limit).unwrap() == Progress::Step {}
            t = limit;
            x = minimal.lift(t, solver.state()).unwrap().to_vec();
        }
    }
    (x, charts)
}

/// As many coordinates as there are degrees of freedom, whatever is redundant.
#[test]
fn as_few_as_there_are_freedoms() {
    let mut pendulum = Rods::double_pendulum();
    let x = [0.6, -0.8, 1.4, -1.4, 0.0, 0.0, 0.0, 0.0];
    assert_eq!(Minimal::around(&mut pendulum, 0.0, &x).chosen().len(), 2);
    for loops in [1, 4] {
        let x = Rods::linkage_start(loops, 1.0);
        assert_eq!(
            Minimal::around(&mut Rods::linkage(loops), 0.0, &x).chosen().len(),
            1
        );
    }
}

/// The double pendulum of problem 10a over two seconds, against its integrator on the manifold at a tenth of a millisecond:
/// order four, so that its error is below 1e-10 of what (30 rad/s)⁴ makes of it.
#[test]
fn a_double_pendulum_swings_the_same() {
    let mut rods = Rods::double_pendulum();
    let start = [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let settings = SolverSettings {
        rtol: 1e-10,
        atol: 1e-12,
        ..SolverSettings::of(Method::Dopri5)
    };
    let (found, charts) = travel(&mut rods, &settings, &start, 2.0);
    let fine = SolverSettings {
        step: Some(1e-4),
        ..SolverSettings::of(Method::Rattle)
    };
    let mut solver = cardan_ode::build_mechanical(&fine, rods_structure(&rods), 0).unwrap();
    solver.restart(0.0, &start).unwrap();
    while solver.advance(&mut rods, 2.0).unwrap() == Progress::Step {}
    for (found, expected) in found.iter().zip(solver.state()) {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
    // It swings through positions at which x or y tells nothing.
    assert!(charts > 2, "{charts}");
}

fn rods_structure(rods: &Rods) -> &cardan_ode::mechanical::Structure {
    cardan_ode::mechanical::Mechanics::structure(rods)
}
