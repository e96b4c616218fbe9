//! Reads a table from CSV: ours, and any other whose first column is time.

use super::records::{Record, Records, cells};
use crate::error::ReadError;
use crate::table::{Table, is_time, not_time};
use cardan_core::record::{BytesColumn, Column, ColumnData, Schema};
use cardan_core::value::ValueType;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Reads the file once; once more if a column turns out to be text after it began with numbers.
pub(crate) fn read(path: &Path) -> Result<Table, ReadError> {
    read_from(path, || Cells::Empty(0))
}

/// All columns but time as text.
pub(crate) fn read_text(path: &Path) -> Result<Table, ReadError> {
    read_from(path, || Cells::Text(BytesColumn::default()))
}

fn read_from(path: &Path, empty: impl Fn() -> Cells) -> Result<Table, ReadError> {
    let mut records = open(path)?;
    let header = match records.next()? {
        Some(record) => header(path, &record)?,
        None => {
            return Err(ReadError::new(
                path,
                "the file is empty; the first line must name the columns",
            ));
        }
    };
    let mut times = Vec::new();
    let mut columns: Vec<Cells> = header.iter().map(|_| empty()).collect();
    while let Some(record) = records.next()? {
        read_row(path, &record, &mut times, &mut columns)?;
    }
    if columns.iter().any(|c| matches!(c, Cells::Mixed)) {
        read_mixed(path, &mut columns)?;
    }
    let (columns, data): (Vec<Column>, Vec<ColumnData>) = header
        .into_iter()
        .zip(columns)
        .map(|(name, cells)| cells.settle(name))
        .unzip();
    let schema = Schema {
        columns,
        ..Schema::default()
    };
    Table {
        schema,
        times,
        columns: data,
    }
    .checked(path)
}

pub(super) fn open(path: &Path) -> Result<Records<'_, BufReader<File>>, ReadError> {
    let file = File::open(path).map_err(|e| ReadError::because(path, "cannot open the file", e))?;
    Ok(Records::new(path, BufReader::with_capacity(1 << 18, file)))
}

/// The names after time.
pub(super) fn header(path: &Path, record: &Record<'_>) -> Result<Vec<String>, ReadError> {
    let mut names = Vec::new();
    for (index, cell) in cells(record.text).enumerate() {
        let refuse = |message: String| {
            ReadError::new(path, message)
                .at_line(record.line)
                .at_column(index + 1)
        };
        let name = cell.map_err(|e| refuse(e.into()))?.trim().to_owned();
        if index == 0 {
            if !is_time(&name) {
                return Err(refuse(no_time_column(&name, record.text)));
            }
        } else if name.is_empty() {
            return Err(refuse("this column has no name".into()));
        } else {
            names.push(name);
        }
    }
    Ok(names)
}

/// Why the first column is not time, with the usual reasons first.
fn no_time_column(name: &str, line: &str) -> String {
    if let Some(other) = [';', '\t'].into_iter().find(|&c| line.contains(c)) {
        return format!("the columns are separated by {other:?}; a result needs commas");
    }
    if name.parse::<f64>().is_ok() {
        return "the first line must name the columns, beginning with `time`".into();
    }
    not_time(name)
}

fn read_row(
    path: &Path,
    record: &Record<'_>,
    times: &mut Vec<f64>,
    columns: &mut [Cells],
) -> Result<(), ReadError> {
    let refuse = |column: usize, message: String| {
        ReadError::new(path, message)
            .at_line(record.line)
            .at_column(column)
    };
    let mut count = 0;
    for cell in cells(record.text) {
        let cell = cell.map_err(|e| refuse(count + 1, e.into()))?;
        match count.checked_sub(1) {
            None => {
                let time = cell.trim().parse::<f64>().ok().filter(|t| t.is_finite());
                let Some(time) = time else {
                    return Err(refuse(1, format!("`{}` is not a time", cell.escape_debug())));
                };
                if let Some(before) = times.last().filter(|&&before| time < before) {
                    return Err(refuse(
                        1,
                        format!("time goes back from {before} to {time}; sort the rows by time"),
                    ));
                }
                times.push(time);
            }
            Some(index) => {
                if let Some(column) = columns.get_mut(index) {
                    column.push(&cell);
                }
            }
        }
        count += 1;
    }
    let expected = columns.len() + 1;
    if count != expected {
        let message = format!("this row has {count} cells, the first line names {expected} columns");
        return Err(refuse(count.min(expected) + 1, message));
    }
    Ok(())
}

/// The second pass: the text of the columns that changed their mind.
fn read_mixed(path: &Path, columns: &mut [Cells]) -> Result<(), ReadError> {
    let mut texts: Vec<(usize, BytesColumn)> = columns
        .iter()
        .enumerate()
        .filter(|(_, c)| matches!(c, Cells::Mixed))
        .map(|(index, _)| (index, BytesColumn::default()))
        .collect();
    let mut records = open(path)?;
    records.next()?;
    while let Some(record) = records.next()? {
        let mut row = cells(record.text).skip(1);
        let mut at = 0;
        for (index, text) in &mut texts {
            let cell = row.nth(*index - at).and_then(Result::ok).unwrap_or_default();
            text.push(cell.as_bytes());
            at = *index + 1;
        }
    }
    for (index, text) in texts {
        columns[index] = Cells::Text(text);
    }
    Ok(())
}

/// The cells of a column so far, as the type that all of them fit.
enum Cells {
    /// So many empty cells: any type yet.
    Empty(usize),
    Booleans(Vec<bool>),
    /// Empty cells among numbers are NaN.
    Reals(Vec<f64>),
    Text(BytesColumn),
    /// Text after numbers or booleans, whose own text is gone.
    Mixed,
}

impl Cells {
    fn push(&mut self, cell: &str) {
        let trimmed = cell.trim();
        match self {
            Cells::Mixed => {}
            Cells::Text(text) => text.push(cell.as_bytes()),
            Cells::Empty(rows) if cell.is_empty() => *rows += 1,
            Cells::Empty(rows) => *self = Cells::begin(*rows, cell, trimmed),
            Cells::Booleans(values) => match boolean(trimmed) {
                Some(value) => values.push(value),
                None => *self = Cells::Mixed,
            },
            Cells::Reals(values) => match trimmed.parse() {
                Ok(value) => values.push(value),
                Err(_) if trimmed.is_empty() => values.push(f64::NAN),
                Err(_) => *self = Cells::Mixed,
            },
        }
    }

    /// The first cell with something in it decides, after `rows` without.
    fn begin(rows: usize, cell: &str, trimmed: &str) -> Self {
        match (boolean(trimmed), trimmed.parse::<f64>()) {
            (Some(value), _) if rows == 0 => Cells::Booleans(vec![value]),
            (_, Ok(value)) => {
                let mut values = vec![f64::NAN; rows];
                values.push(value);
                Cells::Reals(values)
            }
            _ => {
                let mut text = BytesColumn::default();
                (0..rows).for_each(|_| text.push(b""));
                text.push(cell.as_bytes());
                Cells::Text(text)
            }
        }
    }

    fn settle(self, name: String) -> (Column, ColumnData) {
        let (value_type, data) = match self {
            Cells::Booleans(values) => (ValueType::Boolean, ColumnData::Booleans(values)),
            Cells::Reals(values) => (ValueType::Real, ColumnData::Reals(values)),
            Cells::Text(text) => (ValueType::String, ColumnData::Bytes(text)),
            // A result without rows is most likely one of numbers.
            Cells::Empty(0) => (ValueType::Real, ColumnData::Reals(Vec::new())),
            Cells::Empty(rows) => {
                let mut text = BytesColumn::default();
                (0..rows).for_each(|_| text.push(b""));
                (ValueType::String, ColumnData::Bytes(text))
            }
            Cells::Mixed => (ValueType::String, ColumnData::Bytes(BytesColumn::default())),
        };
        (
            Column {
                name,
                value_type,
                unit: None,
                description: String::new(),
            },
            data,
        )
    }
}

fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}
