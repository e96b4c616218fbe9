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

/// What travels to the recorder.
enum Parcel {
    Rows(Block),
    /// What was sent so far is to be secured; the answer tells when it is.
    Secure(SyncSender<()>),
    /// There is a result, even if no row comes.
    Wanted,
}

/// The run's end of the queue.
pub struct RecordQueue {
    schema: Schema,
    rows: usize,
    full: Option<SyncSender<Parcel>>,
    empty: Receiver<Block>,
    thread: Option<JoinHandle<Result<(), RecordError>>>,
}

impl RecordQueue {
    /// Lets the recorder begin, here and now so that a result that cannot be written is known before the run, and
    /// then moves it to its thread.
    pub fn start(mut recorder: Box<dyn Recorder>, schema: Schema) -> Result<Self, RecordError> {
        recorder.begin(&schema)?;
        let (full, inbox) = sync_channel::<Parcel>(BLOCKS_ON_THE_WAY);
        let (outbox, empty) = sync_channel::<Block>(BLOCKS_ON_THE_WAY + 2);
        let thread = std::thread::Builder::new()
            .name("cardan-record".into())
            .spawn(move || {
                let mut result = Ok(());
                let mut wanted = false;
                for parcel in inbox {
                    let mut block = match parcel {
                        Parcel::Rows(block) => block,
                        Parcel::Wanted => {
                            wanted = true;
                            continue;
                        }
                        Parcel::Secure(answer) => {
                            result = recorder.secure();
                            if result.is_err() {
                                break;
                            }
                            let _ = answer.send(());
                            continue;
                        }
                    };
                    wanted |= block.rows() > 0;
                    result = recorder.write(&block);
                    if result.is_err() {
                        break;
                    }
                    block.clear();
                    // The run keeps at most as many blocks as there is room for here.
                    let _ = outbox.try_send(block);
                }
                // What was written before a failure is worth keeping; a run that came to no row has no result, and an
                // older one stays.
                let finished = if wanted { recorder.finish() } else { Ok(()) };
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
        self.post(Parcel::Rows(block))
    }

    /// There is a result, even if no row comes.
    pub fn want(&mut self) -> Result<(), RecordError> {
        self.post(Parcel::Wanted)
    }

    /// Waits until what was sent so far outlives this process, as far as the recorder can do that.
    pub fn secure(&mut self) -> Result<(), RecordError> {
        let (answer, secured) = sync_channel(1);
        self.post(Parcel::Secure(answer))?;
        secured.recv().map_err(|_| self.ended())
    }

    fn post(&mut self, parcel: Parcel) -> Result<(), RecordError> {
        match &self.full {
            Some(full) if full.send(parcel).is_ok() => Ok(()),
            _ => Err(self.ended()),
        }
    }

    /// Why the recorder takes nothing any more.
    #[cold]
    fn ended(&mut self) -> RecordError {
        let ended = || RecordError::new("the recorder has ended");
        self.close().err().unwrap_or_else(ended)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Counts how often it was finished.
    struct Counting(Arc<AtomicUsize>);

    impl Recorder for Counting {
        fn begin(&mut self, _: &Schema) -> Result<(), RecordError> {
            Ok(())
        }

        fn write(&mut self, block: &Block) -> Result<(), RecordError> {
            match block.times.first() {
                Some(time) if *time < 0.0 => Err(RecordError::new("no room")),
                _ => Ok(()),
            }
        }

        fn finish(&mut self) -> Result<(), RecordError> {
            self.0.fetch_add(1, Ordering::SeqCst);
            Ok(())
        }
    }

    fn queue() -> (RecordQueue, Arc<AtomicUsize>) {
        let finished = Arc::new(AtomicUsize::new(0));
        let recorder = Box::new(Counting(Arc::clone(&finished)));
        (RecordQueue::start(recorder, Schema::default()).unwrap(), finished)
    }

    fn row(queue: &RecordQueue, time: f64) -> Block {
        let mut block = queue.block();
        block.times.push(time);
        block
    }

    #[test]
    fn without_a_row_there_is_no_result() {
        let (queue, finished) = queue();
        drop(queue);
        assert_eq!(finished.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn a_run_that_is_dropped_leaves_a_whole_result() {
        let (mut queue, finished) = queue();
        queue.send(row(&queue, 0.0)).unwrap();
        drop(queue);
        assert_eq!(finished.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_recorder_that_fails_ends_the_run_and_keeps_what_it_has() {
        let (mut queue, finished) = queue();
        queue.send(row(&queue, -1.0)).unwrap();
        // The failure arrives with one of the next blocks, or at the end.
        let failed = (0..1000).find_map(|_| queue.send(row(&queue, 0.0)).err());
        let error = failed.or_else(|| queue.close().err()).unwrap();
        assert_eq!(error.to_string(), "no room");
        assert_eq!(finished.load(Ordering::SeqCst), 1);
    }
}
