//! Equations that keep the sides of their root functions hear of every change; nominal values scale tolerances.

use cardan_ode::{Crossing, Equations, Method, Progress, SolverSettings, Trouble};

use crate::Outcome;
use crate::problems::{BALL, DECAY, GRAVITY, Problem, begin, bits, every_method, run, tight};

/// A problem that keeps sides.
struct Keeper(Problem);

impl Equations for Keeper {
    fn states(&self) -> usize {
        self.0.states()
    }
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        self.0.derivatives(t, x, dx)
    }
    fn roots(&self) -> usize {
        self.0.roots()
    }
    fn keeps_sides(&self) -> bool {
        true
    }
    fn root_values(&mut self, t: f64, x: &[f64], g: &mut [f64]) -> Result<(), Trouble> {
        self.0.root_values(t, x, g)
    }
}

const fn crossing(crossing: Crossing) -> Progress {
    Progress::Root { index: 0, crossing }
}

/// Zero is not positive: a ball thrown from the ground leaves it, and comes back.
#[test]
fn leaving_zero_upwards_is_reported() -> Outcome {
    for settings in every_method() {
        let mut solver = begin(&settings, &BALL, &[0.0, GRAVITY])?;
        let mut ball = Keeper(BALL);
        assert_eq!(run(&mut *solver, &mut ball, 3.0)?, crossing(Crossing::Rising));
        assert!(solver.time() < 1e-12, "{}: {}", settings.method, solver.time());
        solver.disturb();
        assert_eq!(run(&mut *solver, &mut ball, 3.0)?, crossing(Crossing::Falling));
        assert!(
            (solver.time() - 2.0).abs() < 1e-3,
            "{}: {}",
            settings.method,
            solver.time()
        );
    }
    Ok(())
}

/// The ball is left where it was found, a little below the ground, as equations do that only turn its speed.
#[test]
fn going_back_after_a_root_is_reported_too() -> Outcome {
    for settings in every_method() {
        let mut solver = begin(&settings, &BALL, &[1.0, 0.0])?;
        let mut ball = Keeper(BALL);
        for bounce in 0..8 {
            let what = format!("{} {bounce}", settings.method);
            assert_eq!(
                run(&mut *solver, &mut ball, 10.0)?,
                crossing(Crossing::Falling),
                "{what}"
            );
            let (hit, below) = (solver.time(), solver.state()[0] <= 0.0);
            assert!(below, "{what}");
            let state = [solver.state()[0], -0.8 * solver.state()[1]];
            solver.restart(hit, &state)?;
            assert_eq!(
                run(&mut *solver, &mut ball, 10.0)?,
                crossing(Crossing::Rising),
                "{what}"
            );
            assert!(solver.time() - hit < 1e-12, "{what}: {}", solver.time() - hit);
            solver.disturb();
        }
    }
    Ok(())
}

/// It leaves the ground for less than the rounding of time: the first step is guessed all the same.
#[test]
fn the_shortest_flight_ends_on_the_ground() -> Outcome {
    for method in [Method::Dopri5, Method::Bdf] {
        for speed in [1e-9, 1e-12, 1e-15] {
            let mut solver = begin(&tight(method, 1e-9, 1e-12), &BALL, &[1.0, 0.0])?;
            solver.restart(2.5, &[f64::MIN_POSITIVE, speed])?;
            let end = run(&mut *solver, &mut Keeper(BALL), 3.0)?;
            assert_eq!(end, crossing(Crossing::Falling), "{method} {speed}");
            assert!(solver.time() - 2.5 < 1e-8, "{method} {speed}: {}", solver.time());
        }
    }
    Ok(())
}

#[test]
fn nominal_values_can_change_on_the_way() -> Outcome {
    for method in [Method::Dopri5, Method::Bdf] {
        let settings = tight(method, 1e-12, 1e-6);
        let to_ten = |settings: &SolverSettings, nominal: Option<&[f64]>| {
            let mut solver = begin(settings, &DECAY, &[1.0])?;
            if let Some(nominal) = nominal {
                solver.rescale(nominal);
            }
            run(&mut *solver, &mut DECAY.clone(), 10.0)?;
            Ok::<_, Box<dyn std::error::Error>>(bits(&*solver))
        };
        let built = SolverSettings {
            nominal: Some(vec![1e-3]),
            ..settings.clone()
        };
        let plain = to_ten(&settings, None)?;
        assert_eq!(to_ten(&built, None)?, to_ten(&settings, Some(&[1e-3]))?);
        assert_ne!(to_ten(&built, None)?, plain);
        // What is no size changes nothing.
        assert_eq!(to_ten(&settings, Some(&[0.0]))?, plain);
        assert_eq!(to_ten(&settings, Some(&[f64::NAN]))?, plain);
    }
    Ok(())
}
