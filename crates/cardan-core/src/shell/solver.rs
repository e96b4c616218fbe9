//! What a participant and its solver are to each other.

use cardan_ode::{Counts, Crossing, Equations, Memory, Progress, SolveError, Solver};

use super::failure;
use crate::participant::{Effort, Failure};

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// To the end of the request.
    Request,
    /// To the end of one step of the solver.
    OwnStep,
}

impl Pace {
    /// One inner step to `limit` at most, of a length that suits the pace.
    ///
    /// # Errors
    /// If the solver gives up.
    pub fn advance(
        self,
        solver: &mut dyn Solver,
        equations: &mut dyn Equations,
        limit: f64,
    ) -> Result<Progress, SolveError> {
        match self {
            Pace::Request => solver.advance(equations, limit),
            Pace::OwnStep => solver.stride(equations, limit),
        }
    }
}

/// The solver of equations without states, where nothing is to be found on the way: it is there at once.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Idle {
    time: f64,
}

impl Solver for Idle {
    fn restart(&mut self, t: f64, _x: &[f64]) -> Result<(), SolveError> {
        self.time = t;
        Ok(())
    }

    fn disturb(&mut self) {}

    fn amend(&mut self, _change: &[[f64; 4]]) -> bool {
        false
    }

    fn remembers(&self) -> bool {
        false
    }

    fn rescale(&mut self, _nominal: &[f64]) {}

    fn advance(&mut self, _equations: &mut dyn Equations, limit: f64) -> Result<Progress, SolveError> {
        self.time = limit;
        Ok(Progress::Limit)
    }

    fn stride(&mut self, equations: &mut dyn Equations, limit: f64) -> Result<Progress, SolveError> {
        self.advance(equations, limit)
    }

    fn time(&self) -> f64 {
        self.time
    }

    fn state(&self) -> &[f64] {
        &[]
    }

    fn previous_time(&self) -> f64 {
        self.time
    }

    fn interpolate(&self, _t: f64, _x: &mut [f64]) {}

    fn crossings(&self) -> &[Option<Crossing>] {
        &[]
    }

    fn counts(&self) -> Counts {
        Counts::default()
    }

    fn save(&self, memory: &mut Memory) {
        *memory = Memory::default();
    }

    fn restore(&mut self, _memory: &Memory) -> Result<(), SolveError> {
        Ok(())
    }
}

impl From<Counts> for Effort {
    fn from(counts: Counts) -> Self {
        Effort {
            inner_steps: counts.steps,
            evaluations: counts.rhs,
            iterations: counts.iterations,
        }
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Self {
        failure::of_solver(&error, None)
    }
}
