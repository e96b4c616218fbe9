//! What is integrated: the right-hand side, its Jacobian and its root functions.

use crate::mechanical::Mechanics;

/// An ordinary differential equation `x' = f(t, x)`, with optional root functions and Jacobian.
///
/// Inputs live inside the implementor. Between two calls of [`Solver::disturb`](crate::Solver::disturb) or
/// [`Solver::restart`](crate::Solver::restart) the functions must be continuous in `t` and `x`, and the same
/// arguments must give the same bits; otherwise step control and rollback lose their meaning.
pub trait Equations {
    /// Number of states, the length of `x`. It may be zero: then only time moves and roots depend on time alone.
    fn states(&self) -> usize;

    /// Writes `f(t, x)` to `dx`; both slices have [`states`](Self::states) entries.
    ///
    /// Not called when there are no states.
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble>;

    /// Writes the dense, row-major `∂f/∂x` to `jac`: entry `i * states + j` is `∂f_i/∂x_j`.
    ///
    /// `Ok(false)` says that none is offered; the solver then takes differences of
    /// [`derivatives`](Self::derivatives), one call a state. Only the implicit methods ask.
    fn jacobian(&mut self, t: f64, x: &[f64], jac: &mut [f64]) -> Result<bool, Trouble> {
        let _ = (t, x, jac);
        Ok(false)
    }

    /// Number of root functions, the length of `g`.
    fn roots(&self) -> usize {
        0
    }

    /// Do the equations themselves keep on which side of zero each root function is, and change with it?
    ///
    /// Then they must hear of every change: zero belongs to the negative side, and a function that goes back over
    /// zero right after a root is reported again. Else a function that is zero is on no side until it has left.
    fn keeps_sides(&self) -> bool {
        false
    }

    /// Writes the root functions `g(t, x)`; the solver stops where one of them changes its sign.
    fn root_values(&mut self, t: f64, x: &[f64], g: &mut [f64]) -> Result<(), Trouble> {
        let _ = (t, x, g);
        Ok(())
    }

    /// The same equations as those of a mechanical system, where they are: its own integrators need more than slopes.
    fn mechanics(&mut self) -> Option<&mut dyn Mechanics> {
        None
    }
}

/// Why a function of [`Equations`] gave no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// It cannot be evaluated at these arguments: a smaller step may do.
    Discard,
    /// It cannot be evaluated any more; the implementor holds the cause.
    Fatal,
}
