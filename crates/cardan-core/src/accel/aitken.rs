//! Aitken's dynamic relaxation for vectors.
//!
//! Two evaluations show how the residual changes when `x` moves by `Δx`: by `Δr`. The factor is the one with which the
//! move against this change would have left the smallest residual:
//!
//! ω = − (Δx · Δr) / (Δr · Δr)
//!
//! With `Δx = ω' r'` from the round before that is the usual recursion `ω = − ω' (r' · Δr) / (Δr · Δr)`; taken from
//! `Δx` it also holds where the caller evaluated elsewhere than proposed. For one value and a linear problem it is the
//! secant method and so exact. For a symmetric `1 − A` it is the second step length of Barzilai and Borwein, and
//! converges however large the spectrum (Raydan 1993).
//!
//! A step begins with the last factor of the accepted step before, limited in size: where one factor fits a step, it
//! nearly fits the next.
//!
//! B. Irons and R. Tuck, 1969; U. Küttler and W. Wall, *Fixed-point fluid–structure interaction solvers with dynamic
//! relaxation*, Computational Mechanics 43, 2008.

use super::relaxation::relaxed;
use super::track::Track;
use super::{Accelerator, NoProposal};
use crate::checkpoint::{Damage, Reader, Resumable, Writer};

/// How [`Aitken`] chooses and limits its factors.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AitkenSettings {
    /// The factor of the very first round, which knows nothing.
    pub first: f64,
    /// The largest size of a factor that is carried over to begin the next step.
    pub carried: f64,
    /// The smallest size of a factor: below it, iteration would stand still.
    pub smallest: f64,
    /// The largest size of a factor, against residuals that hardly change.
    pub largest: f64,
}

impl Default for AitkenSettings {
    fn default() -> Self {
        AitkenSettings {
            first: 0.5,
            carried: 1.0,
            smallest: 1e-6,
            largest: 1e3,
        }
    }
}

/// Relaxation with a factor that follows the residuals.
#[derive(Debug)]
pub struct Aitken {
    settings: AitkenSettings,
    track: Track,
    factor: f64,
    /// What accepted steps have left.
    carried: f64,
}

impl Aitken {
    /// With these limits.
    pub fn new(settings: AitkenSettings) -> Self {
        Aitken {
            settings,
            track: Track::default(),
            factor: settings.first,
            carried: settings.first,
        }
    }

    /// The present factor.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    fn learn(&mut self, x: &[f64], image: &[f64]) -> Result<(), NoProposal> {
        if self.track.take(x, image)? {
            let (moved, changed) = (self.track.moved(), self.track.changed());
            let factor = -self.track.product(moved, changed) / self.track.product(changed, changed);
            // A residual that does not change says nothing: the factor stays.
            if factor.is_finite() {
                self.factor = sized(factor, self.settings.smallest, self.settings.largest);
            }
        }
        Ok(())
    }
}

impl Default for Aitken {
    fn default() -> Self {
        Aitken::new(AitkenSettings::default())
    }
}

impl Accelerator for Aitken {
    fn begin(&mut self, scales: &[f64]) {
        if self.track.begin(scales) {
            self.carried = self.settings.first;
        }
        self.factor = self.carried;
    }

    fn propose(&mut self, x: &[f64], image: &[f64], next: &mut [f64]) -> Result<(), NoProposal> {
        NoProposal::unless_sized(self.track.size(), next)?;
        self.learn(x, image)?;
        relaxed(self.factor, x, self.track.residual(), next)
    }

    fn accept(&mut self, x: &[f64], image: &[f64]) {
        // A last evaluation of no use leaves the factor as it is.
        let _ = self.learn(x, image);
        self.carried = sized(self.factor, 0.0, self.settings.carried);
    }
}

impl Resumable for Aitken {
    fn keep(&self, writer: &mut Writer) {
        self.track.keep(writer);
        writer.real(self.carried);
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        self.track.resume(reader)?;
        self.carried = reader.real("a factor of Aitken's")?;
        self.factor = self.carried;
        Ok(())
    }
}

/// The factor with its sign, and a size between these.
fn sized(factor: f64, smallest: f64, largest: f64) -> f64 {
    factor.abs().max(smallest).min(largest).copysign(factor)
}
