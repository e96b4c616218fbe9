//! Which rows of two results belong together.

use super::track::Track;
use std::ops::Range;

/// Times closer than this part of the span are the same: other tools print fewer digits.
const SAME_TIME: f64 = 1e-12;

/// How the rows of two results were brought together.
#[derive(Clone, PartialEq, Debug)]
pub enum Grid {
    /// The same times: row by row.
    Same {
        /// Number of rows.
        rows: usize,
    },
    /// Different times: the second result was read at the times of the first within the span of both.
    Interpolated {
        /// The rows of the first result that were compared.
        rows: usize,
        /// Its rows outside the span of the second.
        outside: usize,
        /// The common span.
        from: f64,
        /// Its end.
        to: f64,
    },
    /// No common time: nothing was compared.
    Disjoint,
}

/// For each row of `a`, where to look in `b`.
pub(super) struct Pairing<'a> {
    pub(super) grid: Grid,
    times: &'a [f64],
    /// Rows of `a` and of `b` in the common span.
    rows: Range<usize>,
    others: Range<usize>,
    /// One for each of `rows`; empty when the times are the same, row by row.
    places: Vec<Place>,
}

/// Where a row of `a` lies among the rows of `b`.
enum Place {
    /// At a row.
    At(usize),
    /// At an event that `a` shows with fewer rows, or more: any of these may be meant.
    Any(Range<usize>),
    /// At `weight` between this row and the next.
    Between { before: usize, weight: f64 },
}

impl<'a> Pairing<'a> {
    pub(super) fn of(a: &'a [f64], b: &[f64]) -> Self {
        let whole = |grid| Pairing {
            grid,
            times: a,
            rows: 0..a.len(),
            others: 0..b.len(),
            places: Vec::new(),
        };
        if a == b {
            return whole(Grid::Same { rows: a.len() });
        }
        let ends = (a.first(), a.last(), b.first(), b.last());
        let (Some(a0), Some(a1), Some(b0), Some(b1)) = ends else {
            return Pairing {
                rows: 0..0,
                others: 0..0,
                ..whole(Grid::Disjoint)
            };
        };
        let (from, to) = (a0.max(*b0), a1.min(*b1));
        let slack = SAME_TIME * [a0, a1, b0, b1].iter().fold(0.0_f64, |m, t| m.max(t.abs()));
        let within = |times: &[f64]| {
            times.partition_point(|&t| t < from - slack)..times.partition_point(|&t| t <= to + slack)
        };
        let (rows, others) = (within(a), within(b));
        if rows.is_empty() || to < from - slack {
            return Pairing {
                rows: 0..0,
                others: 0..0,
                ..whole(Grid::Disjoint)
            };
        }
        let places = places(a, b, rows.clone(), slack);
        let grid = Grid::Interpolated {
            rows: rows.len(),
            outside: a.len() - rows.len(),
            from,
            to,
        };
        Pairing {
            grid,
            times: a,
            rows,
            others,
            places,
        }
    }

    /// The largest difference and its time.
    pub(super) fn largest(&self, track: &Track<'_>) -> (f64, Option<f64>) {
        let mut largest = (0.0, None);
        for row in self.rows.clone() {
            let difference = match self.places.get(row - self.rows.start) {
                None => track.difference(row, row),
                Some(Place::At(other)) => track.difference(row, *other),
                Some(Place::Any(others)) => others
                    .clone()
                    .map(|other| track.difference(row, other))
                    .fold(f64::INFINITY, f64::min),
                Some(&Place::Between { before, weight }) => track.difference_between(row, before, weight),
            };
            if difference > largest.0 {
                largest = (difference, Some(self.times[row]));
            }
        }
        largest
    }

    /// The largest magnitude of `b` in the common span.
    pub(super) fn magnitude(&self, track: &Track<'_>) -> f64 {
        self.others
            .clone()
            .map(|other| track.magnitude(other))
            .fold(0.0, f64::max)
    }
}

/// Walks both grids at once; rows of the same time form a group, which is an event if it has more than one.
fn places(a: &[f64], b: &[f64], rows: Range<usize>, slack: f64) -> Vec<Place> {
    let mut places = Vec::with_capacity(rows.len());
    let mut row = rows.start;
    let mut next = 0;
    while row < rows.end {
        let time = a[row];
        let group = a[row..rows.end]
            .iter()
            .take_while(|&&t| t - time <= slack)
            .count();
        while next < b.len() && b[next] < time - slack {
            next += 1;
        }
        let same = b[next..].iter().take_while(|&&t| t <= time + slack).count();
        for member in 0..group {
            places.push(if same == 0 {
                // Within the span of `b`, so there is a row on either side.
                let before = next.saturating_sub(1);
                let weight = (time - b[before]) / (b[next.min(b.len() - 1)] - b[before]);
                Place::Between { before, weight }
            } else if same == group {
                Place::At(next + member)
            } else if group > 1 && member == 0 {
                Place::At(next)
            } else if group > 1 && member == group - 1 {
                Place::At(next + same - 1)
            } else {
                Place::Any(next..next + same)
            });
        }
        row += group;
    }
    places
}
