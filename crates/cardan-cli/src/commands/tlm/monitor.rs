//! `cardan tlm monitor`, also installed as `tlmmonitor`.

use crate::{console, exit};
use anyhow::bail;
use clap::Args;
use std::process::ExitCode;

/// The arguments of `cardan tlm monitor`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The options of tlmmonitor, the manager's host:port and the meta-model
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    _arguments: Vec<String>,
}

pub(crate) fn perform(_: &Arguments) -> anyhow::Result<ExitCode> {
    bail!("the monitor is not part of this build")
}

/// The program `tlmmonitor`.
pub(crate) fn stand_in() -> ExitCode {
    console::error("the monitor is not part of this build");
    exit::USAGE.into()
}
