//! `cardan tlm`: co-simulation over transmission lines.

pub(crate) mod client;
pub(crate) mod manager;
pub(crate) mod monitor;

use crate::logging;
use cardan_tlm::wire::Secret;
use clap::{Args, Subcommand};
use std::path::Path;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  cardan tlm manager pendulum.xml            run a co-simulation
  cardan tlm manager -m 11112 pendulum.xml   the same, with a port for monitors
  cardan tlm manager -r pendulum.xml         ask the tools where their interface points are

The manager starts the tools that a meta-model names, and hands the waves that leave each interface point
on to the other end of its line.";

/// The arguments of `cardan tlm`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Run a co-simulation: start the tools of a meta-model and hand on what they send
    Manager(manager::Arguments),
    /// Watch a co-simulation and write down what is sent
    Monitor(monitor::Arguments),
    /// Run one sub-model as a client: an FMU, a built-in model, any component
    Client(client::Arguments),
}

impl Arguments {
    /// Is standard output for machines?
    pub(crate) fn wants_json(&self) -> bool {
        match &self.command {
            Command::Manager(arguments) => arguments.json,
            Command::Monitor(_) | Command::Client(_) => false,
        }
    }

    /// The log that `-d` asks for.
    pub(crate) fn log_file(&self) -> Option<&'static Path> {
        match &self.command {
            Command::Manager(arguments) => arguments.log_file(),
            Command::Monitor(_) | Command::Client(_) => None,
        }
    }
}

pub(crate) fn perform(arguments: Arguments, logging: &logging::Choice) -> anyhow::Result<ExitCode> {
    match arguments.command {
        Command::Manager(arguments) => manager::perform(&arguments, logging),
        Command::Monitor(arguments) => monitor::perform(&arguments, logging.quiet),
        Command::Client(arguments) => client::perform(&arguments),
    }
}

/// What shows a manager elsewhere that we belong to it.
fn secret() -> Option<Secret> {
    std::env::var(Secret::VARIABLE)
        .ok()
        .as_deref()
        .and_then(Secret::new)
}
