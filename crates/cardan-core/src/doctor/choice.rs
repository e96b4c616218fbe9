//! What to do about it: a choice of method, order, reading and step that a run can be started with.

use super::diagnosis::{Diagnosis, Figures, GroupDiagnosis, READINGS};
use super::limits::Limit;
use crate::graph::ParticipantId;
use crate::method::Sweep;
use crate::signal::Reading;

/// Of a stable step, so much is taken: near the limit errors fade slowly.
const CAUTION: f64 = 0.3;
/// Steps for one radian of the fastest swing, where its course is of interest.
const PER_RADIAN: f64 = 10.0;
/// A limit so far below what accuracy asks for is no basis for fixed steps.
const HOPELESS: f64 = 0.01;
/// Without anything that swings, a run is cut into so many steps.
const STEPS: f64 = 1000.0;

/// A way of coupling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Steps of one length.
    Fixed,
    /// Steps by a tolerance.
    Adaptive,
    /// Steps that are repeated until the exchanged values fit.
    Iterated,
}

/// Why.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Why {
    /// Everybody can go back, so that steps follow from a tolerance.
    EverybodyGoesBack,
    /// Some cannot go back, so that a step is fixed: with room to the limit.
    SomeCannotGoBack,
    /// No fixed step of a sensible length is stable.
    NothingIsStable,
    /// Nobody depends on each other in a circle.
    NoCircle,
}

/// A choice for a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// How steps are made.
    pub kind: Kind,
    /// Who sees what of whom in a step.
    pub method: Sweep,
    /// The order of the members of the groups, for Gauss-Seidel.
    pub order: Vec<ParticipantId>,
    /// How inputs are read.
    pub reading: Reading,
    /// The step in seconds; where steps are chosen, a sensible first one.
    pub step: f64,
    /// Why.
    pub why: Why,
}

/// A method with a reading, and what is known of it in all groups.
struct Candidate {
    method: Sweep,
    reading: Reading,
    limit: f64,
}

impl Diagnosis {
    /// What to choose for a run; none where a group could not be measured.
    pub fn recommendation(&self) -> Option<Choice> {
        let groups = self.groups.iter();
        let figures: Vec<(&GroupDiagnosis, &Figures)> = groups
            .map(|group| Some((group, group.figures.as_ref()?)))
            .collect::<Option<_>>()?;
        let order = figures
            .iter()
            .flat_map(|(group, f)| order_of(group, f))
            .copied()
            .collect();
        let swings = figures.iter().filter_map(|(_, f)| f.fastest_swing());
        let fastest = swings.map(|mode| mode.size()).fold(0.0, f64::max);
        let fine = match fastest > 0.0 {
            true => (1.0 / (PER_RADIAN * fastest)).min(self.span / STEPS),
            false => self.span / STEPS,
        };
        let best = candidates(&figures).into_iter().reduce(|best, other| {
            if other.limit > 1.1 * best.limit {
                other
            } else {
                best
            }
        })?;
        let choice = |kind, step, why| Choice {
            kind,
            method: best.method,
            order,
            reading: best.reading,
            step,
            why,
        };
        Some(if self.groups.is_empty() {
            choice(Kind::Fixed, fine, Why::NoCircle)
        } else if best.limit < HOPELESS * fine {
            choice(Kind::Iterated, fine, Why::NothingIsStable)
        } else if self.one_way.is_empty() {
            choice(
                Kind::Adaptive,
                (CAUTION * best.limit).min(fine),
                Why::EverybodyGoesBack,
            )
        } else {
            choice(
                Kind::Fixed,
                (CAUTION * best.limit).min(fine),
                Why::SomeCannotGoBack,
            )
        })
    }
}

/// The order in which a group can be told to step: one that exchanges roles is for whoever builds the system.
fn order_of<'a>(group: &'a GroupDiagnosis, figures: &'a Figures) -> &'a [ParticipantId] {
    let present = figures.limits_of(Sweep::GaussSeidel).map(|l| &l.order[..]);
    match (group.reversed, present) {
        (true, Some(present)) => present,
        _ => &group.order,
    }
}

/// What fixed steps can be made of, the best first where limits are equal. Holding is left out: its error is of order one,
/// and it is often stable only because it damps what it should not.
fn candidates(figures: &[(&GroupDiagnosis, &Figures)]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (method, place) in [
        (Sweep::GaussSeidel, 2),
        (Sweep::GaussSeidel, 1),
        (Sweep::Jacobi, 2),
        (Sweep::Jacobi, 1),
    ] {
        let limit = figures.iter().map(|(group, f)| {
            let limits = match method {
                Sweep::GaussSeidel => f.limits_in(order_of(group, f)),
                Sweep::Jacobi => f.limits_of(Sweep::Jacobi),
            };
            limits.map_or(0.0, |l| Limit::seconds(l.limits[place]))
        });
        candidates.push(Candidate {
            method,
            reading: READINGS[place],
            limit: limit.fold(f64::INFINITY, f64::min),
        });
    }
    candidates
}
