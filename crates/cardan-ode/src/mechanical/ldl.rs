//! Symmetric matrices as `L D Lᵀ`: the pattern is analysed once, the numbers as often as needed.

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
            eliminate(own, inverse, given, count).map_err(|k| Singular {
                row: symbolic.order[first + k] as usize,
            })?;
            let targets = &symbolic.targets[panel.below as usize..][..count];
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
            forward(
                values,
                &self.inverse[first..first + width],
                own,
                (later, below, first + width),
            );
        }
        for panel in symbolic.schedule.iter().rev() {
            let (first, width) = (panel.first as usize, panel.width as usize);
            let below = &symbolic.below[panel.below as usize..][..panel.count as usize];
            let (own, later) = work[first..].split_at_mut(width);
            let values = &self.values[panel.values as usize..][..panel.len()];
            backward(
                values,
                &self.inverse[first..first + width],
                own,
                (later, below, first + width),
            );
        }
        for (&work, &row) in work.iter().zip(&symbolic.order) {
            x[row as usize] = work;
        }
    }
}

/// Eliminates the columns of a panel from each other; the error is the one that the others leave nothing of.
#[inline]
fn eliminate(mut panel: &mut [f64], inverse: &mut [f64], given: &[f64], count: usize) -> Result<(), usize> {
    let width = inverse.len();
    for (j, (inverse, given)) in inverse.iter_mut().zip(given).enumerate() {
        let length = width - j + count;
        let (column, mut rest) = panel.split_at_mut(length);
        // A pivot that is nothing but rounding says that the row follows from those before.
        let sound = column[0].abs() > f64::EPSILON * given;
        if !sound {
            return Err(j);
        }
        *inverse = 1.0 / column[0];
        for i in 1..width - j {
            let (next, after) = rest.split_at_mut(length - i);
            let factor = column[i] * *inverse;
            for (entry, other) in next.iter_mut().zip(&column[i..]) {
                *entry -= factor * other;
            }
            rest = after;
        }
        panel = &mut panel[length..];
    }
    Ok(())
}

/// Takes from a column of a later panel what this panel has in its rows from the `b`-th below it on.
///
/// Two columns at a time: points of a plane make panels of two, and wide panels load and store the target half as often.
#[inline]
fn update(target: &mut [f64], mut panel: &[f64], mut inverse: &[f64], (count, b): (usize, usize)) {
    let left = target.len();
    while let [one, two, others @ ..] = inverse {
        let length = inverse.len() + count;
        let (first, rest) = panel.split_at(length);
        let (second, rest) = rest.split_at(length - 1);
        let first = &first[length - count + b..][..left];
        let second = &second[length - 1 - count + b..][..left];
        let (one, two) = (first[0] * one, second[0] * two);
        for ((entry, first), second) in target.iter_mut().zip(first).zip(second) {
            *entry -= one * first + two * second;
        }
        (panel, inverse) = (rest, others);
    }
    if let [inverse] = inverse {
        let column = &panel[1 + b..];
        let factor = column[0] * inverse;
        for (entry, other) in target.iter_mut().zip(column) {
            *entry -= factor * other;
        }
    }
}

/// The same where the column's entries lie at listed places, counted from `end` before the first of `later`.
fn scatter(later: &mut [f64], (end, list): (usize, &[u32]), mut panel: &[f64], inverse: &[f64], b: usize) {
    let count = list.len() + b;
    for (length, inverse) in (count + 1..=count + inverse.len()).rev().zip(inverse) {
        let (column, rest) = panel.split_at(length);
        let column = &column[length - count + b..];
        let factor = column[0] * inverse;
        for (&place, other) in list.iter().zip(column) {
            later[place as usize - end] -= factor * other;
        }
        panel = rest;
    }
}

/// What lies behind a panel: the numbers from `offset` on, and which of them the panel has entries for.
type Behind<'a> = (&'a mut [f64], &'a [u32], usize);

/// Solves with the columns of a panel, and takes what they have in rows below them from there.
#[inline]
fn forward(mut panel: &[f64], mut inverse: &[f64], mut own: &mut [f64], (later, below, offset): Behind<'_>) {
    while let [one, two, others @ ..] = inverse {
        let [x, y, rest @ ..] = own else {
            return;
        };
        let length = inverse.len() + below.len();
        let (first, entries) = panel.split_at(length);
        let (second, entries) = entries.split_at(length - 1);
        let x = *x * one;
        *y -= first[1] * x;
        let y = *y * two;
        let (inside, first) = first[2..].split_at(rest.len());
        let (inner, second) = second[1..].split_at(rest.len());
        for ((sum, first), second) in rest.iter_mut().zip(inside).zip(inner) {
            *sum -= first * x + second * y;
        }
        for ((&row, first), second) in below.iter().zip(first).zip(second) {
            later[row as usize - offset] -= first * x + second * y;
        }
        (panel, inverse, own) = (entries, others, rest);
    }
    if let ([inverse], [x, ..]) = (inverse, own) {
        let x = *x * inverse;
        for (&row, entry) in below.iter().zip(&panel[1..]) {
            later[row as usize - offset] -= entry * x;
        }
    }
}

/// Solves with the rows of a panel, once all behind it is solved.
#[inline]
fn backward(panel: &[f64], inverse: &[f64], own: &mut [f64], (later, below, offset): Behind<'_>) {
    let (mut end, mut j) = (panel.len(), own.len());
    if j % 2 == 1 {
        // The last column alone, so that all others are pairs.
        let column = &panel[end - below.len()..];
        let terms = below.iter().zip(column);
        let sum: f64 = terms
            .map(|(&row, entry)| entry * later[row as usize - offset])
            .sum();
        j -= 1;
        own[j] = (own[j] - sum) * inverse[j];
        end -= below.len() + 1;
    }
    while j >= 2 {
        j -= 2;
        let length = own.len() - j + below.len();
        let (first, second) = panel[end - (2 * length - 1)..end].split_at(length);
        let (pair, known) = own[j..].split_at_mut(2);
        let (inside, far) = first[2..].split_at(known.len());
        let (inner, distant) = second[1..].split_at(known.len());
        let (mut x, mut y) = (pair[0], pair[1]);
        for ((value, first), second) in known.iter().zip(inside).zip(inner) {
            x -= first * value;
            y -= second * value;
        }
        for ((&row, first), second) in below.iter().zip(far).zip(distant) {
            let value = later[row as usize - offset];
            x -= first * value;
            y -= second * value;
        }
        pair[1] = y * inverse[j + 1];
        pair[0] = (x - first[1] * pair[1]) * inverse[j];
        end -= 2 * length - 1;
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
