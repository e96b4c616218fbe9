//! Dense linear systems, small ones.

/// LU factors of a square matrix, row by row, with partial pivoting (Golub and Van Loan, *Matrix Computations*,
/// section 3.4). The systems here have tens of unknowns, where a plain loop over rows beats any blocking.
#[derive(Debug)]
pub struct Lu {
    n: usize,
    /// The strict lower triangle holds L (its diagonal is one), the upper one U.
    factors: Vec<f64>,
    /// The row that was swapped into place in each column.
    pivots: Vec<usize>,
}

impl Lu {
    /// For matrices of `n` rows and columns.
    pub fn new(n: usize) -> Self {
        Self {
            n,
            factors: vec![0.0; n * n],
            pivots: (0..n).collect(),
        }
    }

    /// Factors the matrix with the entries `entry(i, j)`. False if it is singular or not finite; the factors are
    /// then of no use.
    pub fn factor(&mut self, entry: impl Fn(usize, usize) -> f64) -> bool {
        let n = self.n;
        for i in 0..n {
            for j in 0..n {
                self.factors[i * n + j] = entry(i, j);
            }
        }
        (0..n).all(|column| self.eliminate(column))
    }

    fn eliminate(&mut self, column: usize) -> bool {
        let n = self.n;
        let size = |row: usize| self.factors[row * n + column].abs();
        let pivot = (column..n).fold(
            column,
            |best, row| if size(row) > size(best) { row } else { best },
        );
        // Also false for a pivot that is not a number.
        if !(size(pivot) > 0.0 && size(pivot).is_finite()) {
            return false;
        }
        self.pivots[column] = pivot;
        for j in 0..n {
            self.factors.swap(column * n + j, pivot * n + j);
        }
        let (done, below) = self.factors.split_at_mut((column + 1) * n);
        let pivot_row = &done[column * n..];
        for row in below.chunks_exact_mut(n) {
            let multiple = row[column] / pivot_row[column];
            row[column] = multiple;
            if multiple != 0.0 {
                for (entry, above) in row[column + 1..].iter_mut().zip(&pivot_row[column + 1..]) {
                    *entry -= multiple * above;
                }
            }
        }
        true
    }

    /// Solves in place.
    pub fn solve(&self, b: &mut [f64]) {
        let n = self.n;
        for (column, &pivot) in self.pivots.iter().enumerate() {
            b.swap(column, pivot);
        }
        for i in 1..n {
            let row = &self.factors[i * n..i * n + i];
            b[i] -= row.iter().zip(&*b).map(|(l, x)| l * x).sum::<f64>();
        }
        for i in (0..n).rev() {
            let row = &self.factors[i * n..(i + 1) * n];
            let known: f64 = row[i + 1..].iter().zip(&b[i + 1..]).map(|(u, x)| u * x).sum();
            b[i] = (b[i] - known) / row[i];
        }
    }

    /// Both factors, row by row.
    pub fn factors(&self) -> &[f64] {
        &self.factors
    }

    /// The row that was swapped into place in each column.
    pub fn pivots(&self) -> &[usize] {
        &self.pivots
    }

    /// Both factors, to be filled with those of another matrix of this size.
    pub fn factors_mut(&mut self) -> &mut [f64] {
        &mut self.factors
    }

    /// Rows outside the matrix are taken as the last one, so that a damaged memory cannot reach beyond it.
    pub fn set_pivots(&mut self, mut pivot: impl FnMut() -> usize) {
        let last = self.n.saturating_sub(1);
        self.pivots
            .iter_mut()
            .for_each(|entry| *entry = pivot().min(last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_zero_on_the_diagonal_needs_a_pivot() {
        let matrix = [[0.0, 2.0, 1.0], [1.0, 1.0, 0.0], [3.0, 0.0, 1.0]];
        let mut lu = Lu::new(3);
        assert!(lu.factor(|i, j| matrix[i][j]));
        let mut x = [7.0, 3.0, 6.0];
        lu.solve(&mut x);
        for (row, b) in matrix.iter().zip([7.0, 3.0, 6.0]) {
            let product: f64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
            assert!((product - b).abs() < 1e-14);
        }
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        let mut lu = Lu::new(2);
        assert!(!lu.factor(|_, j| [1.0, 2.0][j]));
        assert!(!lu.factor(|_, _| f64::NAN));
    }

    proptest! {
        /// Backward stability: the residual is a few ulps of |A| |x|, with growth of the factors far below 2ⁿ.
        #[test]
        fn the_residual_is_rounding(entries in prop::collection::vec(-1.0..1.0_f64, 36), b in prop::collection::vec(-1.0..1.0_f64, 6)) {
            let mut lu = Lu::new(6);
            prop_assume!(lu.factor(|i, j| entries[i * 6 + j]));
            let mut x = b.clone();
            lu.solve(&mut x);
            let size: f64 = x.iter().map(|x| x.abs()).sum();
            for i in 0..6 {
                let product: f64 = (0..6).map(|j| entries[i * 6 + j] * x[j]).sum();
                prop_assert!((product - b[i]).abs() <= 6.0 * 32.0 * f64::EPSILON * (size + 1.0));
            }
        }
    }
}
