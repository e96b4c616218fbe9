//! Steps that are as long as a tolerance allows.

use cardan_ode::{Equations, Method, SolverSettings};

use crate::Outcome;
use crate::oscillator::Oscillator;
use crate::references;
use crate::rods::Rods;
use crate::support::{begin, distance, judged, run, watch};

const START: [f64; 8] = [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0];

/// With which power of the step estimates go, and with which one the error at the end.
const POWERS: [(Method, [f64; 2]); 3] = [
    (Method::Trapezoidal, [3.0, 2.0]),
    (Method::GeneralizedAlpha, [3.0, 2.0]),
    (Method::Rattle, [4.0, 4.0]),
];

/// A tolerance of a hundredth: steps and errors change by the powers that theory says.
#[test]
fn errors_follow_the_tolerance() -> Outcome {
    let exact = references::double_pendulum(&[1.0])?.concat();
    let solved = |settings: &SolverSettings| -> Outcome<[f64; 2]> {
        let mut rods = Rods::double_pendulum();
        let mut solver = begin(settings, &rods, &START)?;
        run(&mut *solver, &mut rods, 1.0)?;
        let error = distance(&solver.state()[..4], &exact);
        Ok([solver.counts().steps as f64, error])
    };
    for (method, [estimate, end]) in POWERS {
        let coarse = solved(&judged(method, 1e-7))?;
        let fine = solved(&judged(method, 1e-9))?;
        let steps = (fine[0] / coarse[0]).log(100.0);
        let errors = (coarse[1] / fine[1]).log(100.0);
        // Steps of a motion that begins at rest grow to their length in a handful of steps of fifty, and the last ones are
        // made to fit.
        assert!((steps - 1.0 / estimate).abs() < 0.03, "{method}: {steps}");
        // As in tests of order: 0.15 a power of the step.
        assert!((errors - end / estimate).abs() < 0.15, "{method}: {errors}");
    }
    Ok(())
}

/// What RATTLE takes for its error in a step through the middle of an oscillation's swing, and through its turning point.
///
/// It is that of the cubic through both ends of the step: `(ωh)⁴/384` of the amplitude in positions, and 2.496 times that of the
/// velocity in velocities (to the leading power, from the stages of an oscillator).
#[test]
fn rattle_takes_a_step_if_its_estimate_is_within_the_tolerance() -> Outcome {
    // The first step is one of a millisecond: a tenth of a radian.
    let (frequency, phase) = (100.0, 0.1_f64);
    let (sin, cos) = (0.5 * phase).sin_cos();
    let estimate = phase.powi(4) / 384.0;
    for (start, estimate) in [
        ([cos, frequency * sin], estimate),
        ([-sin, frequency * cos], 2.496 * estimate),
    ] {
        // The largest value is that at the ends of the step. The next power of the step is a hundredth smaller.
        let just = estimate / cos;
        for (rtol, rejected) in [(0.98 * just, true), (1.02 * just, false)] {
            let settings = SolverSettings {
                atol: 1e-20,
                ..judged(Method::Rattle, rtol)
            };
            let mut oscillator = Oscillator::new(frequency * frequency);
            let mut solver = begin(&settings, &oscillator, &start)?;
            solver.advance(&mut oscillator, 1.0)?;
            assert_eq!(solver.counts().rejected > 0, rejected, "{start:?}, {rtol:e}");
        }
    }
    Ok(())
}

/// Dead points cost short steps, and nothing else: energy is kept, and the crank is where it should be.
///
/// A step is late by `0.0045 (ωh)⁵` of a radian (from the stages of an oscillator), and `(ωh)⁴` is at most 384/2.496 times the tolerance:
/// 0.7 times the tolerance for each of thirty radians, and gravity may double that. At dead points rounding becomes its square root.
#[test]
fn rattle_passes_dead_points_at_any_tolerance() -> Outcome {
    for rtol in [1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
        for loops in [1, 2, 5, 12] {
            let mut rods = Rods::linkage(loops);
            let start = Rods::linkage_start(loops, 30.0);
            let energy = rods.energy(&start);
            let mut solver = begin(&judged(Method::Rattle, rtol), &rods, &start)?;
            let mut change = 0.0_f64;
            watch(&mut *solver, &mut rods, 1.0, |rods, _, x| {
                change = change.max((rods.energy(x) / energy - 1.0).abs());
            })?;
            let exact = references::crank(loops, 30.0, 1.0)?;
            let error = distance(&solver.state()[..2], &exact);
            let rounding = f64::EPSILON.sqrt();
            assert!(error < 42.0 * rtol + rounding, "{loops}, {rtol:e}: {error:e}");
            assert!(change < 10.0 * rtol + rounding, "{loops}, {rtol:e}: {change:e}");
        }
    }
    Ok(())
}

/// Where the first step is by far too long, it is found out.
#[test]
fn fast_motions_are_seen() -> Outcome {
    for method in Method::MECHANICAL {
        let frequency = 1e5;
        let mut oscillator = Oscillator::new(frequency * frequency);
        let mut solver = begin(&judged(method, 1e-5), &oscillator, &[1.0, 0.0])?;
        let time = 10.0 / frequency;
        run(&mut *solver, &mut oscillator, time)?;
        // Ten radians, each late by parts of the tolerance to the power of two thirds at the worst, with a factor of a few.
        let late = solver.state()[0] - (frequency * time).cos();
        assert!(late.abs() < 10.0 * 1e-5_f64.powf(2.0 / 3.0), "{method}: {late:e}");
    }
    Ok(())
}

/// Damping so strong that RATTLE's repetitions do not settle in long steps: it goes on in short ones, with a few
/// attempts for each.
#[test]
fn damping_makes_steps_short() -> Outcome {
    let damping = 1e4;
    let mut rods = Rods::damped_pendulum(damping);
    let mut solver = begin(&judged(Method::Rattle, 1e-6), &rods, &[1.0, 0.0, 0.0, 0.0, 0.0])?;
    run(&mut *solver, &mut rods, 0.02)?;
    let counts = solver.counts();
    assert!(counts.rejected < 3 * counts.steps, "{counts:?}");
    let exact = references::damped_pendulum(damping, 0.02)?;
    // Two hundred steps, each with an error below the tolerance.
    let error = distance(&solver.state()[..2], &exact[..2]);
    assert!(error < 1e-6 * counts.steps as f64, "{error:e}, {counts:?}");
    assert_eq!(rods.states(), 5);
    Ok(())
}

/// A torque on one crank has no lever on the others where all rods are in line, so that it parts them.
///
/// Within a step of length h that ends there they part by `T h² / (2 J)`, with 1.3 kg m² for the crank and half of the coupler. Ten times a second, with
/// steps as long as the tolerance allows elsewhere, `(ωh)⁴` = 384/2.496 of it and ω from 30 rad/s on, that is 5.2 times its root; they are shorter
/// there.
#[test]
fn a_torque_on_one_crank_passes_dead_points() -> Outcome {
    for drag in [0.0, 3.18] {
        for loops in [1, 2, 5, 20] {
            let exact = references::turned_crank(loops, (100.0, drag), 30.0, 1.0)?;
            for rtol in [1e-4, 1e-6, 1e-8, 1e-9, 1e-10] {
                let mut rods = Rods::linkage(loops);
                (rods.torque, rods.drag) = (100.0, drag);
                let start = Rods::linkage_start(loops, 30.0);
                let mut solver = begin(&judged(Method::Rattle, rtol), &rods, &start)?;
                run(&mut *solver, &mut rods, 1.0)?;
                let error = distance(&solver.state()[..2], &exact);
                assert!(error < 5.2 * rtol.sqrt(), "{drag}, {loops}, {rtol:e}: {error:e}");
                // Steps that shrink towards dead points without passing them would be as many as one waits for.
                assert!(solver.counts().steps < 10_000, "{drag}, {loops}, {rtol:e}");
            }
        }
    }
    Ok(())
}

/// In a step so short that positions hardly move, rounding of positions is no velocity.
#[test]
fn very_short_steps_keep_velocities() -> Outcome {
    let (sin, cos) = 0.4_f64.sin_cos();
    let start = [sin, -cos, 2.0 * cos, 2.0 * sin];
    let mut rods = Rods::damped_pendulum(0.0);
    let mut solver = begin(&judged(Method::Rattle, 1e-9), &rods, &start)?;
    let h = 1e-10;
    run(&mut *solver, &mut rods, h)?;
    // Accelerations of at most g + 2² m/s² for so long, and digits of velocities; rounding of positions over h would be 1e-6.
    let change = distance(&solver.state()[2..4], &start[2..4]);
    assert!(change < 15.0 * h, "{change:e}");
    Ok(())
}
