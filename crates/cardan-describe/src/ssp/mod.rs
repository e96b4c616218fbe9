//! Reads SSP: a system structure description (`.ssd`) with its parameter sets, mappings and signal dictionaries.
//!
//! Versions 1.0 and 2.0. Nested systems are flattened: a component `wheel` of a system `axle` inside the root is called
//! `axle.wheel`. Connections through connectors of systems become one connection each, with all that happens on the way.

mod annotation;
mod bindings;
mod component;
mod connection;
mod connector;
mod definitions;
mod dictionary;
mod flatten;
mod known;
mod literal;
mod parameter_mapping;
mod parameter_set;
mod system;
mod transformation;
mod tree;
mod values;

use crate::diagnostic::{Reporter, Severity, Source, Spanned};
use crate::spec::{LimitsSpec, MethodSpec, RecordSpec, SystemSpec};
use crate::xml::{self, Element, Folder};
use std::path::Path;
use tree::Tree;

/// The name of the description in an unpacked archive.
pub const FILE_NAME: &str = "SystemStructure.ssd";

/// Reads a system from the folder of an unpacked `.ssp`, or from an `.ssd` file by itself. None if there was nothing to
/// read; what is wrong inside is reported, and the rest comes back. Sources of components stay relative to the folder.
pub fn load(path: &Path, reporter: &mut Reporter) -> Option<SystemSpec> {
    let (file, folder) = if path.is_dir() {
        (path.join(FILE_NAME), Folder::sealed(path))
    } else {
        let folder = path.parent().unwrap_or(Path::new(""));
        (path.to_owned(), Folder::open(folder))
    };
    match xml::text_of(&file) {
        Ok(text) => parse(Source::new(file, text), &folder, reporter),
        Err(error) => {
            reporter
                .file_error(file, format!("the system structure cannot be read: {error}"))
                .advice(format!(
                    "name an .ssd file, or a folder with a `{FILE_NAME}` in it"
                ));
            None
        }
    }
}

/// Reads a system structure from a text; what it refers to lies in `folder`.
pub fn parse(source: Source, folder: &Folder, reporter: &mut Reporter) -> Option<SystemSpec> {
    let stem = source.path().file_stem().unwrap_or_default();
    let fallback = stem.to_string_lossy().into_owned();
    xml::read(source, reporter, |root, reporter| {
        document(root, folder, fallback, reporter)
    })?
}

fn document(
    root: Element<'_>,
    folder: &Folder,
    fallback: String,
    reporter: &mut Reporter,
) -> Option<SystemSpec> {
    if root.name() != "SystemStructureDescription" {
        reporter
            .error(
                root.span(),
                format!("expected <SystemStructureDescription>, found <{}>", root.name()),
            )
            .advice("is this a system structure description?");
        return None;
    }
    check_version(root, reporter);
    known::children(root, &known::ROOT, reporter);
    let units = definitions::units(root, reporter);
    let mut tree = Tree::new(folder, units);
    match root.child("System") {
        Some(system) => tree.root(system, reporter),
        None => {
            reporter
                .error(root.span(), "there is no <System>")
                .advice("a description holds one <System> with the <Elements> that take part");
        }
    }
    let flat = tree.flatten(reporter);
    let mut spec = SystemSpec {
        name: root
            .attribute("name")
            .map_or(fallback, |name| name.value.to_owned()),
        description: root.attribute("description").map(|text| text.value.to_owned()),
        start: None,
        stop: None,
        stop_rejected: false,
        components: flat.components,
        connections: flat.connections,
        bonds: Vec::new(),
        lines: Vec::new(),
        method: MethodSpec::default(),
        limits: LimitsSpec::default(),
        record: RecordSpec::default(),
        units: flat.units,
        span: root.span(),
        broken: flat.broken,
    };
    experiment(root, &mut spec, reporter);
    Some(spec)
}

fn check_version(root: Element<'_>, reporter: &mut Reporter) {
    let version = root.attribute("version");
    if let Some(version) = version.filter(|v| !matches!(v.value.trim(), "1.0" | "2.0")) {
        reporter
            .warning(
                version.span,
                format!("version {} of SSP is not known here", version.value),
            )
            .advice("it is read as 2.0");
    }
}

/// When to start and stop, and what our own annotations say.
fn experiment(root: Element<'_>, spec: &mut SystemSpec, reporter: &mut Reporter) {
    let experiment = root.child("DefaultExperiment");
    if let Some(experiment) = experiment {
        let mut time = |name| {
            let found = experiment.real(name, Severity::Error, reporter);
            finite(found, name, reporter)
        };
        spec.start = time("startTime");
        spec.stop = time("stopTime");
        spec.stop_rejected = spec.stop.is_none() && experiment.attribute("stopTime").is_some();
    }
    let places = [Some(root), root.child("System"), experiment];
    for place in places.into_iter().flatten() {
        annotation::of_system(place, spec, reporter);
    }
}

fn finite(value: Option<Spanned<f64>>, name: &str, reporter: &mut Reporter) -> Option<Spanned<f64>> {
    if let Some(value) = value.filter(|value| !value.value.is_finite()) {
        reporter.error(value.span, format!("`{name}` must be a finite number"));
        return None;
    }
    value
}
