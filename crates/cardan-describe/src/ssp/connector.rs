//! `<Connector>`, `<DictionaryEntry>`: name, kind, type, unit, dimensions.

use crate::diagnostic::{Reporter, Severity, Spanned, suggest_choice};
use crate::spec::{ConnectorKind, ConnectorSpec};
use crate::xml::Element;
use cardan_core::value::{Shape, ValueType};

const KINDS: [(&str, ConnectorKind); 9] = [
    ("input", ConnectorKind::Input),
    ("output", ConnectorKind::Output),
    ("inout", ConnectorKind::Inout),
    ("unspecified", ConnectorKind::Inout),
    ("parameter", ConnectorKind::Parameter),
    ("structuralParameter", ConnectorKind::Parameter),
    ("calculatedParameter", ConnectorKind::CalculatedParameter),
    ("constant", ConnectorKind::CalculatedParameter),
    ("local", ConnectorKind::Local),
];

/// What an element such as `<Real>` or `<Int32>` stands for.
pub(super) fn value_type(name: &str) -> Option<ValueType> {
    Some(match name {
        "Real" | "Float64" | "Float32" => ValueType::Real,
        "Integer" | "Int8" | "UInt8" | "Int16" | "UInt16" | "Int32" | "UInt32" | "Int64" | "UInt64" => {
            ValueType::Integer
        }
        "Boolean" => ValueType::Boolean,
        "String" => ValueType::String,
        "Enumeration" => ValueType::Enumeration,
        "Binary" => ValueType::Binary,
        "Clock" => ValueType::Clock,
        _ => return None,
    })
}

/// All connectors of an element of a system.
pub(super) fn connectors(element: Element<'_>, reporter: &mut Reporter) -> Vec<ConnectorSpec> {
    let lists = element.children_named("Connectors");
    let connectors = lists.flat_map(|list| list.children_named("Connector").collect::<Vec<_>>());
    connectors
        .filter_map(|connector| one(connector, None, reporter))
        .collect()
}

/// A connector. An entry of a signal dictionary has no kind of its own.
pub(super) fn one(
    element: Element<'_>,
    kind: Option<ConnectorKind>,
    reporter: &mut Reporter,
) -> Option<ConnectorSpec> {
    let name = element.required("name", reporter)?;
    let kind = match kind {
        Some(kind) => Spanned::new(kind, name.span),
        None => written_kind(element, reporter)?,
    };
    let mut typed = element
        .children()
        .filter_map(|child| Some((child, value_type(child.name())?)));
    let typed = typed.next();
    let unit = typed.and_then(|(child, _)| child.attribute("unit"));
    Some(ConnectorSpec {
        name: name.map(str::to_owned),
        kind,
        value_type: typed.map(|(child, value_type)| Spanned::new(value_type, child.span())),
        unit: unit.map(|unit| unit.map(str::to_owned)),
        shape: shape(element, reporter),
        span: element.span(),
    })
}

fn written_kind(element: Element<'_>, reporter: &mut Reporter) -> Option<Spanned<ConnectorKind>> {
    let written = element.required("kind", reporter)?;
    let known = KINDS.iter().find(|(name, _)| *name == written.value.trim());
    if known.is_none() {
        reporter
            .error(
                written.span,
                format!("there is no kind `{}` of connectors", written.value),
            )
            .advice(suggest_choice(written.value, &KINDS.map(|(name, _)| name)));
    }
    known.map(|(_, kind)| Spanned::new(*kind, written.span))
}

/// The dimensions, where each has a size of its own.
pub(super) fn shape(element: Element<'_>, reporter: &mut Reporter) -> Option<Spanned<Shape>> {
    let mut sizes = Vec::new();
    let mut first = None;
    for dimension in element.children_named("Dimension") {
        first.get_or_insert(dimension.span());
        let size = dimension.integer("size", Severity::Error, reporter)?;
        sizes.push(usize::try_from(size.value).ok()?);
    }
    Some(Spanned::new(Shape::of(sizes), first?))
}
