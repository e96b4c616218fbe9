//! What a method has to bring: steps, and the last of them as a curve. Everything else is the tracker's.

use crate::landing::Limit;
use crate::memory::{Reader, Writer};
use crate::{Counts, Equations, SolveError};

/// One method of integration.
///
/// A failed [`step`](Self::step) leaves time and state where they were.
pub(crate) trait Stepper: Send {
    /// Forgets the past, continues from `(t, x)`; the curve is the single point `x`.
    fn restart(&mut self, t: f64, x: &[f64]);

    /// Continues from `(t, x)`, where the right-hand side jumps and which may lie inside the last step.
    /// A guess of the step size stays.
    fn disturb(&mut self, t: f64, x: &[f64]);

    /// Does it remember more of the past than the end of its last step?
    fn remembers(&self) -> bool {
        false
    }

    /// The right-hand side changes a little at [`end`](Self::end): makes what is remembered fit, or answers false.
    fn amend(&mut self, _change: &[[f64; 4]]) -> bool {
        false
    }

    /// Takes one accepted step from [`end`](Self::end), never past `limit` (which lies ahead).
    fn step(&mut self, equations: &mut dyn Equations, limit: Limit) -> Result<(), SolveError>;

    /// Where the last step ended.
    fn end(&self) -> f64;

    /// The state there.
    fn state(&self) -> &[f64];

    /// The state at `t` within the last step.
    fn interpolate(&self, t: f64, x: &mut [f64]);

    /// The states have other sizes from now on. A method without tolerances does not care.
    fn rescale(&mut self, _nominal: &[f64]) {}

    fn counts(&self) -> Counts;

    /// Writes the whole memory, always of the same length.
    fn save(&self, memory: &mut Writer<'_>);

    fn restore(&mut self, memory: &mut Reader<'_>);
}
