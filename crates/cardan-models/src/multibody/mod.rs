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

/// The solver of a mechanism where none is named: of order four, in steps as long as its tolerance allows, which is as tight as
/// that of other models. Slopes are no choice: solvers that know nothing of constraints lose energy at dead points.
#[must_use]
pub fn usual_solver() -> SolverSettings {
    usual_settings(Method::Rattle)
}

/// The settings of a method for mechanisms where none are given. A method of order two would need very many steps for the
/// tolerance of one of order four.
#[must_use]
pub fn usual_settings(method: Method) -> SolverSettings {
    let (rtol, atol) = match method {
        Method::Trapezoidal | Method::GeneralizedAlpha => (1e-6, 1e-9),
        _ => (1e-9, 1e-12),
    };
    SolverSettings {
        rtol,
        atol,
        ..SolverSettings::of(method)
    }
}
