//! Long chains with the settings that nobody changed: the penalty grows with them.

use cardan_ode::{Counts, Method, SolverSettings};

use crate::Outcome;
use crate::rods::Rods;
use crate::support::{begin, watch};

/// A full turn, past all positions in which the constraints lose their rank.
const TURN: f64 = 0.22;

fn turn(method: Method, loops: usize) -> Outcome<Counts> {
    let mut rods = Rods::linkage(loops);
    let settings = SolverSettings {
        step: Some(1e-3),
        ..SolverSettings::of(method)
    };
    let start = Rods::linkage_start(loops, 30.0);
    let mut solver = begin(&settings, &rods, &start)?;
    let energy = rods.energy(&start);
    let (mut change, mut askew) = (0.0_f64, 0.0_f64);
    watch(&mut *solver, &mut rods, TURN, |rods, _, x| {
        change = change.max((rods.energy(x) / energy - 1.0).abs());
        for i in 1..=loops {
            askew = askew.max((x[2 * i] - i as f64 - x[0]).hypot(x[2 * i + 1] - x[1]));
        }
    })?;
    assert!(
        change <= 1e-4,
        "{method}, L = {loops}: energy changes by {change:e}"
    );
    // Ten times the tolerance of a correction: what it leaves at a singular position is felt in the next steps.
    assert!(
        askew <= 1e-6,
        "{method}, L = {loops}: cranks are out of line by {askew:e}"
    );
    Ok(solver.counts())
}

#[test]
fn chains_of_any_length_turn_with_few_corrections() -> Outcome {
    for loops in [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] {
        let counts = turn(Method::Trapezoidal, loops)?;
        let each = counts.iterations as f64 / counts.steps as f64;
        assert!(
            each <= 3.0 && counts.rejected == 0,
            "L = {loops}: {each} corrections a step"
        );
    }
    Ok(())
}

#[test]
fn they_do_so_with_all_methods() -> Outcome {
    for loops in [1, 10, 100, 1000] {
        let counts = turn(Method::GeneralizedAlpha, loops)?;
        assert!(
            counts.iterations <= 3 * counts.steps && counts.rejected == 0,
            "{counts:?}"
        );
        // Stages that would begin at one of the singular positions are left to shorter steps.
        let counts = turn(Method::Rattle, loops)?;
        assert!(counts.rejected < counts.steps / 5, "{counts:?}");
    }
    Ok(())
}
