//! What the user wants of a method that chooses its steps.

use super::Adaptive;
use crate::method::{Master, Method, Needs, Pacing};
use crate::plan::Plan;
use std::fmt;
use std::sync::Arc;

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

impl Pacing for StepControl {
    fn name(&self, solver: Option<&'static str>) -> Option<&'static str> {
        Some(solver.unwrap_or("adaptive"))
    }

    fn words(&self, method: &Method, _step: f64, all_go_back: bool) -> String {
        // Where one cannot go back, nothing is done twice to know its error.
        let estimator = match self.estimator {
            Estimator::Richardson if !all_go_back => Estimator::Embedded,
            other => other,
        };
        let tolerance = match self.energy {
            Some(joules) => format!("{joules} J a step"),
            None => format!("tolerance {:e}", self.relative),
        };
        format!(
            "{}, errors by {}, {tolerance}, steps up to {} s",
            method.label("adaptive"),
            estimator.name(),
            Digits(self.max)
        )
    }

    fn needs(&self) -> Needs {
        Needs {
            meets: true,
            rollback: true,
            corners: true,
            tolerance: Some(self.relative),
            first_step: Some(self.first),
            shortest_step: Some(self.min),
            longest_step: Some(self.max),
            ..Needs::PLAIN
        }
    }

    /// How long steps may be follows from the length of the run, which may be another one.
    fn identity(&self) -> String {
        let StepControl {
            relative,
            absolute,
            estimator,
            energy,
            ..
        } = self;
        format!("{relative:?} {absolute:?} {estimator:?} {energy:?}")
    }

    fn master(&self, plan: &Arc<Plan>) -> Box<dyn Master> {
        Box::new(Adaptive::new(Arc::clone(plan), *self))
    }
}

/// A number for people: no more digits than it was meant with.
struct Digits(f64);

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded: f64 = format!("{:.9e}", self.0).parse().unwrap_or(self.0);
        write!(f, "{rounded}")
    }
}
