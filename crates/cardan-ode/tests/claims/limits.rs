//! Limits: reached exactly, never passed, and cheap.

use cardan_ode::{Equations, Method, Progress, Solver, SolverSettings, Trouble};

use crate::Outcome;
use crate::problems::{OSCILLATOR, Problem, begin, every_method, fixed, run};

/// The oscillator, keeping the latest time it was asked for.
struct Witness {
    latest: f64,
}

impl Equations for Witness {
    fn states(&self) -> usize {
        2
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        self.latest = self.latest.max(t);
        (OSCILLATOR.rhs)(t, x, dx);
        Ok(())
    }
}

#[test]
fn a_limit_is_hit_bit_for_bit_and_never_passed() -> Outcome {
    for settings in every_method() {
        let mut solver = begin(&settings, &OSCILLATOR, &[1.0, 0.0])?;
        let mut witness = Witness { latest: 0.0 };
        for k in 1..=50 {
            // Not representable, irregular, and from far below to far above the natural step.
            let limit = 0.1 * f64::from(k) + [0.0, 1e-9, 0.03, 1.0 / 17.0][k as usize % 4];
            assert_eq!(run(&mut *solver, &mut witness, limit)?, Progress::Limit);
            assert_eq!(solver.time().to_bits(), limit.to_bits());
            assert!(
                witness.latest <= limit,
                "{}: {} > {limit}",
                settings.method,
                witness.latest
            );
        }
    }
    Ok(())
}

#[test]
fn at_the_limit_nothing_is_done() -> Outcome {
    for settings in every_method() {
        let mut solver = begin(&settings, &OSCILLATOR, &[1.0, 0.0])?;
        run(&mut *solver, &mut OSCILLATOR.clone(), 0.1)?;
        let counts = solver.counts();
        assert_eq!(solver.advance(&mut OSCILLATOR.clone(), 0.1)?, Progress::Limit);
        assert_eq!(solver.counts(), counts);
    }
    Ok(())
}

/// A thousand intervals of a tenth, three steps each: times come from the grid and not from adding.
#[test]
fn fixed_steps_do_not_drift() -> Outcome {
    let mut solver = begin(&fixed(Method::Euler, 0.04), &OSCILLATOR, &[1.0, 0.0])?;
    for k in 1..=1000 {
        let (from, limit) = (0.1 * f64::from(k - 1), 0.1 * f64::from(k));
        for part in 1..=3 {
            solver.advance(&mut OSCILLATOR.clone(), limit)?;
            let expected = if part == 3 {
                limit
            } else {
                from + f64::from(part) * (limit - from) / 3.0
            };
            assert_eq!(solver.time().to_bits(), expected.to_bits());
        }
    }
    assert_eq!(solver.counts().steps, 3000);
    Ok(())
}

#[test]
fn without_a_step_a_fixed_method_takes_one_for_each_limit() -> Outcome {
    let mut solver = begin(&SolverSettings::of(Method::Rk4), &OSCILLATOR, &[1.0, 0.0])?;
    for k in 1..=10 {
        assert_eq!(
            solver.advance(&mut OSCILLATOR.clone(), 0.1 * f64::from(k))?,
            Progress::Limit
        );
    }
    Ok(())
}

fn steps_over(
    solver: &mut dyn Solver,
    limits: impl Iterator<Item = f64>,
) -> Result<u64, cardan_ode::SolveError> {
    let before = solver.counts().steps;
    for limit in limits {
        run(solver, &mut OSCILLATOR.clone(), limit)?;
    }
    Ok(solver.counts().steps - before)
}

/// A single close limit must not make the method feel its way up again.
#[test]
fn the_natural_step_survives_a_close_limit() -> Outcome {
    for method in [Method::Dopri5, Method::Bdf] {
        let mut solver = begin(&SolverSettings::of(method), &OSCILLATOR, &[1.0, 0.0])?;
        steps_over(&mut *solver, [10.0].into_iter())?;
        let free = steps_over(&mut *solver, [20.0].into_iter())?;
        let cut = steps_over(&mut *solver, [20.0 + 1e-9, 30.0].into_iter())?;
        // One step for the sliver, one for what it does to the rest, and the scatter of step control: a fifth.
        assert!(cut <= 2 + free * 6 / 5, "{method}: {free} free, {cut} cut");
    }
    Ok(())
}

/// Limits at 1.67 natural steps: two equal steps each, hence neither new factors nor more than an iteration or two.
#[test]
fn regular_limits_cost_what_they_must() -> Outcome {
    let mut solver = begin(&SolverSettings::of(Method::Bdf), &OSCILLATOR, &[1.0, 0.0])?;
    let free = {
        let before = solver.counts();
        steps_over(&mut *solver, [40.0].into_iter())?;
        40.0 / (solver.counts().steps - before.steps) as f64
    };
    let interval = free / 0.6;
    let mut solver = begin(&SolverSettings::of(Method::Bdf), &OSCILLATOR, &[1.0, 0.0])?;
    let steps = steps_over(&mut *solver, (1..=200).map(|k| f64::from(k) * interval))?;
    let counts = solver.counts();
    assert!((400..600).contains(&steps), "{counts:?}");
    assert!(counts.rhs < 2 * steps, "{counts:?}");
    assert!(counts.factorizations < steps / 5, "{counts:?}");
    Ok(())
}

#[test]
fn the_largest_step_is_respected() -> Outcome {
    for method in [Method::Dopri5, Method::Bdf] {
        let settings = SolverSettings {
            max_step: Some(0.01),
            ..SolverSettings::of(method)
        };
        let mut solver = begin(&settings, &OSCILLATOR, &[1.0, 0.0])?;
        while solver.advance(&mut OSCILLATOR.clone(), 1.0)? == Progress::Step {
            assert!(solver.time() - solver.previous_time() <= 0.01);
        }
    }
    Ok(())
}

#[test]
fn without_states_time_moves() -> Outcome {
    let nothing = Problem::new(0, |_, _, _| {});
    for method in Method::ALL {
        let mut solver = begin(&SolverSettings::of(method), &nothing, &[])?;
        assert_eq!(solver.advance(&mut nothing.clone(), 7.0)?, Progress::Limit);
        assert_eq!((solver.time(), solver.state().len()), (7.0, 0));
    }
    Ok(())
}
