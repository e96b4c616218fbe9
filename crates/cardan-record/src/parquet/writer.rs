//! Writes blocks as Arrow batches into row groups.

use super::{DESCRIPTION, SETTING, SYSTEM, TYPE, UNIT};
use crate::block;
use crate::target::{Target, failed, not_begun};
use arrow_array::{ArrayRef, BinaryArray, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema as ArrowSchema, SchemaRef};
use cardan_core::record::{Block, Column, ColumnData, RecordError, Recorder, Schema};
use cardan_core::value::{Plane, ValueType};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Values in a row group: it is compressed in memory and written when it has so many, or so many bytes of text.
const GROUP_VALUES: usize = 1 << 20;
const GROUP_BYTES: usize = 64 << 20;

/// Writes a result as Parquet: zstd, no dictionaries for numbers, and the bytes of reals split into streams, which suits
/// simulated signals. Units and descriptions are metadata of the fields, system and settings of the file.
pub struct ParquetWriter {
    path: PathBuf,
    types: Vec<ValueType>,
    open: Option<(SchemaRef, ArrowWriter<Target>)>,
}

impl fmt::Debug for ParquetWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetWriter")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl ParquetWriter {
    /// A writer for `path`; the file is opened by `begin`.
    pub fn new(path: &Path) -> Self {
        ParquetWriter {
            path: path.to_path_buf(),
            types: Vec::new(),
            open: None,
        }
    }
}

impl Recorder for ParquetWriter {
    fn begin(&mut self, schema: &Schema) -> Result<(), RecordError> {
        let target = Target::create(&self.path)?;
        let failed = |e: ParquetError| failed(&self.path, e);
        self.types = schema.columns.iter().map(|c| c.value_type).collect();
        let arrow = arrow_schema(schema);
        let properties = properties(schema).map_err(failed)?;
        let writer = ArrowWriter::try_new(target, arrow.clone(), Some(properties)).map_err(failed)?;
        self.open = Some((arrow, writer));
        Ok(())
    }

    fn write(&mut self, block: &Block) -> Result<(), RecordError> {
        let (schema, writer) = self.open.as_mut().ok_or_else(|| not_begun(&self.path))?;
        block::check(&self.path, &self.types, block)?;
        let times: ArrayRef = Arc::new(Float64Array::from(block.times.clone()));
        let columns = block
            .columns
            .iter()
            .zip(&self.types)
            .map(|(data, value_type)| array(data, *value_type));
        let arrays = std::iter::once(times).chain(columns).collect();
        let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(|e| failed(&self.path, e))?;
        writer.write(&batch).map_err(|e| failed(&self.path, e))
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        let (_, writer) = self.open.take().ok_or_else(|| not_begun(&self.path))?;
        writer.into_inner().map_err(|e| failed(&self.path, e))?.commit()
    }
}

fn arrow_schema(schema: &Schema) -> SchemaRef {
    let seconds = HashMap::from([(UNIT.to_owned(), "s".to_owned())]);
    let time = Field::new("time", DataType::Float64, false).with_metadata(seconds);
    Arc::new(ArrowSchema::new(
        std::iter::once(time)
            .chain(schema.columns.iter().map(field))
            .collect::<Vec<_>>(),
    ))
}

fn field(column: &Column) -> Field {
    let data_type = match column.value_type {
        ValueType::Real => DataType::Float64,
        ValueType::Integer | ValueType::Enumeration => DataType::Int64,
        ValueType::Boolean | ValueType::Clock => DataType::Boolean,
        ValueType::String => DataType::Utf8,
        ValueType::Binary => DataType::Binary,
    };
    let mut metadata = HashMap::new();
    if let Some(unit) = &column.unit {
        metadata.insert(UNIT.to_owned(), unit.clone());
    }
    if !column.description.is_empty() {
        metadata.insert(DESCRIPTION.to_owned(), column.description.clone());
    }
    if column.value_type == ValueType::Enumeration {
        metadata.insert(TYPE.to_owned(), column.value_type.to_string());
    }
    Field::new(&column.name, data_type, false).with_metadata(metadata)
}

fn properties(schema: &Schema) -> Result<WriterProperties, ParquetError> {
    let rows = (GROUP_VALUES / (schema.columns.len() + 1)).max(1024);
    let system = KeyValue::new(SYSTEM.to_owned(), schema.system.clone());
    let settings = schema
        .settings
        .iter()
        .map(|(k, v)| KeyValue::new(format!("{SETTING}{k}"), v.clone()));
    let mut builder = WriterProperties::builder()
        .set_created_by(format!("cardan {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(std::iter::once(system).chain(settings).collect()))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_dictionary_enabled(false)
        .set_max_row_group_row_count(Some(rows))
        .set_max_row_group_bytes(Some(GROUP_BYTES));
    // A path of one part: dots in a name do not mean nesting.
    let path = |name: &str| ColumnPath::new(vec![name.to_owned()]);
    builder = builder.set_column_encoding(path("time"), Encoding::BYTE_STREAM_SPLIT);
    for column in &schema.columns {
        builder = match column.value_type.plane() {
            Plane::Reals => builder.set_column_encoding(path(&column.name), Encoding::BYTE_STREAM_SPLIT),
            Plane::Bytes => builder.set_column_dictionary_enabled(path(&column.name), true),
            Plane::Integers | Plane::Booleans => builder,
        };
    }
    Ok(builder.build())
}

fn array(data: &ColumnData, value_type: ValueType) -> ArrayRef {
    match data {
        ColumnData::Reals(values) => Arc::new(Float64Array::from(values.clone())),
        ColumnData::Integers(values) => Arc::new(Int64Array::from(values.clone())),
        ColumnData::Booleans(values) => Arc::new(BooleanArray::from(values.clone())),
        ColumnData::Bytes(values) if value_type == ValueType::Binary => {
            Arc::new(BinaryArray::from_iter_values(values.iter()))
        }
        ColumnData::Bytes(values) => Arc::new(StringArray::from_iter_values(
            values.iter().map(String::from_utf8_lossy),
        )),
    }
}
