//! A folder with a system and its FMUs.

use cardan::core::record::ColumnData;
use cardan::{MemoryRecorder, Options, Overrides, Report, Simulation, Table};
use cardan_testkit::fmus::{Fmi, build, unpacked};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder to work in.
pub(crate) struct Workplace {
    folder: TempDir,
}

impl Workplace {
    pub(crate) fn new() -> Self {
        Workplace {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// With a `system.toml`; `{@lag-fmi2}` in it stands for the test FMU `lag` of FMI 2.
    pub(crate) fn system(text: &str) -> Self {
        let place = Workplace::new();
        let mut rest = text;
        let mut whole = String::new();
        while let Some((before, after)) = rest.split_once("{@") {
            let (name, after) = after.split_once('}').unwrap();
            whole += before;
            whole += &format!("{:?}", fmu(name));
            rest = after;
        }
        place.write("system.toml", &(whole + rest));
        place
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// A copy of a test FMU.
    pub(crate) fn copy(&self, fmu_name: &str, name: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::copy(fmu(fmu_name), path).unwrap();
    }

    /// A copy of a test FMU, unpacked, with a change of its description.
    pub(crate) fn changed(&self, fmu_name: &str, name: &str, change: impl FnOnce(&str) -> String) {
        let (name_only, version) = version(fmu_name);
        let original = unpacked(name_only, version);
        copy(&original, &self.path().join(name));
        let description = format!("{name}/modelDescription.xml");
        let text = std::fs::read_to_string(self.path().join(&description)).unwrap();
        let changed = change(&text);
        assert_ne!(text, changed, "nothing was changed in {fmu_name}");
        self.write(&description, &changed);
    }

    /// Runs what the folder describes.
    #[track_caller]
    pub(crate) fn run(&self) -> Table {
        run(self.path(), Overrides::default()).1
    }

    /// The same with columns for its inputs.
    #[track_caller]
    pub(crate) fn run_with_inputs(&self, table: &str) -> Table {
        let overrides = Overrides {
            input: Some(self.write("inputs.csv", table)),
            ..Overrides::default()
        };
        run(self.path(), overrides).1
    }
}

/// A test FMU such as `lag-fmi2`.
pub(crate) fn fmu(name: &str) -> PathBuf {
    let (name, version) = version(name);
    build(name, version)
}

fn version(name: &str) -> (&str, Fmi) {
    match name.rsplit_once('-').unwrap() {
        (name, "fmi2") => (name, Fmi::V2),
        (name, _) => (name, Fmi::V3),
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let place = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &place),
            false => std::fs::copy(entry.path(), place).map(|_| ()).unwrap(),
        }
    }
}

/// Runs a description to its end; a failed run is a failed test.
#[track_caller]
pub(crate) fn run(path: &Path, overrides: Overrides) -> (Report, Table) {
    run_on(path, overrides, 1)
}

#[track_caller]
pub(crate) fn run_on(path: &Path, overrides: Overrides, threads: usize) -> (Report, Table) {
    let (recorder, rows) = MemoryRecorder::new();
    let options = Options {
        overrides,
        recorder: Some(Box::new(recorder)),
        threads,
        ..Options::default()
    };
    let mut simulation = match Simulation::open_with(path, options) {
        Ok(simulation) => simulation,
        Err(error) => panic!("{error}"),
    };
    let report = simulation.run();
    assert_eq!(report.status, "ok", "{:?}", report.error);
    (report, rows.table())
}

/// What is wrong with a description, message and advice.
#[track_caller]
pub(crate) fn mistakes(path: &Path, overrides: Overrides) -> Vec<String> {
    let options = Options {
        overrides,
        ..Options::default()
    };
    let Err(error) = Simulation::open_with(path, options) else {
        panic!("nothing was found");
    };
    let told = error.diagnostics().iter();
    told.map(|d| format!("{}; {}", d.message, d.advice.clone().unwrap_or_default()))
        .collect()
}

/// The values of a real column.
#[track_caller]
pub(crate) fn reals<'a>(table: &'a Table, name: &str) -> &'a [f64] {
    match table.column(name) {
        Some(ColumnData::Reals(values)) => values,
        other => panic!("{name}: {other:?}"),
    }
}

#[track_caller]
pub(crate) fn last(table: &Table, name: &str) -> f64 {
    *reals(table, name).last().unwrap()
}

/// The largest difference between a column and a function of time.
#[track_caller]
pub(crate) fn largest_error(table: &Table, name: &str, reference: impl Fn(f64) -> f64) -> f64 {
    let pairs = table.times.iter().zip(reals(table, name));
    pairs
        .map(|(t, value)| (value - reference(*t)).abs())
        .fold(0.0, f64::max)
}

/// The largest difference between a column and a list of values.
#[track_caller]
pub(crate) fn largest_gap(table: &Table, name: &str, expected: &[f64]) -> f64 {
    let found = reals(table, name);
    assert_eq!(found.len(), expected.len(), "{name}");
    let pairs = found.iter().zip(expected);
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Every value as bits, so that equal means equal.
pub(crate) fn bits(table: &Table) -> Vec<(String, Vec<u64>)> {
    let columns = table.schema.columns.iter().zip(&table.columns);
    let columns = columns.map(|(column, data)| {
        let ColumnData::Reals(values) = data else {
            panic!("{} is not real", column.name);
        };
        (column.name.clone(), values.iter().map(|v| v.to_bits()).collect())
    });
    let times = (
        "time".to_owned(),
        table.times.iter().map(|t| t.to_bits()).collect(),
    );
    std::iter::once(times).chain(columns).collect()
}
