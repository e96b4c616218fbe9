//! Results in memory, for programs that use them at once.

use cardan_core::record::{Block, ColumnData, RecordError, Recorder, Schema};
use cardan_record::Table;
use std::sync::{Arc, Mutex, PoisonError};

/// A recorder that keeps all rows; its handle gives them out.
#[derive(Default)]
pub struct MemoryRecorder {
    table: Arc<Mutex<Table>>,
}

/// Gives out what a [`MemoryRecorder`] has kept.
#[derive(Clone)]
pub struct MemoryHandle {
    table: Arc<Mutex<Table>>,
}

impl MemoryRecorder {
    /// A recorder, and the handle to its rows.
    pub fn new() -> (Self, MemoryHandle) {
        let recorder = MemoryRecorder::default();
        let table = Arc::clone(&recorder.table);
        (recorder, MemoryHandle { table })
    }
}

impl MemoryHandle {
    /// The rows so far; complete once the simulation has finished.
    pub fn table(&self) -> Table {
        self.table.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Recorder for MemoryRecorder {
    fn begin(&mut self, schema: &Schema) -> Result<(), RecordError> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.columns = schema
            .columns
            .iter()
            .map(|c| ColumnData::new(c.value_type, 0))
            .collect();
        table.schema = schema.clone();
        Ok(())
    }

    fn write(&mut self, block: &Block) -> Result<(), RecordError> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.times.extend(&block.times);
        for (kept, new) in table.columns.iter_mut().zip(&block.columns) {
            match (kept, new) {
                (ColumnData::Reals(kept), ColumnData::Reals(new)) => kept.extend(new),
                (ColumnData::Integers(kept), ColumnData::Integers(new)) => kept.extend(new),
                (ColumnData::Booleans(kept), ColumnData::Booleans(new)) => kept.extend(new),
                (ColumnData::Bytes(kept), ColumnData::Bytes(new)) => new.iter().for_each(|v| kept.push(v)),
                _ => return Err(RecordError::new("a block does not fit its schema")),
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        Ok(())
    }
}
