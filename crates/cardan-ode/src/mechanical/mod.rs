//! Mechanical systems with constraints, and integrators made for them.
//!
//! A system has coordinates `q` with a constant mass matrix, constraints and forces:
//!
//! ```text
//! M q'' + Φqᵀ λ = Q(t, q, q')        Φ(t, q) = 0        z' = g(t, q, q')
//! ```
//!
//! Its state is `[q, v, z]`. Constraints may be redundant, and may lose rank on the way: they enter as `M + α ΦqᵀΦq`, which
//! stays regular, and multipliers are found by repetition.

mod acceleration;
mod augmented;
mod curve;
mod fitting;
mod judged;
mod kernels;
mod ldl;
mod minimal;
mod newmark;
mod ordering;
mod pace;
mod rattle;
mod structure;
mod symbolic;
mod tangent;
mod walk;

pub use acceleration::{Accelerations, Stabilization};
pub use fitting::{Fitting, Unfit};
#[doc(hidden)] // public for the benchmark that compares it with others
pub use ldl::{Ldl, Singular};
pub use minimal::Minimal;
pub use structure::Structure;

pub(crate) use augmented::Augmented;
pub(crate) use newmark::Newmark;
pub(crate) use pace::Pace;
pub(crate) use rattle::Rattle;
pub(crate) use walk::Walk;

use crate::settings::positive;
use crate::{SettingsError, Trouble};

/// What an integrator asks of a mechanical system. `x` is a whole state `[q, v, z]`, `q` and `v` are parts of it.
pub trait Mechanics {
    /// Sizes and patterns, the same in every call.
    fn structure(&self) -> &Structure;

    /// Do forces depend on velocities?
    fn damped(&self) -> bool;

    /// Writes `Φ(t, q)`.
    fn constraints(&mut self, t: f64, q: &[f64], values: &mut [f64]);

    /// Writes the entries of `Φq`, constraint by constraint in the order of [`Structure::constraints`].
    fn jacobian(&mut self, t: f64, q: &[f64], entries: &mut [f64]);

    /// Writes `Φt`, the part of the constraints' rates that is there at rest.
    fn drives(&mut self, t: f64, q: &[f64], rates: &mut [f64]);

    /// Writes what the constraints' second derivatives are without accelerations, `(Φq v)q v + 2 Φqt v + Φtt`.
    fn curvatures(&mut self, t: f64, q: &[f64], v: &[f64], values: &mut [f64]);

    /// Writes `Q(t, q, v)`.
    fn forces(&mut self, t: f64, x: &[f64], forces: &mut [f64]) -> Result<(), Trouble>;

    /// Writes `-∂Q/∂q` and `-∂Q/∂v`, or what is symmetric about them, at the places of [`Structure::tangent`].
    ///
    /// Only the speed of convergence depends on them.
    fn tangents(&mut self, t: f64, x: &[f64], stiffness: &mut [f64], damping: &mut [f64]);

    /// Writes the rates of the quadratures.
    fn quadratures(&mut self, t: f64, x: &[f64], rates: &mut [f64]);
}

/// Choices for the integrators of mechanical systems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MechanicalSettings {
    /// The length of a Newton correction, in units of the coordinates, below which a step counts. Default: 1e-7 of the size that they
    /// typically have.
    pub tolerance: Option<f64>,
    /// The penalty of the constraints. Default: from masses, the step and the number of constraints.
    pub penalty: Option<f64>,
    /// Generalised-alpha: what is left of the fastest oscillations after a step, between 0 and 1. Default: 0.8.
    pub spectral_radius: f64,
}

impl MechanicalSettings {
    pub(crate) fn validate(&self) -> Result<(), SettingsError> {
        for (name, value) in [("tolerance", self.tolerance), ("penalty", self.penalty)] {
            value.map_or(Ok(()), |value| positive(name, value))?;
        }
        match (0.0..=1.0).contains(&self.spectral_radius) {
            true => Ok(()),
            false => Err(SettingsError::SpectralRadius {
                value: self.spectral_radius,
            }),
        }
    }
}

impl Default for MechanicalSettings {
    fn default() -> Self {
        Self {
            tolerance: None,
            penalty: None,
            spectral_radius: 0.8,
        }
    }
}
