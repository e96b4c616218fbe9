//! Fixed-point iteration with a constant factor.
//!
//! The next values lie on the way from `x` to its image, a fixed part of it: `x + ω r`. With ω = 1 values are just
//! passed on. For a linear problem `x = A x + b` each round multiplies the error by `1 − ω (1 − A)`; it shrinks if every
//! eigenvalue of that lies inside the unit circle. A smaller ω helps against eigenvalues of `A` below −1 (a stiff member
//! driven by displacement), and nothing with ω > 0 helps against those above 1.

use super::{Accelerator, NoProposal};
use crate::checkpoint::{Damage, Reader, Resumable, Writer};

/// Takes the same part of every residual.
#[derive(Clone, Debug)]
pub struct Relaxation {
    factor: f64,
    size: usize,
}

impl Relaxation {
    /// With the factor ω.
    pub fn new(factor: f64) -> Self {
        Relaxation { factor, size: 0 }
    }
}

impl Default for Relaxation {
    /// Values are passed on as they are.
    fn default() -> Self {
        Relaxation::new(1.0)
    }
}

impl Accelerator for Relaxation {
    fn begin(&mut self, scales: &[f64]) {
        self.size = scales.len();
    }

    fn propose(&mut self, x: &[f64], image: &[f64], next: &mut [f64]) -> Result<(), NoProposal> {
        for slice in [x, image, next] {
            NoProposal::unless_sized(self.size, slice)?;
        }
        for (next, (x, image)) in next.iter_mut().zip(x.iter().zip(image)) {
            *next = x + self.factor * (image - x);
        }
        NoProposal::unless_finite(next)
    }

    fn accept(&mut self, _x: &[f64], _image: &[f64]) {}
}

impl Resumable for Relaxation {
    /// It learns nothing.
    fn keep(&self, _writer: &mut Writer) {}

    fn resume(&mut self, _reader: &mut Reader<'_>) -> Result<(), Damage> {
        Ok(())
    }
}

/// The same for methods that fall back on it.
pub(super) fn relaxed(factor: f64, x: &[f64], residual: &[f64], next: &mut [f64]) -> Result<(), NoProposal> {
    for (next, (x, residual)) in next.iter_mut().zip(x.iter().zip(residual)) {
        *next = x + factor * residual;
    }
    NoProposal::unless_finite(next)
}
