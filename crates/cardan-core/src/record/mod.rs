//! Results on their way out: the schema of a result, blocks of rows stored by column, and recorders.

mod queue;
mod ring;

pub use queue::RecordQueue;
pub use ring::{Bell, Ring, RingHead, RowReader, RowWriter};

use crate::value::ValueType;
use std::fmt;

/// One column of a result.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// `component.variable`, with an index for elements of vectors and matrices.
    pub name: String,
    /// What it carries.
    pub value_type: ValueType,
    /// The unit of a real.
    pub unit: Option<String>,
    /// One line for people.
    pub description: String,
}

/// What a result contains. Time is always the first column and not in the list.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Schema {
    /// The name of the system.
    pub system: String,
    /// The columns after time, in order.
    pub columns: Vec<Column>,
    /// How the run was set up, as pairs of name and value, for formats that keep such things.
    pub settings: Vec<(String, String)>,
}

/// The values of one column in a block.
#[derive(Clone, PartialEq, Debug)]
pub enum ColumnData {
    /// Reals.
    Reals(Vec<f64>),
    /// Integers and enumerations.
    Integers(Vec<i64>),
    /// Booleans.
    Booleans(Vec<bool>),
    /// Strings and binaries, one after the other in one buffer.
    Bytes(BytesColumn),
}

impl ColumnData {
    /// An empty column for that type, with room for `rows`.
    pub fn new(value_type: ValueType, rows: usize) -> Self {
        match value_type {
            ValueType::Real => ColumnData::Reals(Vec::with_capacity(rows)),
            ValueType::Integer | ValueType::Enumeration => ColumnData::Integers(Vec::with_capacity(rows)),
            ValueType::Boolean | ValueType::Clock => ColumnData::Booleans(Vec::with_capacity(rows)),
            ValueType::String | ValueType::Binary => ColumnData::Bytes(BytesColumn::default()),
        }
    }

    /// Forgets the values, keeps the memory.
    pub fn clear(&mut self) {
        match self {
            ColumnData::Reals(v) => v.clear(),
            ColumnData::Integers(v) => v.clear(),
            ColumnData::Booleans(v) => v.clear(),
            ColumnData::Bytes(v) => v.clear(),
        }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            ColumnData::Reals(v) => v.len(),
            ColumnData::Integers(v) => v.len(),
            ColumnData::Booleans(v) => v.len(),
            ColumnData::Bytes(v) => v.len(),
        }
    }

    /// Is there no value?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Strings or binaries of one column in one buffer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BytesColumn {
    buffer: Vec<u8>,
    ends: Vec<usize>,
}

impl BytesColumn {
    /// Adds a value.
    pub fn push(&mut self, value: &[u8]) {
        self.buffer.extend_from_slice(value);
        self.ends.push(self.buffer.len());
    }

    /// The value in `row`.
    pub fn get(&self, row: usize) -> &[u8] {
        let from = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.buffer[from..self.ends[row]]
    }

    /// Forgets the values, keeps the memory.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Keeps the first values.
    pub fn truncate(&mut self, count: usize) {
        self.ends.truncate(count);
        self.buffer.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is there no value?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All values in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|row| self.get(row))
    }
}

/// Some rows of a result, stored by column. Blocks travel from the run to the recorder and back for reuse.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// The time of each row.
    pub times: Vec<f64>,
    /// As many columns as the schema has, each as long as `times`.
    pub columns: Vec<ColumnData>,
}

impl Block {
    /// An empty block for `schema` with room for `rows`.
    pub fn new(schema: &Schema, rows: usize) -> Self {
        Block {
            times: Vec::with_capacity(rows),
            columns: schema
                .columns
                .iter()
                .map(|c| ColumnData::new(c.value_type, rows))
                .collect(),
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.times.len()
    }

    /// Forgets the rows, keeps the memory.
    pub fn clear(&mut self) {
        self.times.clear();
        self.columns.iter_mut().for_each(ColumnData::clear);
    }
}

/// A result could not be written.
#[derive(Debug)]
pub struct RecordError {
    message: String,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl RecordError {
    /// With a full sentence that names the file.
    pub fn new(message: impl Into<String>) -> Self {
        RecordError {
            message: message.into(),
            source: None,
        }
    }

    /// With the error behind it.
    pub fn because(
        message: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        RecordError {
            message: message.into(),
            source: Some(source.into()),
        }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.source {
            Some(source) => write!(f, ": {source}"),
            None => Ok(()),
        }
    }
}

// The message holds the cause, so a chain of causes would say it twice.
impl std::error::Error for RecordError {}

/// Where the rows of a run go.
pub enum Outlet {
    /// To a recorder on a thread of its own.
    Recorder(Box<dyn Recorder>),
    /// Into memory from which somebody else takes them.
    Ring(RowWriter),
}

/// Takes the rows of a result. Lives on a thread of its own.
pub trait Recorder: Send {
    /// Called once before the first row; fails if the result cannot be written at all.
    fn begin(&mut self, schema: &Schema) -> Result<(), RecordError>;

    /// Takes some rows, in time order.
    fn write(&mut self, block: &Block) -> Result<(), RecordError>;

    /// What was written so far is to outlive this process, whatever becomes of it: a checkpoint is about to rely on it.
    /// Where a result cannot be had in pieces, nothing is done.
    fn secure(&mut self) -> Result<(), RecordError> {
        Ok(())
    }

    /// Called once after the last row, also when the run failed or was interrupted: what was written is kept.
    fn finish(&mut self) -> Result<(), RecordError>;
}
