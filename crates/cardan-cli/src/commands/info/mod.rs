//! `cardan info`: what a system, a result, an FMU, a checkpoint or a built-in model contains.

mod checkpoint;
mod fmu;
mod models;
mod result;
mod system;

use anyhow::bail;
use cardan::System;
use cardan::record::Format;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Nothing is run, and no binary is loaded: `cardan check` does that.

Examples:
  cardan info hello                        a system: components, connections, method
  cardan info hello.csv                    a result: rows, time, the range of each column
  cardan info pump.fmu                     an FMU: what it offers, its variables, where it runs
  cardan info pump.fmu --all               the same with every variable
  cardan info hello.checkpoint             a checkpoint: of which system, and where it stands
  cardan info --models                     the built-in models
  cardan info --models mass-spring-damper  one of them, with all its parameters";

/// The arguments of `cardan info`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A system (a folder, .toml, .ssp, .ssd, OSP .xml, co-simulation script), a result (.csv, .parquet, .mat), an FMU (.fmu, or the folder of one) or a checkpoint
    #[arg(required_unless_present = "models")]
    file: Option<PathBuf>,
    /// List the built-in models, those of a domain, or show one
    #[arg(long, value_name = "NAME", num_args = 0..=1, conflicts_with = "file")]
    models: Option<Option<String>>,
    /// List all variables of an FMU, however many there are
    #[arg(long)]
    all: bool,
    /// What the processes of a co-simulation script are made from, instead of NAME.map.toml beside it
    #[arg(long, value_name = "FILE", conflicts_with = "models")]
    map: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn perform(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(name) = &arguments.models {
        return models::perform(name.as_deref(), arguments.json);
    }
    let Some(path) = &arguments.file else {
        bail!("name a file, or ask for --models");
    };
    if crate::description::is_fmu(path) {
        return fmu::perform(path, arguments.all, arguments.json);
    }
    if Format::of(path).is_some() && !path.is_dir() {
        result::perform(path, arguments.json)
    } else if cardan::CheckpointHeader::is_in(path) {
        checkpoint::perform(path, arguments.json)
    } else if path.is_dir() || System::is_described_at(path) {
        system::perform(path, arguments.map.as_deref(), arguments.json)
    } else if path.exists() {
        bail!(
            "{} is neither a system (a folder with a system.toml, a .toml, .ssp, .ssd, .xml or .cosim) nor a result (.csv, .parquet, .mat) nor an FMU (.fmu) nor a checkpoint",
            path.display()
        )
    } else {
        bail!("there is no {}", path.display())
    }
}
