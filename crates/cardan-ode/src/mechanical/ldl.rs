//! Symmetric matrices as `L D Lᵀ`: the pattern is analysed once, the numbers as often as needed.

use super::kernels::{
    Pair, backward, backward_pair, eliminate, eliminate_pair, forward, forward_pair, scatter, update,
    update_of_pair,
};
use super::symbolic::{Symbolic, Target};

/// A symmetric matrix with a fixed pattern, and its factors.
///
/// No pivots are chosen by value: tangents of mechanics are positive definite, up to forces that pull them a little the
/// other way. Whoever adds to an entry adds to the [`slot`](Self::slot_at) he was told of once.
#[derive(Debug, Clone)]
pub struct Ldl {
    symbolic: Symbolic,
    /// Entries of the matrix before a factorisation, of `L D` after: room for what fills in is there from the beginning.
    values: Vec<f64>,
    /// One over `D`.
    inverse: Vec<f64>,
    /// Sizes of the diagonal's entries before the factorisation.
    given: Vec<f64>,
    work: Vec<f64>,
}

/// The factorisation met a row that those before it leave nothing of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Singular {
    /// That row.
    pub row: usize,
}

impl Ldl {
    /// A matrix with entries (and their mirror images) at these places; the diagonal is always there.
    pub fn new(size: usize, entries: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let symbolic = Symbolic::new(size, entries);
        Ldl {
            values: vec![0.0; symbolic.entries],
            inverse: vec![0.0; size],
            given: vec![0.0; size],
            work: vec![0.0; size],
            symbolic,
        }
    }

    /// The place of an entry and of its mirror image among the [`values`](Self::values). Rows are named by when they are
    /// eliminated, see [`places`](Self::places).
    #[must_use]
    pub fn slot_at(&self, a: usize, b: usize) -> Option<u32> {
        let (row, column) = (u32::try_from(a.max(b)).ok()?, u32::try_from(a.min(b)).ok()?);
        self.symbolic.place(row, column)
    }

    /// For each row when it is eliminated.
    #[must_use]
    pub fn places(&self) -> Vec<usize> {
        self.symbolic.places()
    }

    /// The number of entries of the factor, those of the diagonal included.
    #[must_use]
    #[allow(
        clippy::len_without_is_empty,
        reason = "nobody asks for matrices without rows"
    )]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The entries, all to be written before a factorisation, which leaves none of them.
    pub fn values(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Computes the factors of what is in [`values`](Self::values).
    pub fn factorize(&mut self) -> Result<(), Singular> {
        let symbolic = &self.symbolic;
        for (given, &place) in self.given.iter_mut().zip(&symbolic.diagonal) {
            *given = self.values[place as usize].abs();
        }
        for panel in &symbolic.schedule {
            let (first, width) = (panel.first as usize, panel.width as usize);
            let count = panel.count as usize;
            // Updates go to columns that are eliminated later.
            let (own, later) = self.values[panel.values as usize..].split_at_mut(panel.len());
            let end = panel.values as usize + own.len();
            let inverse = &mut self.inverse[first..first + width];
            let given = &self.given[first..first + width];
            let targets = &symbolic.targets[panel.below as usize..][..count];
            let singular = |k| Singular {
                row: symbolic.order[first + k] as usize,
            };
            if let (Ok(own), Ok(inverse), Ok(given), [one, two]) = (
                <&mut Pair>::try_from(&mut *own),
                <&mut [f64; 2]>::try_from(&mut *inverse),
                <&[f64; 2]>::try_from(given),
                targets,
            ) && panel.straight
            {
                eliminate_pair(own, inverse, given).map_err(singular)?;
                let (column, last) = update_of_pair(own, inverse);
                let base = one.base as usize - end;
                later[base] -= column[0];
                later[base + 1] -= column[1];
                later[two.base as usize - end] -= last;
                continue;
            }
            eliminate(own, inverse, given, count).map_err(singular)?;
            for (b, target) in targets.iter().enumerate() {
                if target.list == Target::STRAIGHT {
                    let base = target.base as usize - end;
                    update(&mut later[base..base + count - b], own, inverse, (count, b));
                } else {
                    let list = &symbolic.lists[target.list as usize..][..count - b];
                    scatter(later, (end, list), own, inverse, b);
                }
            }
        }
        Ok(())
    }

    /// Solves for the factors computed last; `x` is the right-hand side before and the solution after.
    pub fn solve(&mut self, x: &mut [f64]) {
        let symbolic = &self.symbolic;
        let work = &mut self.work[..];
        for (work, &row) in work.iter_mut().zip(&symbolic.order) {
            *work = x[row as usize];
        }
        for panel in &symbolic.schedule {
            let (first, width) = (panel.first as usize, panel.width as usize);
            let below = &symbolic.below[panel.below as usize..][..panel.count as usize];
            let (own, later) = work[first..].split_at_mut(width);
            let values = &self.values[panel.values as usize..][..panel.len()];
            let (inverse, offset) = (&self.inverse[first..first + width], first + width);
            match (
                <&Pair>::try_from(values),
                <&[f64; 2]>::try_from(inverse),
                &mut *own,
                below,
            ) {
                (Ok(pair), Ok(inverse), [x, y], &[one, two]) => {
                    let [p, q] = forward_pair(pair, inverse, (*x, y));
                    later[one as usize - offset] -= p;
                    later[two as usize - offset] -= q;
                }
                _ => forward(values, inverse, own, (later, below, offset)),
            }
        }
        for panel in symbolic.schedule.iter().rev() {
            let (first, width) = (panel.first as usize, panel.width as usize);
            let below = &symbolic.below[panel.below as usize..][..panel.count as usize];
            let (own, later) = work[first..].split_at_mut(width);
            let values = &self.values[panel.values as usize..][..panel.len()];
            let (inverse, offset) = (&self.inverse[first..first + width], first + width);
            match (
                <&Pair>::try_from(values),
                <&[f64; 2]>::try_from(inverse),
                &mut *own,
                below,
            ) {
                (Ok(pair), Ok(inverse), [x, y], &[one, two]) => {
                    let solved = [later[one as usize - offset], later[two as usize - offset]];
                    backward_pair(pair, inverse, (x, y), solved);
                }
                _ => backward(values, inverse, own, (later, below, offset)),
            }
        }
        for (&work, &row) in work.iter().zip(&symbolic.order) {
            x[row as usize] = work;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(ldl: &mut Ldl, entries: &[(usize, usize, f64)]) {
        let place = ldl.places();
        ldl.values().fill(0.0);
        for &(a, b, value) in entries {
            let slot = ldl
                .slot_at(place[a], place[b])
                .map_or(usize::MAX, |slot| slot as usize);
            ldl.values()[slot] += value;
        }
    }

    proptest! {
        /// A heavy diagonal makes the matrix positive definite.
        #[test]
        fn a_solution_solves(
            entries in prop::collection::vec((0..12usize, 0..12usize, -5.0..5.0_f64), 0..40),
            x in prop::collection::vec(-1.0..1.0_f64, 12),
        ) {
            let mut all = entries.clone();
            all.extend(entries.iter().flat_map(|&(a, b, v)| [(a, a, v.abs()), (b, b, v.abs())]));
            all.extend((0..12).map(|k| (k, k, 1.0)));
            let mut b = vec![0.0; 12];
            for &(row, column, value) in &all {
                b[row] += value * x[column];
                if row != column {
                    b[column] += value * x[row];
                }
            }
            let mut ldl = Ldl::new(12, entries.iter().map(|&(a, b, _)| (a, b)));
            // What a factorisation leaves must not matter to the next.
            for _ in 0..2 {
                set(&mut ldl, &all);
                prop_assert_eq!(ldl.factorize(), Ok(()));
            }
            ldl.solve(&mut b);
            for (found, x) in b.iter().zip(&x) {
                // The condition number is below 1 + 2 · 40 · 5 · 2.
                prop_assert!((found - x).abs() < 1000.0 * 12.0 * f64::EPSILON, "{} {}", found, x);
            }
        }
    }

    proptest! {
        /// Points in a plane in a tree: each has both coordinates in common with one that came before.
        #[test]
        fn trees_of_points_solve(
            parents in prop::collection::vec(any::<prop::sample::Index>(), 20),
            springs in prop::collection::vec(-1.0..1.0_f64, 20 * 4),
            x in prop::collection::vec(-1.0..1.0_f64, 42),
        ) {
            let mut all: Vec<_> = (0..42).map(|k| (k, k, 1.0)).collect();
            for (i, parent) in parents.iter().enumerate() {
                let (point, parent) = (i + 1, parent.index(i + 1));
                // A spring u uᵀ in the four coordinates of both ends.
                let rows = [2 * parent, 2 * parent + 1, 2 * point, 2 * point + 1];
                let u = &springs[4 * i..][..4];
                for (r, &row) in rows.iter().enumerate() {
                    all.extend(rows[..=r].iter().zip(u).map(|(&column, value)| (row, column, u[r] * value)));
                }
            }
            let mut b = vec![0.0; 42];
            for &(row, column, value) in &all {
                b[row] += value * x[column];
                if row != column {
                    b[column] += value * x[row];
                }
            }
            let mut ldl = Ldl::new(42, all.iter().map(|&(a, b, _)| (a, b)));
            set(&mut ldl, &all);
            prop_assert_eq!(ldl.factorize(), Ok(()));
            ldl.solve(&mut b);
            for (found, x) in b.iter().zip(&x) {
                // The condition number is below 1 + 20 · 4.
                prop_assert!((found - x).abs() < 81.0 * 42.0 * f64::EPSILON, "{} {}", found, x);
            }
        }
    }

    #[test]
    fn a_row_that_follows_from_others_is_named() {
        let mut ldl = Ldl::new(3, [(0, 1)].into_iter());
        set(&mut ldl, &[(0, 0, 1.0), (0, 1, 2.0), (1, 1, 4.0), (2, 2, 1.0)]);
        assert!(matches!(ldl.factorize(), Err(Singular { row: 0 | 1 })));
    }

    #[test]
    fn not_a_number_is_no_pivot() {
        let mut ldl = Ldl::new(2, [(0, 1)].into_iter());
        set(&mut ldl, &[(0, 0, f64::NAN), (1, 1, 1.0)]);
        assert!(ldl.factorize().is_err());
    }
}
