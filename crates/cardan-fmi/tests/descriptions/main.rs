//! Model descriptions as tools write them, broken in every way we could think of, and large.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests may fail loudly"
)]

mod mistakes;
mod mutations;
mod size;
mod tools;

use cardan_describe::{Reporter, Source};
use cardan_fmi::ModelDescription;
use std::path::Path;

/// The text of an example.
fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testing/descriptions");
    let bytes = std::fs::read(folder.join(format!("{name}.xml"))).unwrap();
    cardan_describe::xml::decode(&bytes).0
}

fn parse(text: impl Into<String>) -> (Option<ModelDescription>, Reporter) {
    let mut reporter = Reporter::new();
    let description = ModelDescription::read(Source::new("modelDescription.xml", text), &mut reporter);
    (description, reporter)
}

/// Reads an example that must be usable.
fn example(name: &str) -> (ModelDescription, Reporter) {
    let (description, reporter) = parse(text(name));
    assert!(!reporter.has_errors(), "{name}: {}", reporter.render_all(false));
    (description.unwrap(), reporter)
}

/// The messages alone.
fn messages(reporter: &Reporter) -> Vec<String> {
    let line = |d: &&cardan_describe::Diagnostic| format!("{}: {}", d.severity, d.message);
    reporter.sorted().iter().map(line).collect()
}

/// A description of FMI 2 around some variables.
fn v2(variables: &str) -> String {
    format!(
        "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\">\n\
         <CoSimulation modelIdentifier=\"m\"/>\n<ModelVariables>\n{variables}\n</ModelVariables>\n\
         <ModelStructure/>\n</fmiModelDescription>\n"
    )
}

/// A description of FMI 3 around some variables.
fn v3(variables: &str) -> String {
    format!(
        "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"g\">\n\
         <CoSimulation modelIdentifier=\"m\"/>\n<ModelVariables>\n{variables}\n</ModelVariables>\n\
         <ModelStructure/>\n</fmiModelDescription>\n"
    )
}
