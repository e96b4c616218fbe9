//! From an answer to a pulse to a linear model: Ho and Kalman's way, with the eigensystem realization of noisy data.
//!
//! The answers `M₁, M₂, …` of a linear system to a pulse of one step are `C Aᵏ⁻¹ B`. Written into a matrix whose entry
//! `(i, j)` is `M_{i+j+1}`, they have as many independent columns as the system has states that matter, and its singular
//! vectors are a basis of them.

use super::dense::{Matrix, Svd, eigenvalues, exponential, logarithm, svd};

/// Within one sample a mode may fade to this. More of it would lie between the samples.
const FADED: f64 = 1e-3;
/// And turn by this, in radians: beyond half a turn nobody can tell which way it went.
const TURNED: f64 = 2.6;

/// A linear model in continuous time: `x' = A x + B u`, `y = C x + D u`.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Linear {
    pub(super) a: Matrix,
    pub(super) b: Matrix,
    pub(super) c: Matrix,
    pub(super) d: Matrix,
}

impl Linear {
    /// Without states: outputs follow inputs at once.
    pub(super) fn of_gain(d: Matrix) -> Self {
        Linear {
            a: Matrix::zeros(0, 0),
            b: Matrix::zeros(0, d.columns()),
            c: Matrix::zeros(d.rows(), 0),
            d,
        }
    }

    pub(super) fn states(&self) -> usize {
        self.a.rows()
    }

    /// What inputs `c₀ + c₁ s + c₂ s² + …` of the part `s` of a step, from its beginning to its end, do to the state:
    /// the first matrix is for the state, the others for the coefficients.
    pub(super) fn over(&self, step: f64, degree: usize) -> Vec<Matrix> {
        let (n, m) = (self.states(), self.b.columns());
        // x' = A x + B p₀, p₀' = p₁ / step, p₁' = 2 p₂ / step … with pₖ growing up to sᵏ.
        let size = n + (degree + 1) * m;
        let mut whole = Matrix::zeros(size, size);
        whole.put((0, 0), &self.a.scaled(step));
        whole.put((0, n), &self.b.scaled(step));
        for k in 0..degree {
            let shift = Matrix::identity(m).scaled((k + 1) as f64);
            whole.put((n + k * m, n + (k + 1) * m), &shift);
        }
        let flow = exponential(&whole);
        let mut parts = vec![flow.part((0, 0), (n, n))];
        parts.extend((0..=degree).map(|k| flow.part((0, n + k * m), (n, m))));
        parts
    }

    /// The answers to a pulse of height one in one input, `step` long and as many samples apart: row after row.
    pub(super) fn answers(&self, step: f64, count: usize) -> Vec<Matrix> {
        let parts = self.over(step, 0);
        let mut state = parts[1].clone();
        let mut answers = Vec::with_capacity(count);
        for _ in 0..count {
            answers.push(self.c.times(&state));
            state = parts[0].times(&state);
        }
        answers
    }
}

/// Answers to pulses, ready for models of any order.
pub(super) struct Hankel {
    step: f64,
    factors: Svd,
    /// The same matrix one sample later, seen from the singular vectors.
    later: Matrix,
    rows: Vec<f64>,
    columns: Vec<f64>,
    feedthrough: Matrix,
}

impl Hankel {
    /// From the answers `M₁ …` to pulses of `step`, by inputs and outputs; none if nothing was answered.
    pub(super) fn new(answers: &[Matrix], step: f64, feedthrough: &Matrix) -> Option<Self> {
        let (p, m) = (feedthrough.rows(), feedthrough.columns());
        // Outputs and inputs of all units count alike.
        let largest = |some: &dyn Fn(&Matrix) -> f64| answers.iter().map(some).fold(0.0, f64::max);
        let or_one = |size: f64| if size > 0.0 { size } else { 1.0 };
        let row = |o: usize| or_one(largest(&|a| (0..m).map(|i| a[(o, i)].abs()).fold(0.0, f64::max)));
        let rows: Vec<f64> = (0..p).map(row).collect();
        let relative = |a: &Matrix, i: usize| (0..p).map(|o| a[(o, i)].abs() / rows[o]).fold(0.0, f64::max);
        let columns: Vec<f64> = (0..m).map(|i| or_one(largest(&|a| relative(a, i)))).collect();
        if largest(&Matrix::largest) == 0.0 {
            return None;
        }
        let half = answers.len() / 2;
        let entry = |i: usize, j: usize, shift: usize| {
            let (o, n) = (i % p, j % m);
            answers[i / p + j / m + shift][(o, n)] / (rows[o] * columns[n])
        };
        let wide = half.min(answers.len() - half);
        let factors = svd(&Matrix::of(half * p, wide * m, |i, j| entry(i, j, 0)));
        let shifted = Matrix::of(half * p, wide * m, |i, j| entry(i, j, 1));
        let later = factors.u.transposed().times(&shifted).times(&factors.v);
        Some(Hankel {
            step,
            factors,
            later,
            rows,
            columns,
            feedthrough: feedthrough.clone(),
        })
    }

    /// How many states there can be at most before rounding takes over.
    pub(super) fn most(&self) -> usize {
        let sizes = &self.factors.sizes;
        let first = sizes.first().copied().unwrap_or(0.0);
        sizes.iter().take_while(|size| **size > 1e-14 * first).count()
    }

    /// The model with so many states; none where its modes are too fast for the samples.
    pub(super) fn model(&self, order: usize) -> Option<Linear> {
        let (p, m) = (self.rows.len(), self.columns.len());
        let root = |i: usize| self.factors.sizes[i].sqrt();
        let discrete = Matrix::of(order, order, |i, j| self.later[(i, j)] / (root(i) * root(j)));
        let seen = eigenvalues(&discrete);
        let fits = |z: &super::dense::Complex| z.abs() > FADED && z.ln().im.abs() < TURNED;
        if !seen.iter().all(fits) {
            return None;
        }
        let pulse = Matrix::of(order, m, |i, j| root(i) * self.factors.v[(j, i)] * self.columns[j]);
        let c = Matrix::of(p, order, |i, j| self.factors.u[(i, j)] * root(j) * self.rows[i]);
        let a = logarithm(&discrete)?.scaled(1.0 / self.step);
        // A held input has done `∫ exp(A s) ds B` at the end of its sample; find the B that did it.
        let unit = Linear {
            b: Matrix::identity(order),
            c: Matrix::zeros(0, order),
            d: Matrix::zeros(0, order),
            a,
        };
        let b = unit.over(self.step, 0)[1].solve(&pulse)?;
        Some(Linear {
            a: unit.a,
            b,
            c,
            d: self.feedthrough.clone(),
        })
    }
}
