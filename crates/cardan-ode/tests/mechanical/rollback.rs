//! Steps are taken back and repeated with the same bits; jumps are announced.

use cardan_ode::{Memory, Method, SolveError, SolverSettings};

use crate::Outcome;
use crate::rods::Rods;
use crate::support::{begin, distance, fixed, judged, run};

const START: [f64; 8] = [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0];

/// All methods, with equal steps and with those that a tolerance allows.
fn settings() -> impl Iterator<Item = SolverSettings> {
    Method::MECHANICAL
        .into_iter()
        .flat_map(|method| [fixed(method, 1e-2), judged(method, 1e-6)])
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn what_is_restored_goes_on_with_the_same_bits() -> Outcome {
    for settings in settings() {
        let method = settings.method;
        let mut rods = Rods::double_pendulum();
        let mut solver = begin(&settings, &rods, &START)?;
        run(&mut *solver, &mut rods, 0.5)?;
        // In the middle of the way to a limit as well.
        solver.advance(&mut rods, 1.0)?;
        let time = solver.time();
        assert!(time < 1.0);
        let mut memory = Memory::default();
        solver.save(&mut memory);
        run(&mut *solver, &mut rods, 1.0)?;
        let first = bits(solver.state());
        // Back from somewhere else entirely.
        solver.restart(7.0, &START)?;
        run(&mut *solver, &mut rods, 7.1)?;
        solver.restore(&memory)?;
        assert_eq!(solver.time(), time, "{method}");
        run(&mut *solver, &mut rods, 1.0)?;
        assert_eq!(bits(solver.state()), first, "{method}");
        // And in a solver of the same kind that has seen nothing yet.
        let mut other = begin(&settings, &rods, &START)?;
        other.restore(&memory)?;
        run(&mut *other, &mut rods, 1.0)?;
        assert_eq!(bits(other.state()), first, "{method}");
    }
    Ok(())
}

#[test]
fn memories_of_other_methods_and_sizes_are_refused() -> Outcome {
    let mut memory = Memory::default();
    let (mut double, single) = (Rods::double_pendulum(), Rods::damped_pendulum(0.1));
    begin(&fixed(Method::Rattle, 1e-2), &double, &START)?.save(&mut memory);
    let others = [
        begin(&fixed(Method::Trapezoidal, 1e-2), &double, &START)?,
        begin(&fixed(Method::GeneralizedAlpha, 1e-2), &double, &START)?,
        begin(&fixed(Method::Rattle, 1e-2), &single, &START[..5])?,
    ];
    for mut other in others {
        let before = bits(other.state());
        assert!(matches!(other.restore(&memory), Err(SolveError::Mismatch { .. })));
        assert_eq!(bits(other.state()), before);
    }
    let mut solver = begin(&fixed(Method::Trapezoidal, 1e-2), &double, &START)?;
    assert!(matches!(
        solver.restart(0.0, &START[..7]),
        Err(SolveError::Mismatch {
            expected: 8,
            found: 7,
            ..
        })
    ));
    run(&mut *solver, &mut double, 0.1)
}

/// Where nothing jumps, saying so changes nothing but what is found anew: accelerations and multipliers, which the methods
/// know to their own error.
#[test]
fn a_false_alarm_costs_no_more_than_the_steps_own_error() -> Outcome {
    for method in Method::MECHANICAL {
        let mut rods = Rods::double_pendulum();
        let mut quiet = begin(&fixed(method, 1e-3), &rods, &START)?;
        let mut alarmed = begin(&fixed(method, 1e-3), &rods, &START)?;
        for k in 1..=10 {
            run(&mut *quiet, &mut rods, 0.1 * f64::from(k))?;
            run(&mut *alarmed, &mut rods, 0.1 * f64::from(k))?;
            alarmed.disturb();
        }
        let apart = distance(&quiet.state()[..4], &alarmed.state()[..4]);
        // The published error of the trapezoidal rule with this step is 1.1e-5 after a second.
        assert!(apart < 1.1e-5, "{method}: {apart:e}");
        // Rattle remembers nothing beside its state.
        assert!(method != Method::Rattle || apart == 0.0, "{apart:e}");
    }
    Ok(())
}

/// After a restart nothing is left of the past.
#[test]
fn a_restart_is_a_new_beginning() -> Outcome {
    for settings in settings() {
        let method = settings.method;
        let mut rods = Rods::double_pendulum();
        let mut fresh = begin(&settings, &rods, &START)?;
        let mut used = begin(&settings, &rods, &START)?;
        run(&mut *used, &mut rods, 0.777)?;
        used.restart(0.0, &START)?;
        run(&mut *fresh, &mut rods, 0.4)?;
        run(&mut *used, &mut rods, 0.4)?;
        assert_eq!(bits(fresh.state()), bits(used.state()), "{method}");
    }
    Ok(())
}
