//! The largest differences between two results.

mod grid;
mod track;

pub use grid::Grid;

use crate::table::Table;
use grid::Pairing;
use track::Track;

/// How two results differ.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The variables that both have, in the order of the first.
    pub differences: Vec<Difference>,
    /// Variables that only the first result has.
    pub only_in_a: Vec<String>,
    /// Variables that only the second result has.
    pub only_in_b: Vec<String>,
    /// How the rows were brought together.
    pub grid: Grid,
}

/// The largest difference of one variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// The variable.
    pub name: String,
    /// Its unit, if either result knows it.
    pub unit: Option<String>,
    /// The largest absolute difference; infinite where a number meets NaN, or text differs.
    pub largest: f64,
    /// The time of the largest difference, if there is one.
    pub at: Option<f64>,
    /// What is allowed: `atol + rtol · max|b|` for numbers, nothing for booleans and text.
    pub allowed: f64,
    /// `largest / allowed`.
    pub ratio: f64,
    /// Is the difference larger than allowed?
    pub exceeds: bool,
}

impl Comparison {
    /// Do all common variables agree within the tolerance? Not if there was nothing to compare.
    pub fn agrees(&self) -> bool {
        !self.differences.is_empty()
            && !matches!(self.grid, Grid::Disjoint)
            && self.differences.iter().all(|d| !d.exceeds)
    }
}

/// Compares `a` with the reference `b`.
///
/// Where their times differ, `b` is read at the times of `a` within the span of both: reals between their neighbours on
/// a line, everything else held. NaN equals NaN and nothing else. At an event, two rows of the same time, the row
/// before is compared with the row before and the row after with the row after; a result that has only one row there
/// may agree with either.
pub fn compare(a: &Table, b: &Table, rtol: f64, atol: f64) -> Comparison {
    let pairing = Pairing::of(&a.times, &b.times);
    let mut differences = Vec::new();
    let mut only_in_a = Vec::new();
    for (column, data) in a.schema.columns.iter().zip(&a.columns) {
        let Some((other, other_data)) = b
            .find(&column.name)
            .and_then(|i| Some((b.schema.columns.get(i)?, b.columns.get(i)?)))
        else {
            only_in_a.push(column.name.clone());
            continue;
        };
        let unit = column.unit.as_ref().or(other.unit.as_ref()).cloned();
        let track = Track::of(data, other_data);
        let (largest, at) = pairing.largest(&track);
        let allowed = if track.is_exact() {
            0.0
        } else {
            atol + rtol * pairing.magnitude(&track)
        };
        differences.push(Difference {
            name: column.name.clone(),
            unit,
            largest,
            at,
            allowed,
            ratio: if largest == 0.0 { 0.0 } else { largest / allowed },
            exceeds: largest > allowed,
        });
    }
    let only_in_b = b
        .schema
        .columns
        .iter()
        .filter(|c| a.find(&c.name).is_none())
        .map(|c| c.name.clone())
        .collect();
    Comparison {
        differences,
        only_in_a,
        only_in_b,
        grid: pairing.grid,
    }
}

#[cfg(test)]
mod tests;
