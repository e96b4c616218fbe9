//! The weighted norm in which errors are measured.

use crate::SolverSettings;

/// Relative tolerance, and the absolute one of each state.
#[derive(Debug)]
pub(crate) struct Tolerance {
    pub(crate) rtol: f64,
    /// The absolute tolerance of a state of nominal value one.
    base: f64,
    atol: Vec<f64>,
}

impl Tolerance {
    pub(crate) fn new(settings: &SolverSettings, states: usize) -> Self {
        let mut tolerance = Self {
            rtol: settings.rtol,
            base: settings.atol,
            atol: vec![settings.atol; states],
        };
        tolerance.rescale(settings.nominal.as_deref().unwrap_or(&[]));
        tolerance
    }

    /// Other sizes of the states; what is no size is left out.
    pub(crate) fn rescale(&mut self, nominal: &[f64]) {
        for (atol, nominal) in self.atol.iter_mut().zip(nominal) {
            let allowed = self.base * nominal.abs();
            if allowed > 0.0 && allowed.is_finite() {
                *atol = allowed;
            }
        }
    }

    /// The error allowed in state `i` where its value is about `x`.
    pub(crate) fn allowed(&self, i: usize, x: f64) -> f64 {
        self.atol[i] + self.rtol * x.abs()
    }

    /// Root mean square of `error(i) / allowed(i)`, with the allowance at the values `x`; 1 is just acceptable.
    pub(crate) fn norm(&self, x: &[f64], error: impl Fn(usize) -> f64) -> f64 {
        self.norm_at(|i| x[i], error)
    }

    /// The same with the larger of two values of each state, as the error of a step between them wants it.
    pub(crate) fn norm_between(&self, x0: &[f64], x1: &[f64], error: impl Fn(usize) -> f64) -> f64 {
        self.norm_at(|i| x0[i].abs().max(x1[i].abs()), error)
    }

    /// The same with the sizes of the states given by a function.
    pub(crate) fn norm_at(&self, size: impl Fn(usize) -> f64, error: impl Fn(usize) -> f64) -> f64 {
        let count = self.atol.len();
        let sum: f64 = (0..count)
            .map(|i| (error(i) / self.allowed(i, size(i))).powi(2))
            .sum();
        (sum / count.max(1) as f64).sqrt()
    }
}
