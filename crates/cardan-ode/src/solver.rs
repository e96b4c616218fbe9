//! The seam: what every integrator does for its caller.

use crate::{Equations, Memory, SolveError};

/// An integrator in the middle of its work: a time, a state, and the last step as a curve.
///
/// The order of calls is [`restart`](Self::restart) once, then [`advance`](Self::advance) with limits that do not
/// decrease, with [`disturb`](Self::disturb) where the right-hand side jumped and `restart` where the state did.
pub trait Solver: Send {
    /// Forgets the past and continues from `(t, x)`.
    ///
    /// An adaptive method chooses its first step anew. A root function that is zero here, or that was just reported
    /// here and has not moved away from zero since, is not reported again before it has been seen apart from zero.
    fn restart(&mut self, t: f64, x: &[f64]) -> Result<(), SolveError>;

    /// Says that the right-hand side jumps at the current time (an input jumped), while the state does not.
    ///
    /// What was remembered of the right-hand side is dropped; the state and a guess of the step size stay. A jump
    /// of a root function's sign at this very time is the caller's doing and not reported.
    fn disturb(&mut self);

    /// Says that from the current time on the right-hand side differs from what it was by about `change`, for each state
    /// a polynomial `c[0] + c[1] s + c[2] s² + c[3] s³` of the time since now, while the state does not jump.
    ///
    /// Where the change is small, a method that remembers several steps amends what it remembers and goes on at its order
    /// and step. Else, and if it remembers nothing that could be amended, the answer is false: the memory is as it was, and
    /// the caller may [`disturb`](Self::disturb).
    fn amend(&mut self, change: &[[f64; 4]]) -> bool;

    /// Does it remember more of the past than the end of its last step? Only then is there something to
    /// [`amend`](Self::amend).
    fn remembers(&self) -> bool;

    /// Says that the states have other nominal values from now on: their absolute tolerances follow. They are settings
    /// and not memory, so whoever goes back to a saved memory says them again. A value that is no size is left out.
    fn rescale(&mut self, nominal: &[f64]);

    /// Takes one accepted inner step, never past `limit`; the last one lands on `limit` bit for bit.
    ///
    /// The equations are not evaluated past `limit` either. At the limit already, it does nothing and answers
    /// [`Progress::Limit`].
    fn advance(&mut self, equations: &mut dyn Equations, limit: f64) -> Result<Progress, SolveError>;

    /// The same where the limit is in the way and no goal: the step is as long as the method wants it, and is made to fit
    /// only where the limit is less than two steps ahead. A method with fixed steps divides the way to it all the same.
    fn stride(&mut self, equations: &mut dyn Equations, limit: f64) -> Result<Progress, SolveError>;

    /// The current time.
    fn time(&self) -> f64;

    /// The state at the current time.
    fn state(&self) -> &[f64];

    /// Where the last call of [`advance`](Self::advance) began; the current time right after a restart.
    fn previous_time(&self) -> f64;

    /// Dense output: writes the state at `t` within `[previous_time, time]`. Times outside are moved to its ends.
    ///
    /// # Panics
    ///
    /// If `x` has not as many entries as there are states.
    fn interpolate(&self, t: f64, x: &mut [f64]);

    /// All root functions that crossed zero at the root last reported (two balls may land at once); empty when
    /// [`advance`](Self::advance) last answered something else.
    fn crossings(&self) -> &[Option<Crossing>];

    /// The work done since the solver was built. Work taken back by [`restore`](Self::restore) was done and counts.
    fn counts(&self) -> Counts;

    /// Writes the complete memory: continuing after [`restore`](Self::restore) gives the same bits as continuing
    /// now. Does not allocate when `memory` was used by this solver before.
    fn save(&self, memory: &mut Memory);

    /// Goes back to a saved memory. One of another method or size is refused and changes nothing.
    fn restore(&mut self, memory: &Memory) -> Result<(), SolveError>;
}

/// How far [`Solver::advance`] came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// One inner step; the limit lies ahead.
    Step,
    /// Time equals the limit.
    Limit,
    /// A root function crossed zero inside the step. Time and state are at the root, just past it: the sign has
    /// changed (or the value is zero). It may coincide with the limit.
    ///
    /// The caller may `restart` with a new state, `disturb`, or simply go on: the rest of the step is not lost.
    Root {
        /// The first function that crossed; [`Solver::crossings`] has all of them.
        index: usize,
        /// Its direction.
        crossing: Crossing,
    },
}

/// The direction in which a root function crosses zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Crossing {
    /// From negative to zero or positive.
    Rising,
    /// From positive to zero or negative.
    Falling,
}

/// The work a solver did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Counts {
    /// Accepted inner steps.
    pub steps: u64,
    /// Steps tried and not accepted, for whatever reason.
    pub rejected: u64,
    /// Evaluations of the right-hand side, those for Jacobians by differences included.
    pub rhs: u64,
    /// Jacobians, offered or by differences.
    pub jacobians: u64,
    /// Factorizations of the iteration matrix.
    pub factorizations: u64,
    /// Newton corrections of the integrators for mechanical systems.
    pub iterations: u64,
}
