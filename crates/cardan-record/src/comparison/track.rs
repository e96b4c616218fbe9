//! One variable of two results, side by side.

use crate::table::numbers;
use cardan_core::record::{BytesColumn, ColumnData};
use std::borrow::Cow;

/// The values of a variable in both results, as what they can be compared as.
pub(super) enum Track<'a> {
    Numbers {
        a: Cow<'a, [f64]>,
        b: Cow<'a, [f64]>,
        /// Both are reals, so what lies between two rows lies between their values.
        continuous: bool,
        /// Both are booleans: no tolerance makes true of false.
        exact: bool,
    },
    Texts {
        a: &'a BytesColumn,
        b: &'a BytesColumn,
    },
    /// Text here, numbers there.
    Different,
}

impl<'a> Track<'a> {
    /// Numbers of any kind can be compared: CSV and MAT read integers as reals, MAT booleans too.
    pub(super) fn of(a: &'a ColumnData, b: &'a ColumnData) -> Self {
        match (numbers(a), numbers(b)) {
            (Some(x), Some(y)) => Track::Numbers {
                a: x,
                b: y,
                continuous: matches!((a, b), (ColumnData::Reals(_), ColumnData::Reals(_))),
                exact: matches!((a, b), (ColumnData::Booleans(_), ColumnData::Booleans(_))),
            },
            _ => match (a, b) {
                (ColumnData::Bytes(a), ColumnData::Bytes(b)) => Track::Texts { a, b },
                _ => Track::Different,
            },
        }
    }

    /// Has a tolerance no meaning here?
    pub(super) fn is_exact(&self) -> bool {
        !matches!(self, Track::Numbers { exact: false, .. })
    }

    /// The difference between row `row` of `a` and row `other` of `b`.
    pub(super) fn difference(&self, row: usize, other: usize) -> f64 {
        match self {
            Track::Numbers { a, b, .. } => distance(a[row], b[other]),
            Track::Texts { a, b } if a.get(row) == b.get(other) => 0.0,
            Track::Texts { .. } | Track::Different => f64::INFINITY,
        }
    }

    /// The difference between row `row` of `a` and `b` at `weight` between rows `before` and `before + 1`.
    pub(super) fn difference_between(&self, row: usize, before: usize, weight: f64) -> f64 {
        match self {
            Track::Numbers {
                a,
                b,
                continuous: true,
                ..
            } => {
                let (left, right) = (b[before], b[before + 1]);
                // Two equal infinities have no line between them.
                let value = if left == right {
                    left
                } else {
                    left + weight * (right - left)
                };
                distance(a[row], value)
            }
            _ => self.difference(row, before),
        }
    }

    /// The magnitude of row `other` of `b`, where it is a finite number.
    pub(super) fn magnitude(&self, other: usize) -> f64 {
        match self {
            Track::Numbers { b, .. } if b[other].is_finite() => b[other].abs(),
            _ => 0.0,
        }
    }
}

fn distance(a: f64, b: f64) -> f64 {
    if a == b || (a.is_nan() && b.is_nan()) {
        0.0
    } else if a.is_finite() && b.is_finite() {
        (a - b).abs()
    } else {
        f64::INFINITY
    }
}
