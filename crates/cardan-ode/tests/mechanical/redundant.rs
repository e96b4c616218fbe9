//! Constraints that say the same twice.

use cardan_ode::{Method, SolverSettings};

use crate::Outcome;
use crate::references;
use crate::rods::{End, Rods};
use crate::support::{begin, distance, fixed, run};

fn end(settings: &SolverSettings, mut rods: Rods, start: &[f64], time: f64) -> Outcome<Vec<f64>> {
    let mut solver = begin(settings, &rods, start)?;
    run(&mut *solver, &mut rods, time)?;
    // Corrections end at 1e-12, where constraints have slopes of two.
    assert!(rods.violation(time, solver.state()) < 1e-11);
    Ok(solver.state().to_vec())
}

#[test]
fn a_rod_given_twice_moves_as_if_given_once() -> Outcome {
    let start = [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    for method in Method::MECHANICAL {
        let settings = fixed(method, 1e-2);
        let once = end(&settings, Rods::double_pendulum(), &start, 1.0)?;
        let again = Rods::double_pendulum()
            .with_rod(End::Free(0), End::Free(1), 1.0)
            .with_rod(End::Nail([0.0, 0.0]), End::Free(0), 1.0);
        let twice = end(&settings, again, &start, 1.0)?;
        // Velocities are projected up to one over the penalty, which is another one for more constraints. That is far below
        // the error of the step itself, 1e-3 here.
        let apart = distance(&once, &twice);
        assert!(apart < 1e-5, "{method}: {apart:e}");
    }
    Ok(())
}

/// Three parallel cranks with couplers between them have one constraint too many already; here the outer two are coupled
/// once more.
#[test]
fn a_parallelogram_with_one_rod_too_many_turns() -> Outcome {
    for method in Method::MECHANICAL {
        let loops = 2;
        let rods = Rods::linkage(loops).with_rod(End::Free(0), End::Free(2), 2.0);
        let found = end(&fixed(method, 1e-3), rods, &Rods::linkage_start(loops, 5.0), 0.3)?;
        let exact = references::crank(loops, 5.0, 0.3)?;
        // The phase error of order two, (ωh)²/12 of an angle below four.
        assert!(distance(&found[..2], &exact) < 4.0 * 1e-4 / 12.0, "{method}");
    }
    Ok(())
}
