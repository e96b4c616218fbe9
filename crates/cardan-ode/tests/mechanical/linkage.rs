//! The linkage of L loops of González et al.: redundant constraints, and twice a turn positions where they lose their rank.

use cardan_ode::Method;

use crate::Outcome;
use crate::references;
use crate::rods::Rods;
use crate::support::{begin, close, fixed, run, trapezoidal, watch};

const SPEED: f64 = 30.0;

fn distance_of_crank(loops: usize, x: &[f64]) -> Outcome<f64> {
    let exact = references::crank(loops, SPEED, 1.0)?;
    Ok((x[0] - exact[0]).hypot(x[1] - exact[1]))
}

#[test]
fn the_trapezoidal_rule_gives_the_published_figures() -> Outcome {
    let published = [
        (1, 769.62, 2.4e-5, 2.000),
        (2, 1384.335, 2.3e-5, 2.213),
        (5, 3228.48, 2.3e-5, 2.334),
    ];
    for (loops, energy, change, iterations) in published {
        let mut rods = Rods::linkage(loops);
        let start = Rods::linkage_start(loops, SPEED);
        let settings = trapezoidal(1e-3, 1e-7, Some(1e8));
        let mut solver = begin(&settings, &rods, &start)?;
        let given = rods.energy(&start);
        // All published digits, and sums of a few dozen terms.
        assert!((given / energy - 1.0).abs() < 1e-12, "{given}");
        let mut largest = 0.0_f64;
        watch(&mut *solver, &mut rods, 1.0, |rods, _, x| {
            largest = largest.max((rods.energy(x) / given - 1.0).abs());
        })?;
        close("energy", largest, change);
        let counts = solver.counts();
        close(
            "corrections",
            counts.iterations as f64 / counts.steps as f64,
            iterations,
        );
        assert_eq!((counts.steps, counts.rejected), (1000, 0));
    }
    Ok(())
}

/// The phase error of the trapezoidal rule is (ωh)²/12 of the angle: 30 rad · 9e-4 / 12 = 2.25e-3, with gravity's help.
#[test]
fn the_crank_is_late_by_the_phase_error() -> Outcome {
    let mut rods = Rods::linkage(1);
    let settings = trapezoidal(1e-3, 1e-7, Some(1e8));
    let mut solver = begin(&settings, &rods, &Rods::linkage_start(1, SPEED))?;
    run(&mut *solver, &mut rods, 1.0)?;
    close("B0", distance_of_crank(1, solver.state())?, 2.51e-3);
    Ok(())
}

/// What no method of order two can do with this step.
#[test]
fn rattle_finds_the_crank_to_a_hundredth_of_a_millimetre() -> Outcome {
    for loops in [1, 2, 5] {
        let mut rods = Rods::linkage(loops);
        let mut solver = begin(
            &fixed(Method::Rattle, 1e-3),
            &rods,
            &Rods::linkage_start(loops, SPEED),
        )?;
        let mut violation = 0.0_f64;
        watch(&mut *solver, &mut rods, 1.0, |rods, t, x| {
            violation = violation.max(rods.violation(t, x));
        })?;
        let error = distance_of_crank(loops, solver.state())?;
        assert!(error <= 1e-5, "L = {loops}: {error:e} m");
        // Positions are of size L, so that constraints are rounded to some units of L² in the last place.
        let rounding = 8.0 * (loops * loops) as f64 * f64::EPSILON;
        assert!(violation <= rounding, "L = {loops}: {violation:e}");
    }
    Ok(())
}

/// All rods in one line, where the constraints lose their rank: from here the linkage may fold or go on. Velocities that go
/// on are given, and all methods follow them.
#[test]
fn a_motion_may_begin_where_the_constraints_lose_their_rank() -> Outcome {
    let loops = 2;
    let mut start = vec![0.0; 4 * (loops + 1)];
    for i in 0..=loops {
        (start[2 * i], start[2 * (loops + 1) + 2 * i + 1]) = (i as f64 + 1.0, -SPEED);
    }
    for method in Method::MECHANICAL {
        let mut rods = Rods::linkage(loops);
        let energy = rods.energy(&start);
        let mut solver = begin(&fixed(method, 1e-3), &rods, &start)?;
        let (mut violation, mut change) = (0.0_f64, 0.0_f64);
        watch(&mut *solver, &mut rods, 0.1, |rods, t, x| {
            violation = violation.max(rods.violation(t, x));
            change = change.max((rods.energy(x) / energy - 1.0).abs());
        })?;
        // Where rank is lost, violations are squares of what positions are out of line.
        assert!(violation < 1e-6, "{method}: {violation:e}");
        // As in motions that begin elsewhere.
        assert!(change < 1e-4, "{method}: {change:e}");
    }
    Ok(())
}

/// Steps that would begin a stage near a singular position are taken in another length: energy is not lost there.
#[test]
fn rattle_passes_singular_positions_without_a_jump() -> Outcome {
    for loops in [2, 6, 9, 12] {
        for speed in [29.0, SPEED] {
            let mut rods = Rods::linkage(loops);
            let start = Rods::linkage_start(loops, speed);
            let energy = rods.energy(&start);
            let mut solver = begin(&fixed(Method::Rattle, 1e-3), &rods, &start)?;
            let mut change = 0.0_f64;
            watch(&mut *solver, &mut rods, 1.0, |rods, _, x| {
                change = change.max((rods.energy(x) / energy - 1.0).abs());
            })?;
            // Not derived: twice the largest of what was measured, rounding included. With jumps it was up to 7.9e-6.
            assert!(change < 8e-9, "L = {loops}: {change:e}");
            let counts = solver.counts();
            assert!(
                counts.rejected > 0 && counts.rejected < counts.steps / 5,
                "{counts:?}"
            );
        }
    }
    Ok(())
}
