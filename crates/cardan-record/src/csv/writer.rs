//! Writes rows as lines through one big buffer.

use super::cell;
use crate::block;
use crate::target::{Target, failed, not_begun};
use cardan_core::record::{Block, ColumnData, RecordError, Recorder, Schema};
use cardan_core::value::ValueType;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A system call per so many bytes.
const FLUSH: usize = 256 * 1024;
/// Rows that come slowly wait no longer than this, lest much be lost with whoever writes them.
const PATIENCE: Duration = Duration::from_secs(1);

/// Writes a result as CSV: `time` first, reals with the shortest digits that read back to the same bits, booleans as
/// `true` and `false`, binaries in hexadecimal. If the disk fills up, the whole rows that fitted are kept.
#[derive(Debug)]
pub struct CsvWriter {
    path: PathBuf,
    types: Vec<ValueType>,
    target: Option<Target>,
    buffer: Vec<u8>,
    /// Length of the file in whole rows.
    flushed: u64,
    last_flush: Instant,
    broken: bool,
}

impl CsvWriter {
    /// A writer for `path`; the file is opened by `begin`.
    pub fn new(path: &Path) -> Self {
        CsvWriter {
            path: path.to_path_buf(),
            types: Vec::new(),
            target: None,
            buffer: Vec::new(),
            flushed: 0,
            last_flush: Instant::now(),
            broken: false,
        }
    }

    /// The buffer holds whole rows only, so that what is cut off after an error never leaves half of one.
    fn flush(&mut self) -> Result<(), RecordError> {
        let target = self.target.as_mut().ok_or_else(|| not_begun(&self.path))?;
        let written = target.write_all(&self.buffer);
        if let Err(why) = written {
            self.broken = true;
            target.cut(self.flushed);
            self.buffer.clear();
            return Err(failed(&self.path, why));
        }
        self.flushed += self.buffer.len() as u64;
        self.last_flush = Instant::now();
        self.buffer.clear();
        Ok(())
    }

    fn push_row(&mut self, block: &Block, row: usize) {
        let buffer = &mut self.buffer;
        cell::real(buffer, block.times[row]);
        for (column, value_type) in block.columns.iter().zip(&self.types) {
            buffer.push(b',');
            match column {
                ColumnData::Reals(values) => cell::real(buffer, values[row]),
                ColumnData::Integers(values) => cell::integer(buffer, values[row]),
                ColumnData::Booleans(values) => cell::boolean(buffer, values[row]),
                ColumnData::Bytes(values) if *value_type == ValueType::Binary => {
                    cell::binary(buffer, values.get(row));
                }
                ColumnData::Bytes(values) => cell::text(buffer, values.get(row)),
            }
        }
        buffer.push(b'\n');
    }
}

impl Recorder for CsvWriter {
    fn begin(&mut self, schema: &Schema) -> Result<(), RecordError> {
        self.target = Some(Target::create(&self.path)?);
        self.types = schema.columns.iter().map(|c| c.value_type).collect();
        self.flushed = 0;
        self.broken = false;
        self.buffer.clear();
        self.buffer.reserve(2 * FLUSH);
        self.buffer.extend_from_slice(b"time");
        for column in &schema.columns {
            self.buffer.push(b',');
            cell::text(&mut self.buffer, column.name.as_bytes());
        }
        self.buffer.push(b'\n');
        Ok(())
    }

    fn write(&mut self, block: &Block) -> Result<(), RecordError> {
        if self.target.is_none() {
            return Err(not_begun(&self.path));
        }
        if self.broken {
            return Err(failed(&self.path, "an earlier row could not be written"));
        }
        block::check(&self.path, &self.types, block)?;
        for row in 0..block.rows() {
            self.push_row(block, row);
            if self.buffer.len() >= FLUSH {
                self.flush()?;
            }
        }
        if self.last_flush.elapsed() > PATIENCE {
            self.flush()?;
        }
        Ok(())
    }

    /// From the first time on, rows are in their place and outlive this process; what had the name before is gone.
    fn secure(&mut self) -> Result<(), RecordError> {
        self.flush()?;
        match &mut self.target {
            Some(target) => target.settle(),
            None => Err(not_begun(&self.path)),
        }
    }

    /// Also after a failed write: rows that went out whole are worth more than none.
    fn finish(&mut self) -> Result<(), RecordError> {
        let flushed = self.flush();
        let target = self.target.take().ok_or_else(|| not_begun(&self.path))?;
        if self.flushed == 0 {
            return flushed.and(Err(failed(&self.path, "nothing could be written")));
        }
        target.commit().and(flushed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cardan_core::record::Column;

    /// Whoever is killed has written all but the last second.
    #[test]
    fn slow_rows_do_not_wait_for_a_full_buffer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("slow.csv");
        let mut writer = CsvWriter::new(&path);
        let schema = Schema::default();
        writer.begin(&schema).unwrap();
        let mut block = Block::new(&schema, 1);
        for time in [0.0, 1.0] {
            block.clear();
            block.times.push(time);
            writer.write(&block).unwrap();
            std::thread::sleep(PATIENCE);
        }
        let hidden = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap();
        assert_eq!(
            std::fs::read_to_string(hidden.path()).unwrap(),
            "time\n0.0\n1.0\n"
        );
    }

    #[test]
    fn the_buffer_never_grows() {
        let folder = tempfile::tempdir().unwrap();
        let column = |k: usize| Column {
            name: format!("x{k}"),
            value_type: ValueType::Real,
            unit: None,
            description: String::new(),
        };
        let schema = Schema {
            columns: (0..50).map(column).collect(),
            ..Schema::default()
        };
        let mut writer = CsvWriter::new(&folder.path().join("a.csv"));
        writer.begin(&schema).unwrap();
        let capacity = writer.buffer.capacity();
        let values = ColumnData::Reals(vec![-1.234_567_890_123_456_7e-300; 1000]);
        for _ in 0..20 {
            writer
                .write(&Block {
                    times: vec![0.1; 1000],
                    columns: vec![values.clone(); 50],
                })
                .unwrap();
        }
        assert!(writer.flushed > 10_000_000);
        assert_eq!(writer.buffer.capacity(), capacity);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn after_a_failed_write_no_row_is_taken() {
        let mut writer = CsvWriter::new(Path::new("/dev/full"));
        writer.begin(&Schema::default()).unwrap();
        let block = Block {
            times: vec![0.5; FLUSH],
            columns: Vec::new(),
        };
        assert!(
            writer
                .write(&block)
                .unwrap_err()
                .to_string()
                .contains("No space left")
        );
        assert!(
            writer
                .write(&block)
                .unwrap_err()
                .to_string()
                .contains("earlier row")
        );
        assert!(
            writer
                .finish()
                .unwrap_err()
                .to_string()
                .contains("nothing could be written")
        );
    }
}
