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
    PortOf, Shape, Space,
};
