//! A coupled system with its reference, and running it.

use crate::attended;
use crate::mode::Mode;
use crate::outcome::Outcome;
use cardan::Table;
use cardan::core::record::ColumnData;
use cardan_testkit::reference::{Hybrid, grid};
use std::cell::Cell;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;
use tempfile::TempDir;

/// Runs of a system that did not return, after which the rest is not run: each goes on in a thread of its own.
const MOST_LOST: usize = 2;

/// Rows of the reference for each row that is compared.
const FINENESS: usize = 4;

type Reference = Box<dyn Fn(&[f64]) -> Vec<Vec<f64>>>;

/// A coupled system and what comes out of it.
pub(crate) struct System {
    text: String,
    stop: f64,
    every: f64,
    reference: Reference,
    observed: Vec<(String, usize)>,
    /// What a column has more than its state.
    offsets: Vec<(String, f64)>,
    files: Vec<(&'static str, &'static str)>,
}

impl System {
    /// Components, one in each line, as entries of the table `components`; and connections, as `a.output -> b.input`.
    pub(crate) fn new<M: Clone + 'static>(text: &str, reference: Hybrid<M>) -> Self {
        System {
            text: described(text),
            stop: 1.0,
            every: 0.01,
            reference: Box::new(move |times| reference.sample(times)),
            observed: Vec::new(),
            offsets: Vec::new(),
            files: Vec::new(),
        }
    }

    /// Until when it runs, and how far rows lie apart.
    pub(crate) fn until(mut self, stop: f64, every: f64) -> Self {
        (self.stop, self.every) = (stop, every);
        self
    }

    /// The columns of the first states of the reference, in their order.
    pub(crate) fn observe(mut self, columns: &[&str]) -> Self {
        self.observed = columns
            .iter()
            .enumerate()
            .map(|(i, c)| ((*c).to_owned(), i))
            .collect();
        self
    }

    /// All columns are the states and this.
    pub(crate) fn above(self, offset: f64) -> Self {
        self.above_in("", offset)
    }

    /// Columns with this in their name are the states and that.
    pub(crate) fn above_in(mut self, part: &str, offset: f64) -> Self {
        self.offsets.push((part.to_owned(), offset));
        self
    }

    /// A file beside the description.
    pub(crate) fn file(mut self, name: &'static str, content: &'static str) -> Self {
        self.files.push((name, content));
        self
    }

    /// Writes its files and its description, and answers with the latter.
    pub(crate) fn write(&self, folder: &Path) -> String {
        std::fs::create_dir_all(folder).unwrap();
        for (name, content) in &self.files {
            std::fs::write(folder.join(name), content).unwrap();
        }
        let mut text = String::new();
        writeln!(text, "[system]\nname = \"battery\"\nstop = {:?}", self.stop).unwrap();
        text += &self.text;
        let names: Vec<&str> = self.observed.iter().map(|(name, _)| name.as_str()).collect();
        writeln!(text, "[record]\nevery = {:?}\nvariables = {names:?}", self.every).unwrap();
        std::fs::write(folder.join("system.toml"), &text).unwrap();
        text
    }

    /// With its reference integrated and its files written.
    pub(crate) fn prepare(self) -> Prepared {
        let times = grid(0.0, self.stop, self.every);
        // No step of the reference is longer than a part of this, so that it does not step over two events.
        let fine = grid(0.0, self.stop, self.every / FINENESS as f64);
        let rows = (self.reference)(&fine);
        assert_eq!(rows.len(), FINENESS * (times.len() - 1) + 1);
        let folder = tempfile::tempdir().unwrap();
        let text = self.write(folder.path());
        let offset = |name: &str| {
            let fitting = self.offsets.iter().filter(|(part, _)| name.contains(part));
            fitting.map(|(_, offset)| offset).sum::<f64>()
        };
        let columns = self
            .observed
            .iter()
            .map(|(name, state)| Column {
                name: name.clone(),
                offset: offset(name),
                known: rows.iter().step_by(FINENESS).map(|row| row[*state]).collect(),
            })
            .collect();
        Prepared {
            folder,
            text,
            times,
            columns,
            lost: Cell::new(0),
        }
    }
}

/// TOML of the short form.
fn described(text: &str) -> String {
    let mut components = String::from("[components]\n");
    let mut connections = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.split_once(" -> ") {
            Some((from, to)) => {
                writeln!(connections, "[[connections]]\nfrom = \"{from}\"\nto = \"{to}\"").unwrap();
            }
            None => writeln!(components, "{line}").unwrap(),
        }
    }
    components + &connections
}

/// A system that is ready to be run.
pub(crate) struct Prepared {
    folder: TempDir,
    text: String,
    times: Vec<f64>,
    columns: Vec<Column>,
    /// Runs that did not return.
    lost: Cell<usize>,
}

/// A column and what it should be.
struct Column {
    name: String,
    /// It is that much more than what is known.
    offset: f64,
    known: Vec<f64>,
}

impl Column {
    /// From the smallest to the largest value.
    fn range(&self) -> f64 {
        let largest = self.known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let smallest = self.known.iter().copied().fold(f64::INFINITY, f64::min);
        largest - smallest
    }
}

impl Prepared {
    pub(crate) fn run(&self, mode: &Mode) -> Outcome {
        let began = Instant::now();
        let failed = |message: String| Outcome::Failed {
            message,
            seconds: began.elapsed().as_secs_f64(),
        };
        if self.lost.get() >= MOST_LOST {
            return failed("not run: too many before it did not return".to_owned());
        }
        let description = format!("{}{}", self.text, mode.toml());
        std::fs::write(self.folder.path().join("system.toml"), description).unwrap();
        let (report, table) = match attended::run(self.folder.path()) {
            Ok(ended) => ended,
            Err(message) => {
                let lost = usize::from(message == attended::LOST);
                self.lost.set(self.lost.get() + lost);
                return failed(message);
            }
        };
        if report.status != "ok" {
            return failed(report.error.map_or_else(String::new, |error| error.message));
        }
        match self.error(&table) {
            Ok((error, place)) => Outcome::Finished {
                error,
                place,
                calls: report.evaluations,
                seconds: began.elapsed().as_secs_f64(),
                method: report.method,
                warnings: report
                    .warnings
                    .into_iter()
                    .filter(|warning| warning.kind == "tolerance")
                    .map(|warning| warning.message)
                    .collect(),
            },
            Err(message) => failed(message),
        }
    }

    /// The largest error as a part of the range, and where it is.
    fn error(&self, table: &Table) -> Result<(f64, String), String> {
        let expected = self.times.len();
        if table.times.len() != expected {
            return Err(format!("{} rows instead of {expected}", table.times.len()));
        }
        let mut worst = (0.0, String::from("nowhere"));
        for column in &self.columns {
            let name = &column.name;
            let Some(ColumnData::Reals(values)) = table.column(name) else {
                return Err(format!("no column {name}"));
            };
            let range = column.range();
            for ((value, known), time) in values.iter().zip(&column.known).zip(&self.times) {
                let error = ((value - column.offset) - known).abs() / range;
                // Also where it is not a number.
                if error.is_nan() || error > worst.0 {
                    worst = (error, format!("{name} at {time:.6}"));
                }
            }
        }
        Ok(worst)
    }
}
