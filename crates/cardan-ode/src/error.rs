//! What goes wrong, each with the time at which it does and with what helps.

use thiserror::Error;

/// Why [`Solver`](crate::Solver) could not go on. Time and state stay at the last accepted point.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The equations answered [`Trouble::Fatal`](crate::Trouble::Fatal); they hold the cause.
    #[error("the equations failed for good at t = {t}")]
    Fatal {
        /// Time of the evaluation.
        t: f64,
    },

    /// The equations answered [`Trouble::Discard`](crate::Trouble::Discard) however small the step.
    #[error(
        "the equations cannot be evaluated at t = {t}, however small the step: the solution leaves the region where \
         they are defined, or the initial state lies outside it"
    )]
    Undefined {
        /// Time of the evaluation.
        t: f64,
    },

    /// A derivative is infinite or not a number however small the step.
    #[error(
        "the derivative of state {state} is not finite at t = {t}: look for a division by zero, a logarithm or root \
         of a negative number there, or a solution that grows without bound"
    )]
    NonFinite {
        /// Time of the evaluation.
        t: f64,
        /// Index of the first such state.
        state: usize,
    },

    /// An entry of the Jacobian is infinite or not a number.
    #[error("the Jacobian is not finite at t = {t}: check the one the equations offer, or offer none")]
    JacobianNonFinite {
        /// Time of the evaluation.
        t: f64,
    },

    /// A root function is not a number.
    #[error("root function {root} is not a number at t = {t}: look for a division by zero there")]
    RootNonFinite {
        /// Time of the evaluation.
        t: f64,
        /// Index of the first such function.
        root: usize,
    },

    /// The error test keeps failing although the step went down to the smallest one.
    #[error(
        "the step at t = {t} fell below {smallest:e} and the error is still too large: a jump or singularity lies \
         there; let a root function mark it, relax rtol and atol, or lower min_step (bdf for stiff equations)"
    )]
    StepTooSmall {
        /// Time of the last accepted point.
        t: f64,
        /// The smallest step allowed there.
        smallest: f64,
    },

    /// The Newton iteration of an implicit method keeps failing although the step was reduced.
    #[error(
        "Newton's method failed {failures} times in a row at t = {t}, last with step {step:e}: the right-hand side \
         jumps there (let a root function mark it), the offered Jacobian does not belong to it, or constraints \
         contradict each other"
    )]
    Newton {
        /// Time of the last accepted point.
        t: f64,
        /// The last step tried.
        step: f64,
        /// Failures since the last accepted step.
        failures: u32,
    },

    /// The method is made for mechanical systems, and the equations are not those of one.
    #[error("the equations at t = {t} are not those of a mechanical system; take one of {}", crate::Method::NAMES.join(", "))]
    NotMechanical {
        /// The current time.
        t: f64,
    },

    /// The limit lies before the current time, or is not a number.
    #[error("cannot advance from t = {t} to {limit}: time only moves forward; restart to go back")]
    Backwards {
        /// The current time.
        t: f64,
        /// The limit asked for.
        limit: f64,
    },

    /// A vector or the memory of another solver was given.
    #[error("{what}: expected {expected}, found {found}; the solver was built for another system")]
    Mismatch {
        /// What does not fit.
        what: &'static str,
        /// The size the solver was built with.
        expected: usize,
        /// The size found.
        found: usize,
    },
}

/// Why [`SolverSettings`](crate::SolverSettings) or a method's name is not usable.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// No method has this name.
    #[error(
        "there is no solver {name:?}; take one of {}, or for multibody models {}",
        crate::Method::NAMES.join(", "),
        crate::Method::MECHANICAL_NAMES.join(", ")
    )]
    UnknownMethod {
        /// The name given.
        name: String,
    },

    /// The method is made for mechanical systems.
    #[error("the solver {method} is made for multibody models; take one of {}", crate::Method::NAMES.join(", "))]
    NotMechanical {
        /// The method asked for.
        method: crate::Method,
    },

    /// What is left of the fastest oscillations is a part of them.
    #[error("spectral_radius = {value} must lie between 0 (they vanish at once) and 1 (they stay)")]
    SpectralRadius {
        /// The value given.
        value: f64,
    },

    /// A number must be positive and finite.
    #[error("{name} = {value} must be a positive, finite number")]
    NotPositive {
        /// Name of the setting.
        name: &'static str,
        /// The value given.
        value: f64,
    },

    /// The relative tolerance asks for more digits than a double has, or for none.
    #[error("rtol = {value} must lie between 1e-14 (double precision carries no more digits) and 1")]
    RelativeTolerance {
        /// The value given.
        value: f64,
    },

    /// The smallest step is larger than the largest.
    #[error("min_step = {min} is larger than max_step = {max}")]
    EmptyStepRange {
        /// The smallest step given.
        min: f64,
        /// The largest step given.
        max: f64,
    },

    /// There must be one nominal value for each state.
    #[error("{found} nominal values for {states} states; give one for each state or none at all")]
    NominalCount {
        /// Number of states.
        states: usize,
        /// Number of nominal values.
        found: usize,
    },
}
