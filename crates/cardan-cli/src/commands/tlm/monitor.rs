//! `cardan tlm monitor`, also installed as `tlmmonitor`: writes down what is sent over the lines of a run.

use crate::console;
use crate::interrupt::Interrupt;
use crate::{description, exit, logging};
use anyhow::Context;
use cardan::tlm::monitor::{self, Assignment, Audience, Candidate, Span, Style};
use cardan::tlm::plugin::Patience;
use cardan_describe::Reporter;
use cardan_describe::tlm::{self, Extent, MetaModel};
use clap::{Args, Parser};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  cardan tlm manager -m 11112 pendulum.xml &
  cardan tlm monitor 127.0.0.1:11112 pendulum.xml         rows into pendulum.csv, progress into pendulum.run
  cardan tlm monitor -t 0.001 127.0.0.1:11112 pendulum.xml
  cardan plot pendulum.csv

A row at T holds what was at T. With --compatible the rows are those of tlmmonitor, which are two delays late.";

/// The arguments of `cardan tlm monitor`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Write every detail into monitor.log
    #[arg(short)]
    debug: bool,
    /// How many steps from row to row the run has
    #[arg(short = 'n', value_name = "STEPS", conflicts_with = "step", value_parser = clap::value_parser!(u32).range(1..))]
    steps: Option<u32>,
    /// The time from row to row (seconds); otherwise the WriteTimeStep of the meta-model
    #[arg(short = 't', value_name = "STEP", value_parser = positive)]
    step: Option<f64>,
    /// Write the rows that tlmmonitor writes, text for text
    #[arg(long)]
    compatible: bool,
    /// Where the rows go; progress goes to a .run file beside it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The manager's port for monitors
    #[arg(value_name = "HOST:PORT")]
    server: String,
    /// The meta-model
    #[arg(value_name = "MODEL.XML")]
    model: PathBuf,
}

/// The same as a program of its own.
#[derive(Parser, Debug)]
#[command(
    name = "tlmmonitor",
    about = "Watches a co-simulation: `cardan tlm monitor` under another name"
)]
struct Program {
    #[command(flatten)]
    arguments: Arguments,
}

/// The program `tlmmonitor`. A call that makes no sense ends with the code that scripts know.
pub(crate) fn stand_in() -> ExitCode {
    let arguments = match Program::try_parse() {
        Ok(program) => program.arguments,
        Err(error) => {
            let _ = error.print();
            return match error.use_stderr() {
                true => exit::USAGE.into(),
                false => ExitCode::SUCCESS,
            };
        }
    };
    let done = logging::start(&logging::Choice::default(), None).and_then(|()| perform(&arguments));
    done.unwrap_or_else(|error| {
        console::error(&format!("{error:#}"));
        exit::WRONG.into()
    })
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err("a step is a number of seconds greater than 0".into()),
    }
}

pub(crate) fn perform(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut reporter = Reporter::new();
    let model = tlm::load(&arguments.model, Extent::Whole, &mut reporter);
    let Some(model) = model.filter(|_| !reporter.has_errors()) else {
        description::show(&reporter, &arguments.model);
        return Ok(exit::WRONG.into());
    };
    let interrupt = Interrupt::watch()?;
    let assignment = assignment(arguments, &model, &interrupt)?;
    let mut witness = Witness::new(arguments.debug, (model.simulation.start, model.simulation.stop))?;
    let watched = monitor::watch(&assignment, &mut witness);
    witness.end();
    match watched {
        Ok(summary) if summary.missing.is_empty() => Ok(ExitCode::SUCCESS),
        Ok(summary) => {
            console::warning(&format!(
                "{} ends at {} s: {} sent nothing about what followed",
                assignment.csv.display(),
                summary.reached,
                summary.missing.join(", ")
            ));
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            witness.note(&format!("failed: {error}"));
            console::error(&format!(
                "{error}; what had arrived is in {}",
                assignment.csv.display()
            ));
            Ok(match error.is_interruption() {
                true => exit::INTERRUPTED.into(),
                false => exit::FAILED.into(),
            })
        }
    }
}

fn assignment(arguments: &Arguments, model: &MetaModel, interrupt: &Interrupt) -> anyhow::Result<Assignment> {
    let simulation = &model.simulation;
    let length = simulation.stop - simulation.start;
    let step = match (arguments.step, arguments.steps) {
        (Some(step), _) => step,
        (None, Some(steps)) => length / f64::from(steps),
        (None, None) => simulation.write_step,
    };
    let csv = match &arguments.out {
        Some(out) => out.clone(),
        None => arguments.model.with_extension("csv"),
    };
    let run = csv.with_extension("run");
    for file in [&csv, &run] {
        anyhow::ensure!(
            !same_file(file, &arguments.model),
            "{} would be written over: choose another --out",
            file.display()
        );
    }
    let candidates = (0..model.interfaces.len()).map(|id| {
        let point = &model.interfaces[id];
        Candidate {
            name: model.interface_name(id),
            dimensions: i32::from(point.dimensions.number()),
            causality: point.causality.text().to_owned(),
            domain: point.domain.text().to_owned(),
        }
    });
    Ok(Assignment {
        address: arguments.server.clone(),
        candidates: candidates.collect(),
        rows: Span {
            start: simulation.start,
            stop: simulation.stop,
            step,
        },
        write_step: simulation.write_step,
        style: match arguments.compatible {
            true => Style::Compatible,
            false => Style::Right,
        },
        csv,
        run,
        patience: Patience {
            interrupt: interrupt.flag(),
            ..Patience::default()
        },
        secret: super::secret(),
    })
}

fn same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Shows how it goes: on a terminal, and in `monitor.log`.
struct Witness {
    log: File,
    debug: bool,
    window: (f64, f64),
    begun: Instant,
    shown: Option<Instant>,
}

/// Between two looks at a terminal.
const BETWEEN: Duration = Duration::from_millis(200);

impl Witness {
    fn new(debug: bool, window: (f64, f64)) -> anyhow::Result<Self> {
        Ok(Witness {
            log: File::create("monitor.log").context("monitor.log cannot be written")?,
            debug,
            window,
            begun: Instant::now(),
            shown: None,
        })
    }

    /// Leaves the line on the terminal to others.
    fn end(&mut self) {
        if self.shown.is_some() {
            console::note("\n");
        }
    }
}

impl Audience for Witness {
    fn progress(&mut self, time: f64) {
        let (start, stop) = self.window;
        let part = 100.0 * (time - start) / (stop - start);
        if self.debug {
            self.note(&format!("rows up to {time} s"));
        }
        let due = self.shown.is_none_or(|at| at.elapsed() >= BETWEEN) || time >= stop;
        if due && console::errors_on_terminal() {
            console::note(&format!("\r{part:5.1} %  at {time:.6} of {stop} s "));
            self.shown = Some(Instant::now());
        }
    }

    fn note(&mut self, text: &str) {
        // A log that cannot be written is no reason to lose rows.
        let _ = writeln!(self.log, "{:9.3} s: {text}", self.begun.elapsed().as_secs_f64());
    }
}
