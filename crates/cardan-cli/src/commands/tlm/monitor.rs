//! `cardan tlm monitor`, also installed as `tlmmonitor`: writes down what is sent over the lines of a run.

use crate::console;
use crate::interrupt::Interrupt;
use crate::{description, exit, logging, text};
use anyhow::Context;
use cardan::tlm::general::seconds;
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
    #[arg(value_name = "HOST:PORT", value_parser = address)]
    server: String,
    /// The meta-model
    #[arg(value_name = "MODEL.XML")]
    model: PathBuf,
}

/// The same as a program of its own.
#[derive(Parser, Debug)]
#[command(
    name = "tlmmonitor",
    version,
    arg_required_else_help = true,
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
    let done = logging::start(&logging::Choice::default(), None).and_then(|()| perform(&arguments, false));
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

/// A call without a port makes no sense, and is told as such before anything is tried.
fn address(text: &str) -> Result<String, String> {
    let parts = text.rsplit_once(':');
    match parts.filter(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok_and(|port| port > 0)) {
        Some(_) => Ok(text.to_owned()),
        None => {
            Err("write host:port with the port that the manager's -m names, such as 127.0.0.1:11112".into())
        }
    }
}

pub(crate) fn perform(arguments: &Arguments, quiet: bool) -> anyhow::Result<ExitCode> {
    let mut reporter = Reporter::new();
    let model = tlm::load(&arguments.model, Extent::Whole, &mut reporter);
    let Some(model) = model.filter(|_| !reporter.has_errors()) else {
        description::show(&reporter, &arguments.model);
        return Ok(exit::WRONG.into());
    };
    let interrupt = Interrupt::watch()?;
    let assignment = assignment(arguments, &model, &interrupt)?;
    let mut witness = Witness::new(
        arguments.debug,
        quiet,
        (model.simulation.start, model.simulation.stop),
    )?;
    let watched = monitor::watch(&assignment, &mut witness);
    witness.end();
    match watched {
        Ok(summary) => {
            let csv = assignment.csv.display();
            if !summary.missing.is_empty() {
                console::warning(&format!(
                    "{csv} ends at {} s: {} sent nothing about what followed",
                    seconds(summary.reached),
                    summary.missing.join(", ")
                ));
            }
            if !quiet {
                let rows = text::count(summary.rows, "row");
                console::note(&format!("{rows} in {csv}\n"));
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            witness.note(&format!("failed: {error}"));
            // Rows of an earlier run may be there; they are not what is meant.
            let rows = match witness.has_rows {
                true => format!("what had arrived is in {}", assignment.csv.display()),
                false => "nothing had arrived".to_owned(),
            };
            console::error(&format!("{error}; {rows}"));
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
            connected: model.connection_of(id).is_some(),
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
    quiet: bool,
    window: (f64, f64),
    begun: Instant,
    shown: Option<Instant>,
    has_rows: bool,
}

/// Between two looks at a terminal.
const BETWEEN: Duration = Duration::from_millis(200);

impl Witness {
    fn new(debug: bool, quiet: bool, window: (f64, f64)) -> anyhow::Result<Self> {
        Ok(Witness {
            log: File::create("monitor.log").context("monitor.log cannot be written")?,
            debug,
            quiet,
            window,
            begun: Instant::now(),
            shown: None,
            has_rows: false,
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
        self.has_rows = true;
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

    fn warning(&mut self, text: &str) {
        self.note(text);
        console::warning(text);
    }

    fn waiting(&mut self, text: &str) {
        self.note(text);
        if !self.quiet {
            console::note(&format!("{text}\n"));
        }
    }

    fn note(&mut self, text: &str) {
        // A log that cannot be written is no reason to lose rows.
        let _ = writeln!(self.log, "{:9.3} s: {text}", self.begun.elapsed().as_secs_f64());
    }
}
