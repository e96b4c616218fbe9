//! A participant under examination: pulses of a height that suits it, and what it answers.

use super::Budget;
use super::dense::Matrix;
use super::probe::{Probe, Pulse};
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::participant::{Failure, Participant};
use crate::world::World;
use std::sync::Arc;

/// Samples by which the height of a pulse is found.
const FEW: usize = 6;
/// No pulse is higher than this, against the size of its input: what does nothing may never move an output.
pub(super) const HIGH: f64 = 1e4;
/// Outputs do not move further than this, against their size.
const FAR: f64 = 0.1;
/// Answers that are this straight cannot become straighter.
const STRAIGHT: f64 = 1e-12;
/// Members whose answers are this straight are taken as linear.
const LINEAR: f64 = 1e-6;

/// Why there is no model.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The time for it was over.
    Late,
    /// No model fits.
    Unfit,
    /// The participant failed.
    Failed(RunError),
}

/// A participant under examination.
pub(super) struct Patient<'a> {
    pub(super) world: &'a mut World,
    pub(super) who: ParticipantId,
    pub(super) probe: Arc<Probe>,
    /// Typical magnitudes of the inputs that are moved and of the outputs that are looked at.
    pub(super) drive_sizes: Vec<f64>,
    pub(super) show_sizes: Vec<f64>,
    pub(super) budget: &'a Budget,
    /// The longest samples that the run has room for.
    pub(super) longest: f64,
    /// Steps must be multiples of this, where they must.
    pub(super) grain: Option<f64>,
}

impl Patient<'_> {
    /// How outputs react at once, from differences where the participant stands. Nobody needs to go back for that: what is
    /// asked last are the outputs as they are.
    pub(super) fn feedthrough(&mut self) -> Result<Matrix, Trouble> {
        let (p, m) = (self.probe.shows.len(), self.probe.drives.len());
        let mut d = Matrix::zeros(p, m);
        for drive in 0..m {
            let height = 1e-3 * self.drive_sizes[drive];
            let slope = |patient: &mut Self, height: f64| -> Result<Vec<f64>, Trouble> {
                let probe = Arc::clone(&patient.probe);
                let (up, down) = patient.tell(move |p| {
                    let up = probe.at_once(p, drive, height)?;
                    Ok((up, probe.at_once(p, drive, -height)?))
                })?;
                Ok(up
                    .iter()
                    .zip(&down)
                    .map(|(a, b)| (a - b) / (2.0 * height))
                    .collect())
            };
            let (once, twice) = (slope(self, height)?, slope(self, 2.0 * height)?);
            for o in 0..p {
                // What bends with the cube of the height is taken out.
                d[(o, drive)] = once[o] + (once[o] - twice[o]) / 3.0;
                let noise = f64::EPSILON * 100.0 * self.show_sizes[o] / height;
                if (once[o] - twice[o]).abs() <= noise {
                    d[(o, drive)] = if twice[o].abs() <= noise { 0.0 } else { twice[o] };
                }
            }
        }
        let probe = Arc::clone(&self.probe);
        self.tell(move |p| probe.at_once(p, 0, 0.0))?;
        Ok(d)
    }

    /// A height of the pulse at which the answer is straightest: higher is less noise, lower is less bend. It is never so
    /// high that outputs move by more than a tenth of their size.
    pub(super) fn height(&mut self, drive: usize, step: f64, first: f64) -> Result<f64, Trouble> {
        let pulse = |height: f64| Pulse {
            drive,
            height,
            step,
            count: FEW,
        };
        let mut best = first;
        let (mut least, mut moved) = self.bend(pulse(best))?;
        while moved > FAR {
            best *= 0.1;
            (least, moved) = self.bend(pulse(best))?;
        }
        for factor in [10.0, 0.1] {
            let before = best;
            while least > STRAIGHT && best * factor <= HIGH * self.drive_sizes[drive] {
                match self.bend(pulse(best * factor)) {
                    Ok((bend, moved)) if bend < least && moved <= FAR => {
                        (least, best) = (bend, best * factor);
                    }
                    Ok(_) | Err(Trouble::Failed(_)) => break,
                    Err(late) => return Err(late),
                }
            }
            if best != before {
                break;
            }
        }
        Ok(best)
    }

    /// By how much twice a pulse does not give twice the answer, and how far outputs move, both relative.
    fn bend(&mut self, pulse: Pulse) -> Result<(f64, f64), Trouble> {
        let twice = Pulse {
            height: 2.0 * pulse.height,
            ..pulse
        };
        let (one, two) = (self.central(pulse)?, self.central(twice)?);
        let p = self.probe.shows.len();
        let (mut bend, mut moved) = (0.0_f64, 0.0_f64);
        for o in 0..p {
            let of = |list: &[f64]| -> Vec<f64> { list.iter().skip(o).step_by(p).copied().collect() };
            let (one, two) = (of(&one), of(&two));
            let size = two.iter().fold(0.0_f64, |most, y| most.max(y.abs()));
            let apart = one
                .iter()
                .zip(&two)
                .fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
            if size > 0.0 {
                bend = bend.max(apart / size);
                moved = moved.max(2.0 * pulse.height * size / self.show_sizes[o]);
            }
        }
        Ok((bend, moved))
    }

    /// The answer to a pulse of height one, from two heights, and how much they differ.
    pub(super) fn straight(&mut self, pulse: Pulse) -> Result<(Vec<f64>, f64), Trouble> {
        let twice = Pulse {
            height: 2.0 * pulse.height,
            ..pulse
        };
        let (one, two) = (self.central(pulse)?, self.central(twice)?);
        let largest = |list: &mut dyn Iterator<Item = f64>| list.fold(0.0_f64, |most, y| most.max(y.abs()));
        let apart = largest(&mut one.iter().zip(&two).map(|(a, b)| a - b));
        let size = largest(&mut two.iter().copied());
        let bend = if size > 0.0 { apart / size } else { 0.0 };
        if bend <= LINEAR {
            return Ok((two, bend));
        }
        // What bends with the cube of the height is taken out.
        let straight = one.iter().zip(&two).map(|(a, b)| a + (a - b) / 3.0);
        Ok((straight.collect(), bend))
    }

    /// The answer to a pulse up less that to a pulse down, for a height of one.
    fn central(&mut self, pulse: Pulse) -> Result<Vec<f64>, Trouble> {
        let down = Pulse {
            height: -pulse.height,
            ..pulse
        };
        let (up, down) = (self.answer(pulse)?, self.answer(down)?);
        let pairs = up.iter().zip(&down);
        Ok(pairs.map(|(a, b)| (a - b) / (2.0 * pulse.height)).collect())
    }

    fn answer(&mut self, pulse: Pulse) -> Result<Vec<f64>, Trouble> {
        let probe = Arc::clone(&self.probe);
        self.tell(move |p| probe.answer(p, pulse))
    }

    /// A call on the participant's own thread.
    pub(super) fn tell<R: Send + 'static>(
        &mut self,
        what: impl FnOnce(&mut dyn Participant) -> Result<R, Failure> + Send + 'static,
    ) -> Result<R, Trouble> {
        match self.budget.is_spent() {
            true => Err(Trouble::Late),
            false => self.tell_anyway(what),
        }
    }

    /// The same, even if there is no time left.
    pub(super) fn tell_anyway<R: Send + 'static>(
        &mut self,
        what: impl FnOnce(&mut dyn Participant) -> Result<R, Failure> + Send + 'static,
    ) -> Result<R, Trouble> {
        let at = self.probe.at;
        let answer = self.world.call(self.who, Call::Step, Some(at), what);
        answer.map_err(Trouble::Failed)
    }
}
