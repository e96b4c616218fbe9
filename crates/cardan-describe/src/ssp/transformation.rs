//! `<LinearTransformation>` and the mapping tables.

use crate::diagnostic::{Reporter, Severity, Span, Spanned};
use crate::spec::Transformation;
use crate::xml::{self, Element};
use cardan_core::graph::Conversion;
use std::collections::HashMap;

/// The transformation inside a connection or a mapping entry, if there is one.
pub(super) fn inside(element: Element<'_>, reporter: &mut Reporter) -> Option<Spanned<Transformation>> {
    let mut found: Option<Spanned<Transformation>> = None;
    for child in element.children() {
        let span = child.span();
        let transformation = match child.name() {
            "LinearTransformation" => linear(child, reporter),
            "BooleanMappingTransformation" => {
                let entries = entries(child, xml::boolean, "`true` or `false`", reporter);
                Transformation::Booleans(plain(entries))
            }
            "IntegerMappingTransformation" => {
                let entries = entries(child, xml::integer, "a whole number", reporter);
                Transformation::Integers(plain(entries))
            }
            "EnumerationMappingTransformation" => {
                let name = |text: &str| Some(text.to_owned());
                Transformation::Enumeration(entries(child, name, "a name", reporter))
            }
            _ => continue,
        };
        match &found {
            Some(first) => {
                reporter
                    .error(span, "a second transformation in the same place")
                    .related(first.span, "the first")
                    .advice("keep one of them");
            }
            None => found = Some(Spanned::new(transformation, span)),
        }
    }
    found
}

fn linear(element: Element<'_>, reporter: &mut Reporter) -> Transformation {
    let mut number = |name, default| {
        let found = element.real(name, Severity::Error, reporter);
        if let Some(wrong) = found.filter(|number| !number.value.is_finite()) {
            reporter.error(wrong.span, format!("`{name}` must be a finite number"));
        }
        found.map_or(default, |number| number.value)
    };
    Transformation::Linear(Conversion {
        factor: number("factor", 1.0),
        offset: number("offset", 0.0),
    })
}

type Pair<T> = (Spanned<T>, Spanned<T>);

fn entries<T>(
    element: Element<'_>,
    parse: impl Fn(&str) -> Option<T>,
    wanted: &str,
    reporter: &mut Reporter,
) -> Vec<Pair<T>> {
    let mut seen: HashMap<&str, Span> = HashMap::new();
    let mut entries = Vec::new();
    for entry in element.children_named("MapEntry") {
        let mut side = |name| {
            let written = entry.required(name, reporter)?;
            let value = parse(written.value);
            if value.is_none() {
                let message = format!("`{name}` must be {wanted}, found `{}`", written.value);
                reporter.error(written.span, message);
            }
            value.map(|value| Spanned::new(value, written.span))
        };
        let pair = (side("source"), side("target"));
        if let (Some(source), Some(target)) = pair {
            entries.push((source, target));
        }
        let Some(source) = entry.attribute("source") else {
            continue;
        };
        if let Some(first) = seen.insert(source.value.trim(), source.span) {
            reporter
                .error(source.span, format!("`{}` is mapped twice", source.value.trim()))
                .related(first, "first mapped here")
                .advice("keep one of the two entries");
        }
    }
    entries
}

fn plain<T>(entries: Vec<Pair<T>>) -> Vec<(T, T)> {
    let values = entries.into_iter();
    values
        .map(|(source, target)| (source.value, target.value))
        .collect()
}
