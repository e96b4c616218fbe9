//! Rows out of the shared memory, into the results.

use super::audience::Destination;
use super::board::Board;
use cardan_core::record::{Block, RecordError, Recorder, RowReader, Schema};
use std::path::PathBuf;

/// Values taken at a time, roughly: between two takes somebody looks after the run.
const VALUES: usize = 1 << 14;
const MOST_ROWS: usize = 1000;
/// Takes in a row: milliseconds.
const TAKES: usize = 64;

/// Takes rows out of the shared memory and hands them to a recorder.
pub(super) struct Intake {
    recorder: Option<Box<dyn Recorder>>,
    path: Option<PathBuf>,
    reader: RowReader,
    block: Block,
    most: usize,
    rows: usize,
}

impl Intake {
    /// For a run that has not come to rows yet.
    pub(super) fn none() -> Self {
        Intake {
            recorder: None,
            path: None,
            reader: RowReader::default(),
            block: Block::new(&Schema::default(), 0),
            most: 0,
            rows: 0,
        }
    }

    /// Lets the recorder begin, so that results that cannot be written are known before anything runs.
    pub(super) fn begin(destination: Destination, schema: &Schema) -> Result<Self, RecordError> {
        let (mut recorder, path) = match destination {
            Destination::File(path) => {
                let file = cardan_record::create(&path).map_err(|e| RecordError::new(e.to_string()))?;
                (Some(Box::new(file) as Box<dyn Recorder>), Some(path))
            }
            Destination::Recorder(recorder) => (Some(recorder), None),
            Destination::Nowhere => (None, None),
        };
        if let Some(recorder) = &mut recorder {
            recorder.begin(schema)?;
        }
        let most = (VALUES / (schema.columns.len() + 1)).clamp(1, MOST_ROWS);
        Ok(Intake {
            recorder,
            path,
            block: Block::new(schema, most),
            most,
            ..Intake::none()
        })
    }

    /// Takes rows for a while. Says whether there may be more at once: then nobody should wait for a sign of them.
    pub(super) fn take_many(&mut self, board: &Board) -> Result<bool, RecordError> {
        for _ in 0..TAKES {
            if !self.take(board)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes some rows. Says whether there may be more at once.
    fn take(&mut self, board: &Board) -> Result<bool, RecordError> {
        self.block.clear();
        let rows = self.reader.take(board.ring(), &mut self.block, self.most);
        self.rows += rows;
        if let Some(recorder) = &mut self.recorder
            && rows > 0
        {
            recorder.write(&self.block)?;
        }
        Ok(rows > 0 && rows == self.most)
    }

    /// Takes what is left and closes the results. Answers with their file; a run that came to no row has none, and an
    /// older one stays.
    pub(super) fn finish(mut self, board: &Board) -> Result<Option<PathBuf>, RecordError> {
        while self.take(board)? {}
        match &mut self.recorder {
            Some(recorder) if self.rows > 0 => {
                recorder.finish()?;
                Ok(self.path)
            }
            _ => Ok(None),
        }
    }
}
