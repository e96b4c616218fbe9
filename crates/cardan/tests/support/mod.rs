//! Running examples with changes, for tests by numbers.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)] // shared by several test binaries

pub(crate) mod exact;
pub(crate) mod fine;
pub(crate) mod lines;
pub(crate) mod mechanisms;
pub(crate) mod problems;
pub(crate) mod space;

use cardan::core::record::ColumnData;
use cardan::{MemoryRecorder, Options, Overrides, Simulation, Table};
use std::path::{Path, PathBuf};

/// The description of an example.
pub(crate) fn example(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(file)
}

/// A description with some pieces of text replaced, in a folder of its own.
pub(crate) struct Variant {
    folder: tempfile::TempDir,
}

impl Variant {
    /// Every piece must occur, so that a test does not silently run something else.
    pub(crate) fn of(file: &str, replacements: &[(&str, &str)]) -> Self {
        let text = std::fs::read_to_string(example(file)).unwrap();
        Variant::text(&text).with(replacements)
    }

    pub(crate) fn text(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("system.toml"), text).unwrap();
        Variant { folder }
    }

    /// The same with other pieces.
    pub(crate) fn with(&self, replacements: &[(&str, &str)]) -> Self {
        let mut text = std::fs::read_to_string(self.path().join("system.toml")).unwrap();
        for (from, to) in replacements {
            assert!(text.contains(from), "the system does not contain {from:?}");
            text = text.replace(from, to);
        }
        Variant::text(&text)
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn open(&self, overrides: Overrides) -> (Simulation, cardan::MemoryHandle) {
        self.open_on(overrides, 1)
    }

    pub(crate) fn open_on(&self, overrides: Overrides, threads: usize) -> (Simulation, cardan::MemoryHandle) {
        let (recorder, handle) = MemoryRecorder::new();
        let options = Options {
            overrides,
            recorder: Some(Box::new(recorder)),
            threads,
            ..Options::default()
        };
        match Simulation::open_with(self.path(), options) {
            Ok(simulation) => (simulation, handle),
            Err(error) => panic!("{error}"),
        }
    }

    /// Runs to the end and gives the rows; a failed run is a failed test.
    pub(crate) fn run(&self, overrides: Overrides) -> Table {
        let (mut simulation, handle) = self.open(overrides);
        let report = simulation.run();
        assert_eq!(report.status, "ok", "{:?}", report.error);
        handle.table()
    }
}

/// Runs a description as it lies there, FMUs and all.
pub(crate) fn run(file: &str, overrides: Overrides) -> Table {
    let (recorder, handle) = MemoryRecorder::new();
    let options = Options {
        overrides,
        recorder: Some(Box::new(recorder)),
        ..Options::default()
    };
    let mut simulation = Simulation::open_with(example(file), options).unwrap_or_else(|e| panic!("{e}"));
    let report = simulation.run();
    assert_eq!(report.status, "ok", "{:?}", report.error);
    handle.table()
}

/// With another step.
pub(crate) fn step(step: f64) -> Overrides {
    Overrides {
        step: Some(step),
        ..Overrides::default()
    }
}

/// The values of a real column.
pub(crate) fn reals<'a>(table: &'a Table, name: &str) -> &'a [f64] {
    match table.column(name) {
        Some(ColumnData::Reals(values)) => values,
        other => panic!("{name}: {other:?}"),
    }
}

/// The largest difference between a column and a function of time.
pub(crate) fn largest_error(table: &Table, name: &str, reference: impl Fn(f64) -> f64) -> f64 {
    let pairs = table.times.iter().zip(reals(table, name));
    pairs
        .map(|(t, value)| (value - reference(*t)).abs())
        .fold(0.0, f64::max)
}
