//! What the user wants of a method that chooses its steps.

/// How long steps may be, and how wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StepControl {
    /// Errors that are allowed against the size a signal has had so far.
    pub relative: f64,
    /// Errors that are allowed on top, against the nominal value of a signal.
    pub absolute: f64,
    /// A step below this is given up.
    pub min: f64,
    /// No step is longer.
    pub max: f64,
    /// The first step to try.
    pub first: f64,
    /// How the error of a step is found out.
    pub estimator: Estimator,
    /// The energy in joules that a bond may gain or lose in a step, where that is the error. Without it the tolerance
    /// counts against the energy that crosses the bond.
    pub energy: Option<f64>,
}

/// How the error of a step is found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Estimator {
    /// The step is done once as a whole and once in two halves, which are kept. The error is that of the outputs.
    #[default]
    Richardson,
    /// What a reading foretold against what came: a polynomial of one degree more goes through both. Nothing is done
    /// twice. The error is that of the inputs.
    Embedded,
    /// What a step became by being repeated, scaled down from the error of foretelling to that of interpolating. For
    /// methods that repeat their steps anyway.
    Corrected,
    /// The energy that bonds gain or lose because readings are not what comes. Nothing is done twice.
    Energy,
}

impl Estimator {
    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Estimator::Richardson => "richardson",
            Estimator::Embedded => "embedded",
            Estimator::Corrected => "corrected",
            Estimator::Energy => "energy",
        }
    }
}
