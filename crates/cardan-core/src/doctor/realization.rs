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

    /// How many states stand out of answers with so much noise, or of rounding.
    pub(super) fn most(&self, noise: f64) -> usize {
        let sizes = &self.factors.sizes;
        let floor = noise.max(1e-14) * sizes.first().copied().unwrap_or(0.0);
        sizes.iter().take_while(|size| **size > floor).count()
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
        let pulse = Matrix::of(order, m, |i, j| {
            root(i) * self.factors.v[(j, i)] * self.columns[j]
        });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::dense::Complex;

    /// A lag and a swing with two inputs and two outputs, in units six decades apart.
    fn known() -> Linear {
        let list = |rows: usize, values: &[f64]| {
            let columns = values.len() / rows;
            Matrix::of(rows, columns, |i, j| values[i * columns + j])
        };
        Linear {
            a: list(3, &[-3.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -400.0, -0.4]),
            b: list(3, &[1.0, 1e3, 0.0, 0.0, 0.5, 2e3]),
            c: list(2, &[1.0, 1.0, 0.0, 1e3, 0.0, 2e3]),
            d: list(2, &[0.0, 0.0, 0.0, 5.0]),
        }
    }

    fn sorted(matrix: &Matrix) -> Vec<Complex> {
        let mut found = eigenvalues(matrix);
        found.sort_by(|a, b| (a.re, a.im).partial_cmp(&(b.re, b.im)).unwrap());
        found
    }

    #[test]
    fn answers_tell_the_model() {
        let known = known();
        let hankel = Hankel::new(&known.answers(0.02, 32), 0.02, &known.d).unwrap();
        assert_eq!(hankel.most(1e-12), 3, "three states stand out");
        let found = hankel.model(3).unwrap();
        for (a, b) in sorted(&found.a).iter().zip(sorted(&known.a)) {
            // Rounding of the answers, larger by the condition of their matrix.
            assert!((*a - b).abs() < 1e-9 * b.abs(), "{a:?} {b:?}");
        }
        let (there, here) = (known.answers(0.007, 20), found.answers(0.007, 20));
        for (a, b) in there.iter().zip(&here) {
            assert!(
                a.plus(-1.0, b).largest() < 1e-10 * known.c.largest() * known.b.largest(),
                "{a:?} {b:?}"
            );
        }
    }

    #[test]
    fn samples_too_far_apart_tell_nothing() {
        let known = known();
        // A swing turns by 20 rad/s, so by more than half a turn.
        let answers = known.answers(0.15, 32);
        let found = Hankel::new(&answers, 0.15, &known.d).unwrap().model(3);
        assert!(found.is_none_or(|found| {
            let rate = sorted(&found.a).iter().map(|z| z.im).fold(0.0, f64::max);
            (rate - 20.0).abs() > 1.0
        }));
    }

    /// The constant, the line and the parabola drive an integrator to 1, 1/2 and 1/3.
    #[test]
    fn polynomials_are_integrated_exactly() {
        let integrator = Linear {
            a: Matrix::zeros(1, 1),
            b: Matrix::identity(1),
            c: Matrix::identity(1),
            d: Matrix::zeros(1, 1),
        };
        let over = integrator.over(0.1, 2);
        for (part, expected) in over.iter().zip([1.0, 0.1, 0.05, 0.1 / 3.0]) {
            assert!((part[(0, 0)] - expected).abs() < 1e-16, "{part:?}");
        }
    }
}
