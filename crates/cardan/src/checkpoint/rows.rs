//! The results of a run with all that belongs to them: earlier rows taken over, those that checkpoints rely on on disk, and
//! the scene beside them.

use super::Resumed;
use crate::report::WarningReport;
use cardan_core::record::{Block, RecordError, Recorder, Schema};
use cardan_record::scene::{self, SceneFile};
use cardan_record::{CsvWriter, Format, ResultFile, create, read_earlier};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

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

/// The results of a run, which may go on from a checkpoint, keep some, or have mechanisms that are to be drawn.
pub(crate) struct Results {
    path: PathBuf,
    file: ResultFile,
    /// Rows of the time before, written first.
    earlier: Option<Block>,
    journal: Option<Journal>,
    /// Mechanisms that are to be drawn.
    scenes: Vec<scene::Mechanism>,
    /// The same, waiting for the result to take its place.
    scene: Option<SceneFile>,
}

impl Results {
    /// For a file in which checkpoints are to find their rows if they are `kept`. The rows up to the point where a run is
    /// `resumed` are read now; what is there is not touched before the new result takes its place.
    pub(crate) fn new(
        path: &Path,
        schema: &Schema,
        resumed: Option<Resumed>,
        kept: bool,
    ) -> Result<(Self, Option<Gap>), RecordError> {
        let file = create(path)?;
        let (mut earlier, mut gap) = (None, None);
        if let Some(resumed) = resumed {
            let (rows, missing) = take_over(path, schema, resumed);
            earlier = rows;
            gap = missing.map(|message| Gap {
                message,
                time: resumed.time,
            });
        }
        let by_rows = Format::of(path) == Some(Format::Csv);
        let journal = (kept && !by_rows).then(|| Journal::beside(path));
        let results = Results {
            path: path.to_path_buf(),
            file,
            earlier,
            journal,
            scenes: Vec::new(),
            scene: None,
        };
        Ok((results, gap))
    }

    /// With a scene beside the file, unless there is nothing to draw.
    pub(crate) fn with_scene(mut self, mechanisms: Vec<scene::Mechanism>) -> Self {
        self.scenes = mechanisms;
        self
    }

    /// Where that scene will be.
    pub(crate) fn scene(&self) -> Option<PathBuf> {
        (!self.scenes.is_empty()).then(|| scene::beside(&self.path))
    }

    /// The result is in its place, and so is its scene from now on.
    fn show(&mut self) -> Result<(), RecordError> {
        self.scene.take().map_or(Ok(()), SceneFile::commit)
    }
}

impl Recorder for Results {
    fn begin(&mut self, schema: &Schema) -> Result<(), RecordError> {
        self.file.begin(schema)?;
        if let Some(journal) = &mut self.journal {
            journal.file.begin(schema)?;
        }
        if !self.scenes.is_empty() {
            self.scene = Some(SceneFile::create(&self.path, self.scenes.clone())?);
        }
        match self.earlier.take() {
            Some(rows) => self.write(&rows),
            None => Ok(()),
        }
    }

    fn write(&mut self, block: &Block) -> Result<(), RecordError> {
        if let Some(journal) = &mut self.journal {
            journal.file.write(block)?;
        }
        self.file.write(block)
    }

    fn secure(&mut self) -> Result<(), RecordError> {
        match &mut self.journal {
            Some(journal) => journal.secure(),
            None => {
                self.file.secure()?;
                self.show()
            }
        }
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        self.file.finish()?;
        self.show()?;
        // From now on the result itself has the rows.
        if let Some(journal) = self.journal.take() {
            journal.remove();
        }
        Ok(())
    }
}

/// Rows of a result that cannot be had in pieces, row by row beside it for as long as the run goes on.
struct Journal {
    path: PathBuf,
    file: CsvWriter,
    secured: bool,
}

impl Journal {
    /// The journal of a result: `out.parquet.rows.csv`.
    fn path(result: &Path) -> PathBuf {
        let mut name = OsString::from(result);
        name.push(".rows.csv");
        name.into()
    }

    fn beside(result: &Path) -> Self {
        let path = Journal::path(result);
        Journal {
            file: CsvWriter::new(&path),
            path,
            secured: false,
        }
    }

    fn secure(&mut self) -> Result<(), RecordError> {
        self.file.secure()?;
        self.secured = true;
        Ok(())
    }

    fn remove(self) {
        drop(self.file);
        if self.secured {
            // Where that fails, rows that are elsewhere too are left behind.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The rows up to the checkpoint, from the result or its journal, and a word on what is missing.
fn take_over(path: &Path, schema: &Schema, resumed: Resumed) -> (Option<Block>, Option<String>) {
    let (rows, missing) = earlier(path, schema, resumed);
    let journal = Journal::path(path);
    if missing.is_none() || !journal.is_file() {
        return (rows, missing);
    }
    match earlier(&journal, schema, resumed) {
        (journalled, None) => (journalled, None),
        _ => (rows, missing),
    }
}

fn earlier(path: &Path, schema: &Schema, resumed: Resumed) -> (Option<Block>, Option<String>) {
    let begins = format!("the results begin at the checkpoint, t = {} s", resumed.time);
    // What is no file may never end.
    if !path.is_file() {
        let message = format!("there are no earlier results in {}: {begins}", path.display());
        return (None, Some(message));
    }
    let rows = match read_earlier(path, schema, resumed.last_row) {
        Err(error) => {
            return (
                None,
                Some(format!("no rows are taken over from {error}: {begins}")),
            );
        }
        Ok(rows) => rows,
    };
    match rows.times.last() {
        Some(last) if *last == resumed.last_row => (Some(rows), None),
        Some(last) => {
            let message = format!(
                "{} has rows up to t = {last} s only: those between it and t = {} s are missing",
                path.display(),
                resumed.last_row
            );
            (Some(rows), Some(message))
        }
        None => (
            None,
            Some(format!("{} has no earlier rows: {begins}", path.display())),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cardan_core::record::{Column, ColumnData};
    use cardan_core::value::ValueType;
    use scene::{Mechanism, Placement, Space};

    fn schema() -> Schema {
        Schema {
            columns: vec![Column {
                name: "arm.energy".to_owned(),
                value_type: ValueType::Real,
                unit: None,
                description: String::new(),
            }],
            ..Schema::default()
        }
    }

    /// Results with a row and a scene.
    fn begun(path: &Path) -> Results {
        let mechanism = Mechanism {
            component: "arm".to_owned(),
            space: Space::Space,
            placement: Placement {
                position: [0.0; 3],
                orientation: [1.0, 0.0, 0.0, 0.0],
                length: 1.0,
                time: 1.0,
            },
            gravity: [0.0; 3],
            ground: Vec::new(),
            bodies: Vec::new(),
            joints: Vec::new(),
            springs: Vec::new(),
            contacts: Vec::new(),
        };
        let (results, _) = Results::new(path, &schema(), None, true).unwrap();
        let mut results = results.with_scene(vec![mechanism]);
        results.begin(&schema()).unwrap();
        let block = Block {
            times: vec![0.0],
            columns: vec![ColumnData::Reals(vec![1.0])],
        };
        results.write(&block).unwrap();
        results
    }

    #[test]
    fn a_scene_takes_its_place_with_its_result() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        drop(begun(&place("dropped.csv")));
        assert!(!place("dropped.csv").exists() && !place("dropped.scene.json").exists());

        // Rows of a CSV are in their place when they are secured, and outlive whoever writes them.
        let mut results = begun(&place("secured.csv"));
        results.secure().unwrap();
        drop(results);
        assert!(place("secured.csv").exists() && place("secured.scene.json").exists());

        // Other results are there at the end only.
        let mut results = begun(&place("whole.mat"));
        results.secure().unwrap();
        assert!(!place("whole.mat").exists() && !place("whole.scene.json").exists());
        results.finish().unwrap();
        assert!(place("whole.mat").exists() && place("whole.scene.json").exists());
    }
}
