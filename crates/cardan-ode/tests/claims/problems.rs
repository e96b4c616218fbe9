//! Test problems with known answers, and short ways to drive a solver through them.

use cardan_ode::{
    Equations, Method, Progress, SettingsError, SolveError, Solver, SolverSettings, Trouble, build,
};

type Rhs = fn(f64, &[f64], &mut [f64]);

/// Equations from plain functions.
#[derive(Clone, Copy)]
pub(crate) struct Problem {
    pub(crate) states: usize,
    pub(crate) rhs: Rhs,
    pub(crate) roots: usize,
    pub(crate) root_values: Rhs,
}

impl Problem {
    pub(crate) const fn new(states: usize, rhs: Rhs) -> Self {
        Self {
            states,
            rhs,
            roots: 0,
            root_values: |_, _, _| {},
        }
    }

    pub(crate) const fn with_roots(self, roots: usize, root_values: Rhs) -> Self {
        Self {
            roots,
            root_values,
            ..self
        }
    }
}

impl Equations for Problem {
    fn states(&self) -> usize {
        self.states
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        (self.rhs)(t, x, dx);
        Ok(())
    }

    fn roots(&self) -> usize {
        self.roots
    }

    fn root_values(&mut self, t: f64, x: &[f64], g: &mut [f64]) -> Result<(), Trouble> {
        (self.root_values)(t, x, g);
        Ok(())
    }
}

/// x'' = −x. From (1, 0): (cos t, −sin t).
pub(crate) const OSCILLATOR: Problem = Problem::new(2, |_, x, dx| {
    dx[0] = x[1];
    dx[1] = -x[0];
});

/// x' = −x. From 1: exp(−t).
pub(crate) const DECAY: Problem = Problem::new(1, |_, x, dx| dx[0] = -x[0]);

/// A ball above the ground, with the ground as root function.
pub(crate) const BALL: Problem = Problem::new(2, |_, x, dx| {
    dx[0] = x[1];
    dx[1] = -GRAVITY;
})
.with_roots(1, |_, x, g| g[0] = x[0]);

pub(crate) const GRAVITY: f64 = 9.81;

/// Robertson's chemical reaction: three time scales, from 1e-4 to 1e10 (Hairer and Wanner II, section IV.1).
pub(crate) const ROBERTSON: Problem = Problem::new(3, |_, x, dx| {
    let slow = 0.04 * x[0];
    let middle = 1e4 * x[1] * x[2];
    let fast = 3e7 * x[1] * x[1];
    dx[0] = middle - slow;
    dx[1] = slow - middle - fast;
    dx[2] = fast;
});

/// Van der Pol's oscillator, μ = 1000 in slow time: a crawl and a jump by turns.
pub(crate) const VAN_DER_POL: Problem = Problem::new(2, |_, x, dx| {
    dx[0] = x[1];
    dx[1] = 1000.0 * (1.0 - x[0] * x[0]) * x[1] - x[0];
});

pub(crate) fn fixed(method: Method, step: f64) -> SolverSettings {
    SolverSettings {
        step: Some(step),
        ..SolverSettings::of(method)
    }
}

pub(crate) fn tight(method: Method, rtol: f64, atol: f64) -> SolverSettings {
    SolverSettings {
        rtol,
        atol,
        ..SolverSettings::of(method)
    }
}

/// Settings with which each method solves the smooth problems here to about four digits or better.
pub(crate) fn every_method() -> [SolverSettings; 5] {
    Method::ALL.map(|method| match method {
        Method::Euler => fixed(method, 1e-4),
        Method::Heun => fixed(method, 1e-2),
        Method::Rk4 => fixed(method, 5e-2),
        _ => SolverSettings::of(method),
    })
}

/// A solver for the problem, standing at `t = 0`.
pub(crate) fn begin(
    settings: &SolverSettings,
    problem: &Problem,
    x: &[f64],
) -> Result<Box<dyn Solver>, Box<dyn std::error::Error>> {
    let mut solver = built(settings, problem)?;
    solver.restart(0.0, x)?;
    Ok(solver)
}

fn built(settings: &SolverSettings, problem: &Problem) -> Result<Box<dyn Solver>, SettingsError> {
    build(settings, problem.states, problem.roots)
}

/// Advances to the limit or the first root.
pub(crate) fn run(
    solver: &mut dyn Solver,
    equations: &mut dyn Equations,
    limit: f64,
) -> Result<Progress, SolveError> {
    loop {
        match solver.advance(equations, limit)? {
            Progress::Step => {}
            end => return Ok(end),
        }
    }
}

/// Time and state as bits, to compare exactly.
pub(crate) fn bits(solver: &dyn Solver) -> Vec<u64> {
    std::iter::once(solver.time())
        .chain(solver.state().iter().copied())
        .map(f64::to_bits)
        .collect()
}
