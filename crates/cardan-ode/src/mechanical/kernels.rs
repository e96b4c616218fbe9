//! What is done with one panel: its columns from their diagonals down, one after the other, not divided by the pivots.

/// Eliminates the columns of a panel from each other; the error is the one that the others leave nothing of.
#[inline]
pub(super) fn eliminate(
    mut panel: &mut [f64],
    inverse: &mut [f64],
    given: &[f64],
    count: usize,
) -> Result<(), usize> {
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
pub(super) fn update(target: &mut [f64], mut panel: &[f64], mut inverse: &[f64], (count, b): (usize, usize)) {
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
pub(super) fn scatter(
    later: &mut [f64],
    (end, list): (usize, &[u32]),
    mut panel: &[f64],
    inverse: &[f64],
    b: usize,
) {
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
pub(super) type Behind<'a> = (&'a mut [f64], &'a [u32], usize);

/// Solves with the columns of a panel, and takes what they have in rows below them from there.
#[inline]
pub(super) fn forward(
    mut panel: &[f64],
    mut inverse: &[f64],
    mut own: &mut [f64],
    (later, below, offset): Behind<'_>,
) {
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
pub(super) fn backward(panel: &[f64], inverse: &[f64], own: &mut [f64], (later, below, offset): Behind<'_>) {
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

/// The entries of a panel of two columns with two rows below: a point in a plane that has one neighbour left.
///
/// Chains and trees of such points consist of these panels, so they have code of their own, without loops.
pub(super) type Pair = [f64; 7];

/// Eliminates a pair, and writes one over its pivots.
#[inline]
pub(super) fn eliminate_pair(pair: &mut Pair, inverse: &mut [f64; 2], given: &[f64; 2]) -> Result<(), usize> {
    let [a, ba, ca, da, b, cb, db] = pair;
    let sound = a.abs() > f64::EPSILON * given[0];
    if !sound {
        return Err(0);
    }
    let one = 1.0 / *a;
    let factor = *ba * one;
    *b -= factor * *ba;
    *cb -= factor * *ca;
    *db -= factor * *da;
    let sound = b.abs() > f64::EPSILON * given[1];
    if !sound {
        return Err(1);
    }
    *inverse = [one, 1.0 / *b];
    Ok(())
}

/// What a pair takes from both diagonals below it and from the entry between them, in the order of a column.
#[inline]
pub(super) fn update_of_pair(pair: &Pair, inverse: &[f64; 2]) -> ([f64; 2], f64) {
    let [_, _, ca, da, _, cb, db] = pair;
    let (one, two) = (ca * inverse[0], cb * inverse[1]);
    let first = [one * ca + two * cb, one * da + two * db];
    (first, da * inverse[0] * da + db * inverse[1] * db)
}

/// Solves with a pair's columns: what is to be taken from the numbers of both rows below.
#[inline]
pub(super) fn forward_pair(pair: &Pair, inverse: &[f64; 2], (x, y): (f64, &mut f64)) -> [f64; 2] {
    let [_, ba, ca, da, _, cb, db] = pair;
    let x = x * inverse[0];
    *y -= ba * x;
    let y = *y * inverse[1];
    [ca * x + cb * y, da * x + db * y]
}

/// Solves with a pair's rows, given the solution in both rows below.
#[inline]
pub(super) fn backward_pair(pair: &Pair, inverse: &[f64; 2], (x, y): (&mut f64, &mut f64), below: [f64; 2]) {
    let [_, ba, ca, da, _, cb, db] = pair;
    *y = (*y - cb * below[0] - db * below[1]) * inverse[1];
    *x = (*x - ca * below[0] - da * below[1] - ba * *y) * inverse[0];
}
