//! A coupled system with its reference, and running it.

use crate::mode::Mode;
use crate::outcome::Outcome;
use cardan::core::record::ColumnData;
use cardan::{MemoryRecorder, Options, Simulation, Table};
use cardan_testkit::reference::{Hybrid, grid};
use std::fmt::Write as _;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A run that takes longer is stuck: all of them are meant to take less than a second.
const PATIENCE: Duration = Duration::from_secs(8);

type Reference = Box<dyn Fn(&[f64]) -> Vec<Vec<f64>>>;

/// A coupled system and what comes out of it.
pub(crate) struct System {
    text: String,
    stop: f64,
    every: f64,
    reference: Reference,
    observed: Vec<(String, usize)>,
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

    /// A file beside the description.
    pub(crate) fn file(mut self, name: &'static str, content: &'static str) -> Self {
        self.files.push((name, content));
        self
    }

    /// With its reference integrated and its files written.
    pub(crate) fn prepare(self) -> Prepared {
        let times = grid(0.0, self.stop, self.every);
        let rows = (self.reference)(&times);
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in &self.files {
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        let mut text = String::new();
        writeln!(text, "[system]\nname = \"battery\"\nstop = {:?}", self.stop).unwrap();
        text += &self.text;
        let names: Vec<&str> = self.observed.iter().map(|(name, _)| name.as_str()).collect();
        writeln!(text, "[record]\nevery = {:?}\nvariables = {names:?}", self.every).unwrap();
        Prepared {
            folder,
            text,
            times,
            rows,
            observed: self.observed,
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
    rows: Vec<Vec<f64>>,
    observed: Vec<(String, usize)>,
}

impl Prepared {
    pub(crate) fn run(&self, mode: &Mode) -> Outcome {
        let description = format!("{}{}", self.text, mode.toml());
        std::fs::write(self.folder.path().join("system.toml"), description).unwrap();
        let began = Instant::now();
        let (recorder, handle) = MemoryRecorder::new();
        let options = Options {
            recorder: Some(Box::new(recorder)),
            ..Options::default()
        };
        let failed = |message: String| Outcome::Failed {
            message,
            seconds: began.elapsed().as_secs_f64(),
        };
        let mut simulation = match Simulation::open_with(self.folder.path(), options) {
            Ok(simulation) => simulation,
            Err(error) => return failed(error.to_string()),
        };
        let control = simulation.control();
        let (done, until_done) = mpsc::channel::<()>();
        let watch = thread::spawn(move || {
            let stuck = until_done.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout);
            if stuck {
                control.stop();
            }
            stuck
        });
        let report = simulation.run();
        drop(done);
        let stuck = watch.join().unwrap();
        if report.status != "ok" {
            let message = report.error.map_or_else(String::new, |error| error.message);
            return failed(if stuck {
                format!("stuck at {} s", report.time)
            } else {
                message
            });
        }
        match self.error(&handle.table()) {
            Ok((error, place)) => Outcome::Finished {
                error,
                place,
                calls: report.evaluations,
                seconds: began.elapsed().as_secs_f64(),
                method: report.method,
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
        for (name, state) in &self.observed {
            let Some(ColumnData::Reals(values)) = table.column(name) else {
                return Err(format!("no column {name}"));
            };
            let known = || self.rows.iter().map(|row| row[*state]);
            let (low, high) = known().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (low.min(x), high.max(x))
            });
            for ((value, known), time) in values.iter().zip(known()).zip(&self.times) {
                let error = (value - known).abs() / (high - low);
                // Also where it is not a number.
                if !(error <= worst.0) {
                    worst = (error, format!("{name} at {time:.6}"));
                }
            }
        }
        Ok(worst)
    }
}
