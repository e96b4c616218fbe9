//! A dense `L D Lᵀ`, without allocation.

use super::{Contender, Matrix};

pub(crate) struct Dense {
    size: usize,
    given: Vec<f64>,
    /// The lower triangle by columns, each from its diagonal down.
    columns: Vec<f64>,
}

impl Dense {
    pub(crate) fn new(matrix: &Matrix) -> Self {
        let size = matrix.size;
        let mut given = vec![0.0; size * (size + 1) / 2];
        for &(row, column, value) in &matrix.entries {
            given[start(size, column) + row - column] = value;
        }
        Dense {
            size,
            columns: given.clone(),
            given,
        }
    }
}

fn start(size: usize, column: usize) -> usize {
    column * size - column * column.saturating_sub(1) / 2
}

impl Contender for Dense {
    fn run(&mut self, x: &mut [f64]) {
        self.columns.copy_from_slice(&self.given);
        let mut columns = &mut self.columns[..];
        for j in 0..self.size {
            let (column, mut rest) = columns.split_at_mut(self.size - j);
            let inverse = 1.0 / column[0];
            for i in 1..column.len() {
                let (next, after) = rest.split_at_mut(self.size - j - i);
                let factor = column[i] * inverse;
                for (entry, other) in next.iter_mut().zip(&column[i..]) {
                    *entry -= factor * other;
                }
                rest = after;
            }
            // The right-hand side goes along.
            let value = x[j] * inverse;
            for (x, entry) in x[j..].iter_mut().zip(&*column).skip(1) {
                *x -= entry * value;
            }
            columns = &mut columns[self.size - j..];
        }
        for j in (0..self.size).rev() {
            let column = &self.columns[start(self.size, j)..][..self.size - j];
            let known = column[1..].iter().zip(&x[j + 1..]).map(|(entry, x)| entry * x);
            x[j] = (x[j] - known.sum::<f64>()) / column[0];
        }
    }
}
