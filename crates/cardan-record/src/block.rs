//! A block must fit the schema that the file began with.

use cardan_core::record::{Block, ColumnData, RecordError};
use cardan_core::value::{Plane, ValueType};
use std::path::Path;

/// Refuses a block with other columns than `types`, or columns of different lengths.
pub(crate) fn check(path: &Path, types: &[ValueType], block: &Block) -> Result<(), RecordError> {
    let misfit = |what: String| RecordError::new(format!("rows for `{}` do not fit: {what}", path.display()));
    if block.columns.len() != types.len() {
        return Err(misfit(format!(
            "{} columns instead of {}",
            block.columns.len(),
            types.len()
        )));
    }
    for (index, (column, value_type)) in block.columns.iter().zip(types).enumerate() {
        if plane(column) != value_type.plane() {
            return Err(misfit(format!(
                "column {} does not carry {value_type} values",
                index + 1
            )));
        }
        if column.len() != block.rows() {
            return Err(misfit(format!(
                "{} values in column {} for {} times",
                column.len(),
                index + 1,
                block.rows()
            )));
        }
    }
    Ok(())
}

fn plane(column: &ColumnData) -> Plane {
    match column {
        ColumnData::Reals(_) => Plane::Reals,
        ColumnData::Integers(_) => Plane::Integers,
        ColumnData::Booleans(_) => Plane::Booleans,
        ColumnData::Bytes(_) => Plane::Bytes,
    }
}
