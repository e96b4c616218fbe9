//! Reads a table from Parquet: ours, and any other with plain columns whose first is time.

use super::{DESCRIPTION, SETTING, SYSTEM, TYPE, UNIT};
use crate::error::ReadError;
use crate::table::{Table, is_time, not_time};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};
use cardan_core::record::{BytesColumn, Column, ColumnData, Schema};
use cardan_core::value::ValueType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::KeyValue;
use std::fs::File;
use std::path::Path;

/// The Parquet library panics on some damaged files; for us that is one more way of not being readable.
pub(crate) fn read(path: &Path) -> Result<Table, ReadError> {
    std::panic::catch_unwind(|| read_file(path)).unwrap_or_else(|_| {
        Err(ReadError::new(
            path,
            "cannot read this as Parquet: the file is damaged",
        ))
    })
}

fn read_file(path: &Path) -> Result<Table, ReadError> {
    let file = File::open(path).map_err(|e| ReadError::because(path, "cannot open the file", e))?;
    let unreadable = |e| ReadError::because(path, "cannot read this as Parquet", e);
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(unreadable)?;
    let mut schema = file_schema(builder.metadata().file_metadata().key_value_metadata());
    schema.columns = builder
        .schema()
        .fields()
        .iter()
        .map(|f| column(path, f))
        .collect::<Result<_, _>>()?;
    match schema.columns.first() {
        Some(first) if !is_time(&first.name) => return Err(ReadError::new(path, not_time(&first.name))),
        Some(_) => {}
        None => return Err(ReadError::new(path, "the file has no columns")),
    }
    let mut columns: Vec<ColumnData> = schema
        .columns
        .iter()
        .map(|c| ColumnData::new(c.value_type, 0))
        .collect();
    for batch in builder.build().map_err(unreadable)? {
        let batch = batch.map_err(|e| ReadError::because(path, "cannot read this as Parquet", e))?;
        for ((data, array), column) in columns.iter_mut().zip(batch.columns()).zip(&schema.columns) {
            append(data, array).map_err(|Missing| {
                ReadError::new(
                    path,
                    format!("`{}` has missing values, which only reals may have", column.name),
                )
            })?;
        }
    }
    schema.columns.remove(0);
    let times = match columns.remove(0) {
        ColumnData::Reals(times) => times,
        ColumnData::Integers(times) => times.into_iter().map(|t| t as f64).collect(),
        _ => return Err(ReadError::new(path, "the column of time does not hold numbers")),
    };
    Table {
        schema,
        times,
        columns,
    }
    .checked(path)
}

/// System and settings.
fn file_schema(pairs: Option<&Vec<KeyValue>>) -> Schema {
    let mut schema = Schema::default();
    for pair in pairs.into_iter().flatten() {
        let value = pair.value.clone().unwrap_or_default();
        if pair.key == SYSTEM {
            schema.system = value;
        } else if let Some(name) = pair.key.strip_prefix(SETTING) {
            schema.settings.push((name.to_owned(), value));
        }
    }
    schema
}

fn column(path: &Path, field: &Field) -> Result<Column, ReadError> {
    let value_type = match field.data_type() {
        DataType::Float64 | DataType::Float32 => ValueType::Real,
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => ValueType::Integer,
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 => ValueType::Integer,
        DataType::Boolean => ValueType::Boolean,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => ValueType::String,
        DataType::Binary | DataType::LargeBinary => ValueType::Binary,
        other => {
            let message = format!(
                "`{}` holds {other}, which is not a type of a result",
                field.name()
            );
            return Err(ReadError::new(path, message));
        }
    };
    let metadata = field.metadata();
    let enumeration = metadata
        .get(TYPE)
        .is_some_and(|t| *t == ValueType::Enumeration.to_string());
    Ok(Column {
        name: field.name().clone(),
        value_type: if enumeration {
            ValueType::Enumeration
        } else {
            value_type
        },
        unit: metadata.get(UNIT).cloned(),
        description: metadata.get(DESCRIPTION).cloned().unwrap_or_default(),
    })
}

/// A null where a result has no place for it.
struct Missing;

fn append(data: &mut ColumnData, array: &ArrayRef) -> Result<(), Missing> {
    match data {
        ColumnData::Reals(values) => {
            match array.data_type() {
                DataType::Float32 => values.extend(
                    array
                        .as_primitive::<Float32Type>()
                        .iter()
                        .map(|v| v.map_or(f64::NAN, f64::from)),
                ),
                _ => values.extend(
                    array
                        .as_primitive::<Float64Type>()
                        .iter()
                        .map(|v| v.unwrap_or(f64::NAN)),
                ),
            }
            return Ok(());
        }
        _ if array.null_count() > 0 => return Err(Missing),
        ColumnData::Integers(values) => match array.data_type() {
            DataType::Int8 => extend::<Int8Type>(values, array),
            DataType::Int16 => extend::<Int16Type>(values, array),
            DataType::Int32 => extend::<Int32Type>(values, array),
            DataType::UInt8 => extend::<UInt8Type>(values, array),
            DataType::UInt16 => extend::<UInt16Type>(values, array),
            DataType::UInt32 => extend::<UInt32Type>(values, array),
            _ => extend::<Int64Type>(values, array),
        },
        ColumnData::Booleans(values) => values.extend(array.as_boolean().iter().flatten()),
        ColumnData::Bytes(values) => match array.data_type() {
            DataType::Utf8 => push_all(values, array.as_string::<i32>().iter().flatten()),
            DataType::LargeUtf8 => push_all(values, array.as_string::<i64>().iter().flatten()),
            DataType::Utf8View => push_all(values, array.as_string_view().iter().flatten()),
            DataType::LargeBinary => push_all(values, array.as_binary::<i64>().iter().flatten()),
            _ => push_all(values, array.as_binary::<i32>().iter().flatten()),
        },
    }
    Ok(())
}

fn extend<T: ArrowPrimitiveType<Native: Into<i64>>>(values: &mut Vec<i64>, array: &ArrayRef) {
    values.extend(
        array
            .as_primitive::<T>()
            .values()
            .iter()
            .map(|&v| -> i64 { v.into() }),
    );
}

fn push_all<'a>(values: &mut BytesColumn, items: impl Iterator<Item = impl AsRef<[u8]> + 'a>) {
    items.for_each(|item| values.push(item.as_ref()));
}
