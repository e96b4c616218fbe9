//! The solver of a participant, which may have none.

use cardan_ode::{Crossing, Equations, Memory, Progress, SolveError, Solver};

use super::failure;
use crate::participant::{Effort, Outcome};

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// To the end of the request.
    Request,
    /// To the end of one step of the solver.
    OwnStep,
}

/// A solver; or none, where there are no states and nothing is to be found on the way. Then there is no state, time is what the
/// participant says it is, and nothing is to be done.
#[derive(Default)]
pub struct Integrator(Option<Box<dyn Solver>>);

impl Integrator {
    /// Around this solver.
    pub fn new(solver: Box<dyn Solver>) -> Self {
        Integrator(Some(solver))
    }

    /// Is there nothing to solve?
    pub fn is_idle(&self) -> bool {
        self.0.is_none()
    }

    /// Where the solver stands.
    pub fn time(&self) -> Option<f64> {
        self.0.as_ref().map(|solver| solver.time())
    }

    /// The state there.
    #[inline]
    pub fn state(&self) -> &[f64] {
        self.0.as_ref().map_or(&[], |solver| solver.state())
    }

    /// The first state that is not finite.
    pub fn broken_state(&self) -> Option<usize> {
        self.state().iter().position(|x| !x.is_finite())
    }

    /// Writes the state at `t` inside the last inner step.
    pub fn interpolate(&self, t: f64, x: &mut [f64]) {
        if let Some(solver) = &self.0 {
            solver.interpolate(t, x);
        }
    }

    /// Forgets the past and goes on from there.
    ///
    /// # Errors
    /// If that is no place to go on from.
    pub fn restart(&mut self, t: f64, x: &[f64]) -> Outcome<()> {
        match &mut self.0 {
            Some(solver) => solver
                .restart(t, x)
                .map_err(|error| failure::of_solver(&error, None)),
            None => Ok(()),
        }
    }

    /// The right-hand side jumps, where it does.
    pub fn disturb_if(&mut self, jumps: bool) {
        if let Some(solver) = &mut self.0
            && jumps
        {
            solver.disturb();
        }
    }

    /// Is there a past that could be [amended](Self::amend)?
    pub fn remembers(&self) -> bool {
        self.0.as_ref().is_some_and(|solver| solver.remembers())
    }

    /// The right-hand side changes by so much. Answers whether the solver can go on with that.
    pub fn amend(&mut self, change: &[[f64; 4]]) -> bool {
        self.0.as_mut().is_some_and(|solver| solver.amend(change))
    }

    /// States have other nominal values from now on.
    pub fn rescale(&mut self, nominals: &[f64]) {
        if let Some(solver) = &mut self.0 {
            solver.rescale(nominals);
        }
    }

    /// Takes one inner step to `limit` at most, of a length that suits the pace. Where there is nothing to solve, it goes there.
    ///
    /// # Errors
    /// If the solver gives up.
    pub fn advance(
        &mut self,
        equations: &mut dyn Equations,
        limit: f64,
        pace: Pace,
    ) -> Result<Progress, SolveError> {
        match (&mut self.0, pace) {
            (None, _) => Ok(Progress::Limit),
            (Some(solver), Pace::Request) => solver.advance(equations, limit),
            (Some(solver), Pace::OwnStep) => solver.stride(equations, limit),
        }
    }

    /// What crossed zero at the root that was just found.
    pub fn crossings(&self) -> &[Option<Crossing>] {
        self.0.as_ref().map_or(&[], |solver| solver.crossings())
    }

    /// The work done so far.
    pub fn effort(&self) -> Effort {
        let counts = self.0.as_ref().map(|solver| solver.counts()).unwrap_or_default();
        Effort {
            inner_steps: counts.steps,
            evaluations: counts.rhs,
            iterations: counts.iterations,
        }
    }

    /// Writes down what decides how it goes on.
    pub fn save(&self, memory: &mut Memory) {
        if let Some(solver) = &self.0 {
            solver.save(memory);
        }
    }

    /// Goes back to where that was written down.
    ///
    /// # Errors
    /// If another solver wrote it; then nothing has changed.
    pub fn restore(&mut self, memory: &Memory) -> Outcome<()> {
        match &mut self.0 {
            Some(solver) => solver
                .restore(memory)
                .map_err(|error| failure::of_solver(&error, None)),
            None => Ok(()),
        }
    }

    /// Could it be a memory of this solver, by its size?
    pub fn knows(&self, memory: &Memory) -> bool {
        let mut own = Memory::default();
        self.save(&mut own);
        (own.reals.len(), own.integers.len()) == (memory.reals.len(), memory.integers.len())
    }
}
