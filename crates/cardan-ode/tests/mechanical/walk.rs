//! Steps to limits, and the curve through the last one.

use cardan_ode::{Method, Progress};

use crate::Outcome;
use crate::references;
use crate::rods::Rods;
use crate::support::{begin, distance, fixed, judged, run};

const DAMPING: f64 = 0.5;
const START: [f64; 5] = [1.0, 0.0, 0.0, 0.0, 0.0];

#[test]
fn limits_are_reached_bit_for_bit() -> Outcome {
    for method in Method::MECHANICAL {
        let mut rods = Rods::damped_pendulum(DAMPING);
        let mut solver = begin(&fixed(method, 1e-2), &rods, &START)?;
        for k in 1..=40 {
            // No multiple of the step, and not a number with few digits either.
            let limit = f64::from(k) * std::f64::consts::PI / 100.0;
            run(&mut *solver, &mut rods, limit)?;
            assert_eq!(solver.time().to_bits(), limit.to_bits(), "{method}");
            assert_eq!(solver.advance(&mut rods, limit)?, Progress::Limit);
        }
        // π/100 takes four steps of at most a hundredth.
        assert_eq!(solver.counts().steps, 160, "{method}");
    }
    Ok(())
}

/// Steps by tolerance land on limits as well, and go on beyond them at the length that they had found.
#[test]
fn limits_are_reached_with_steps_by_tolerance() -> Outcome {
    for method in Method::MECHANICAL {
        let mut rods = Rods::damped_pendulum(DAMPING);
        let mut solver = begin(&judged(method, 1e-6), &rods, &START)?;
        run(&mut *solver, &mut rods, 1.0)?;
        let alone = solver.counts().steps;
        solver.restart(0.0, &START)?;
        for k in 1..=10 {
            let limit = f64::from(k) * std::f64::consts::PI / 31.4;
            run(&mut *solver, &mut rods, limit)?;
            assert_eq!(solver.time().to_bits(), limit.to_bits(), "{method}");
        }
        // Each limit costs one step more, or fewer where it was close.
        let steps = solver.counts().steps - alone;
        assert!(steps <= alone + 10, "{method}: {steps} instead of {alone}");
    }
    Ok(())
}

/// The largest errors of positions, velocities and quadrature in a step whose ends are as good as exact.
fn between(h: f64) -> Outcome<[f64; 3]> {
    let mut rods = Rods::damped_pendulum(DAMPING);
    // A step in the middle of the motion, where no derivative vanishes.
    let from = 0.3;
    let start = references::damped_pendulum(DAMPING, from)?;
    let mut solver = begin(&fixed(Method::Rattle, h), &rods, &START)?;
    solver.restart(from, &start)?;
    solver.advance(&mut rods, from + h)?;
    let (mut errors, mut x) = ([0.0_f64; 3], [0.0; 5]);
    for k in 0..=8 {
        let t = from + h * f64::from(k) / 8.0;
        solver.interpolate(t, &mut x);
        let exact = references::damped_pendulum(DAMPING, t)?;
        for (error, part) in errors.iter_mut().zip([0..2, 2..4, 4..5]) {
            *error = error.max(distance(&x[part.clone()], &exact[part]));
        }
    }
    Ok(errors)
}

/// A cubic through positions and velocities is of order four, its derivative of order three. The step's own error is of
/// order five.
#[test]
fn the_curve_has_its_order() -> Outcome {
    let (coarse, fine) = (between(0.04)?, between(0.02)?);
    for (part, order) in [4.0, 3.0, 4.0].into_iter().enumerate() {
        let slope = (coarse[part] / fine[part]).log2();
        // The next term is smaller by the step times a rate of some per second.
        assert!((slope - order).abs() < 0.2, "part {part}: order {slope}");
    }
    Ok(())
}

#[test]
fn the_curve_joins_the_steps() -> Outcome {
    for method in Method::MECHANICAL {
        let mut rods = Rods::damped_pendulum(DAMPING);
        let mut solver = begin(&fixed(method, 1e-2), &rods, &START)?;
        let (mut before, mut x) = (START, [0.0; 5]);
        for _ in 0..50 {
            solver.advance(&mut rods, 1.0)?;
            solver.interpolate(solver.previous_time(), &mut x);
            // The same point, up to rounding of numbers below four.
            assert!(distance(&x, &before) < 16.0 * f64::EPSILON, "{method}");
            solver.interpolate(solver.time(), &mut x);
            assert!(distance(&x, solver.state()) < 16.0 * f64::EPSILON, "{method}");
            before.copy_from_slice(solver.state());
        }
    }
    Ok(())
}

/// A root is found on the curve: the pendulum's lowest point.
#[test]
fn mechanical_methods_find_roots() -> Outcome {
    struct Watched(Rods);
    impl cardan_ode::Equations for Watched {
        fn states(&self) -> usize {
            self.0.states()
        }
        fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), cardan_ode::Trouble> {
            self.0.derivatives(t, x, dx)
        }
        fn roots(&self) -> usize {
            1
        }
        fn root_values(&mut self, _: f64, x: &[f64], g: &mut [f64]) -> Result<(), cardan_ode::Trouble> {
            g[0] = x[0];
            Ok(())
        }
        fn mechanics(&mut self) -> Option<&mut dyn cardan_ode::mechanical::Mechanics> {
            self.0.mechanics()
        }
    }
    for method in Method::MECHANICAL {
        let mut watched = Watched(Rods::damped_pendulum(DAMPING));
        let structure = cardan_ode::mechanical::Mechanics::structure(&watched.0).clone();
        let mut solver = cardan_ode::build_mechanical(&fixed(method, 1e-2), &structure, 1)?;
        solver.restart(0.0, &START)?;
        let progress = loop {
            match solver.advance(&mut watched, 2.0)? {
                Progress::Step => {}
                other => break other,
            }
        };
        assert!(matches!(progress, Progress::Root { index: 0, .. }), "{method}");
        let exact = references::damped_pendulum(DAMPING, solver.time())?;
        // Order two: h²/12 times a third derivative that grows to 4⁴ on the way of 0.6 s, and twice that with lags.
        assert!(
            exact[0].abs() < 1e-4 / 12.0 * 256.0 * 0.6,
            "{method}: {}",
            exact[0]
        );
    }
    Ok(())
}
