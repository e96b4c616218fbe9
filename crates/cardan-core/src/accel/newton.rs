//! Newton's method on the interface.
//!
//! With the derivatives `J = ∂G/∂x` of the images, the step solves `(1 − J) Δx = r`. The factors of that matrix are kept,
//! over rounds and steps, as long as they lead on quickly; derivatives are often dearer than evaluations.
//!
//! As "interface Jacobian-based co-simulation": S. Sicklinger and others, International Journal for Numerical Methods in
//! Engineering 98, 2014.

use super::track::weight_of;
use super::{Accelerator, NoProposal};
use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use cardan_ode::Lu;

/// A residual that does not shrink this much in a round calls for new derivatives.
const QUICKLY: f64 = 0.1;

/// Newton's method with a dense Jacobian that the caller gives.
#[derive(Debug)]
pub struct Newton {
    size: usize,
    /// Factors of `1 − J`, if they are set.
    factors: Lu,
    is_set: bool,
    weights: Vec<f64>,
    /// The residual of the round before in this step.
    before: Option<f64>,
    step: Vec<f64>,
}

impl Newton {
    /// Without derivatives yet.
    pub fn new() -> Self {
        Newton {
            size: 0,
            factors: Lu::new(0),
            is_set: false,
            weights: Vec::new(),
            before: None,
            step: Vec::new(),
        }
    }

    /// Whether derivatives are at hand.
    pub fn has_jacobian(&self) -> bool {
        self.is_set
    }

    /// Lets go of the derivatives.
    pub fn forget(&mut self) {
        self.is_set = false;
    }

    /// Turns a residual into a step, in place. Without derivatives it stays as it is.
    pub fn solve(&self, residual: &mut [f64]) {
        if self.is_set {
            self.factors.solve(residual);
        }
    }

    /// The largest residual against its scale.
    fn norm(&self, x: &[f64], image: &[f64]) -> f64 {
        let residuals = x.iter().zip(image).map(|(x, image)| (image - x).abs());
        residuals
            .zip(&self.weights)
            .map(|(residual, weight)| residual * weight)
            .fold(0.0, f64::max)
    }
}

impl Default for Newton {
    fn default() -> Self {
        Newton::new()
    }
}

impl Accelerator for Newton {
    fn begin(&mut self, scales: &[f64]) {
        if self.size != scales.len() {
            *self = Newton {
                size: scales.len(),
                factors: Lu::new(scales.len()),
                weights: vec![1.0; scales.len()],
                step: vec![0.0; scales.len()],
                ..Newton::new()
            };
        }
        for (weight, scale) in self.weights.iter_mut().zip(scales) {
            *weight = weight_of(*scale);
        }
        self.before = None;
    }

    fn needs_jacobian(&self, x: &[f64], image: &[f64]) -> bool {
        let slow = |before| self.norm(x, image) > QUICKLY * before;
        !self.is_set || self.before.is_some_and(slow)
    }

    fn set_jacobian(&mut self, jacobian: &[f64]) -> Result<(), NoProposal> {
        let n = self.size;
        NoProposal::unless_sized(n * n, jacobian)?;
        let identity = |i, j| if i == j { 1.0 } else { 0.0 };
        self.is_set = jacobian.iter().all(|entry| entry.is_finite())
            && self.factors.factor(|i, j| identity(i, j) - jacobian[i * n + j]);
        if self.is_set {
            Ok(())
        } else {
            Err(NoProposal::Singular)
        }
    }

    fn propose(&mut self, x: &[f64], image: &[f64], next: &mut [f64]) -> Result<(), NoProposal> {
        for slice in [x, image, next] {
            NoProposal::unless_sized(self.size, slice)?;
        }
        if !self.is_set {
            return Err(NoProposal::NoJacobian);
        }
        for (step, (x, image)) in self.step.iter_mut().zip(x.iter().zip(image)) {
            *step = image - x;
        }
        NoProposal::unless_finite(&self.step)?;
        self.before = Some(self.norm(x, image));
        self.factors.solve(&mut self.step);
        for (next, (x, step)) in next.iter_mut().zip(x.iter().zip(&self.step)) {
            *next = x + step;
        }
        NoProposal::unless_finite(next)
    }

    fn accept(&mut self, _x: &[f64], _image: &[f64]) {}
}

impl Resumable for Newton {
    fn keep(&self, writer: &mut Writer) {
        writer.reals(&self.weights);
        writer.boolean(self.is_set);
        if self.is_set {
            writer.reals(self.factors.factors());
            let pivots = self.factors.pivots();
            pivots.iter().for_each(|pivot| writer.length(*pivot));
        }
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "factors of Newton's matrix";
        let weights = reader.list(8, WHAT, |reader| reader.real(WHAT))?;
        let n = weights.len();
        if self.size > 0 && n != self.size {
            return Err(Damage::Unfit {
                what: WHAT,
                expected: self.size,
                found: n,
            });
        }
        if !reader.boolean(WHAT)? {
            self.forget();
            return Ok(());
        }
        // All is read before there is memory for a matrix of that size.
        let factors = reader.list(8, WHAT, |reader| reader.real(WHAT))?;
        if factors.len() != n * n {
            return Err(Damage::Nonsense { what: WHAT });
        }
        self.begin(&weights);
        self.weights = weights;
        self.factors.factors_mut().copy_from_slice(&factors);
        let mut damage = None;
        self.factors.set_pivots(|| match reader.count(WHAT) {
            Ok(pivot) => usize::try_from(pivot).unwrap_or(usize::MAX),
            Err(short) => {
                damage = Some(short);
                0
            }
        });
        self.is_set = true;
        damage.map_or(Ok(()), Err)
    }
}
