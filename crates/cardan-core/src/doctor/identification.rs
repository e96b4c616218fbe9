//! The search for a linear model of one participant: how high a pulse, how far apart the samples, how many states.

use super::dense::Matrix;
use super::patient::{HIGH, Patient, Trouble};
use super::probe::{self, Pulse};
use super::realization::{Hankel, Linear};

/// Samples of an answer. Half of them is the most states that a participant with one output can show.
const SAMPLES: usize = 32;
/// The other sampling, by which a model is judged, is shorter by this: the golden section meets none of the old instants.
const OTHER: f64 = 0.618_033_988_749_895;
/// A model that foretells the other sampling this well is right.
const RIGHT: f64 = 1e-6;
/// One that is further off than this says nothing.
const USELESS: f64 = 1e-3;
/// From one length of samples to the next.
const STRIDE: f64 = 4.0;
/// Lengths that are tried.
const TRIES: usize = 16;
/// Models of more states are not looked for.
const MOST_STATES: usize = 24;

/// An input that does less than this, against what the others do, is a weak one.
const WEAK: f64 = 1e-2;
/// No samples are shorter than this part of the run.
const SHORTEST: f64 = 1e-10;

/// A linear model, and how good it is.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Identified {
    pub(super) linear: Linear,
    /// How far off it was where it was put to the test, against the largest answer.
    pub(super) accuracy: f64,
    /// How much twice the pulse gave anything else than twice the answer.
    pub(super) bend: f64,
}

impl Patient<'_> {
    /// The model, with samples of `first` to begin with: they become longer while the model stays right, shorter while
    /// it is wrong. The longest that is right tells slow modes best.
    pub(super) fn identify(&mut self, first: f64, feedthrough: &Matrix) -> Result<Identified, Trouble> {
        self.tell(probe::save)?;
        let mut heights: Vec<f64> = self.drive_sizes.iter().map(|size| 1e-3 * size).collect();
        let longest = self.longest / SAMPLES as f64;
        let mut step = match self.grain {
            Some(grain) => 2.0 * grain,
            None => first.min(longest),
        };
        let (mut best, mut trouble): (Option<Identified>, _) = (None, Trouble::Unfit);
        let (mut right, mut wrong) = (false, false);
        for _ in 0..TRIES {
            if step > longest * (1.0 + 1e-9) || step < SHORTEST * self.longest {
                break;
            }
            match self.attempt(step, feedthrough, &mut heights) {
                Ok(found) => {
                    let good = found.accuracy <= RIGHT;
                    let better = best.as_ref().is_none_or(|b| found.accuracy < b.accuracy);
                    if good || better {
                        best = Some(found);
                    }
                    (right, wrong) = (right || good, wrong || !good);
                    // What was right at shorter samples and is no more: they are too long now.
                    if right && wrong {
                        break;
                    }
                }
                Err(Trouble::Late) => {
                    trouble = Trouble::Late;
                    break;
                }
                Err(other) => {
                    trouble = other;
                    wrong = true;
                    if right {
                        break;
                    }
                }
            }
            step = if right { step * STRIDE } else { step / STRIDE };
            // The same push: what a pulse does is about its height times its length.
            let factor = if right { 1.0 / STRIDE } else { STRIDE };
            for (height, size) in heights.iter_mut().zip(&self.drive_sizes) {
                *height = (*height * factor).min(HIGH * size);
            }
            if wrong && self.grain.is_some() {
                break;
            }
        }
        // Whatever became of it, and however late it is.
        self.tell_anyway(probe::restore)?;
        best.filter(|found| found.accuracy <= USELESS).ok_or(trouble)
    }

    /// The best model from samples of one length.
    fn attempt(
        &mut self,
        step: f64,
        feedthrough: &Matrix,
        heights: &mut [f64],
    ) -> Result<Identified, Trouble> {
        let (p, m) = (self.probe.shows.len(), self.probe.drives.len());
        let other = match self.grain {
            Some(_) => 1.5 * step,
            None => OTHER * step,
        };
        let count = (SAMPLES as f64 * (step / other).min(1.0)) as usize;
        let mut answers = vec![Matrix::zeros(p, m); SAMPLES];
        let mut judges = vec![Matrix::zeros(p, m); count];
        let mut bends = vec![0.0_f64; m];
        for drive in 0..m {
            heights[drive] = self.height(drive, step, heights[drive])?;
            let pulse = Pulse {
                drive,
                height: heights[drive],
                step,
                count: SAMPLES,
            };
            let (column, bent) = self.straight(pulse)?;
            fill(&mut answers, drive, &column);
            bends[drive] = bent;
            let pulse = Pulse {
                height: heights[drive] * step / other,
                step: other,
                count,
                ..pulse
            };
            fill(&mut judges, drive, &self.straight(pulse)?.0);
        }
        // What an input can do to an output, at its typical size.
        let does = |o: usize, i: usize| {
            let most = judges.iter().map(|a| a[(o, i)].abs()).fold(0.0, f64::max);
            most * self.drive_sizes[i]
        };
        let row = |o: usize| (0..m).map(|i| does(o, i)).fold(0.0, f64::max);
        // An input that does next to nothing to an output need not be known to many digits, nor be straight.
        let scale = Matrix::of(p, m, |o, i| does(o, i).max(WEAK * row(o)) / self.drive_sizes[i]);
        let share = |i: usize| {
            (0..p)
                .map(|o| does(o, i) / row(o).max(f64::MIN_POSITIVE))
                .fold(0.0, f64::max)
        };
        let bend = (0..m).map(|i| bends[i] * share(i)).fold(0.0, f64::max);
        let error = |model: &Linear| {
            let foretold = model.answers(other, count);
            let mut worst = 0.0_f64;
            for (foretold, seen) in foretold.iter().zip(&judges) {
                for o in 0..p {
                    for i in (0..m).filter(|i| scale[(o, *i)] > 0.0) {
                        let part = (foretold[(o, i)] - seen[(o, i)]).abs() / scale[(o, i)];
                        worst = if part <= worst { worst } else { part };
                    }
                }
            }
            worst
        };
        let idle = Linear::of_gain(feedthrough.clone());
        let mut models = vec![(error(&idle), idle)];
        // What is below the noise of the answers is no state. Twice a pulse tells the noise.
        let noise = if bend <= RIGHT { bend.max(1e-10) } else { 1e-10 };
        if let Some(hankel) = Hankel::new(&answers, step, feedthrough) {
            for order in 1..=hankel.most(0.01 * bend).min(MOST_STATES) {
                if models.last().is_some_and(|(e, _)| *e <= noise) {
                    break;
                }
                models.extend(hankel.model(order).map(|model| (error(&model), model)));
            }
        }
        let least = models.iter().map(|(e, _)| *e).fold(f64::INFINITY, f64::min);
        // As few states as will do.
        let enough = (2.0 * least).max(noise);
        let fit = models
            .into_iter()
            .find(|(e, _)| *e <= enough)
            .ok_or(Trouble::Unfit)?;
        Ok(Identified {
            linear: fit.1,
            accuracy: fit.0,
            bend,
        })
    }
}

/// Writes an answer, sample after sample, into the column of its input.
fn fill(answers: &mut [Matrix], drive: usize, column: &[f64]) {
    for (k, answer) in answers.iter_mut().enumerate() {
        let p = answer.rows();
        for o in 0..p {
            answer[(o, drive)] = column[k * p + o];
        }
    }
}
