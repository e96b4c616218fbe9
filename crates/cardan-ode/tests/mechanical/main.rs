//! Integrators for mechanical systems, claim by claim.

mod accelerations;
mod damping;
mod double_pendulum;
mod fitting;
mod growth;
mod linkage;
mod minimal;
mod orders;
mod oscillator;
mod redundant;
mod references;
mod rods;
mod rollback;
mod support;
mod tolerances;
mod trouble;
mod walk;

/// Tests hand errors on.
pub(crate) type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;
