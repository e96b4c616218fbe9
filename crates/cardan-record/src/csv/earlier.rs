//! Rows of our own CSV as what they were: the schema knows the types better than the text.

use super::reader::{header, open};
use super::records::cells;
use crate::earlier::other_columns;
use crate::error::ReadError;
use cardan_core::record::{Block, Column, ColumnData, Schema};
use cardan_core::value::ValueType;
use std::path::Path;

/// The whole rows up to `until`. What is no row ends them: it was cut when its writer was killed.
pub(crate) fn read_earlier(path: &Path, schema: &Schema, until: f64) -> Result<Block, ReadError> {
    let mut records = open(path)?;
    let names = match records.next()? {
        Some(record) => header(path, &record)?,
        None => return Err(other_columns(path)),
    };
    // Names are read without the spaces around them.
    if !names.iter().eq(schema.columns.iter().map(|c| c.name.trim())) {
        return Err(other_columns(path));
    }
    let mut block = Block::new(schema, 0);
    while let Ok(Some(record)) = records.next() {
        let rows = block.rows();
        if push(&mut block, &schema.columns, record.text, until).is_none() {
            cut(&mut block, rows);
            break;
        }
    }
    Ok(block)
}

/// Adds a row; nothing if it is none, or one that came later.
fn push(block: &mut Block, columns: &[Column], record: &str, until: f64) -> Option<()> {
    let mut cells = cells(record);
    let time = cells.next()?.ok()?.parse().ok().filter(|time| *time <= until)?;
    block.times.push(time);
    for (column, values) in columns.iter().zip(&mut block.columns) {
        let cell = cells.next()?.ok()?;
        match values {
            ColumnData::Reals(values) => values.push(cell.parse().ok()?),
            ColumnData::Integers(values) => values.push(cell.parse().ok()?),
            ColumnData::Booleans(values) => values.push(cell.parse().ok()?),
            ColumnData::Bytes(values) if column.value_type == ValueType::Binary => {
                values.push(&bytes(&cell)?);
            }
            ColumnData::Bytes(values) => values.push(cell.as_bytes()),
        }
    }
    cells.next().is_none().then_some(())
}

/// Bytes from hexadecimal digits.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    let byte = |pair: &[u8]| match pair {
        [_, _] => u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok(),
        _ => None,
    };
    pairs.map(byte).collect()
}

/// Takes back what was added of a row that is none.
fn cut(block: &mut Block, rows: usize) {
    block.times.truncate(rows);
    for column in &mut block.columns {
        match column {
            ColumnData::Reals(values) => values.truncate(rows),
            ColumnData::Integers(values) => values.truncate(rows),
            ColumnData::Booleans(values) => values.truncate(rows),
            ColumnData::Bytes(values) => values.truncate(rows),
        }
    }
}
