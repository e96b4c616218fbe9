//! `cardan run`: runs a system and writes its results.

mod out;
mod summary;

use crate::arguments::SystemArguments;
use crate::console::{self, Paint};
use crate::description::{self, Opened};
use crate::interrupt::Interrupt;
use crate::progress::{Progress, Style};
use crate::{exit, json, logging};
use cardan::core::record::Schema;
use cardan::{Diagnostic, Error, ErrorReport, Options, Report, Simulation, System};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

const MORE: &str = "\
Ctrl-C stops a run at the next accepted point and keeps the results so far; a second one stops at once.

Examples:
  cardan run hello                                   the results go to hello.csv
  cardan run hello --stop 20 --set left.mass=2       the same system, changed a little
  cardan run hello --step 0.001 --every 0.01 --out fine.parquet
  cardan run hello --json > run.json                 a summary for machines

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
    /// How many threads step components side by side
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    threads: usize,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
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
    step: f64,
    reason: Option<String>,
    schema: Schema,
}

pub(crate) fn perform(arguments: Arguments, logging: &logging::Choice) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::watch()?;
    let began = Instant::now();
    let Opened { system, reporter } = description::open(&arguments.system);
    let Some(system) = system else {
        return description::refuse(&arguments.system.path, reporter, arguments.json);
    };
    if !logging.quiet {
        description::show(&reporter, &arguments.system.path);
    }
    let loading = began.elapsed();
    let warnings = reporter.finish();
    let out = match out::choose(
        arguments.out.clone(),
        arguments.system.input.as_deref(),
        &system.spec,
        &arguments.system.path,
    ) {
        Ok(out) => out,
        Err(error) => return refuse(&system.spec.name, &format!("{error:#}"), arguments.json),
    };
    let outline = Outline {
        window: (
            system.plan.window.start.seconds(),
            system.plan.window.stop.seconds(),
        ),
        step: system.setup.step,
        reason: system.reason.clone(),
        schema: system.plan.columns.schema.clone(),
    };
    let unstarted = unstarted(&system);
    let options = Options {
        out: Some(out),
        threads: arguments.threads,
        ..Options::default()
    };
    let mut report = match Simulation::start(system, options, Vec::new()) {
        Ok(mut simulation) => {
            let style = progress_style(logging);
            let progress = Progress::watch(simulation.control(), interrupt, outline.window, style);
            let report = simulation.run();
            drop(progress);
            report
        }
        Err(error) => match error.run_error() {
            Some(cause) => Report {
                error: Some(ErrorReport::from(cause)),
                exit_code: error.exit_code(),
                ..unstarted
            },
            None => return refuse(&unstarted.system, &explained(&error), arguments.json),
        },
    };
    report.setup_s += loading.as_secs_f64();
    let told = tell(&report, &outline, &warnings, &arguments, logging);
    Ok(match told {
        Ok(()) => report.exit_code.into(),
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
    format!("{error}; choose the place of the results with --out")
}

/// The report of a run that failed before its first step.
fn unstarted(system: &System) -> Report {
    Report {
        system: system.spec.name.clone(),
        status: "failed",
        method: system.plan.method.to_string(),
        time: system.plan.window.start.seconds(),
        steps: 0,
        rejected: 0,
        iterations: 0,
        evaluations: 0,
        setup_s: 0.0,
        run_s: 0.0,
        cpu_s: 0.0,
        real_time_factor: 0.0,
        results: None,
        components: system
            .graph
            .nodes
            .iter()
            .map(|node| (node.name.clone(), Default::default()))
            .collect(),
        warnings: Vec::new(),
        loops: Vec::new(),
        error: None,
        exit_code: 0,
    }
}

/// The report for machines, with what was noticed in the description.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    report: &'a Report,
    diagnostics: &'a [Diagnostic],
}

fn tell(
    report: &Report,
    outline: &Outline,
    diagnostics: &[Diagnostic],
    arguments: &Arguments,
    logging: &logging::Choice,
) -> anyhow::Result<()> {
    if !logging.quiet {
        summary::warnings(report);
    }
    // Whoever pressed Ctrl-C knows; the summary says how far the run came.
    if let Some(error) = report
        .error
        .as_ref()
        .filter(|_| report.exit_code != exit::INTERRUPTED)
    {
        summary::failure(error);
    }
    if arguments.json {
        // A path need not be text, and JSON must be.
        let results = report
            .results
            .as_ref()
            .map(|path| path.to_string_lossy().into_owned().into());
        let report = &Report {
            results,
            ..report.clone()
        };
        return json::print(&Answer { report, diagnostics });
    }
    if logging.quiet {
        return Ok(());
    }
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
