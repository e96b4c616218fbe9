//! The double pendulum of González et al., figure by figure: two point masses let go level, ten seconds.

use crate::Outcome;
use crate::references;
use crate::rods::Rods;
use crate::support::{begin, close, distance, trapezoidal, watch};

const START: [f64; 8] = [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0];
const TIMES: [f64; 3] = [1.0, 5.0, 10.0];

struct Figures {
    iterations: u64,
    violation: f64,
    drift: f64,
    errors: Vec<f64>,
}

fn measure(step: f64, tolerance: f64) -> Outcome<Figures> {
    let mut rods = Rods::double_pendulum();
    let mut solver = begin(&trapezoidal(step, tolerance, Some(1e8)), &rods, &START)?;
    let energy = rods.energy(&START);
    let (mut violation, mut drift, mut errors) = (0.0_f64, 0.0_f64, Vec::new());
    for (time, position) in TIMES.into_iter().zip(references::double_pendulum(&TIMES)?) {
        watch(&mut *solver, &mut rods, time, |rods, t, x| {
            violation = violation.max(rods.violation(t, x));
            drift = drift.max((rods.energy(x) - energy).abs());
        })?;
        errors.push(distance(&solver.state()[..4], &position));
    }
    Ok(Figures {
        iterations: solver.counts().iterations,
        violation,
        drift,
        errors,
    })
}

#[test]
fn a_millisecond_needs_one_correction_a_step() -> Outcome {
    let figures = measure(1e-3, 1e-6)?;
    assert_eq!(figures.iterations, 10_000);
    close("violation", figures.violation, 1.6e-8);
    close("drift", figures.drift, 2.5e-3);
    for (error, published) in figures.errors.into_iter().zip([1.1e-5, 3.5e-5, 5.5e-4]) {
        close("position", error, published);
    }
    Ok(())
}

/// One correction more or less decides by rounding in the last digits of the tolerance.
#[test]
fn ten_milliseconds_need_corrections_as_published() -> Outcome {
    for (tolerance, iterations) in [(7e-6, 1843), (1e-5, 1779), (1e-6, 1993), (1e-9, 3243)] {
        let found = measure(1e-2, tolerance)?.iterations;
        assert!(
            found.abs_diff(iterations) <= 5,
            "{tolerance}: {found} corrections"
        );
    }
    Ok(())
}

#[test]
fn the_tolerance_decides_the_violation_and_nothing_else() -> Outcome {
    for (tolerance, violation) in [(1e-5, 4.0e-7), (1e-6, 8.9e-8), (1e-9, 9.7e-11)] {
        let figures = measure(1e-2, tolerance)?;
        close("violation", figures.violation, violation);
        close("drift", figures.drift, 0.21);
        for (error, published) in figures.errors.into_iter().zip([1.1e-3, 3.4e-3, 5.2e-2]) {
            close("position", error, published);
        }
    }
    Ok(())
}
