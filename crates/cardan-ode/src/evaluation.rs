//! Calls into the equations: counted, checked for finite numbers, and sorted by what may help.

use crate::{Counts, Equations, SolveError, Trouble};

/// Why an attempt at a step cannot be finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Setback {
    /// The equations cannot be evaluated there.
    Undefined,
    /// They can, but not to finite numbers.
    NonFinite { state: usize },
    /// The Jacobian has entries that are not finite.
    Jacobian,
    /// Corrections of an implicit step do not come to an end.
    Diverged,
    /// Constraints lose their rank close by, and do not say where to go.
    Singular,
    /// Nothing helps.
    Fatal,
}

impl Setback {
    /// Whether a smaller step may help.
    pub(crate) fn may_pass(self) -> bool {
        self != Self::Fatal
    }

    pub(crate) fn at(self, t: f64) -> SolveError {
        match self {
            Self::Undefined | Self::Diverged | Self::Singular => SolveError::Undefined { t },
            Self::NonFinite { state } => SolveError::NonFinite { t, state },
            Self::Jacobian => SolveError::JacobianNonFinite { t },
            Self::Fatal => SolveError::Fatal { t },
        }
    }
}

impl From<Trouble> for Setback {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Discard => Self::Undefined,
            Trouble::Fatal => Self::Fatal,
        }
    }
}

/// How often a step is halved because the equations cannot be evaluated at its end: by a factor of 10⁹.
pub(crate) const HALVINGS: u32 = 30;

/// Evaluates the right-hand side.
pub(crate) fn slope(
    equations: &mut dyn Equations,
    counts: &mut Counts,
    t: f64,
    x: &[f64],
    dx: &mut [f64],
) -> Result<(), Setback> {
    if x.is_empty() {
        return Ok(());
    }
    counts.rhs += 1;
    equations.derivatives(t, x, dx)?;
    match dx.iter().position(|slope| !slope.is_finite()) {
        Some(state) => Err(Setback::NonFinite { state }),
        None => Ok(()),
    }
}
