//! `<ParameterMapping>`: which value of a parameter set goes where, in a description or in a file of its own (`.ssm`).

use super::transformation;
use crate::diagnostic::{Reporter, Severity, Spanned};
use crate::spec::Hop;
use crate::xml::Element;

/// One value's way.
pub(super) struct MappingEntry {
    pub(super) source: Spanned<String>,
    pub(super) target: Spanned<String>,
    pub(super) hop: Hop,
}

pub(super) fn read(root: Element<'_>, reporter: &mut Reporter) -> Vec<MappingEntry> {
    if root.name() != "ParameterMapping" {
        reporter
            .error(
                root.span(),
                format!("expected <ParameterMapping>, found <{}>", root.name()),
            )
            .advice("is this a parameter mapping?");
        return Vec::new();
    }
    // Inside a description the mapping of the standard stands in an element of the same name.
    let entries = root.child("ParameterMapping").unwrap_or(root);
    let entries = entries.children_named("MappingEntry");
    entries.filter_map(|entry| one(entry, reporter)).collect()
}

fn one(entry: Element<'_>, reporter: &mut Reporter) -> Option<MappingEntry> {
    let source = entry.required("source", reporter);
    let target = entry.required("target", reporter);
    let keeps_number = entry.boolean("suppressUnitConversion", Severity::Error, reporter);
    let transformation = transformation::inside(entry, reporter);
    Some(MappingEntry {
        source: source?.map(str::to_owned),
        target: target?.map(str::to_owned),
        hop: Hop {
            keeps_number: keeps_number.is_some_and(|flag| flag.value),
            transformation,
            ..Hop::default()
        },
    })
}
