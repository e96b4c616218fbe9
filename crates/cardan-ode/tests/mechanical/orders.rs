//! Errors shrink as theory says, with friction, quadratures and constraints that move.

use cardan_ode::{Method, SolverSettings};

use crate::Outcome;
use crate::references;
use crate::rods::Rods;
use crate::support::{begin, distance, fixed, run};

const DAMPING: f64 = 0.5;
const TIME: f64 = 1.0;

/// Each method, its order and a step with which the leading term of its error stands out.
fn methods() -> Vec<(SolverSettings, f64)> {
    let mut methods = vec![
        (fixed(Method::Trapezoidal, 0.01), 2.0),
        (fixed(Method::Rattle, 0.02), 4.0),
    ];
    for spectral_radius in [0.0, 0.5, 0.9] {
        let mut settings = fixed(Method::GeneralizedAlpha, 0.005);
        settings.mechanical.spectral_radius = spectral_radius;
        methods.push((settings, 2.0));
    }
    methods
}

/// Halves the step twice, and looks at what each of several errors does.
///
/// The next term of an error is smaller by a power of the step times the fastest rate in play (g over the length, some per
/// second): a few parts of a hundred here, which shows as less than 0.15 in the slope.
fn check(what: &str, error: impl Fn(&SolverSettings) -> Outcome<Vec<f64>>) -> Outcome {
    for (settings, order) in methods() {
        let halved = |times: f64| SolverSettings {
            step: settings.step.map(|step| step / times),
            ..settings.clone()
        };
        let (coarse, fine) = (error(&halved(2.0))?, error(&halved(4.0))?);
        for (part, (coarse, fine)) in coarse.iter().zip(&fine).enumerate() {
            let slope = (coarse / fine).log2();
            assert!(
                (slope - order).abs() < 0.15,
                "{what}, {} {}, part {part}: order {slope} ({coarse:e}, {fine:e})",
                settings.method,
                settings.mechanical.spectral_radius
            );
        }
    }
    Ok(())
}

#[test]
fn with_forces_that_depend_on_velocities() -> Outcome {
    let exact = references::damped_pendulum(DAMPING, TIME)?;
    check("damped pendulum", |settings| {
        let mut rods = Rods::damped_pendulum(DAMPING);
        let mut solver = begin(settings, &rods, &[1.0, 0.0, 0.0, 0.0, 0.0])?;
        run(&mut *solver, &mut rods, TIME)?;
        let x = solver.state();
        // Positions, velocities, and what friction has taken.
        Ok(vec![
            distance(&x[..2], &exact[..2]),
            distance(&x[2..4], &exact[2..4]),
            (x[4] - exact[4]).abs(),
        ])
    })
}

#[test]
fn with_several_constraints() -> Outcome {
    let exact = references::double_pendulum(&[TIME])?.concat();
    check("double pendulum", |settings| {
        let mut rods = Rods::double_pendulum();
        let mut solver = begin(settings, &rods, &[1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
        run(&mut *solver, &mut rods, TIME)?;
        Ok(vec![distance(&solver.state()[..4], &exact)])
    })
}

#[test]
fn with_constraints_that_move() -> Outcome {
    // Fast enough to shake the pendulum through, and with an acceleration from the beginning on.
    let way = |t: f64| {
        [
            0.2 - 0.2 * (4.0 * t).cos(),
            0.8 * (4.0 * t).sin(),
            3.2 * (4.0 * t).cos(),
        ]
    };
    let exact = references::led_pendulum(DAMPING, way, TIME)?;
    check("led pendulum", |settings| {
        let mut rods = Rods::led_pendulum(DAMPING, way);
        let start = [0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let mut solver = begin(settings, &rods, &start)?;
        run(&mut *solver, &mut rods, TIME)?;
        let x = solver.state();
        // The tolerance of corrections, for rattle rounding of numbers of size one.
        assert!(rods.violation(TIME, x) < 1e-11, "{}", settings.method);
        Ok(vec![distance(&x[2..4], &exact)])
    })
}
