//! The recent past as a table of backward differences.

use super::amendment::shifted;
use super::coefficients::{GAMMA, MAX_ORDER, alpha};
use crate::memory::{Reader, Writer};

/// Differences 0 to `MAX_ORDER`, one more for the error, one more to judge the next order.
const WIDTH: usize = MAX_ORDER + 3;

/// For each state its backward differences ∇⁰x, ∇¹x, … at the end of the last step, on a grid of equal steps.
///
/// The table of order k is the polynomial of degree k through the last k + 1 points: prediction, dense output and
/// change of the step are all evaluations of it.
pub(super) struct Differences {
    rows: Vec<[f64; WIDTH]>,
    step: f64,
}

impl Differences {
    pub(super) fn new(states: usize) -> Self {
        Self {
            rows: vec![[0.0; WIDTH]; states],
            step: 1.0,
        }
    }

    pub(super) fn step(&self) -> f64 {
        self.step
    }

    /// The table of order 1 from a point and its slope.
    pub(super) fn begin(&mut self, x: &[f64], slope: &[f64], step: f64) {
        self.step = step;
        for ((row, x), slope) in self.rows.iter_mut().zip(x).zip(slope) {
            *row = [0.0; WIDTH];
            row[0] = *x;
            row[1] = step * slope;
        }
    }

    /// The table of known functions, by differencing their values on the grid.
    #[cfg(test)]
    pub(super) fn sampled(functions: &[fn(f64) -> f64], end: f64, step: f64) -> Self {
        let row = |f: &fn(f64) -> f64| differenced(|j| f(end - j as f64 * step));
        Self {
            rows: functions.iter().map(row).collect(),
            step,
        }
    }

    /// Puts the polynomial of the given order on a grid of another step.
    ///
    /// The difference after it, which judges error and order, is only scaled as a derivative would be.
    pub(super) fn rescale(&mut self, order: usize, step: f64) {
        let ratio = step / self.step;
        self.step = step;
        self.apply(order, &change_of_grid(order, ratio, 0.0));
        let derivative = ratio.powi(order as i32 + 1);
        self.rows.iter_mut().for_each(|row| row[order + 1] *= derivative);
    }

    /// Moves the polynomial of the given order ahead by a fraction `s` of the step, as if its points lay there.
    pub(super) fn glide(&mut self, order: usize, s: f64, x: &mut [f64]) {
        self.apply(order, &change_of_grid(order, 1.0, s));
        for (x, row) in x.iter_mut().zip(&self.rows) {
            *x = row[0];
        }
    }

    fn apply(&mut self, order: usize, change: &[[f64; MAX_ORDER + 1]; MAX_ORDER + 1]) {
        for row in &mut self.rows {
            let old = *row;
            for i in 0..=order {
                row[i] = (i..=order).map(|l| change[i][l] * old[l]).sum();
            }
        }
    }

    /// The polynomial one step ahead, and the part of the formula that only knows the past.
    pub(super) fn predict(&self, order: usize, predicted: &mut [f64], past: &mut [f64]) {
        let alpha = alpha(order);
        for ((row, predicted), past) in self.rows.iter().zip(predicted).zip(past) {
            *predicted = row[..=order].iter().sum();
            *past = (1..=order).map(|j| GAMMA[j] * row[j]).sum::<f64>() / alpha;
        }
    }

    /// Moves the table one step ahead: the correction of the prediction is the difference of order k + 1 there.
    pub(super) fn advance(&mut self, order: usize, correction: &[f64], x: &mut [f64]) {
        for ((row, &correction), x) in self.rows.iter_mut().zip(correction).zip(x) {
            row[order + 2] = correction - row[order + 1];
            row[order + 1] = correction;
            for j in (0..=order).rev() {
                row[j] += row[j + 1];
            }
            *x = row[0];
        }
    }

    /// Adds its shift to each state: a polynomial without constant part of the steps since the end of the last one, up to the
    /// difference `last`.
    pub(super) fn shift(&mut self, last: usize, shifts: &[[f64; 4]]) {
        for (row, shift) in self.rows.iter_mut().zip(shifts) {
            let values = differenced(|j| shifted(shift, -(j as f64)));
            for (difference, value) in row.iter_mut().zip(values).take(last + 1) {
                *difference += value;
            }
        }
    }

    /// Difference `j` of state `i`.
    pub(super) fn get(&self, i: usize, j: usize) -> f64 {
        self.rows[i][j]
    }

    /// The polynomial at `s` steps after the end of the last one (before it for negative `s`).
    pub(super) fn interpolate(&self, order: usize, s: f64, x: &mut [f64]) {
        let basis = newton_basis(order, s);
        for (row, x) in self.rows.iter().zip(x) {
            *x = (0..=order).map(|j| basis[j] * row[j]).sum();
        }
    }

    pub(super) fn save(&self, memory: &mut Writer<'_>) {
        memory.real(self.step);
        self.rows.iter().for_each(|row| memory.reals(row));
    }

    pub(super) fn restore(&mut self, memory: &mut Reader<'_>) {
        self.step = memory.real();
        self.rows.iter_mut().for_each(|row| memory.reals(row));
    }
}

/// The backward differences of a function from its values 0, 1, … steps back.
fn differenced(back: impl Fn(usize) -> f64) -> [f64; WIDTH] {
    let mut values: [f64; WIDTH] = std::array::from_fn(back);
    for j in 1..WIDTH {
        for l in (j..WIDTH).rev() {
            values[l] = values[l - 1] - values[l];
        }
    }
    values
}

/// The weights of the differences at `s`: s (s + 1) … (s + j − 1) / j!
fn newton_basis(order: usize, s: f64) -> [f64; MAX_ORDER + 1] {
    let mut basis = [1.0; MAX_ORDER + 1];
    for j in 1..=order {
        basis[j] = basis[j - 1] * (s + (j - 1) as f64) / j as f64;
    }
    basis
}

/// The matrix from old to new differences: values at the new points s, s − ratio, s − 2 ratio, … by the old basis,
/// then differences of these, ∇ⁱ = Σ (−1)ʲ (i over j) value(s − j ratio). Entries below the diagonal are zero: a
/// difference of order i does not see polynomials of lower degree.
fn change_of_grid(order: usize, ratio: f64, s: f64) -> [[f64; MAX_ORDER + 1]; MAX_ORDER + 1] {
    let mut change = [[0.0; MAX_ORDER + 1]; MAX_ORDER + 1];
    for (i, row) in change.iter_mut().enumerate().take(order + 1) {
        let mut binomial = 1.0;
        for j in 0..=i {
            let basis = newton_basis(order, s - j as f64 * ratio);
            for l in i..=order {
                row[l] += binomial * basis[l];
            }
            binomial *= -((i - j) as f64) / (j + 1) as f64;
        }
    }
    change
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A polynomial of degree k is carried by k + 1 differences: neither a new grid nor dense output change it.
        #[test]
        fn a_polynomial_survives_every_change(ratio in 0.1..10.0_f64, s in -1.0..1.0_f64, order in 1..=MAX_ORDER) {
            let powers: [fn(f64) -> f64; 5] =
                [|t| t, |t| t * t, |t| t.powi(3), |t| t.powi(4), |t| t.powi(5)];
            let f = powers[order - 1];
            let mut table = Differences::sampled(&[f], 1.0, 0.1);
            table.rescale(order, 0.1 * ratio);
            let mut x = [0.0];
            table.glide(order, 0.05, &mut x);
            table.interpolate(order, s, &mut x);
            // Rounding of the highest difference is amplified by at most the basis, ratio^order · order!.
            let allowed = 1e-14 * ratio.max(1.0).powi(order as i32) * 120.0;
            prop_assert!((x[0] - f(1.0 + (s + 0.05) * 0.1 * ratio)).abs() <= allowed * f(2.0));
        }
    }

    #[test]
    fn an_advance_by_the_right_correction_is_the_table_one_step_later() {
        let (order, step) = (3, 0.1);
        let mut table = Differences::sampled(&[f64::sin], 0.7, step);
        let (mut predicted, mut past, mut x) = ([0.0], [0.0], [0.0]);
        table.predict(order, &mut predicted, &mut past);
        table.advance(order, &[0.8_f64.sin() - predicted[0]], &mut x);
        let later = Differences::sampled(&[f64::sin], 0.8, step);
        for j in 0..=order + 2 {
            assert!((table.get(0, j) - later.get(0, j)).abs() < 1e-14);
        }
        assert!((x[0] - 0.8_f64.sin()).abs() < 1e-15);
    }
}
