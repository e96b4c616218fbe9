//! The way of rows out of the run: blocks through a bounded queue to a recorder on a thread of its own.

use super::{Block, RecordError, Recorder, Schema};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Blocks on their way at most; a run that is faster than its recorder waits.
const BLOCKS_ON_THE_WAY: usize = 8;
/// Rows of a block at most.
const MOST_ROWS: usize = 1000;
/// Values of a block, roughly: wide results get short blocks. All blocks on the way fit a processor's second cache.
const VALUES: usize = 1 << 14;

/// The run's end of the queue.
pub struct RecordQueue {
    schema: Schema,
    rows: usize,
    full: Option<SyncSender<Block>>,
    empty: Receiver<Block>,
    thread: Option<JoinHandle<Result<(), RecordError>>>,
}

impl RecordQueue {
    /// Lets the recorder begin, here and now so that a result that cannot be written is known before the run, and
    /// then moves it to its thread.
    pub fn start(mut recorder: Box<dyn Recorder>, schema: Schema) -> Result<Self, RecordError> {
        recorder.begin(&schema)?;
        let (full, inbox) = sync_channel::<Block>(BLOCKS_ON_THE_WAY);
        let (outbox, empty) = sync_channel::<Block>(BLOCKS_ON_THE_WAY + 2);
        let thread = std::thread::Builder::new()
            .name("cardan-record".into())
            .spawn(move || {
                let mut result = Ok(());
                for mut block in inbox {
                    result = recorder.write(&block);
                    if result.is_err() {
                        break;
                    }
                    block.clear();
                    // The run keeps at most as many blocks as there is room for here.
                    let _ = outbox.try_send(block);
                }
                // What was written before a failure is worth keeping.
                let finished = recorder.finish();
                result.and(finished)
            })
            .map_err(|error| RecordError::because("cannot start the recorder's thread", error))?;
        Ok(RecordQueue {
            rows: (VALUES / (schema.columns.len() + 1)).clamp(1, MOST_ROWS),
            schema,
            full: Some(full),
            empty,
            thread: Some(thread),
        })
    }

    /// Rows that a block holds.
    pub fn rows_per_block(&self) -> usize {
        self.rows
    }

    /// An empty block, a used one if there is one.
    pub fn block(&self) -> Block {
        self.empty
            .try_recv()
            .unwrap_or_else(|_| Block::new(&self.schema, self.rows))
    }

    /// Sends a block on its way and waits for room if the recorder is behind.
    pub fn send(&mut self, block: Block) -> Result<(), RecordError> {
        match &self.full {
            Some(full) if full.send(block).is_ok() => Ok(()),
            _ => Err(self
                .close()
                .err()
                .unwrap_or_else(|| RecordError::new("the recorder has ended"))),
        }
    }

    /// Sends the last rows and waits until the recorder has finished.
    pub fn finish(mut self, last: Block) -> Result<(), RecordError> {
        if last.rows() > 0 {
            self.send(last)?;
        }
        self.close()
    }

    fn close(&mut self) -> Result<(), RecordError> {
        self.full = None;
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(result)) => result,
            Some(Err(_)) => Err(RecordError::new("the recorder panicked")),
        }
    }
}

impl Drop for RecordQueue {
    fn drop(&mut self) {
        // A run that is dropped half-way still leaves whole results.
        let _ = self.close();
    }
}
