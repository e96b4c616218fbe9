//! A folder to work in, and the command to call there.

use cardan_testkit::fmus::{Fmi, unpacked};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};
use tempfile::TempDir;

/// A folder to work in.
pub(crate) struct Bench {
    folder: TempDir,
}

/// What a call of the command gave.
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Bench {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// The example of the repository.
    pub(crate) fn hello() -> String {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hello");
        path.to_str().unwrap().to_owned()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// A test FMU as the folder `m`, its description changed.
    pub(crate) fn changed(&self, fmu: &str, version: Fmi, change: impl FnOnce(String) -> String) {
        fn copy(from: &Path, to: &Path) {
            fs::create_dir_all(to).unwrap();
            for entry in fs::read_dir(from).unwrap() {
                let (path, name) = entry.map(|e| (e.path(), e.file_name())).unwrap();
                match path.is_dir() {
                    true => copy(&path, &to.join(name)),
                    false => fs::copy(&path, to.join(name)).map(|_| ()).unwrap(),
                }
            }
        }
        copy(&unpacked(fmu, version), &self.path("m"));
        let description = self.read("m/modelDescription.xml");
        self.write("m/modelDescription.xml", &change(description));
    }

    /// What lies in the folder, hidden files included.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The result file of that name.
    pub(crate) fn table(&self, name: &str) -> cardan::Table {
        cardan::record::read(&self.path(name)).unwrap()
    }

    /// A call of the command, not yet started.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cardan"));
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    /// Calls the command and waits for its end.
    pub(crate) fn cardan(&self, arguments: &[&str]) -> Answer {
        Answer::from(self.command(arguments).output().unwrap())
    }
}

impl From<Output> for Answer {
    fn from(output: Output) -> Self {
        Answer {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Answer {
    /// Fails the test with everything that was said, unless the code is the expected one.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    /// Standard output, which must be exactly one JSON object.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let value: Value = serde_json::from_str(&self.out).unwrap();
        assert!(value.is_object(), "{value}");
        value
    }
}

/// The value of the last row.
#[track_caller]
pub(crate) fn last(table: &cardan::Table, name: &str) -> f64 {
    match table.column(name) {
        Some(cardan::core::record::ColumnData::Reals(values)) => *values.last().unwrap(),
        other => panic!("{name}: {other:?}"),
    }
}
