//! The rows of an earlier result that a run goes on from.

use crate::csv;
use crate::error::ReadError;
use crate::format::{Format, read};
use crate::table::Table;
use cardan_core::record::{Block, BytesColumn, Column, ColumnData, Schema};
use cardan_core::value::Plane;
use std::path::Path;

/// The rows up to `until` of a result with the columns of `schema`, as values of their types. A CSV that ends within a row
/// is taken up to there: whoever wrote it was killed.
pub fn read_earlier(path: &Path, schema: &Schema, until: f64) -> Result<Block, ReadError> {
    if Format::of(path) == Some(Format::Csv) {
        return csv::read_earlier(path, schema, until);
    }
    let table = read(path)?;
    let rows = table.times.partition_point(|time| *time <= until);
    let keeps_texts = Format::of(path) != Some(Format::Mat);
    let expected = schema.columns.iter();
    let expected = expected.filter(|column| keeps_texts || column.value_type.plane() != Plane::Bytes);
    same_names(path, expected, &table)?;
    let mut found = table.columns.into_iter();
    let mut columns = Vec::with_capacity(schema.columns.len());
    for column in &schema.columns {
        let plane = column.value_type.plane();
        let values = match plane {
            Plane::Bytes if !keeps_texts => Some(empty_texts(rows)),
            _ => found.next().and_then(|values| convert(values, plane, rows)),
        };
        let unfit = || {
            let message = format!("`{}` does not hold {} values", column.name, column.value_type);
            ReadError::new(path, message)
        };
        columns.push(values.ok_or_else(unfit)?);
    }
    let mut times = table.times;
    times.truncate(rows);
    Ok(Block { times, columns })
}

/// Refuses another result.
fn same_names<'a>(
    path: &Path,
    expected: impl Iterator<Item = &'a Column>,
    table: &Table,
) -> Result<(), ReadError> {
    let found = table.schema.columns.iter().map(|column| column.name.as_str());
    match expected.map(|column| column.name.as_str()).eq(found) {
        true => Ok(()),
        false => Err(other_columns(path)),
    }
}

pub(crate) fn other_columns(path: &Path) -> ReadError {
    ReadError::new(path, "it has other columns than the results of this run")
}

/// The first rows of a column as values of their plane; nothing if they are none.
fn convert(values: ColumnData, plane: Plane, rows: usize) -> Option<ColumnData> {
    Some(match (values, plane) {
        (ColumnData::Reals(mut values), Plane::Reals) => {
            values.truncate(rows);
            ColumnData::Reals(values)
        }
        (ColumnData::Integers(mut values), Plane::Integers) => {
            values.truncate(rows);
            ColumnData::Integers(values)
        }
        (ColumnData::Booleans(mut values), Plane::Booleans) => {
            values.truncate(rows);
            ColumnData::Booleans(values)
        }
        // Formats that know nothing but reals.
        (ColumnData::Reals(values), Plane::Integers) => {
            ColumnData::Integers(values[..rows].iter().map(|v| *v as i64).collect())
        }
        (ColumnData::Reals(values), Plane::Booleans) => {
            ColumnData::Booleans(values[..rows].iter().map(|v| *v != 0.0).collect())
        }
        (ColumnData::Bytes(values), Plane::Bytes) => {
            let mut kept = BytesColumn::default();
            values.iter().take(rows).for_each(|value| kept.push(value));
            ColumnData::Bytes(kept)
        }
        _ => return None,
    })
}

fn empty_texts(rows: usize) -> ColumnData {
    let mut texts = BytesColumn::default();
    (0..rows).for_each(|_| texts.push(b""));
    ColumnData::Bytes(texts)
}
