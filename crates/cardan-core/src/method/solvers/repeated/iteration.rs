//! What the user wants of a method that repeats its steps.

use std::fmt;

/// How well interface values must fit together, and how that is reached.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Iteration {
    /// What may be left of a residual, against the size a signal has had so far.
    pub relative: f64,
    /// What may be left on top, against the nominal value of a signal.
    pub absolute: f64,
    /// A step that takes more rounds than this is given up.
    pub rounds: u32,
    /// From one round to the next.
    pub acceleration: Acceleration,
}

/// How the values to try next follow from those that were tried.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Acceleration {
    /// What came out goes in again, a part of it if the factor is below one.
    FixedPoint {
        /// The part of the change that is taken.
        factor: f64,
    },
    /// The same with a factor that follows the residuals.
    Aitken,
    /// A dense matrix that learns from every round.
    Broyden,
    /// Directions learnt in this step and some before it.
    IqnIls {
        /// From how many steps before.
        reuse: usize,
    },
    /// The matrix of reactions, measured by repeating the step with moved values.
    Newton,
}

impl Acceleration {
    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Acceleration::FixedPoint { .. } => "fixed-point",
            Acceleration::Aitken => "aitken",
            Acceleration::Broyden => "broyden",
            Acceleration::IqnIls { .. } => "iqn-ils",
            Acceleration::Newton => "newton",
        }
    }
}

impl fmt::Display for Acceleration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
