//! The evaluations of a step as most methods see them: the latest one, and how it differs from the one before.

use super::NoProposal;
use crate::checkpoint::{Damage, Reader, Resumable, Writer};

/// A move this small against the values is rounding in good part, and so is what it changes.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// What is remembered of the evaluations of a step.
#[derive(Debug, Default)]
pub(super) struct Track {
    /// One over the scales: products of weighted vectors have no units.
    weights: Vec<f64>,
    x: Vec<f64>,
    residual: Vec<f64>,
    moved: Vec<f64>,
    changed: Vec<f64>,
    started: bool,
}

impl Track {
    /// Begins a step. Tells whether the size is another than before.
    pub(super) fn begin(&mut self, scales: &[f64]) -> bool {
        let resized = self.weights.len() != scales.len();
        if resized {
            for buffer in [
                &mut self.weights,
                &mut self.x,
                &mut self.residual,
                &mut self.moved,
                &mut self.changed,
            ] {
                *buffer = vec![0.0; scales.len()];
            }
        }
        for (weight, scale) in self.weights.iter_mut().zip(scales) {
            *weight = weight_of(*scale);
        }
        self.started = false;
        resized
    }

    /// Takes an evaluation. Tells whether it differs from one before in this step by more than rounding.
    pub(super) fn take(&mut self, x: &[f64], image: &[f64]) -> Result<bool, NoProposal> {
        self.check(x, image)?;
        let mut different = false;
        for (i, (x, image)) in x.iter().zip(image).enumerate() {
            let residual = image - x;
            self.moved[i] = x - self.x[i];
            self.changed[i] = residual - self.residual[i];
            different |= self.moved[i].abs() > ROUNDING * x.abs();
            self.x[i] = *x;
            self.residual[i] = residual;
        }
        let comparable = std::mem::replace(&mut self.started, true);
        let finite = self.moved.iter().chain(&self.changed).all(|d| d.is_finite());
        Ok(comparable && different && finite)
    }

    fn check(&self, x: &[f64], image: &[f64]) -> Result<(), NoProposal> {
        NoProposal::unless_sized(self.size(), x)?;
        NoProposal::unless_sized(self.size(), image)?;
        // Also catches what is not finite in either.
        match x
            .iter()
            .zip(image)
            .position(|(x, image)| !(image - x).is_finite())
        {
            None => Ok(()),
            Some(variable) => Err(NoProposal::NotFinite { variable }),
        }
    }

    pub(super) fn size(&self) -> usize {
        self.weights.len()
    }

    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The residual of the latest evaluation.
    pub(super) fn residual(&self) -> &[f64] {
        &self.residual
    }

    /// How `x` moved from the evaluation before to the latest.
    pub(super) fn moved(&self) -> &[f64] {
        &self.moved
    }

    /// How the residual changed with it.
    pub(super) fn changed(&self) -> &[f64] {
        &self.changed
    }

    /// The product of two vectors, both measured in the scales.
    pub(super) fn product(&self, a: &[f64], b: &[f64]) -> f64 {
        let weighted = self.weights.iter().zip(a.iter().zip(b));
        weighted.map(|(w, (a, b))| (w * a) * (w * b)).sum()
    }
}

impl Resumable for Track {
    /// Only the size outlives a step: whether it is the same decides what is forgotten.
    fn keep(&self, writer: &mut Writer) {
        writer.reals(&self.weights);
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "interface values";
        let weights = reader.list(8, WHAT, |reader| reader.real(WHAT))?;
        self.begin(&weights);
        self.weights = weights;
        Ok(())
    }
}

/// One over a scale; a scale that is not a positive number is taken as one.
pub(super) fn weight_of(scale: f64) -> f64 {
    let inverse = 1.0 / scale;
    let usable = inverse > 0.0 && inverse.is_finite();
    if usable { inverse } else { 1.0 }
}
