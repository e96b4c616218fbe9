//! Columns that grow until the number of rows is known: in memory first, then in chunks in a temporary file.

use crate::target::Scratch;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Values converted or copied at a time.
const PIECE: usize = 32 * 1024;

/// Columns of doubles, all of one length whenever rows are complete.
#[derive(Debug)]
pub(super) struct Spool {
    columns: Vec<Vec<f64>>,
    /// Values to keep in memory.
    budget: usize,
    file: Option<(Scratch, File)>,
    chunks: Vec<Chunk>,
    bytes: Vec<u8>,
}

/// Rows in the file, column after column.
#[derive(Debug)]
struct Chunk {
    offset: u64,
    rows: u64,
}

impl Spool {
    pub(super) fn new(columns: usize, budget: usize) -> Self {
        Spool {
            columns: vec![Vec::new(); columns],
            budget,
            file: None,
            chunks: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// Where values of that column go.
    pub(super) fn column(&mut self, index: usize) -> &mut Vec<f64> {
        &mut self.columns[index]
    }

    /// Number of complete rows.
    pub(super) fn rows(&self) -> u64 {
        self.rows_in_memory() as u64 + self.chunks.iter().map(|c| c.rows).sum::<u64>()
    }

    fn rows_in_memory(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// Moves the rows to a file beside `place` if they have become too many to keep.
    pub(super) fn relieve(&mut self, place: &Path) -> io::Result<()> {
        let rows = self.rows_in_memory();
        if rows * self.columns.len() < self.budget {
            return Ok(());
        }
        if self.file.is_none() {
            self.file = Some(Scratch::beside(place)?);
        }
        let Some((_, file)) = &mut self.file else {
            return Ok(());
        };
        let offset = file.seek(SeekFrom::End(0))?;
        for column in &mut self.columns {
            write_values(file, column, &mut self.bytes)?;
            column.clear();
        }
        self.chunks.push(Chunk {
            offset,
            rows: rows as u64,
        });
        Ok(())
    }

    /// Writes a whole column, little-endian.
    pub(super) fn write_column(&mut self, index: usize, out: &mut impl Write) -> io::Result<()> {
        if let Some((_, file)) = &mut self.file {
            self.bytes.resize(8 * PIECE, 0);
            for chunk in &self.chunks {
                file.seek(SeekFrom::Start(chunk.offset + index as u64 * chunk.rows * 8))?;
                let mut left = chunk.rows * 8;
                while left > 0 {
                    let length = usize::try_from(left).unwrap_or(usize::MAX).min(self.bytes.len());
                    file.read_exact(&mut self.bytes[..length])?;
                    out.write_all(&self.bytes[..length])?;
                    left -= length as u64;
                }
            }
        }
        write_values(out, &self.columns[index], &mut self.bytes)
    }
}

fn write_values(out: &mut impl Write, values: &[f64], bytes: &mut Vec<u8>) -> io::Result<()> {
    for piece in values.chunks(PIECE) {
        bytes.clear();
        bytes.extend(piece.iter().flat_map(|v| v.to_le_bytes()));
        out.write_all(bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spilled_and_kept_rows_come_back_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a.mat");
        let mut spool = Spool::new(2, 6);
        for row in 0..8 {
            spool.column(0).push(f64::from(row));
            spool.column(1).push(f64::from(100 + row));
            spool.relieve(&place).unwrap();
        }
        assert_eq!(
            (spool.rows(), spool.chunks.len(), spool.rows_in_memory()),
            (8, 2, 2)
        );
        for (index, first) in [(0, 0.0), (1, 100.0)] {
            let mut bytes = Vec::new();
            spool.write_column(index, &mut bytes).unwrap();
            let values: Vec<f64> = bytes
                .as_chunks()
                .0
                .iter()
                .map(|&b| f64::from_le_bytes(b))
                .collect();
            assert_eq!(values, (0..8).map(|k| first + f64::from(k)).collect::<Vec<_>>());
        }
        drop(spool);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
