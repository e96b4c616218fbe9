//! What the crate promises, claim by claim.

mod amendment;
mod convergence;
mod disturbance;
mod limits;
mod problems;
mod rollback;
mod roots;
mod sides;
mod stiff;
mod trouble;

/// Tests hand errors on.
pub(crate) type Outcome = Result<(), Box<dyn std::error::Error>>;
