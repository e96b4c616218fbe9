//! A whole result in memory.

use crate::error::ReadError;
use crate::summary::Summary;
use cardan_core::record::{ColumnData, Schema};
use std::borrow::Cow;
use std::path::Path;

/// A whole result in memory: what [`read`](crate::read) gives. Times never go backwards; an event shows as two rows
/// at the same time, before and after.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// Names, types and units of the columns.
    pub schema: Schema,
    /// The time of each row.
    pub times: Vec<f64>,
    /// As many columns as the schema has, each as long as `times`.
    pub columns: Vec<ColumnData>,
}

impl Table {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.times.len()
    }

    /// First and last time, if there is a row.
    pub fn span(&self) -> Option<(f64, f64)> {
        Some((*self.times.first()?, *self.times.last()?))
    }

    /// The index of the column with that name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.schema.columns.iter().position(|c| c.name == name)
    }

    /// The values of the column with that name.
    pub fn column(&self, name: &str) -> Option<&ColumnData> {
        self.columns.get(self.find(name)?)
    }

    /// Rows, time span, and the range of each column.
    pub fn summary(&self) -> Summary {
        Summary::of(self)
    }

    /// The promises of a table, which a file need not keep: as many values as times everywhere, times that are numbers
    /// and never go backwards, and names that are unique.
    pub(crate) fn checked(self, path: &Path) -> Result<Self, ReadError> {
        let rows = self.rows();
        for (column, data) in self.schema.columns.iter().zip(&self.columns) {
            if data.len() != rows {
                let message = format!("`{}` has {} values for {rows} times", column.name, data.len());
                return Err(ReadError::new(path, message));
            }
        }
        if let Some(row) = self.times.iter().position(|t| !t.is_finite()) {
            return Err(ReadError::new(
                path,
                format!("the time of row {} is not a number", row + 1),
            ));
        }
        if let Some(row) = self.times.windows(2).position(|w| w[1] < w[0]) {
            let message = format!(
                "time goes back from {} to {} in row {}; sort the rows by time",
                self.times[row],
                self.times[row + 1],
                row + 2
            );
            return Err(ReadError::new(path, message));
        }
        let mut names: Vec<&str> = self.schema.columns.iter().map(|c| c.name.as_str()).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|w| w[0] == w[1]) {
            return Err(ReadError::new(
                path,
                format!("two columns are called `{}`; rename one", twice[0]),
            ));
        }
        Ok(self)
    }
}

/// The values of a column as numbers, booleans as 0 and 1; nothing for text.
pub(crate) fn numbers(data: &ColumnData) -> Option<Cow<'_, [f64]>> {
    match data {
        ColumnData::Reals(values) => Some(Cow::Borrowed(values)),
        ColumnData::Integers(values) => Some(values.iter().map(|&v| v as f64).collect()),
        ColumnData::Booleans(values) => Some(values.iter().map(|&v| f64::from(u8::from(v))).collect()),
        ColumnData::Bytes(_) => None,
    }
}

/// Does the name of a first column say that it is time?
pub(crate) fn is_time(name: &str) -> bool {
    ["time", "t", "t_s"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name))
}

/// What to say about a first column that is not time. The name is cut: a wrong file can have anything there.
pub(crate) fn not_time(name: &str) -> String {
    let glimpse: String = name.chars().take(40).collect();
    format!(
        "the first column is `{}`; it must be time, so call it `time` (or `t`, `t_s`)",
        glimpse.escape_debug()
    )
}
