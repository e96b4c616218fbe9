//! The run in this process.

use super::{Arguments, Finished, Outline, explained, out, progress_style, refuse};
use crate::console;
use crate::description::{self, Opened};
use crate::interrupt::Interrupt;
use crate::logging;
use crate::progress::Progress;
use cardan::{ErrorReport, Options, Report, Simulation};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

pub(super) fn run(
    arguments: &Arguments,
    logging: &logging::Choice,
) -> anyhow::Result<ControlFlow<ExitCode, Finished>> {
    // Models print into this process.
    console::keep_output()?;
    let interrupt = Interrupt::watch()?;
    let began = Instant::now();
    let Opened { system, reporter } = description::open(&arguments.system);
    let Some(system) = system else {
        let (path, overrides) = (&arguments.system.path, arguments.system.overrides());
        return description::refuse(path, &overrides, reporter, arguments.json).map(ControlFlow::Break);
    };
    if !logging.quiet {
        description::show(&reporter, &arguments.system.path);
    }
    let loading = began.elapsed();
    let chosen = out::choose(
        arguments,
        &system.spec.name,
        &system.files_read(),
        !system.scenes.is_empty(),
    );
    let out = match chosen {
        Ok(out) => out,
        Err(error) => {
            return refuse(&system.spec.name, &format!("{error:#}"), arguments.json).map(ControlFlow::Break);
        }
    };
    let outline = Outline {
        window: (
            system.plan.window.start.seconds(),
            system.plan.window.stop.seconds(),
        ),
        pace: system.setup.pace(),
        reason: system.reason.clone(),
        schema: system.plan.columns.schema.clone(),
    };
    let unstarted = system.unstarted();
    let options = Options {
        out: Some(out),
        threads: arguments.threads.unwrap_or(0),
        checkpoints: arguments.checkpoints(),
        resume: arguments.resume.clone(),
        ..Options::default()
    };
    let mut report = match Simulation::start(system, options, Vec::new()) {
        Ok(mut simulation) => {
            let style = progress_style(logging);
            let window = (simulation.time(), outline.window.1);
            let progress = Progress::watch(simulation.control(), interrupt, window, style);
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
            None => {
                return refuse(&unstarted.system, &explained(&error), arguments.json).map(ControlFlow::Break);
            }
        },
    };
    report.setup_s += loading.as_secs_f64();
    Ok(ControlFlow::Continue(Finished {
        report,
        outline: Some(outline),
        diagnostics: reporter.finish(),
    }))
}
