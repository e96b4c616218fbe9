//! A dense matrix of reals.

use std::ops::{Index, IndexMut};

/// A dense matrix, row after row.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Matrix {
    rows: usize,
    columns: usize,
    data: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zeros(rows: usize, columns: usize) -> Self {
        Matrix {
            rows,
            columns,
            data: vec![0.0; rows * columns],
        }
    }

    pub(crate) fn identity(size: usize) -> Self {
        Matrix::of(size, size, |i, j| if i == j { 1.0 } else { 0.0 })
    }

    pub(crate) fn of(rows: usize, columns: usize, value: impl Fn(usize, usize) -> f64) -> Self {
        let mut matrix = Matrix::zeros(rows, columns);
        for i in 0..rows {
            for j in 0..columns {
                matrix[(i, j)] = value(i, j);
            }
        }
        matrix
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    pub(crate) fn transposed(&self) -> Matrix {
        Matrix::of(self.columns, self.rows, |i, j| self[(j, i)])
    }

    pub(crate) fn times(&self, other: &Matrix) -> Matrix {
        debug_assert_eq!(self.columns, other.rows);
        let mut product = Matrix::zeros(self.rows, other.columns);
        for i in 0..self.rows {
            for k in 0..self.columns {
                let factor = self[(i, k)];
                if factor == 0.0 {
                    continue;
                }
                let from = &other.data[k * other.columns..(k + 1) * other.columns];
                let to = &mut product.data[i * other.columns..(i + 1) * other.columns];
                for (to, from) in to.iter_mut().zip(from) {
                    *to += factor * from;
                }
            }
        }
        product
    }

    /// `self + factor · other`
    pub(crate) fn plus(&self, factor: f64, other: &Matrix) -> Matrix {
        debug_assert_eq!((self.rows, self.columns), (other.rows, other.columns));
        let pairs = self.data.iter().zip(&other.data);
        Matrix {
            data: pairs.map(|(a, b)| a + factor * b).collect(),
            ..*self
        }
    }

    pub(crate) fn scaled(&self, factor: f64) -> Matrix {
        Matrix {
            data: self.data.iter().map(|a| factor * a).collect(),
            ..*self
        }
    }

    /// The largest sum of sizes in a column.
    pub(crate) fn norm(&self) -> f64 {
        let sum = |j| (0..self.rows).map(|i| self[(i, j)].abs()).sum::<f64>();
        (0..self.columns).map(sum).fold(0.0, f64::max)
    }

    /// The size of the largest entry.
    pub(crate) fn largest(&self) -> f64 {
        self.data.iter().fold(0.0, |most: f64, a| most.max(a.abs()))
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.data.iter().all(|a| a.is_finite())
    }

    /// The part of `rows` × `columns` from a corner on.
    pub(crate) fn part(&self, (i, j): (usize, usize), (rows, columns): (usize, usize)) -> Matrix {
        Matrix::of(rows, columns, |a, b| self[(i + a, j + b)])
    }

    /// Writes `other` from a corner on.
    pub(crate) fn put(&mut self, (i, j): (usize, usize), other: &Matrix) {
        for a in 0..other.rows {
            for b in 0..other.columns {
                self[(i + a, j + b)] = other[(a, b)];
            }
        }
    }

    /// The solution of `self · x = right`; none where the matrix is singular.
    pub(crate) fn solve(&self, right: &Matrix) -> Option<Matrix> {
        let n = self.rows;
        let (mut left, mut x) = (self.clone(), right.clone());
        let floor = f64::EPSILON * 1e-3 * self.largest();
        for k in 0..n {
            let size = |i: &usize| left[(*i, k)].abs();
            let pivot = (k..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
            let found = left[(pivot, k)].abs();
            if found <= floor || found.is_nan() {
                return None;
            }
            left.swap_rows(pivot, k);
            x.swap_rows(pivot, k);
            for i in k + 1..n {
                let factor = left[(i, k)] / left[(k, k)];
                if factor != 0.0 {
                    left.subtract_row(i, k, factor);
                    x.subtract_row(i, k, factor);
                }
            }
        }
        for k in (0..n).rev() {
            for j in 0..x.columns {
                x[(k, j)] /= left[(k, k)];
            }
            for i in 0..k {
                let factor = left[(i, k)];
                x.subtract_row(i, k, factor);
            }
        }
        x.is_finite().then_some(x)
    }

    fn swap_rows(&mut self, a: usize, b: usize) {
        for j in 0..self.columns {
            self.data.swap(a * self.columns + j, b * self.columns + j);
        }
    }

    /// Row `i` less `factor` times row `k`.
    fn subtract_row(&mut self, i: usize, k: usize, factor: f64) {
        for j in 0..self.columns {
            self.data[i * self.columns + j] -= factor * self.data[k * self.columns + j];
        }
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.columns + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.columns + j]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_solves() {
        let a = Matrix::of(4, 4, |i, j| {
            1.0 / (1.0 + i as f64 + 2.0 * j as f64) + if i == j { 0.5 } else { 0.0 }
        });
        let x = Matrix::of(4, 2, |i, j| i as f64 - 3.0 * j as f64);
        let found = a.solve(&a.times(&x)).unwrap();
        assert!(found.plus(-1.0, &x).largest() < 1e-12, "{found:?}");
        assert!(Matrix::zeros(2, 2).solve(&Matrix::identity(2)).is_none());
    }
}
