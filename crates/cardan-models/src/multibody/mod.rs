//! Rigid bodies: mechanisms of any kind in natural coordinates, and models written down by hand for one purpose.
//!
//! A [`Mechanism`] describes bodies, joints and forces in a plane or in space; `four-bar` and `double-pendulum` are mechanisms
//! that are made from a few parameters.
//!
//! Of the models by hand, the double pendulum is split at its joint: the lower half hands the force in the joint to the upper half, the upper
//! half the acceleration of the joint to the lower one. Each reacts to the other at once.

mod chain_dynamics;
pub(crate) mod double_pendulum;
pub(crate) mod four_bar;
pub(crate) mod four_bar_linkage;
mod mechanism;
pub(crate) mod pendulum_lower;
pub(crate) mod pendulum_upper;
pub(crate) mod planar_chain;

pub use mechanism::{
    Body, Force, ForceKind, Joint, JointKind, Mechanism, Mistake, Motion, Place, Point, PointName, PortKind,
    PortOf, Shape, Space, scene_port,
};

use cardan_ode::{Method, SolverSettings};

/// The solver of a mechanism where none is named: of order two, for stiff and for limp ones, a thousand steps for a motion that
/// takes a second. Slopes are no choice: solvers that know nothing of constraints lose energy at dead points without a sign
/// of it.
#[must_use]
pub fn usual_solver() -> SolverSettings {
    SolverSettings {
        step: Some(1e-3),
        ..SolverSettings::of(Method::Trapezoidal)
    }
}
