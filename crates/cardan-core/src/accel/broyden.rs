//! Broyden's method on the residual.
//!
//! `B` stands for minus the inverse of `∂r/∂x`, so that `x + B r` is Newton's step. It begins as one, the inverse of what
//! the residual does where images do not react to `x` at all. Each evaluation tells how the residual changed (`Δr`)
//! with a move (`Δx`); of all matrices that would have foretold it, the one nearest to the present `∂r/∂x` is taken. By
//! the formula of Sherman and Morrison that changes the inverse by a product of two vectors:
//!
//! B ← B − (Δx + B Δr) (Δxᵀ B) / (Δxᵀ B Δr)
//!
//! Products with `Δxᵀ` are taken in the scales of the step, so that units do not matter. The divisor over `Δx · Δx` is the
//! (negative) factor by which the determinant of `∂r/∂x` changes. Where that factor is almost nothing, only so much of
//! `Δr` is believed that the matrix stays regular.
//!
//! For linear problems of `n` values the solution is found after at most `2n` moves (D. Gay, 1979).
//!
//! C. G. Broyden, *A class of methods for solving nonlinear simultaneous equations*, Mathematics of Computation 19, 1965;
//! J. Moré and J. Trangenstein, 1976, for the damping.

use super::relaxation::relaxed;
use super::track::Track;
use super::{Accelerator, NoProposal};
use crate::checkpoint::{Damage, Reader, Resumable, Writer};

/// The determinant of `∂r/∂x` may shrink this much in one update.
const REGULAR: f64 = 1e-6;

/// How [`Broyden`] begins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BroydenSettings {
    /// The part of the residual that a step takes when nothing is known.
    pub first: f64,
    /// Whether a step begins with the matrix that the accepted step before ended with.
    pub reuse: bool,
}

impl Default for BroydenSettings {
    fn default() -> Self {
        BroydenSettings {
            first: 1.0,
            reuse: true,
        }
    }
}

/// A quasi-Newton method with a dense matrix.
#[derive(Debug)]
pub struct Broyden {
    settings: BroydenSettings,
    track: Track,
    /// `B`, row by row.
    matrix: Vec<f64>,
    /// As accepted steps have left it.
    accepted: Vec<f64>,
    /// Whether `matrix` has left `accepted`.
    changed: bool,
    /// `B Δr`, then `Δx + B Δr`.
    miss: Vec<f64>,
    /// `Δxᵀ B`
    row: Vec<f64>,
}

impl Broyden {
    /// With these settings.
    pub fn new(settings: BroydenSettings) -> Self {
        Broyden {
            settings,
            track: Track::default(),
            matrix: Vec::new(),
            accepted: Vec::new(),
            changed: false,
            miss: Vec::new(),
            row: Vec::new(),
        }
    }

    fn resize(&mut self, n: usize) {
        self.accepted = vec![0.0; n * n];
        set_diagonal(&mut self.accepted, n, self.settings.first);
        self.matrix = self.accepted.clone();
        self.changed = false;
        self.miss = vec![0.0; n];
        self.row = vec![0.0; n];
    }

    fn learn(&mut self, x: &[f64], image: &[f64]) -> Result<(), NoProposal> {
        if self.track.take(x, image)? {
            self.update();
        }
        Ok(())
    }

    fn update(&mut self) {
        let n = self.track.size();
        let (moved, changed) = (self.track.moved(), self.track.changed());
        self.row.fill(0.0);
        for (i, row) in self.matrix.chunks_exact(n).enumerate() {
            self.miss[i] = row.iter().zip(changed).map(|(b, d)| b * d).sum();
            let weighted = moved[i] * self.track.weights()[i] * self.track.weights()[i];
            for (sum, b) in self.row.iter_mut().zip(row) {
                *sum += weighted * b;
            }
        }
        let length = self.track.product(moved, moved);
        // One if the matrix foretold the change, and the factor of the determinant.
        let foretold = -self.track.product(moved, &self.miss) / length;
        let sign = if foretold < 0.0 { -1.0 } else { 1.0 };
        let believed = if foretold.abs() >= REGULAR {
            1.0
        } else {
            (1.0 - sign * REGULAR) / (1.0 - foretold)
        };
        let divisor = -(believed * foretold + (1.0 - believed)) * length;
        for (miss, moved) in self.miss.iter_mut().zip(moved) {
            *miss = believed * (moved + *miss) / divisor;
        }
        // Moves too small for their squares, or numbers too large, teach nothing.
        if !self.miss.iter().chain(&self.row).all(|v| v.is_finite()) {
            return;
        }
        self.changed = true;
        for (row, miss) in self.matrix.chunks_exact_mut(n).zip(&self.miss) {
            for (b, factor) in row.iter_mut().zip(&self.row) {
                *b -= miss * factor;
            }
        }
    }

    fn forget(&mut self) {
        set_diagonal(&mut self.matrix, self.track.size(), self.settings.first);
        self.changed = true;
    }
}

impl Default for Broyden {
    fn default() -> Self {
        Broyden::new(BroydenSettings::default())
    }
}

impl Accelerator for Broyden {
    fn begin(&mut self, scales: &[f64]) {
        if self.track.begin(scales) {
            self.resize(scales.len());
        }
        if std::mem::take(&mut self.changed) {
            self.matrix.copy_from_slice(&self.accepted);
        }
    }

    fn propose(&mut self, x: &[f64], image: &[f64], next: &mut [f64]) -> Result<(), NoProposal> {
        let n = self.track.size();
        NoProposal::unless_sized(n, next)?;
        self.learn(x, image)?;
        if n == 0 {
            return Ok(());
        }
        let residual = self.track.residual();
        for ((next, x), row) in next.iter_mut().zip(x).zip(self.matrix.chunks_exact(n)) {
            *next = x + row.iter().zip(residual).map(|(b, r)| b * r).sum::<f64>();
        }
        if NoProposal::unless_finite(next).is_err() {
            self.forget();
            return relaxed(self.settings.first, x, self.track.residual(), next);
        }
        Ok(())
    }

    fn accept(&mut self, x: &[f64], image: &[f64]) {
        // A last evaluation of no use leaves the matrix as it is.
        let _ = self.learn(x, image);
        if self.settings.reuse && self.changed {
            self.accepted.copy_from_slice(&self.matrix);
            self.changed = false;
        }
    }
}

impl Resumable for Broyden {
    fn keep(&self, writer: &mut Writer) {
        self.track.keep(writer);
        writer.reals(&self.accepted);
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "Broyden's matrix";
        self.track.resume(reader)?;
        let n = self.track.size();
        let accepted = reader.list(8, WHAT, |reader| reader.real(WHAT))?;
        if accepted.len() != n * n {
            return Err(Damage::Nonsense { what: WHAT });
        }
        self.resize(n);
        self.matrix.copy_from_slice(&accepted);
        self.accepted = accepted;
        Ok(())
    }
}

fn set_diagonal(matrix: &mut [f64], n: usize, value: f64) {
    matrix.fill(0.0);
    for i in 0..n {
        matrix[i * n + i] = value;
    }
}
