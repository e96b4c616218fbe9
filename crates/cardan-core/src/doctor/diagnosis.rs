//! What an examination found.

use super::limits::Limit;
use crate::graph::ParticipantId;
use crate::method::Sweep;
use crate::signal::Reading;

/// The readings for which limits are found.
pub const READINGS: [Reading; 3] = [Reading::Hold, Reading::Linear { weight: 1.0 }, Reading::Quadratic];

/// What was found about a system.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Diagnosis {
    /// Parallel to the groups of the plan.
    pub groups: Vec<GroupDiagnosis>,
    /// The length of the run in seconds.
    pub span: f64,
    /// Those of all participants that cannot go back to a saved state.
    pub one_way: Vec<ParticipantId>,
}

/// What was found about a group whose members depend on each other in a circle.
#[derive(Clone, PartialEq, Debug)]
pub struct GroupDiagnosis {
    /// Who.
    pub members: Vec<ParticipantId>,
    /// Members of which nothing is known but their ports, and why.
    pub unmeasured: Vec<(ParticipantId, Unmeasured)>,
    /// Members with modes of their own, as far as they were measured.
    pub own_modes: Vec<(ParticipantId, Vec<Mode>)>,
    /// The gain of one round of exchange at one instant: zero where nobody reacts at once in a circle. Above one, plain
    /// repetition runs away however short the step. Known even of members that cannot go back.
    pub alpha: Option<f64>,
    /// The best order; the present one where nothing better is known.
    pub order: Vec<ParticipantId>,
    /// Does the best order mean that roles are exchanged: that who gives the force should take it?
    pub reversed: bool,
    /// What follows from the measurements; none where some are missing.
    pub figures: Option<Figures>,
}

/// Why a member was not measured.
#[derive(Clone, PartialEq, Debug)]
pub enum Unmeasured {
    /// It cannot go back to a saved state.
    OneWay,
    /// The time for the examination was over.
    Late,
    /// No linear model foretells it: it acts at instants of its own, jumps, or is not smooth where it stands.
    Unfit,
    /// It is coupled by what is not a real number.
    NotReal,
    /// It failed.
    Failed(String),
}

/// A mode: something of it goes with `exp(growth · t)`, turning at a rate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mode {
    /// Per second; negative where it fades.
    pub growth: f64,
    /// In radians per second; zero where it does not swing.
    pub rate: f64,
}

impl Mode {
    /// How fast it is, in whatever way.
    pub fn size(&self) -> f64 {
        self.growth.hypot(self.rate)
    }

    /// Seconds of one swing; none where it does not swing visibly before it has faded.
    pub fn period(&self) -> Option<f64> {
        (self.rate > 0.1 * self.growth.abs()).then(|| std::f64::consts::TAU / self.rate)
    }
}

/// The figures of a group.
#[derive(Clone, PartialEq, Debug)]
pub struct Figures {
    /// How far off the models were where they were put to the test, relative.
    pub accuracy: f64,
    /// How far members are from linear, relative.
    pub bend: f64,
    /// The gain of one round over the present step: below one, repeating the step converges.
    pub loop_gain: f64,
    /// The same where all repeat side by side.
    pub loop_gain_jacobi: f64,
    /// The spectral radius of the present method with the present step and readings.
    pub spectral_radius: f64,
    /// By what errors grow over the run with the present method, step and readings, beyond what the system itself does: the
    /// logarithm of the factor, negative where they fade.
    pub growth: f64,
    /// The present step: where steps are chosen, the first; where members have steps of their own, the longest.
    pub step: f64,
    /// The modes of the group, coupled without any error, the fastest first.
    pub modes: Vec<Mode>,
    /// The longest step that was looked at.
    pub longest: f64,
    /// The largest stable steps: Jacobi, Gauss-Seidel in the present order, then in others.
    pub limits: Vec<MethodLimits>,
}

/// The largest stable steps of a method.
#[derive(Clone, PartialEq, Debug)]
pub struct MethodLimits {
    /// The method.
    pub method: Sweep,
    /// Its order, for Gauss-Seidel.
    pub order: Vec<ParticipantId>,
    /// By reading, as in [`READINGS`].
    pub limits: [Limit; 3],
}

impl Figures {
    /// The limits of a method in the present order.
    pub fn limits_of(&self, method: Sweep) -> Option<&MethodLimits> {
        self.limits.iter().find(|limits| limits.method == method)
    }

    /// The limits of Gauss-Seidel in an order, or in the present one where others were not looked at.
    pub fn limits_in(&self, order: &[ParticipantId]) -> Option<&MethodLimits> {
        let found = self.limits.iter().find(|limits| limits.order == order);
        found.or_else(|| self.limits_of(Sweep::GaussSeidel))
    }

    /// The fastest mode that swings.
    pub fn fastest_swing(&self) -> Option<Mode> {
        self.modes.iter().copied().find(|mode| mode.period().is_some())
    }
}
