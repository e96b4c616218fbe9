//! The rows of the earlier result, taken over into the new one.

use super::Resumed;
use crate::report::WarningReport;
use cardan_core::record::{Block, RecordError, Recorder, Schema};
use cardan_record::{ResultFile, read_earlier};
use std::path::Path;

/// Rows that are missing before those of a run that goes on.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Gap {
    message: String,
    time: f64,
}

impl From<Gap> for WarningReport {
    fn from(gap: Gap) -> Self {
        WarningReport {
            kind: "resume".into(),
            place: "the results".into(),
            time: gap.time,
            message: gap.message,
            count: 1,
        }
    }
}

/// A result that begins with rows of an earlier one.
pub(crate) struct Continued {
    file: ResultFile,
    earlier: Option<Block>,
}

impl Continued {
    /// Reads what is there under the name of the result, which is not touched before the new one is begun.
    pub(crate) fn new(
        file: ResultFile,
        path: &Path,
        schema: &Schema,
        resumed: Resumed,
    ) -> (Self, Option<Gap>) {
        let (earlier, gap) = match earlier(path, schema, resumed) {
            Ok(block) => (Some(block), None),
            Err((block, message)) => (block, Some(message)),
        };
        let gap = gap.map(|message| Gap {
            message,
            time: resumed.time,
        });
        (Continued { file, earlier }, gap)
    }
}

/// The rows up to the checkpoint; what there is of them and why that is not all otherwise.
fn earlier(path: &Path, schema: &Schema, resumed: Resumed) -> Result<Block, (Option<Block>, String)> {
    let begins = format!("the results begin at the checkpoint, t = {} s", resumed.time);
    if !path.is_file() {
        let message = format!("there are no earlier results in {}: {begins}", path.display());
        return Err((None, message));
    }
    match read_earlier(path, schema, resumed.last_row) {
        Err(error) => Err((None, format!("no rows are taken over from {error}: {begins}"))),
        Ok(block) => match block.times.last() {
            Some(last) if *last == resumed.last_row => Ok(block),
            None => Err((None, format!("{} has no earlier rows: {begins}", path.display()))),
            Some(last) => {
                let message = format!(
                    "{} has rows up to t = {last} s only: those between it and t = {} s are missing",
                    path.display(),
                    resumed.last_row
                );
                Err((Some(block), message))
            }
        },
    }
}

impl Recorder for Continued {
    fn begin(&mut self, schema: &Schema) -> Result<(), RecordError> {
        self.file.begin(schema)?;
        match self.earlier.take() {
            Some(rows) => self.file.write(&rows),
            None => Ok(()),
        }
    }

    fn write(&mut self, block: &Block) -> Result<(), RecordError> {
        self.file.write(block)
    }

    fn secure(&mut self) -> Result<(), RecordError> {
        self.file.secure()
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        self.file.finish()
    }
}
