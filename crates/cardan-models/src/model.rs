//! The contract of a native model: its equations, stated once.

use cardan_ode::mechanical::Structure;

/// A model as equations `x' = f(t, x, u)`, `y = h(t, x, u)`.
///
/// The model itself is nothing but its parameters. The state lives in the solver, so that saving and restoring is
/// no concern of a model; a parameter that changes during a run makes a new model, so that retuning is none either.
///
/// `u` has the elements of all inputs of the interface in its order, `y` those of all other ports. The same
/// arguments must give the same bits.
pub trait Model: Send {
    /// Number of states, the length of `x`. It may depend on parameters, but not change once built.
    fn states(&self) -> usize {
        0
    }

    /// Told once, before anything else is asked: the run begins at `start`.
    fn begin(&mut self, start: f64) {
        let _ = start;
    }

    /// Writes the state at the start of the run.
    fn initial(&self, x: &mut [f64]) {
        let _ = x;
    }

    /// Writes `f(t, x, u)`. Not asked for where there are no states.
    fn derivatives(&self, t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        let _ = (t, x, u, dx);
    }

    /// Writes `h(t, x, u)`.
    fn outputs(&self, t: f64, x: &[f64], u: &[f64], y: &mut [f64]);

    /// Writes the row-major `∂f/∂x` and answers true, where the model knows it. Only stiff solvers ask.
    fn jacobian(&self, t: f64, x: &[f64], u: &[f64], jacobian: &mut [f64]) -> bool {
        let _ = (t, x, u, jacobian);
        false
    }

    /// Writes how the outputs change when the inputs change along `du` and the state does not, and answers true, where
    /// the model knows it. Other models leave it to differences, which see corners nearby as well. Outputs of a model without
    /// states that knows it depend on nothing but the inputs.
    fn sensitivity(&self, t: f64, x: &[f64], u: &[f64], du: &[f64], dy: &mut [f64]) -> bool {
        let _ = (t, x, u, du, dy);
        false
    }

    /// Writes the time derivatives of the outputs of a model that depends on time alone, and answers true. They are
    /// those just after `t`, which no difference could tell at a corner. Other models leave it to differences.
    fn rates(&self, t: f64, dy: &mut [f64]) -> bool {
        let _ = (t, dy);
        false
    }

    /// The first instant after `t` at which an equation changes its law by itself: a corner, a sample.
    fn next_instant(&self, t: f64) -> Option<f64> {
        let _ = t;
        None
    }

    /// Number of switches: continuous functions whose change of sign is an event, because a law changes there that
    /// others should know of. A step ends early at it, in a model without states as well: there inputs alone decide.
    fn switches(&self) -> usize {
        0
    }

    /// Writes the switches; each is on one side of its law where positive, on the other where not.
    fn switch_values(&self, t: f64, x: &[f64], u: &[f64], g: &mut [f64]) {
        let _ = (t, x, u, g);
    }

    /// From now on the law on that side of a switch holds, whatever its value says: a solver may look a little beyond an
    /// event before it is told of it.
    fn switch(&mut self, index: usize, on: bool) {
        let _ = (index, on);
    }

    /// Says why a state that a solver found cannot be one of this model, if it cannot.
    fn objection(&self, t: f64, x: &[f64]) -> Option<String> {
        let _ = (t, x);
        None
    }

    /// The same equations as those of a mechanical system with constraints, where they are: its own integrators need more
    /// than slopes. Its state is then `[q, v, z]`.
    fn mechanical(&self) -> Option<&dyn Mechanical> {
        None
    }

    /// Does it depend on time alone? Then its outputs are known before the start of the run, too.
    fn knows_its_past(&self) -> bool {
        false
    }
}

/// A model as a mechanical system, `M q'' + Φqᵀ λ = Q(t, q, q', u)` with `Φ(t, q) = 0`; see [`cardan_ode::mechanical`].
///
/// `x` is a whole state `[q, v, z]`.
pub trait Mechanical {
    /// Sizes and patterns.
    fn structure(&self) -> &Structure;

    /// Do forces depend on velocities?
    fn damped(&self) -> bool;

    /// Writes `Φ`.
    fn constraints(&self, t: f64, q: &[f64], values: &mut [f64]);

    /// Writes the entries of `Φq`, constraint by constraint.
    fn constraint_gradients(&self, t: f64, q: &[f64], entries: &mut [f64]);

    /// Writes `Φt`.
    fn drives(&self, t: f64, q: &[f64], rates: &mut [f64]);

    /// Writes the second derivatives of the constraints without accelerations.
    fn curvatures(&self, t: f64, q: &[f64], v: &[f64], values: &mut [f64]);

    /// Writes `Q`.
    fn forces(&self, t: f64, x: &[f64], u: &[f64], forces: &mut [f64]);

    /// Writes `-∂Q/∂q` and `-∂Q/∂v`, or what is symmetric about them.
    fn tangents(&self, t: f64, x: &[f64], u: &[f64], stiffness: &mut [f64], damping: &mut [f64]);

    /// Writes the rates of the quadratures.
    fn quadratures(&self, t: f64, x: &[f64], rates: &mut [f64]);
}
