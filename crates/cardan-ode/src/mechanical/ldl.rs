//! Symmetric matrices as `L D Lᵀ`: the pattern is analysed once, the numbers as often as needed.

use super::ordering::minimum_degree;

/// A symmetric matrix with a fixed pattern, and its factors.
///
/// No pivots are chosen by value: tangents of mechanics are positive definite, up to forces that pull them a little the
/// other way. Whoever adds to an entry adds to the [`slot`](Self::slot) he was told of once.
#[derive(Debug, Clone)]
pub(super) struct Ldl {
    size: usize,
    /// The row that is eliminated as the k-th.
    order: Vec<u32>,
    /// Entries of the lower triangle in the order of elimination, by rows, each row with its diagonal last.
    row_starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
    /// For each row of `L` the columns it has entries in, ascending, which is an order in which they can be computed.
    reach_starts: Vec<u32>,
    reach: Vec<u32>,
    /// `L` by columns; rows of a column come in the order in which the factorisation finds them, which is ascending.
    factor_starts: Vec<u32>,
    factor_rows: Vec<u32>,
    factor: Vec<f64>,
    /// Where the next entry of each column goes.
    next: Vec<u32>,
    diagonal: Vec<f64>,
    work: Vec<f64>,
}

/// The factorisation met a row that those before it leave nothing of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Singular {
    pub(super) row: usize,
}

impl Ldl {
    /// A matrix with entries (and their mirror images) at these places; the diagonal is always there.
    pub(super) fn new(size: usize, entries: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let order = minimum_degree(size, entries.clone());
        let mut place = vec![0; size];
        for (k, &row) in order.iter().enumerate() {
            place[row] = k;
        }
        let mut rows: Vec<Vec<u32>> = (0..size).map(|k| vec![small(k)]).collect();
        for (a, b) in entries {
            let (a, b) = (place[a], place[b]);
            rows[a.max(b)].push(small(a.min(b)));
        }
        for row in &mut rows {
            row.sort_unstable();
            row.dedup();
        }
        let reach = reaches(&rows);
        let mut lengths = vec![0; size];
        for &column in reach.iter().flatten() {
            lengths[column as usize] += 1;
        }
        let filled = reach.iter().map(Vec::len).sum();
        Ldl {
            size,
            order: order.iter().map(|&row| small(row)).collect(),
            row_starts: starts(rows.iter().map(Vec::len)),
            values: vec![0.0; rows.iter().map(Vec::len).sum()],
            columns: rows.concat(),
            reach_starts: starts(reach.iter().map(Vec::len)),
            reach: reach.concat(),
            factor_starts: starts(lengths.into_iter()),
            factor_rows: vec![0; filled],
            factor: vec![0.0; filled],
            next: vec![0; size],
            diagonal: vec![0.0; size],
            work: vec![0.0; size],
        }
    }

    /// The place of the entry `(a, b)` and of its mirror image among the [`values`](Self::values).
    pub(super) fn slot(&self, a: usize, b: usize) -> Option<u32> {
        let place = |row: usize| self.order.iter().position(|&r| r as usize == row);
        self.slot_at(place(a)?, place(b)?)
    }

    /// The same for places in the order of elimination, see [`places`](Self::places).
    pub(super) fn slot_at(&self, a: usize, b: usize) -> Option<u32> {
        let (row, column) = (a.max(b), a.min(b));
        let range = span(&self.row_starts, row);
        let found = self.columns[range.clone()].binary_search(&small(column)).ok()?;
        Some(small(range.start + found))
    }

    /// For each row when it is eliminated.
    pub(super) fn places(&self) -> Vec<usize> {
        let mut place = vec![0; self.size];
        for (k, &row) in self.order.iter().enumerate() {
            place[row as usize] = k;
        }
        place
    }

    /// The entries, to be written before a factorisation.
    pub(super) fn values(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Entries of the factor, for reports.
    pub(super) fn filled(&self) -> usize {
        self.factor.len() + self.size
    }

    /// Computes the factors of what is in [`values`](Self::values).
    pub(super) fn factorize(&mut self) -> Result<(), Singular> {
        let size = self.size;
        self.next.copy_from_slice(&self.factor_starts[..size]);
        for k in 0..size {
            // Row k of the matrix is solved for row k of L; what it still lacks lies in `work`.
            let row = span(&self.row_starts, k);
            let mut pivot = 0.0;
            for (&column, &value) in self.columns[row.clone()].iter().zip(&self.values[row]) {
                match column as usize == k {
                    true => pivot = value,
                    false => self.work[column as usize] = value,
                }
            }
            let given = pivot.abs();
            for &column in &self.reach[span(&self.reach_starts, k)] {
                let column = column as usize;
                let value = std::mem::take(&mut self.work[column]);
                let (first, next) = (self.factor_starts[column] as usize, self.next[column] as usize);
                let (rows, entries) = (&self.factor_rows[first..next], &self.factor[first..next]);
                for (&row, entry) in rows.iter().zip(entries) {
                    self.work[row as usize] -= entry * value;
                }
                let entry = value / self.diagonal[column];
                pivot -= entry * value;
                self.factor_rows[next] = small(k);
                self.factor[next] = entry;
                self.next[column] += 1;
            }
            // A pivot that is nothing but rounding says that the row follows from those before.
            if !(pivot.abs() > f64::EPSILON * given) {
                self.work.fill(0.0);
                return Err(Singular {
                    row: self.order[k] as usize,
                });
            }
            self.diagonal[k] = pivot;
        }
        Ok(())
    }

    /// Solves for the factors computed last; `x` is the right-hand side before and the solution after.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        let work = &mut self.work;
        for (work, &row) in work.iter_mut().zip(&self.order) {
            *work = x[row as usize];
        }
        for column in 0..self.size {
            let value = work[column];
            let range = span(&self.factor_starts, column);
            for (&row, entry) in self.factor_rows[range.clone()].iter().zip(&self.factor[range]) {
                work[row as usize] -= entry * value;
            }
        }
        for column in (0..self.size).rev() {
            let range = span(&self.factor_starts, column);
            let mut value = work[column] / self.diagonal[column];
            for (&row, entry) in self.factor_rows[range.clone()].iter().zip(&self.factor[range]) {
                value -= entry * work[row as usize];
            }
            work[column] = value;
        }
        for (work, &row) in work.iter_mut().zip(&self.order) {
            x[row as usize] = std::mem::take(work);
        }
    }
}

/// The columns of each row of `L`: those of the matrix, and what follows from them along the elimination tree.
fn reaches(rows: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const NONE: usize = usize::MAX;
    let mut parent = vec![NONE; rows.len()];
    let mut seen = vec![NONE; rows.len()];
    let mut reaches = Vec::with_capacity(rows.len());
    for (k, row) in rows.iter().enumerate() {
        seen[k] = k;
        let mut reach = Vec::new();
        for &column in row {
            let mut node = column as usize;
            while seen[node] != k {
                seen[node] = k;
                reach.push(small(node));
                if parent[node] == NONE {
                    parent[node] = k;
                }
                node = parent[node];
            }
        }
        reach.sort_unstable();
        reaches.push(reach);
    }
    reaches
}

fn starts(lengths: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut starts = vec![0];
    let mut end = 0;
    for length in lengths {
        end += small(length);
        starts.push(end);
    }
    starts
}

fn span(starts: &[u32], index: usize) -> std::ops::Range<usize> {
    starts[index] as usize..starts[index + 1] as usize
}

/// Matrices with more than four thousand million entries do not fit into memory anyway.
fn small(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A matrix with a heavy diagonal: positive definite.
    fn matrix(size: usize, entries: &[(usize, usize, f64)]) -> (Ldl, Vec<f64>) {
        let mut ldl = Ldl::new(size, entries.iter().map(|&(a, b, _)| (a, b)));
        let mut dense = vec![0.0; size * size];
        let mut add = |a: usize, b: usize, value: f64| {
            let slot = ldl.slot(a, b).map_or(usize::MAX, |slot| slot as usize);
            ldl.values()[slot] += value;
            dense[a * size + b] += value;
            if a != b {
                dense[b * size + a] += value;
            }
        };
        for &(a, b, value) in entries {
            add(a, b, value);
            add(a, a, value.abs());
            add(b, b, value.abs());
        }
        (0..size).for_each(|k| add(k, k, 1.0));
        (ldl, dense)
    }

    proptest! {
        #[test]
        fn a_solution_solves(
            entries in prop::collection::vec((0..12usize, 0..12usize, -5.0..5.0_f64), 0..40),
            x in prop::collection::vec(-1.0..1.0_f64, 12),
        ) {
            let (mut ldl, dense) = matrix(12, &entries);
            let mut b: Vec<f64> = (0..12).map(|i| (0..12).map(|j| dense[i * 12 + j] * x[j]).sum()).collect();
            prop_assert_eq!(ldl.factorize(), Ok(()));
            ldl.solve(&mut b);
            for (found, x) in b.iter().zip(&x) {
                // The condition number is below 1 + 2 · 40 · 5 · 2.
                prop_assert!((found - x).abs() < 1000.0 * 12.0 * f64::EPSILON, "{} {}", found, x);
            }
        }
    }

    #[test]
    fn a_row_that_follows_from_others_is_named() {
        let mut ldl = Ldl::new(3, [(0, 1)].into_iter());
        for (a, b, value) in [(0, 0, 1.0), (0, 1, 2.0), (1, 1, 4.0), (2, 2, 1.0)] {
            let slot = ldl.slot(a, b).map_or(usize::MAX, |slot| slot as usize);
            ldl.values()[slot] = value;
        }
        assert!(matches!(ldl.factorize(), Err(Singular { row: 0 | 1 })));
    }

    #[test]
    fn a_chain_fills_nothing() {
        let ldl = Ldl::new(100, (1..100).map(|k| (k - 1, k)));
        assert_eq!(ldl.filled(), 199);
    }
}
