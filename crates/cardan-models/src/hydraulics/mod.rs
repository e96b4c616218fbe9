//! Parts of hydraulic circuits.
//!
//! Pipes and cylinders are told pressures and answer with flows, which inertia keeps from jumping; each flow is counted out
//! of the part, into what is fastened there. That is a volume, which takes flows and answers with its pressure, or a line.

pub(crate) mod cylinder;
pub(crate) mod pipe;
mod ports;
pub(crate) mod volume;
