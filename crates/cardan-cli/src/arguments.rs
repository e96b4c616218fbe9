//! The command line.

use crate::{commands, logging};
use cardan::Overrides;
use clap::{Args, Parser, Subcommand};
use std::path::{Path, PathBuf};

const TOUR: &str = "\
A short tour:
  cardan example hello            a small system to start from, in a folder of its own
  cardan check hello              is it right? who drives whom, and how will it run?
  cardan run hello                run it; the results go to hello.csv
  cardan plot hello.csv           look at them, here in the terminal
  cardan plot hello.csv -o a.svg  or as a picture
  cardan info pump.fmu            what an FMU offers, and does it keep its promises?
  cardan check pump.fmu
  cardan info --models            what a system can be built from

`cardan COMMAND --help` shows more, with examples.";

/// Couples simulators into one simulation: each keeps its own solver and step, and the whole turns as one.
#[derive(Parser, Debug)]
#[command(name = "cardan", version, after_help = TOUR, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) logging: logging::Choice,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Run a system and write its results
    Run(commands::run::Arguments),
    /// Find every mistake in a system or an FMU, and show how it would run
    Check(commands::check::Arguments),
    /// Show what a system, a result file, an FMU or a built-in model contains
    Info(commands::info::Arguments),
    /// Draw results, in the terminal or as a picture
    Plot(commands::plot::Arguments),
    /// Find the largest difference between two results
    Compare(commands::compare::Arguments),
    /// List the built-in examples, or write one into a folder
    Example(commands::example::Arguments),
    /// Co-simulation over transmission lines: manager and monitor, as tlmmanager and tlmmonitor
    Tlm(commands::tlm::Arguments),
    /// Print completions for a shell
    Completions(commands::completions::Arguments),
}

impl Command {
    /// Is standard output for machines?
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Command::Run(arguments) => arguments.json,
            Command::Check(arguments) => arguments.json,
            Command::Info(arguments) => arguments.json,
            Command::Compare(arguments) => arguments.json,
            Command::Tlm(arguments) => arguments.wants_json(),
            Command::Plot(_) | Command::Example(_) | Command::Completions(_) => false,
        }
    }
}

impl Command {
    /// A log that the command itself asks for.
    pub(crate) fn log_file(&self) -> Option<&'static Path> {
        match self {
            Command::Tlm(arguments) => arguments.log_file(),
            _ => None,
        }
    }
}

/// A system, and what the command line changes in it.
#[derive(Args, Debug)]
pub(crate) struct SystemArguments {
    /// A folder with a system.toml, a .toml, an .ssp or .ssd, an OSP structure, a co-simulation script, or a single .fmu
    #[arg(value_name = "SYSTEM")]
    pub(crate) path: PathBuf,
    /// Stop at this time instead (seconds)
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    stop: Option<f64>,
    /// Drive inputs from a table: columns `component.input`, or `input` for a single FMU
    #[arg(long, value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// Set a parameter: component.parameter=value, or parameter=value for a single FMU; may be repeated
    #[arg(long, value_name = "C.P=VALUE")]
    set: Vec<String>,
    /// Couple by this method: jacobi, gauss-seidel, adaptive, iterated, glue or auto (chosen by what is measured)
    #[arg(long, value_name = "M")]
    method: Option<String>,
    /// The communication step (seconds)
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    step: Option<f64>,
    /// The relative tolerance, for methods that choose the step themselves
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    tolerance: Option<f64>,
    /// Keep a row of results at this distance (seconds), instead of every accepted step
    #[arg(long, value_name = "DT", allow_negative_numbers = true)]
    every: Option<f64>,
    /// What the processes of a co-simulation script are made from, instead of NAME.map.toml beside it
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
}

impl SystemArguments {
    /// What differs from the description.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides {
            stop: self.stop,
            method: self.method.clone(),
            step: self.step,
            tolerance: self.tolerance,
            every: self.every,
            set: self.set.clone(),
            input: self.input.clone(),
            map: self.map.clone(),
        }
    }
}
