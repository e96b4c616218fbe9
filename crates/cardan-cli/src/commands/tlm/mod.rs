//! `cardan tlm`: co-simulations whose parts are separate processes, coupled by transmission lines.

pub(crate) mod client;
pub(crate) mod monitor;

use cardan::tlm::wire::Secret;
use clap::{Args, Subcommand};
use std::process::ExitCode;

/// The arguments of `cardan tlm`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Write down what is sent over the lines of a run
    Monitor(monitor::Arguments),
    /// Run one SubModel: an FMU, a built-in model, any component
    Client(client::Arguments),
}

pub(crate) fn perform(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        Command::Monitor(arguments) => monitor::perform(arguments),
        Command::Client(arguments) => client::perform(arguments),
    }
}

/// What shows a manager elsewhere that we belong to it.
fn secret() -> Option<Secret> {
    std::env::var(Secret::VARIABLE)
        .ok()
        .as_deref()
        .and_then(Secret::new)
}
