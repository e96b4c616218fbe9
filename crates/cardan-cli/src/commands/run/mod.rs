//! `cardan run`: runs a system and writes its results.

mod coupling;
mod here;
mod out;
mod summary;
mod watched;

use crate::arguments::SystemArguments;
use crate::console::{self, Paint};
use crate::progress::Style;
use crate::{exit, json, logging};
use cardan::core::record::Schema;
use cardan::{Checkpoints, Diagnostic, Error, Report};
use clap::Args;
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

const MORE: &str = "\
Ctrl-C stops a run at the next accepted point and keeps the results so far; a second one stops at once.

The run goes on in a process of its own. A component that crashes, or does not return within the
limit of a call (`call` in [limits], 60 s if left out), ends it; then you are told who it was, in
which call and when, and the results up to there are kept.

With --checkpoint the whole state is kept in a file every minute (--every-wall), and when the run
ends or is interrupted. --resume goes on from there with the same bits, as if nothing had happened:
the same system, perhaps with a later --stop. Every component must be able to write its state down:
built-in models can, and FMUs with canSerializeFMUstate.

Examples:
  cardan run hello                                   the results go to hello.csv
  cardan run hello --stop 20 --set left.mass=2       the same system, changed a little
  cardan run hello --method auto --tolerance 1e-7    as right as that, whatever steps it takes
  cardan run hello --step 0.001 --every 0.01 --out fine.parquet
  cardan run hello --json > run.json                 a summary for machines
  cardan run hello --checkpoint hello.checkpoint     to survive a power cut
  cardan run hello --resume hello.checkpoint         go on after one
  cardan run hello --resume hello.checkpoint --stop 40     or go on beyond the end

Exit codes: 0 done, 2 the description or the call is wrong and nothing was run, 3 a component
failed, 4 the numbers failed, 130 interrupted by Ctrl-C. On 3, 4 and 130 the results up to there
are on disk.";

/// The arguments of `cardan run`.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    #[command(flatten)]
    system: SystemArguments,
    /// Where the results go: .csv, .parquet or .mat [default: the system's name with .csv, in this folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How many threads step components side by side [default: 1, or one for each isolated component]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Keep the state of the whole system in this file again and again, to go on from with --resume
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Seconds on the clock between two checkpoints
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, requires = "checkpoint")]
    every_wall: Duration,
    /// Go on from this checkpoint of the same system; results up to there are taken over from the result file
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Run in this process, for debuggers: a component that crashes takes everything with it
    #[arg(long)]
    no_supervisor: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

impl Arguments {
    fn checkpoints(&self) -> Option<Checkpoints> {
        let file = self.checkpoint.clone()?;
        let every = self.every_wall;
        Some(Checkpoints { file, every })
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "it takes a number of seconds above 0".into())
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number >= 1 => Ok(number),
        _ => Err("it takes a whole number of at least 1".into()),
    }
}

/// The settings of a run that its summary speaks of.
struct Outline {
    window: (f64, f64),
    /// Method and steps, in words.
    pace: String,
    reason: Option<String>,
    schema: Schema,
}

/// A run that took place.
struct Finished {
    report: Report,
    /// None if it ended before its system was read.
    outline: Option<Outline>,
    /// What was noticed in the description.
    diagnostics: Vec<Diagnostic>,
}

pub(crate) fn perform(arguments: Arguments, logging: &logging::Choice) -> anyhow::Result<ExitCode> {
    let run = if arguments.no_supervisor {
        here::run(&arguments, logging)?
    } else {
        watched::run(&arguments, logging)?
    };
    let finished = match run {
        ControlFlow::Continue(finished) => finished,
        ControlFlow::Break(code) => return Ok(code),
    };
    Ok(match tell(&finished, &arguments, logging) {
        Ok(()) => finished.report.exit_code.into(),
        // The run is done, so code 2 would be wrong.
        Err(error) => {
            console::error(&format!("{error:#}"));
            exit::FAILED.into()
        }
    })
}

fn progress_style(logging: &logging::Choice) -> Style {
    match (logging.quiet, console::errors_on_terminal()) {
        (true, _) => Style::Silent,
        // A bar would be torn by log lines.
        (false, true) if logging.verbose == 0 => Style::Bar,
        (false, _) => Style::Lines,
    }
}

/// Ends a run that cannot even begin.
fn refuse(system: &str, message: &str, as_json: bool) -> anyhow::Result<ExitCode> {
    console::error(message);
    if as_json {
        json::print_mistakes(Some(system), &[json::call_mistake(message)])?;
    }
    Ok(exit::WRONG.into())
}

fn explained(error: &Error) -> String {
    if error.is_about_results() {
        format!("{error}; choose the place of the results with --out")
    } else {
        error.to_string()
    }
}

/// The report for machines, with what was noticed in the description.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    report: &'a Report,
    diagnostics: &'a [Diagnostic],
}

fn tell(finished: &Finished, arguments: &Arguments, logging: &logging::Choice) -> anyhow::Result<()> {
    let Finished {
        report,
        outline,
        diagnostics,
    } = finished;
    if !logging.quiet {
        summary::warnings(report);
    }
    // Whoever pressed Ctrl-C knows, unless somebody would not stop; the summary says how far the run came.
    if let Some(error) = report
        .error
        .as_ref()
        .filter(|error| report.exit_code != exit::INTERRUPTED || error.participant.is_some())
    {
        summary::failure(error);
    }
    if arguments.json {
        // A path need not be text, and JSON must be.
        let text = |path: &PathBuf| path.to_string_lossy().into_owned().into();
        let report = &Report {
            results: report.results.as_ref().map(text),
            scene: report.scene.as_ref().map(text),
            ..report.clone()
        };
        return json::print(&Answer { report, diagnostics });
    }
    if logging.quiet {
        return Ok(());
    }
    let Some(outline) = outline else {
        // What failed was told.
        if report.exit_code == exit::INTERRUPTED {
            console::print("Interrupted while the system was being set up; nothing was run.\n")?;
        }
        return Ok(());
    };
    let paint = Paint::for_output();
    console::print(&summary::page(report, outline, logging.verbose > 0, paint))?;
    if let Some(results) = &report.results {
        let preview = console::is_terminal()
            .then(|| summary::preview(results, outline, paint))
            .flatten();
        console::print(
            &preview
                .map(|picture| format!("\n{picture}\n"))
                .unwrap_or_default(),
        )?;
        console::print(&summary::advice(results))?;
    }
    Ok(())
}
