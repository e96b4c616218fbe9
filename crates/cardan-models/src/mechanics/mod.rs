//! Masses, springs and dampers along one line.

pub(crate) mod contact_spring;
pub(crate) mod coupled_mass;
pub(crate) mod mass;
pub(crate) mod mass_spring_damper;
pub(crate) mod moved_mass;
pub(crate) mod nonlinear_spring;
pub(crate) mod spring_damper;
