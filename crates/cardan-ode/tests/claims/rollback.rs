//! Memory: complete, exact, and refused where it does not belong.

use cardan_ode::{Memory, Method, Progress, SolveError, Solver, SolverSettings};

use crate::Outcome;
use crate::problems::{
    BALL, OSCILLATOR, Problem, ROBERTSON, VAN_DER_POL, begin, bits, every_method, run, tight,
};

/// Everything the caller can see after each of some steps over some limits, roots included.
fn record(solver: &mut dyn Solver, problem: &Problem, from: u32) -> Result<Vec<u64>, SolveError> {
    let mut seen = Vec::new();
    let mut equations = *problem;
    let mut middle = vec![0.0; problem.states];
    for k in from..from + 4 {
        let limit = 0.13 * f64::from(k);
        loop {
            let progress = solver.advance(&mut equations, limit)?;
            seen.extend(bits(solver));
            solver.interpolate(0.5 * (solver.previous_time() + solver.time()), &mut middle);
            seen.extend(middle.iter().map(|x| x.to_bits()));
            seen.push(solver.crossings().iter().flatten().count() as u64);
            if progress == Progress::Limit {
                break;
            }
        }
    }
    Ok(seen)
}

/// Saves in the middle of every interval, goes on, goes back, and goes on again: in the same solver and in another.
fn assert_exact(settings: &SolverSettings, problem: &Problem, x: &[f64]) -> Outcome {
    let mut solver = begin(settings, problem, x)?;
    let mut other = begin(settings, problem, x)?;
    let mut memory = Memory::default();
    for k in 1..12 {
        let limit = 0.13 * f64::from(k);
        for _ in 0..k {
            solver.advance(&mut problem.clone(), limit)?;
        }
        solver.save(&mut memory);
        let place = bits(&*solver);
        let first = record(&mut *solver, problem, k)?;
        solver.restore(&memory)?;
        assert_eq!(place, bits(&*solver));
        assert_eq!(
            first,
            record(&mut *solver, problem, k)?,
            "{} at {limit}",
            settings.method
        );
        other.restore(&memory)?;
        assert_eq!(
            first,
            record(&mut *other, problem, k)?,
            "{} at {limit}, moved",
            settings.method
        );
        solver.restore(&memory)?;
        run(&mut *solver, &mut problem.clone(), limit)?;
    }
    Ok(())
}

#[test]
fn going_back_and_on_gives_the_same_bits() -> Outcome {
    let watched = OSCILLATOR.with_roots(2, |t, x, g| {
        g[0] = x[0] - 0.7;
        g[1] = (9.0 * t).sin();
    });
    for settings in every_method() {
        assert_exact(&settings, &watched, &[1.0, 0.0])?;
    }
    Ok(())
}

#[test]
fn stiff_problems_too() -> Outcome {
    assert_exact(&tight(Method::Bdf, 1e-6, 1e-10), &ROBERTSON, &[1.0, 0.0, 0.0])?;
    assert_exact(&tight(Method::Bdf, 1e-5, 1e-8), &VAN_DER_POL, &[2.0, 0.0])
}

/// A kink that step control has to find: there are failures before and after the save.
#[test]
fn also_after_a_rejected_step() -> Outcome {
    let kink = Problem::new(1, |t, x, dx| dx[0] = (t - 0.4).abs().sqrt() * 50.0 - x[0]);
    for method in [Method::Dopri5, Method::Bdf] {
        let mut solver = begin(&SolverSettings::of(method), &kink, &[1.0])?;
        while solver.counts().rejected == 0 {
            solver.advance(&mut kink.clone(), 2.0)?;
        }
        let mut memory = Memory::default();
        solver.save(&mut memory);
        run(&mut *solver, &mut kink.clone(), 2.0)?;
        let first = bits(&*solver);
        solver.restore(&memory)?;
        run(&mut *solver, &mut kink.clone(), 2.0)?;
        assert_eq!(first, bits(&*solver), "{method}");
    }
    Ok(())
}

/// Between a root and the rest of its step, and between a disturbance and the step after it.
#[test]
fn also_at_a_root_and_after_a_disturbance() -> Outcome {
    for settings in every_method() {
        let mut solver = begin(&settings, &BALL, &[1.0, 0.0])?;
        run(&mut *solver, &mut BALL.clone(), 10.0)?;
        let mut memory = Memory::default();
        for disturbed in [false, true] {
            if disturbed {
                solver.disturb();
            }
            solver.save(&mut memory);
            run(&mut *solver, &mut BALL.clone(), 0.6)?;
            let first = bits(&*solver);
            solver.restore(&memory)?;
            run(&mut *solver, &mut BALL.clone(), 0.6)?;
            assert_eq!(first, bits(&*solver), "{} {disturbed}", settings.method);
            solver.restore(&memory)?;
        }
    }
    Ok(())
}

#[test]
fn the_memory_of_another_solver_is_refused_and_changes_nothing() -> Outcome {
    let mut heun = begin(&SolverSettings::of(Method::Heun), &OSCILLATOR, &[1.0, 0.0])?;
    let rk4 = begin(&SolverSettings::of(Method::Rk4), &OSCILLATOR, &[2.0, 0.0])?;
    let ball = begin(&SolverSettings::of(Method::Heun), &BALL, &[3.0, 0.0])?;
    let before = bits(&*heun);
    let mut memory = Memory::default();
    rk4.save(&mut memory);
    assert!(matches!(heun.restore(&memory), Err(SolveError::Mismatch { .. })));
    ball.save(&mut memory);
    assert!(matches!(heun.restore(&memory), Err(SolveError::Mismatch { .. })));
    assert!(matches!(
        heun.restore(&Memory::default()),
        Err(SolveError::Mismatch { .. })
    ));
    assert_eq!(before, bits(&*heun));
    Ok(())
}
