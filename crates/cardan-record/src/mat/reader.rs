//! Reads a table from a MAT file of level 4: ours, and any other that begins with a vector `time`.

use super::matrix::{Head, HeadError, Kind, read_head};
use crate::error::ReadError;
use crate::table::{Table, is_time, not_time};
use cardan_core::record::{Column, ColumnData};
use cardan_core::value::ValueType;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// Vectors as long as `time` become columns; other matrices of numbers are passed over.
pub(crate) fn read(path: &Path) -> Result<Table, ReadError> {
    let contents = Contents::read(path)?;
    let mut vectors = contents.vectors.into_iter();
    let times = match vectors.next() {
        Some((name, times)) if is_time(&name) => times,
        Some((name, _)) => return Err(ReadError::new(path, not_time(&name))),
        None => return Err(ReadError::new(path, "the file holds no matrix of numbers")),
    };
    let rows = times.len();
    let mut table = Table {
        times,
        ..Table::default()
    };
    for (position, (name, values)) in vectors.enumerate() {
        if values.len() != rows {
            continue;
        }
        // Row 0 of the texts belongs to time.
        let text = |texts: &[String]| texts.get(position + 1).filter(|t| !t.is_empty()).cloned();
        table.schema.columns.push(Column {
            name: text(&contents.names).unwrap_or(name),
            value_type: ValueType::Real,
            unit: text(&contents.units),
            description: String::new(),
        });
        table.columns.push(ColumnData::Reals(values));
    }
    table.checked(path)
}

#[derive(Default)]
struct Contents {
    vectors: Vec<(String, Vec<f64>)>,
    names: Vec<String>,
    units: Vec<String>,
}

impl Contents {
    fn read(path: &Path) -> Result<Self, ReadError> {
        let io = |e| ReadError::because(path, "cannot read the file", e);
        let file = File::open(path).map_err(io)?;
        // No matrix can be larger than the file: a wrong head must not ask for all the memory.
        let size = file.metadata().map_err(io)?.len();
        let mut input = BufReader::with_capacity(1 << 18, file);
        let mut contents = Contents::default();
        while let Some(head) = next_head(path, &mut input)? {
            let (Kind::Number(number) | Kind::Text(number)) = head.kind;
            let length = head
                .rows
                .checked_mul(head.columns)
                .and_then(|n| n.checked_mul(number.size()));
            let Some(length) = length.filter(|&l| l as u64 <= size) else {
                let message = format!("the file ends within the matrix `{}`", head.name.escape_debug());
                return Err(ReadError::new(path, message));
            };
            let mut bytes = vec![0; length];
            input.read_exact(&mut bytes).map_err(io)?;
            contents.keep(head, number.decode(&bytes));
        }
        Ok(contents)
    }

    fn keep(&mut self, head: Head, elements: Vec<f64>) {
        match (head.kind, head.name.as_str()) {
            (Kind::Text(_), "names") => self.names = texts(&head, &elements),
            (Kind::Text(_), "units") => self.units = texts(&head, &elements),
            (Kind::Text(_), _) => {}
            (Kind::Number(_), _) => self.vectors.push((head.name, elements)),
        }
    }
}

fn next_head(path: &Path, input: &mut impl Read) -> Result<Option<Head>, ReadError> {
    read_head(input).map_err(|e| match e {
        HeadError::Io(e) => ReadError::because(path, "the file ends within a matrix", e),
        other => ReadError::new(path, other.to_string()),
    })
}

/// The rows of a matrix of characters, without the spaces that fill them up.
fn texts(head: &Head, elements: &[f64]) -> Vec<String> {
    (0..head.rows)
        .map(|row| {
            let bytes: Vec<u8> = elements
                .iter()
                .skip(row)
                .step_by(head.rows)
                .map(|&c| c as u8)
                .collect();
            String::from_utf8_lossy(&bytes).trim_end().to_owned()
        })
        .collect()
}
