//! `cardan completions`: what a shell needs to complete our commands.

use crate::{arguments, console};
use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  cardan completions bash > ~/.local/share/bash-completion/completions/cardan
  cardan completions zsh > \"${fpath[1]}/_cardan\"
  cardan completions fish > ~/.config/fish/completions/cardan.fish";

/// The arguments of `cardan completions`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Which shell
    shell: Shell,
}

pub(crate) fn perform(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut command = arguments::Arguments::command();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "cardan", &mut script);
    console::print(&String::from_utf8(script).context("the completions are not text")?)?;
    Ok(ExitCode::SUCCESS)
}
