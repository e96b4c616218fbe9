//! Logs: to standard error as loud as asked for, to a file with all details.

use crate::messages::{self, Collector};
use anyhow::{Context, bail};
use clap::{ArgAction, Args};
use std::fs::File;
use std::path::{Path, PathBuf};
use tracing::level_filters::LevelFilter;
use tracing::{Level, Metadata};
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::fmt::layer;
use tracing_subscriber::prelude::*;

/// How much is said besides the answer.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Logging")]
pub(crate) struct Choice {
    /// Say more (-v what happens, -vv every detail)
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub(crate) verbose: u8,
    /// Say nothing but errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Also add a log with every detail to this file
    #[arg(long, global = true, value_name = "FILE")]
    log_file: Option<PathBuf>,
}

/// Starts logging, and lets panics go there too. Where the user has named no file, a command may have one of its own.
pub(crate) fn start(choice: &Choice, own_file: Option<&Path>) -> anyhow::Result<()> {
    let level = match (choice.quiet, choice.verbose) {
        (true, _) => LevelFilter::ERROR,
        (false, 0) => LevelFilter::WARN,
        (false, 1) => LevelFilter::INFO,
        (false, _) => LevelFilter::DEBUG,
    };
    // Whoever lets an FMU speak by `log = …` wants to hear it before every other detail.
    let of_fmus = match choice.verbose {
        0 => level,
        _ => LevelFilter::DEBUG,
    };
    let shown = filter_fn(move |event| {
        let loudest = if event.target() == "fmu" { of_fmus } else { level };
        *event.level() <= loudest && !told_later(event)
    });
    let shown = shown.with_max_level_hint(level.max(of_fmus));
    let terminal = layer()
        .without_time()
        .with_ansi(crate::console::Paint::for_errors().coloured)
        .with_writer(std::io::stderr)
        .with_filter(shown);
    let file = match choice.log_file.as_deref().or(own_file) {
        Some(path) => {
            let file = open(path)?;
            Some(
                layer()
                    .with_ansi(false)
                    .with_writer(file)
                    .with_filter(LevelFilter::DEBUG),
            )
        }
        None => None,
    };
    tracing_subscriber::registry()
        .with(terminal)
        .with(file)
        .with(Collector.with_filter(filter_fn(messages::are_collected)))
        .try_init()
        .context("logging cannot start")?;
    std::panic::set_hook(Box::new(|panic| tracing::info!("{panic}")));
    Ok(())
}

/// Opens a log file to add to it. Files of other kinds are safe from a slip of the hand.
fn open(path: &Path) -> anyhow::Result<File> {
    let extension = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    let ours = ["toml", "csv", "parquet", "mat", "svg", "png", "json"];
    if path.exists() && ours.contains(&extension.as_str()) {
        bail!("{} is no log; choose another name for --log-file", path.display());
    }
    let file = File::options().create(true).append(true).open(path);
    file.with_context(|| format!("the log file {} cannot be written", path.display()))
}

/// What the engine warns of stands in the summary of the run, what an FMU says on trial in its report, and what it says
/// of its errors is quoted in the failure that follows: once is enough.
fn told_later(event: &Metadata<'_>) -> bool {
    let quoted = event.target() == "fmu" && *event.level() == Level::ERROR;
    let told = event.target() == "cardan_core::monitor" || messages::are_collected(event) || quoted;
    *event.level() <= Level::WARN && told
}
