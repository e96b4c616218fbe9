//! Springs, stops and contacts: a law in one measure.

use super::measure::Measure;

/// Something that pushes against a measure.
#[derive(Debug, Clone)]
pub(super) struct Element<const D: usize> {
    pub(super) measure: Measure<D>,
    pub(super) stiffness: f64,
    pub(super) damping: f64,
    pub(super) law: Law,
    /// For angles: which of the quadratures counts turns.
    pub(super) winding: Option<usize>,
}

/// When it pushes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Law {
    /// Both ways, always, from this rest on.
    Spring { rest: f64 },
    /// Only beyond a limit, and never back.
    OneSided { limit: f64, above: bool },
}

/// What an element does: a generalised force in its measure, and how that changes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Push {
    pub(super) force: f64,
    pub(super) stiffness: f64,
    pub(super) damping: f64,
}

impl<const D: usize> Element<D> {
    /// How far beyond its limit it is; positive where it pushes. Springs know no limit.
    pub(super) fn depth(&self, measure: f64) -> Option<f64> {
        match self.law {
            Law::Spring { .. } => None,
            Law::OneSided { limit, above: true } => Some(measure - limit),
            Law::OneSided { limit, above: false } => Some(limit - measure),
        }
    }

    /// The push at this measure and its rate. `touching` says on which side of its limit a one-sided element is.
    pub(super) fn push(&self, measure: f64, rate: f64, touching: bool) -> Push {
        let (stiffness, damping) = (self.stiffness, self.damping);
        match self.law {
            Law::Spring { rest } => Push {
                force: -stiffness * (measure - rest) - damping * rate,
                stiffness,
                damping,
            },
            Law::OneSided { limit, above } => {
                let sign = if above { 1.0 } else { -1.0 };
                let back = stiffness * sign * (measure - limit) + damping * sign * rate;
                match touching && back > 0.0 {
                    true => Push {
                        force: -sign * back,
                        stiffness,
                        damping,
                    },
                    false => Push::default(),
                }
            }
        }
    }

    /// Energy kept in it. What a stop takes by damping is gone.
    pub(super) fn energy(&self, measure: f64, touching: bool) -> f64 {
        let stretch = match self.law {
            Law::Spring { rest } => measure - rest,
            Law::OneSided { limit, .. } if touching => measure - limit,
            Law::OneSided { .. } => 0.0,
        };
        0.5 * self.stiffness * stretch * stretch
    }
}
