//! Reads `system.toml`.
//!
//! Reading goes on after a mistake: what could be understood ends in the spec, so that whoever looks up the names in
//! it can report wrong ones in the same breath.

mod bond;
pub(crate) mod component;
mod connection;
mod document;
mod duplicates;
pub(crate) mod fields;
mod fit;
pub(crate) mod keys;
mod line;
pub(crate) mod mechanism;
mod place;
mod size;

pub(crate) use document::{parse_value, report_syntax};

use crate::diagnostic::{Reporter, Source, Span};
use crate::spec::{LimitsSpec, MethodSpec, RecordSpec, SystemSpec};
use fields::{Entry, Fields, Place};
use std::path::Path;

/// Reads a description, reporting every mistake in it.
pub fn parse(source: Source, reporter: &mut Reporter) -> SystemSpec {
    let fallback_name = name_from(source.path());
    let (reader, entries) = Reader::open(source, reporter);
    reader.system(&entries, fallback_name, reporter)
}

/// `quarter-car/system.toml` describes the system "quarter-car", `pendulum.toml` the system "pendulum".
fn name_from(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path
        .parent()
        .and_then(Path::file_name)
        .map(|name| name.to_string_lossy());
    match folder {
        Some(folder) if stem == "system" => folder.into_owned(),
        _ => stem.into_owned(),
    }
}

/// What every section needs to know of the whole.
#[derive(Clone, Copy)]
pub(crate) struct Reader {
    pub(crate) broken: bool,
    pub(crate) whole: Span,
}

impl Reader {
    /// Parses a text into tables.
    pub(crate) fn open(source: Source, reporter: &mut Reporter) -> (Reader, Vec<Entry>) {
        let id = reporter.add(source);
        let (entries, complete) = document::parse_document(id, reporter);
        let reader = Reader {
            broken: !complete,
            whole: Span::new(id, 0..0),
        };
        (reader, entries)
    }

    pub(crate) fn place<'a>(&self, title: &'a str, span: Span) -> Place<'a> {
        Place {
            title,
            span,
            broken: self.broken,
        }
    }

    fn system(
        self,
        entries: &document::Entries,
        fallback_name: String,
        reporter: &mut Reporter,
    ) -> SystemSpec {
        let document = Fields::check(
            entries,
            keys::DOCUMENT,
            self.place("the description", self.whole),
            reporter,
        );
        let mut spec = self.settings(&document, fallback_name, reporter);
        let start = spec.start_time();
        spec.components = self.components(&document, start, reporter);
        spec.connections = self.connections(&document, spec.method.reading, reporter);
        spec.bonds = self.bonds(&document, reporter);
        spec.lines = self.lines(&document, reporter);
        spec
    }

    /// A system without components: what the sections about the run as a whole say.
    pub(crate) fn settings(
        self,
        document: &Fields<'_>,
        fallback_name: String,
        reporter: &mut Reporter,
    ) -> SystemSpec {
        let section = |name, title, keys, reporter: &mut Reporter| {
            let (span, entries) = document.table(name).unwrap_or((self.whole, &[]));
            Fields::check(entries, keys, self.place(title, span), reporter)
        };
        let system = section("system", "[system]", keys::SYSTEM, reporter);
        let method = method(&section("method", "[method]", keys::METHOD, reporter));
        let limits = section("limits", "[limits]", keys::LIMITS, reporter);
        let record = section("record", "[record]", keys::RECORD, reporter);
        SystemSpec {
            description: system.text("description").map(|text| text.value),
            start: system.number("start"),
            stop: system.number("stop"),
            stop_rejected: system.rejected("stop"),
            method,
            limits: LimitsSpec {
                call: limits.number("call"),
                memory: limits.size("memory"),
            },
            record: RecordSpec {
                every: record.number("every"),
                variables: record.texts("variables").map(|list| list.value),
            },
            broken: self.broken,
            ..SystemSpec::new(
                system.text("name").map_or(fallback_name, |name| name.value),
                self.whole,
            )
        }
    }
}

/// The method, from keys that were checked.
pub(crate) fn method(fields: &Fields<'_>) -> MethodSpec {
    MethodSpec {
        kind: fields.choice("kind"),
        step: fields.number("step"),
        tolerance: fields.number("tolerance"),
        absolute: fields.number("absolute"),
        min_step: fields.number("min_step"),
        max_step: fields.number("max_step"),
        estimator: fields.choice("estimator"),
        energy_tolerance: fields.number("energy_tolerance"),
        correction: fields.flag("correction"),
        scheme: fields.choice("scheme"),
        accelerator: fields.choice("accelerator"),
        relaxation: fields.number("relaxation"),
        reuse: fields.count("reuse"),
        max_iterations: fields.count("max_iterations"),
        tangent: fields.choice("tangent"),
        ahead: fields.count("ahead"),
        force_absolute_error: fields.number("force_absolute_error"),
        force_relative_error: fields.number("force_relative_error"),
        reject: fields.flag("reject"),
        order: fields.texts("order"),
        start: fields.choice("start"),
        reading: fields.choice("reading"),
    }
}
