//! Systems that cannot go on: they end in errors, after work that has a bound.

use cardan_ode::mechanical::{Mechanics, Structure};
use cardan_ode::{
    Equations, Method, SettingsError, SolveError, SolverSettings, Trouble, build, build_mechanical,
};

use crate::Outcome;
use crate::rods::Rods;
use crate::support::{begin, fixed, run};

const START: [f64; 8] = [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0];

/// The double pendulum with a fault.
struct Faulty {
    rods: Rods,
    /// What it makes of the forces at a time.
    fault: fn(f64, &mut [f64]) -> Result<(), Trouble>,
    calls: u64,
}

impl Faulty {
    fn new(fault: fn(f64, &mut [f64]) -> Result<(), Trouble>) -> Self {
        let rods = Rods::double_pendulum();
        Faulty {
            rods,
            fault,
            calls: 0,
        }
    }
}

impl Equations for Faulty {
    fn states(&self) -> usize {
        self.rods.states()
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        self.rods.derivatives(t, x, dx)
    }

    fn mechanics(&mut self) -> Option<&mut dyn Mechanics> {
        Some(self)
    }
}

impl Mechanics for Faulty {
    fn structure(&self) -> &Structure {
        self.rods.structure()
    }

    fn damped(&self) -> bool {
        self.rods.damped()
    }

    fn constraints(&mut self, t: f64, q: &[f64], values: &mut [f64]) {
        self.rods.constraints(t, q, values);
    }

    fn jacobian(&mut self, t: f64, q: &[f64], entries: &mut [f64]) {
        Mechanics::jacobian(&mut self.rods, t, q, entries);
    }

    fn drives(&mut self, t: f64, q: &[f64], rates: &mut [f64]) {
        self.rods.drives(t, q, rates);
    }

    fn curvatures(&mut self, t: f64, q: &[f64], v: &[f64], values: &mut [f64]) {
        self.rods.curvatures(t, q, v, values);
    }

    fn forces(&mut self, t: f64, x: &[f64], forces: &mut [f64]) -> Result<(), Trouble> {
        self.calls += 1;
        self.rods.forces(t, x, forces)?;
        (self.fault)(t, forces)
    }

    fn tangents(&mut self, t: f64, x: &[f64], stiffness: &mut [f64], damping: &mut [f64]) {
        self.rods.tangents(t, x, stiffness, damping);
    }

    fn quadratures(&mut self, t: f64, x: &[f64], rates: &mut [f64]) {
        self.rods.quadratures(t, x, rates);
    }
}

#[test]
fn forces_that_are_not_numbers_are_an_error() -> Outcome {
    for method in Method::MECHANICAL {
        for (from, time) in [(0.5, 0.5), (-1.0, 0.0)] {
            let fault = if from > 0.0 {
                |t: f64, forces: &mut [f64]| {
                    forces[1] = if t > 0.5 { f64::NAN } else { forces[1] };
                    Ok(())
                }
            } else {
                |_: f64, forces: &mut [f64]| {
                    forces[1] = f64::NAN;
                    Ok(())
                }
            };
            let mut faulty = Faulty::new(fault);
            let mut solver = begin(&fixed(method, 1e-2), &faulty, &START)?;
            let error = loop {
                if let Err(error) = solver.advance(&mut faulty, 1.0) {
                    break error;
                }
            };
            assert!(matches!(error, SolveError::NonFinite { .. }), "{method}: {error}");
            // Halves of steps come closer than a step.
            assert!((solver.time() - time).abs() < 1e-2, "{method}: {}", solver.time());
            assert!(solver.state().iter().all(|x| x.is_finite()), "{method}");
        }
    }
    Ok(())
}

#[test]
fn a_fatal_answer_is_not_tried_again() -> Outcome {
    for method in Method::MECHANICAL {
        let mut faulty = Faulty::new(|t, _| if t > 0.1 { Err(Trouble::Fatal) } else { Ok(()) });
        let mut solver = begin(&fixed(method, 1e-2), &faulty, &START)?;
        run(&mut *solver, &mut faulty, 0.1)?;
        let before = faulty.calls;
        let error = solver.advance(&mut faulty, 0.2).err();
        assert!(
            matches!(error, Some(SolveError::Fatal { .. })),
            "{method}: {error:?}"
        );
        assert!(faulty.calls - before <= 2, "{method}");
    }
    Ok(())
}

/// Forces that nobody can evaluate in a short window of time, where a step wants to end: one bad place costs a shorter step,
/// and those behind it are as long as they should be.
#[test]
fn one_bad_place_does_not_make_the_rest_slow() -> Outcome {
    for method in Method::MECHANICAL {
        let mut faulty = Faulty::new(|t, _| {
            let bad = (0.0995..0.1005).contains(&t);
            if bad { Err(Trouble::Discard) } else { Ok(()) }
        });
        let mut solver = begin(&fixed(method, 1e-2), &faulty, &START)?;
        run(&mut *solver, &mut faulty, 1.0)?;
        let counts = solver.counts();
        // The step that meets it is halved once; with another one up to the limit in its place they are 101.
        assert_eq!((counts.steps, counts.rejected), (101, 1), "{method}");
    }
    Ok(())
}

/// A support that is led away from the nail its rod is fixed to: at one metre there is no position any more.
#[test]
fn constraints_that_contradict_each_other_end_in_an_error() -> Outcome {
    for method in Method::MECHANICAL {
        let mut rods = Rods::stretched_rod(|t| [0.5 + t, 1.0, 0.0]);
        let (y, v) = (-(0.75_f64.sqrt()), 0.5 / 0.75_f64.sqrt());
        let mut solver = begin(&fixed(method, 1e-2), &rods, &[0.5, y, 1.0, v])?;
        let error = loop {
            if let Err(error) = solver.advance(&mut rods, 5.0) {
                break error;
            }
        };
        assert!(matches!(error, SolveError::Newton { .. }), "{method}: {error}");
        assert!(
            (0.45..=0.51).contains(&solver.time()),
            "{method}: {}",
            solver.time()
        );
        // Steps become shorter towards the end, each of them after ten halvings at the most.
        assert!(solver.counts().rejected < 500, "{method}: {:?}", solver.counts());
    }
    Ok(())
}

#[test]
fn ordinary_equations_are_refused() -> Outcome {
    struct Ordinary;
    impl Equations for Ordinary {
        fn states(&self) -> usize {
            8
        }
        fn derivatives(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Trouble> {
            Ok(())
        }
    }
    for method in Method::MECHANICAL {
        let error = build(&SolverSettings::of(method), 8, 0).err();
        assert_eq!(error, Some(SettingsError::NotMechanical { method }));
        let said = error.map(|error| error.to_string());
        let wanted = format!(
            "the solver {method} is made for multibody models; take one of euler, heun, rk4, dopri5, bdf"
        );
        assert_eq!(said, Some(wanted));
        // Also where a solver for mechanics meets them later.
        let mut solver = begin(&fixed(method, 1e-2), &Rods::double_pendulum(), &START)?;
        let error = solver.advance(&mut Ordinary, 1.0).err();
        assert_eq!(error, Some(SolveError::NotMechanical { t: 0.0 }));
    }
    Ok(())
}

#[test]
fn nonsense_in_settings_is_named() {
    let spoiled: [fn(&mut SolverSettings); 5] = [
        |s| s.mechanical.tolerance = Some(0.0),
        |s| s.mechanical.penalty = Some(f64::NAN),
        |s| s.mechanical.spectral_radius = 1.1,
        |s| s.mechanical.spectral_radius = f64::NAN,
        |s| s.step = Some(-1.0),
    ];
    let rods = Rods::double_pendulum();
    for spoil in spoiled {
        for method in Method::MECHANICAL {
            let mut settings = fixed(method, 1e-2);
            spoil(&mut settings);
            assert!(
                build_mechanical(&settings, rods.structure(), 0).is_err(),
                "{settings:?}"
            );
        }
    }
}
