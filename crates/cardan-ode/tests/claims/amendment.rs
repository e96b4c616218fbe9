//! Inputs whose law is replaced by a slightly different one at every step: the past is amended, not dropped.

use cardan_ode::{Equations, Memory, Method, Progress, Solver, SolverSettings, Trouble};

use crate::Outcome;

/// `x'' + 2 ζ ω x' + ω² x = ω² u` and `y' = k (u − y)`, where `u = sin t` and a small parabola that is replaced at every step.
struct Forced {
    omega: f64,
    lag: f64,
    /// The parabola `a + b s + c s²` of the time since `origin`.
    law: [f64; 3],
    origin: f64,
}

impl Forced {
    fn new(omega: f64, lag: f64) -> Self {
        Forced {
            omega,
            lag,
            law: [0.0; 3],
            origin: 0.0,
        }
    }

    fn input(&self, t: f64) -> f64 {
        let s = t - self.origin;
        let [a, b, c] = self.law;
        t.sin() + a + s * (b + s * c)
    }

    /// By another parabola from `t` on; answers the change of the right-hand side.
    fn replace(&mut self, t: f64, law: [f64; 3]) -> [[f64; 4]; 3] {
        let s = t - self.origin;
        let [a, b, c] = self.law;
        let before = [a + s * (b + s * c), b + 2.0 * s * c, c];
        (self.law, self.origin) = (law, t);
        let change = |gain: f64| {
            let [a, b, c] = std::array::from_fn(|m| gain * (law[m] - before[m]));
            [a, b, c, 0.0]
        };
        [[0.0; 4], change(self.omega * self.omega), change(self.lag)]
    }
}

impl Equations for Forced {
    fn states(&self) -> usize {
        3
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        let u = self.input(t);
        let w = self.omega;
        dx[0] = x[1];
        dx[1] = w * w * (u - x[0]) - 0.002 * w * x[1];
        dx[2] = self.lag * (u - x[2]);
        Ok(())
    }
}

type Tried<T> = Result<T, Box<dyn std::error::Error>>;

/// What to tell the solver where the law changes.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Word {
    Amend,
    Nothing,
}

fn bdf() -> SolverSettings {
    SolverSettings {
        rtol: 1e-6,
        atol: 1e-6,
        ..SolverSettings::of(Method::Bdf)
    }
}

/// A run of 20 s with a new law at the end of each step, about as large as `size` within the time `1 / quick`.
struct Ride {
    solver: Box<dyn Solver>,
    /// Each law and where it began.
    laws: Vec<(f64, [f64; 3])>,
    /// The state at the end of each step.
    states: Vec<Vec<f64>>,
}

fn ride(mut forced: Forced, (size, quick): (f64, f64), word: Word) -> Tried<Ride> {
    let mut solver = cardan_ode::build(&bdf(), 3, 0)?;
    solver.restart(0.0, &START)?;
    let (mut laws, mut states) = (vec![(0.0, [0.0; 3])], Vec::new());
    while solver.advance(&mut forced, 20.0)? == Progress::Step {
        states.push(solver.state().to_vec());
        // No pattern that a multistep method could follow.
        let n = laws.len() % 17;
        let wild = |k: usize| size * (1.7 * (n * n % 17 + k) as f64).sin();
        let law = [wild(0), quick * wild(5), quick * quick * wild(9)];
        laws.push((solver.time(), law));
        let change = forced.replace(solver.time(), law);
        if word == Word::Amend {
            assert!(solver.amend(&change), "t = {}", solver.time());
        }
    }
    states.push(solver.state().to_vec());
    Ok(Ride { solver, laws, states })
}

const START: [f64; 3] = [0.0, 1.0, 0.0];

/// The largest error against a precise solution with the same laws.
fn error(ride: &Ride, mut forced: Forced) -> Tried<f64> {
    let settings = SolverSettings {
        rtol: 1e-10,
        atol: 1e-12,
        ..SolverSettings::of(Method::Dopri5)
    };
    let mut precise = cardan_ode::build(&settings, 3, 0)?;
    precise.restart(0.0, &START)?;
    let ends = ride.laws.iter().skip(1).map(|(t, _)| *t).chain([20.0]);
    let mut largest = 0.0_f64;
    for ((end, (begin, law)), state) in ends.zip(&ride.laws).zip(&ride.states) {
        forced.replace(*begin, *law);
        precise.disturb();
        while precise.advance(&mut forced, end)? == Progress::Step {}
        for (found, exact) in state.iter().zip(precise.state()) {
            largest = largest.max((found - exact).abs());
        }
    }
    Ok(largest)
}

/// The oscillator takes steps of about 0.014 s, in which a law of 3e-6 moves its speed by 0.014 · 30² · 3e-6 = 4e-5, twenty
/// times the tolerance. A table with such corners in it loses its order; an amended one keeps it, but for what follows
/// from the shift: (0.014 · 30)² / 6 of it, some three hundredths, which is less than the tolerance.
#[test]
fn small_changes_of_law_cost_neither_order_nor_accuracy() -> Outcome {
    let oscillator = || Forced::new(30.0, 0.0);
    let steps = |ride: &Ride| ride.solver.counts().steps as f64;
    let unchanged = ride(oscillator(), (0.0, 30.0), Word::Nothing)?;
    let amended = ride(oscillator(), (3e-6, 30.0), Word::Amend)?;
    let untold = ride(oscillator(), (3e-6, 30.0), Word::Nothing)?;
    // An error of 0.6 of the tolerance beside one of 1 makes √(1 + 0.6²) = 1.17, at order 3 and above 4 % of the step;
    // the control rounds steps to a fifth.
    assert!(steps(&amended) < 1.25 * steps(&unchanged));
    assert!(steps(&untold) > 1.5 * steps(&amended));
    // The same tolerance and hardly more steps: the same error but for its accidents.
    let (amended, unchanged) = (error(&amended, oscillator())?, error(&unchanged, oscillator())?);
    assert!(amended < 2.0 * unchanged, "{amended:e} {unchanged:e}");
    Ok(())
}

/// The lag follows within 1e-5 s, while its steps are 0.1 s long: the integral of the change over a step would be ten thousand
/// times what the state moves, which is the law's 1e-7, a tenth of the tolerance.
#[test]
fn a_stiff_part_that_answers_at_once_is_not_shifted() -> Outcome {
    let unchanged = ride(Forced::new(1.0, 1e5), (0.0, 1.0), Word::Nothing)?;
    let amended = ride(Forced::new(1.0, 1e5), (1e-7, 1.0), Word::Amend)?;
    assert!(amended.solver.counts().steps < 2 * unchanged.solver.counts().steps);
    Ok(())
}

#[test]
fn a_jump_is_not_amended_and_changes_nothing() -> Outcome {
    for settings in crate::problems::every_method() {
        let mut forced = Forced::new(30.0, 0.0);
        let mut solver = cardan_ode::build(&settings, 3, 0)?;
        solver.restart(0.0, &START)?;
        for _ in 0..40 {
            solver.advance(&mut forced, 20.0)?;
        }
        let (mut before, mut after) = (Memory::default(), Memory::default());
        solver.save(&mut before);
        let change = forced.replace(solver.time(), [1.0, 0.0, 0.0]);
        assert!(!solver.amend(&change), "{}", settings.method);
        solver.save(&mut after);
        let bits = |memory: &Memory| memory.reals.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&after), bits(&before));
        assert_eq!(after.integers, before.integers);
        assert_eq!(solver.remembers(), settings.method == Method::Bdf);
    }
    Ok(())
}
