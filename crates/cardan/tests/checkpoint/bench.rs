//! Running a system in pieces.

use crate::workplace::Workplace;
use cardan::{Checkpoints, Error, Options, Overrides, Report, Simulation, Table};
use std::path::PathBuf;
use std::time::Duration;

/// A system, the file of its checkpoint and that of its results.
pub(crate) struct Bench {
    pub(crate) place: Workplace,
    pub(crate) overrides: Overrides,
    pub(crate) threads: usize,
    pub(crate) format: &'static str,
}

impl Bench {
    /// `{@lag-fmi2}` in the text stands for a test FMU.
    pub(crate) fn new(text: &str) -> Self {
        Bench {
            place: Workplace::system(text),
            overrides: Overrides::default(),
            threads: 1,
            format: "csv",
        }
    }

    pub(crate) fn checkpoint(&self) -> PathBuf {
        self.place.path().join("state.checkpoint")
    }

    pub(crate) fn out(&self) -> PathBuf {
        self.place.path().join("out").with_extension(self.format)
    }

    pub(crate) fn options(&self) -> Options {
        Options {
            overrides: self.overrides.clone(),
            out: Some(self.out()),
            threads: self.threads,
            recorded_only: true,
            ..Options::default()
        }
    }

    /// With a checkpoint that is kept when it is asked for.
    pub(crate) fn keeping(&self) -> Options {
        let every = Duration::MAX;
        Options {
            checkpoints: Some(Checkpoints {
                every,
                ..Checkpoints::to(self.checkpoint())
            }),
            ..self.options()
        }
    }

    pub(crate) fn resuming(&self) -> Options {
        Options {
            resume: Some(self.checkpoint()),
            ..self.options()
        }
    }

    pub(crate) fn open(&self, options: Options) -> Result<Simulation, Error> {
        Simulation::open_with(self.place.path(), options)
    }

    #[track_caller]
    pub(crate) fn finish(&self, options: Options) -> Report {
        let mut simulation = self.open(options).unwrap_or_else(|error| panic!("{error}"));
        let report = simulation.run();
        assert_eq!(report.status, "ok", "{:?}", report.error);
        report
    }

    /// Runs up to `time`, keeps a checkpoint, and goes on a little before it is given up.
    #[track_caller]
    pub(crate) fn run_until(&self, time: f64, options: Options) {
        let mut simulation = self.open(options).unwrap_or_else(|error| panic!("{error}"));
        // An advance would end its last step at that time, and so change what follows.
        while simulation.time() < time {
            simulation.step().unwrap();
        }
        simulation.keep_checkpoint().unwrap();
        for _ in 0..3 {
            simulation.step().unwrap();
        }
        simulation.finish();
        assert!(self.checkpoint().is_file());
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.out()).unwrap()
    }

    pub(crate) fn table(&self) -> Table {
        cardan::record::read(&self.out()).unwrap()
    }

    /// Cuts the run at each of these instants, and each time goes on: the result is that of the whole, and so are the
    /// counters.
    #[track_caller]
    pub(crate) fn goes_on(&mut self, instants: &[f64]) {
        let whole = self.finish(self.options());
        let expected = self.bytes();
        for &time in instants {
            for threads in [1, 2] {
                self.threads = threads;
                std::fs::remove_file(self.out()).unwrap();
                self.run_until(time, self.keeping());
                self.threads = 3 - threads;
                let report = self.finish(self.resuming());
                let from = report.resumed_from.unwrap();
                assert!(from >= time, "{from}");
                assert!(report.warnings.iter().all(|w| w.kind != "resume"));
                assert!(
                    self.bytes() == expected,
                    "cut at {time} s: another result\n{}",
                    self.place.path().display()
                );
                let counters = |report: &Report| {
                    let components = report
                        .components
                        .values()
                        .map(|c| (c.steps, c.rhs, c.inner_steps, c.iterations));
                    let components: Vec<_> = components.collect();
                    let loops: Vec<_> = report.loops.iter().map(|l| (l.solved, l.rounds)).collect();
                    let run = (report.steps, report.rejected, report.evaluations);
                    (run, components, loops)
                };
                assert_eq!(counters(&report), counters(&whole), "cut at {time} s");
            }
        }
    }
}
