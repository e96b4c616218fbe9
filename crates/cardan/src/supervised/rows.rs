//! Rows out of the shared memory, into the results.

use super::audience::Destination;
use super::board::Board;
use crate::checkpoint::{Gap, Results, Resumed};
use crate::report::WarningReport;
use cardan_core::record::{Block, RecordError, Recorder, RowReader, Schema};
use cardan_record::scene;
use std::path::PathBuf;

/// Values taken at a time, roughly: between two takes somebody looks after the run.
const VALUES: usize = 1 << 14;
const MOST_ROWS: usize = 1000;
/// Takes in a row: milliseconds.
const TAKES: usize = 64;

/// What a run leaves on disk.
#[derive(Default)]
pub(super) struct Written {
    pub(super) results: Option<PathBuf>,
    /// What is needed to draw mechanisms.
    pub(super) scene: Option<PathBuf>,
}

/// Takes rows out of the shared memory and hands them to a recorder.
pub(super) struct Intake {
    recorder: Option<Box<dyn Recorder>>,
    written: Written,
    reader: RowReader,
    block: Block,
    most: usize,
    rows: usize,
    /// Rows that are missing before the first.
    gap: Option<Gap>,
}

impl Intake {
    /// For a run that has not come to rows yet.
    pub(super) fn none() -> Self {
        Intake {
            recorder: None,
            written: Written::default(),
            reader: RowReader::default(),
            block: Block::new(&Schema::default(), 0),
            most: 0,
            rows: 0,
            gap: None,
        }
    }

    /// Lets the recorder begin, so that results that cannot be written are known before anything runs. The rows of a run
    /// that goes on follow those that are there already; those of a run with checkpoints can be secured.
    pub(super) fn begin(
        destination: Destination,
        schema: &Schema,
        resumed: Option<Resumed>,
        kept: bool,
        scenes: &[scene::Mechanism],
    ) -> Result<Self, RecordError> {
        let mut gap = None;
        let (mut recorder, written) = match destination {
            Destination::File(path) => {
                let (results, missing) = Results::new(&path, schema, resumed, kept)?;
                let results = results.with_scene(scenes.to_vec());
                gap = missing;
                let written = Written {
                    results: Some(path),
                    scene: results.scene(),
                };
                (Some(Box::new(results) as Box<dyn Recorder>), written)
            }
            Destination::Recorder(recorder) => (Some(recorder), Written::default()),
            Destination::Nowhere => (None, Written::default()),
        };
        if let Some(recorder) = &mut recorder {
            recorder.begin(schema)?;
        }
        let most = (VALUES / (schema.columns.len() + 1)).clamp(1, MOST_ROWS);
        Ok(Intake {
            recorder,
            written,
            block: Block::new(schema, most),
            most,
            gap,
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
        if self.reader.is_to_secure(board.ring()) {
            if let Some(recorder) = &mut self.recorder {
                recorder.secure()?;
            }
            self.reader.secured(board.ring());
        }
        Ok(rows > 0 && rows == self.most)
    }

    /// Rows that are missing before the first, for a report.
    pub(super) fn gap(&self) -> Option<WarningReport> {
        self.gap.clone().map(WarningReport::from)
    }

    /// Takes what is left and closes the results. Answers with their files; a run that came to no row has none, unless they
    /// are wanted all the same, and older ones stay.
    pub(super) fn finish(mut self, board: &Board, wanted: bool) -> Result<Written, RecordError> {
        while self.take(board)? {}
        match &mut self.recorder {
            Some(recorder) if self.rows > 0 || wanted => {
                recorder.finish()?;
                Ok(self.written)
            }
            _ => Ok(Written::default()),
        }
    }
}
