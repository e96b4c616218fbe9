//! What users see when a description is wrong, and what the engine gets when it is right.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests may fail loudly"
)]

mod acsi;
mod bonds;
mod loading;
mod multibody;
mod mutation;
mod osp;
mod overriding;
mod parameters;
mod reading;
mod rendering;
mod resolving;
mod robustness;
mod schema;
mod ssp;
mod terminals;
mod tlm;

use cardan_describe::{Reporter, Source, SystemSpec};

/// A description that is right.
const GOOD: &str = include_str!("good.toml");

fn parse(text: &str) -> (SystemSpec, Reporter) {
    let mut reporter = Reporter::new();
    let spec = cardan_describe::parse(Source::new("system.toml", text), &mut reporter);
    (spec, reporter)
}

/// What is said about a text, all of it.
fn complaints(text: &str) -> String {
    let (spec, mut reporter) = parse(text);
    spec.check_settings(&mut reporter);
    reporter.render_all(false)
}

/// What is said about a section, in a system that is otherwise right.
fn complaints_about(section: &str) -> String {
    let base = "[system]\nstop = 4.0\n[components.wheel]\nmodel = \"mass\"\n";
    complaints(&format!("{base}{section}"))
}
