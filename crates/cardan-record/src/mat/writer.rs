//! Writes a result as MAT when it is complete: the head of a matrix holds its number of rows.

use super::matrix;
use super::names::Names;
use super::spool::Spool;
use crate::block;
use crate::target::{Target, failed, not_begun};
use cardan_core::record::{Block, Column, ColumnData, RecordError, Recorder, Schema};
use cardan_core::value::{Plane, ValueType};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Values kept in memory before they go to a temporary file: 64 MB.
const BUDGET: usize = 8 * 1024 * 1024;

/// Writes a result as MATLAB level 4. Booleans and integers become doubles; strings and binaries are left out, which
/// [`notes`](MatWriter::notes) tells.
#[derive(Debug)]
pub struct MatWriter {
    path: PathBuf,
    notes: Vec<String>,
    types: Vec<ValueType>,
    open: Option<Open>,
}

/// What exists between `begin` and `finish`.
#[derive(Debug)]
struct Open {
    target: Target,
    spool: Spool,
    /// The kept columns, with their index in a block.
    kept: Vec<(usize, Column)>,
}

impl MatWriter {
    /// A writer for `path`; the file is opened by `begin`.
    pub fn new(path: &Path) -> Self {
        MatWriter {
            path: path.to_path_buf(),
            notes: Vec::new(),
            types: Vec::new(),
            open: None,
        }
    }

    /// What the file does not hold, known after `begin`.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

impl Recorder for MatWriter {
    fn begin(&mut self, schema: &Schema) -> Result<(), RecordError> {
        let target = Target::create(&self.path)?;
        self.types = schema.columns.iter().map(|c| c.value_type).collect();
        let (left_out, kept): (Vec<_>, Vec<_>) = schema
            .columns
            .iter()
            .cloned()
            .enumerate()
            .partition(|(_, c)| c.value_type.plane() == Plane::Bytes);
        self.notes.clear();
        if !left_out.is_empty() {
            let names: Vec<String> = left_out.iter().map(|(_, c)| format!("`{}`", c.name)).collect();
            self.notes.push(format!(
                "`{}` leaves out {}: a MAT file of level 4 holds numbers only; use .parquet or .csv for text",
                self.path.display(),
                names.join(", ")
            ));
        }
        self.open = Some(Open {
            target,
            spool: Spool::new(kept.len() + 1, BUDGET),
            kept,
        });
        Ok(())
    }

    fn write(&mut self, block: &Block) -> Result<(), RecordError> {
        let open = self.open.as_mut().ok_or_else(|| not_begun(&self.path))?;
        block::check(&self.path, &self.types, block)?;
        open.spool.column(0).extend_from_slice(&block.times);
        for (position, (index, _)) in open.kept.iter().enumerate() {
            let values = open.spool.column(position + 1);
            match &block.columns[*index] {
                ColumnData::Reals(reals) => values.extend_from_slice(reals),
                ColumnData::Integers(integers) => values.extend(integers.iter().map(|&v| v as f64)),
                ColumnData::Booleans(booleans) => {
                    values.extend(booleans.iter().map(|&v| f64::from(u8::from(v))))
                }
                ColumnData::Bytes(_) => {}
            }
        }
        open.spool.relieve(&self.path).map_err(|e| failed(&self.path, e))
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        let mut open = self.open.take().ok_or_else(|| not_begun(&self.path))?;
        open.write_matrices().map_err(|e| failed(&self.path, e))?;
        open.target.commit()
    }
}

impl Open {
    fn write_matrices(&mut self) -> io::Result<()> {
        let rows = i32::try_from(self.spool.rows())
            .map_err(|_| io::Error::other("a MAT file holds at most 2147483647 rows; use .parquet"))?;
        let mut out = BufWriter::with_capacity(1 << 18, &mut self.target);
        let mut allowed = Names::without(&["time", "names", "units"]);
        let mut names = vec!["time"];
        let mut units = vec!["s"];
        matrix::write_vector_head(&mut out, "time", rows)?;
        self.spool.write_column(0, &mut out)?;
        for (position, (_, column)) in self.kept.iter().enumerate() {
            matrix::write_vector_head(&mut out, &allowed.allow(&column.name), rows)?;
            self.spool.write_column(position + 1, &mut out)?;
            names.push(&column.name);
            units.push(column.unit.as_deref().unwrap_or_default());
        }
        matrix::write_texts(&mut out, "names", &names)?;
        matrix::write_texts(&mut out, "units", &units)?;
        out.flush()
    }
}
