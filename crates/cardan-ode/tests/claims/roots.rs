//! Roots: found once, in order, at the right time.

use cardan_ode::{Crossing, Method, Progress, SolverSettings};

use crate::Outcome;
use crate::problems::{BALL, GRAVITY, OSCILLATOR, Problem, begin, bits, every_method, run};

const FALLING: Progress = Progress::Root {
    index: 0,
    crossing: Crossing::Falling,
};

/// How exactly a method follows the ball, as a time: the error of the height over the speed at the ground.
fn ball_allowance(settings: &SolverSettings, steps: u64) -> f64 {
    match settings.method {
        // Half a step of gravity, g t h / 2 over g t.
        Method::Euler => settings.step.unwrap_or(0.0),
        // A parabola is integrated and interpolated exactly, up to rounding.
        Method::Heun | Method::Rk4 => steps as f64 * 4.0 * f64::EPSILON,
        // Also exact in theory, but the step sizes vary.
        Method::Dopri5 => 1e-13,
        // One tolerance a step, for states of size up to ten.
        _ => steps as f64 * 10.0 * settings.rtol,
    }
}

#[test]
fn a_falling_ball_meets_the_ground_in_time() -> Outcome {
    let fall = (2.0 / GRAVITY).sqrt();
    for settings in every_method() {
        let mut solver = begin(&settings, &BALL, &[1.0, 0.0])?;
        assert_eq!(
            run(&mut *solver, &mut BALL.clone(), 10.0)?,
            FALLING,
            "{}",
            settings.method
        );
        let allowed = ball_allowance(&settings, solver.counts().steps);
        assert!(
            (solver.time() - fall).abs() <= allowed,
            "{}: {}",
            settings.method,
            solver.time() - fall
        );
        // Just past it: the height is not positive any more, and no more than an ulp of time below the ground.
        let height = solver.state()[0];
        assert!(height <= 0.0 && height > -1e-14, "{}: {height}", settings.method);
        assert_eq!(solver.crossings(), [Some(Crossing::Falling)]);
    }
    Ok(())
}

/// Flights of length 2 v / g with v reduced at each bounce: a geometric series of times.
#[test]
fn a_bouncing_ball_bounces_once_each_time() -> Outcome {
    let restitution = 0.8;
    for settings in every_method() {
        let mut solver = begin(&settings, &BALL, &[1.0, 0.0])?;
        let mut exact = (2.0 / GRAVITY).sqrt();
        let mut speed = GRAVITY * exact;
        for bounce in 0..15 {
            assert_eq!(
                run(&mut *solver, &mut BALL.clone(), 10.0)?,
                FALLING,
                "{} {bounce}",
                settings.method
            );
            // Errors add up flight by flight, and one in the speed lengthens all later ones: by 2 Σ rᵏ = 10 at most.
            let allowed = 11.0 * f64::from(bounce + 1) * ball_allowance(&settings, solver.counts().steps);
            assert!(
                (solver.time() - exact).abs() <= allowed,
                "{} {bounce}",
                settings.method
            );
            let state = [solver.state()[0], -restitution * solver.state()[1]];
            solver.restart(solver.time(), &state)?;
            speed *= restitution;
            exact += 2.0 * speed / GRAVITY;
        }
    }
    Ok(())
}

/// Starts on the root itself, flies and lands within what could be a single step.
#[test]
fn a_root_at_the_start_is_not_reported() -> Outcome {
    for settings in every_method() {
        for step in [settings.step, Some(0.5), None] {
            let settings = SolverSettings {
                step,
                rtol: 1e-3,
                atol: 1e-3,
                ..settings.clone()
            };
            let mut solver = begin(&settings, &BALL, &[0.0, GRAVITY])?;
            let end = run(&mut *solver, &mut BALL.clone(), 3.0)?;
            // Euler in one step only knows the line upwards.
            if settings.method == Method::Euler && step.is_none() {
                assert_eq!(end, Progress::Limit);
            } else {
                assert_eq!(end, FALLING, "{} with step {step:?}", settings.method);
                assert!(solver.time() > 1.0, "{}", settings.method);
            }
        }
    }
    Ok(())
}

/// cos t = 0 at (k + 1/2) π, falling and rising by turns; nobody restarts.
#[test]
fn roots_follow_one_another_without_a_restart() -> Outcome {
    let problem = OSCILLATOR.with_roots(1, |_, x, g| g[0] = x[0]);
    for settings in every_method() {
        let mut solver = begin(&settings, &problem, &[1.0, 0.0])?;
        for k in 0..6 {
            let crossing = if k % 2 == 0 {
                Crossing::Falling
            } else {
                Crossing::Rising
            };
            assert_eq!(
                run(&mut *solver, &mut problem.clone(), 20.0)?,
                Progress::Root { index: 0, crossing }
            );
            let exact = (f64::from(k) + 0.5) * std::f64::consts::PI;
            // The phase error of each method over 20 time units with the steps of `every_method`: h²/6 and h⁴/120
            // a unit for Heun and the classical method, nothing in first order for Euler (h²/3), tolerances a step.
            let allowed = match settings.method {
                Method::Euler => 20.0 * 1e-8,
                Method::Heun => 20.0 * 1e-4 / 6.0,
                Method::Rk4 => 20.0 * 0.05_f64.powi(4) / 120.0 + 0.05_f64.powi(4) / 384.0,
                _ => 2.0 * settings.rtol * solver.counts().steps as f64,
            };
            assert!(
                (solver.time() - exact).abs() < allowed,
                "{} {k}: {}",
                settings.method,
                solver.time()
            );
        }
    }
    Ok(())
}

#[test]
fn looking_for_roots_does_not_change_the_solution() -> Outcome {
    let watched = OSCILLATOR.with_roots(2, |_, x, g| {
        g[0] = x[0];
        g[1] = x[1] - 0.3;
    });
    for settings in every_method() {
        let mut plain = begin(&settings, &OSCILLATOR, &[1.0, 0.0])?;
        run(&mut *plain, &mut OSCILLATOR.clone(), 10.0)?;
        let mut solver = begin(&settings, &watched, &[1.0, 0.0])?;
        let mut found = 0;
        while run(&mut *solver, &mut watched.clone(), 10.0)? != Progress::Limit {
            found += 1;
        }
        assert_eq!(found, 3 + 3, "{}", settings.method);
        assert_eq!(bits(&*plain), bits(&*solver), "{}", settings.method);
    }
    Ok(())
}

#[test]
fn functions_that_cross_together_are_reported_together() -> Outcome {
    let problem = OSCILLATOR.with_roots(3, |_, x, g| {
        g[0] = x[1] + 0.999;
        g[1] = -x[0];
        g[2] = 2.0 * x[0];
    });
    for settings in every_method() {
        let mut solver = begin(&settings, &problem, &[1.0, 0.0])?;
        assert_eq!(
            run(&mut *solver, &mut problem.clone(), 2.0)?,
            Progress::Root {
                index: 0,
                crossing: Crossing::Falling
            }
        );
        assert_eq!(solver.crossings(), [Some(Crossing::Falling), None, None]);
        assert_eq!(
            run(&mut *solver, &mut problem.clone(), 2.0)?,
            Progress::Root {
                index: 1,
                crossing: Crossing::Rising
            }
        );
        assert_eq!(
            solver.crossings(),
            [None, Some(Crossing::Rising), Some(Crossing::Falling)]
        );
        run(&mut *solver, &mut problem.clone(), 1.6)?;
        assert_eq!(solver.crossings(), []);
    }
    Ok(())
}

/// Time alone: no states, a root function of the clock, and a limit that coincides with its root.
#[test]
fn without_states_roots_in_time_are_found() -> Outcome {
    let clock = Problem::new(0, |_, _, _| {}).with_roots(1, |t, _, g| g[0] = (t - 0.3).min(0.7 - t));
    for method in Method::ALL {
        let settings = SolverSettings {
            max_step: Some(0.2),
            ..SolverSettings::of(method)
        };
        let mut solver = begin(&settings, &clock, &[])?;
        let up = run(&mut *solver, &mut clock.clone(), 0.5)?;
        assert_eq!(
            up,
            Progress::Root {
                index: 0,
                crossing: Crossing::Rising
            },
            "{method}"
        );
        assert!((solver.time() - 0.3).abs() <= f64::EPSILON);
        assert_eq!(run(&mut *solver, &mut clock.clone(), 0.5)?, Progress::Limit);
        assert_eq!(run(&mut *solver, &mut clock.clone(), 0.7)?, FALLING);
        assert_eq!(solver.time(), 0.7);
        assert_eq!(solver.advance(&mut clock.clone(), 0.7)?, Progress::Limit);
        assert_eq!(solver.crossings(), []);
        assert_eq!(run(&mut *solver, &mut clock.clone(), 2.0)?, Progress::Limit);
        assert_eq!(solver.counts().rhs, 0);
    }
    Ok(())
}
