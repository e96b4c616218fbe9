//! Rigid bodies in a plane, joined by forces and accelerations, or by frames and loads.
//!
//! The double pendulum is split at its joint: the lower half hands the force in the joint to the upper half, the upper
//! half the acceleration of the joint to the lower one. Each reacts to the other at once.

mod chain_dynamics;
pub(crate) mod four_bar_linkage;
mod mechanism;
pub(crate) mod pendulum_lower;
pub(crate) mod pendulum_upper;
pub(crate) mod planar_chain;

pub use mechanism::{
    Body, Force, ForceKind, Joint, JointKind, Mechanism, Mistake, Motion, Place, Point, PointName, PortKind,
    PortOf, Shape, Space,
};
