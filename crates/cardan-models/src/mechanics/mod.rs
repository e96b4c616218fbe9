//! Masses, springs and dampers along one line and in space.

pub(crate) mod bushing;
pub(crate) mod contact_spring;
pub(crate) mod coupled_mass;
pub(crate) mod mass;
pub(crate) mod mass_spring_damper;
pub(crate) mod moved_mass;
pub(crate) mod nonlinear_spring;
mod orientation;
pub(crate) mod rigid_body;
pub(crate) mod spring_damper;
