//! What variables of both versions have in common.

use super::super::rules::{default_variability, initials};
use super::super::types::{DeclaredType, choices};
use super::super::words::word;
use super::super::{Causality, Kind, Variable};
use super::{MAX_CHOICES, Scope, clock, start, value_reference};
use cardan_describe::xml::{self, Element};
use cardan_describe::{Reporter, Severity};

/// Reads a variable. With FMI 2 the `head` says what it is for and `typed`, its child, the type; with FMI 3 both are
/// the same element.
pub(super) fn variable<'a>(
    head: Element<'a>,
    typed: Element<'a>,
    kind: Kind,
    scope: &mut Scope<'a, '_>,
    reporter: &mut Reporter,
) -> Option<(&'a str, Variable)> {
    let name = head.required("name", reporter);
    let value_reference = value_reference(head, reporter);
    let (name, value_reference) = (name?.value, value_reference?);
    let span = head.span();
    let causality = word(head, "causality", reporter).unwrap_or(Causality::Local);
    let variability = word(head, "variability", reporter);
    let variability = variability.unwrap_or_else(|| default_variability(causality, kind));
    let usual = || initials(scope.version, causality, variability).first().copied();
    let initial = word(head, "initial", reporter).or_else(usual);

    let declared = declared(typed, name, scope);
    let choices = items(typed, declared, kind, scope, reporter);
    if kind == Kind::Enumeration && choices.is_empty() {
        scope.without_items.add(span, name);
    }
    let unit = inherited(typed, declared, "unit").filter(|unit| !unit.trim().is_empty());
    if let (Some(unit), Some(known)) = (unit, &scope.units)
        && !known.contains(unit)
    {
        scope.unknown_units.add(span, name);
    }
    let mut number = |attribute| {
        let own = typed.real(attribute, Severity::Warning, reporter);
        let own = own.map(|number| number.value);
        own.or_else(|| xml::real(declared?.element.attribute(attribute)?.value))
    };
    let (minimum, maximum, nominal) = (number("min"), number("max"), number("nominal"));
    let reinit = typed.boolean("reinit", Severity::Warning, reporter);
    let update = typed.boolean("intermediateUpdate", Severity::Warning, reporter);
    let clock = (kind == Kind::Clock).then(|| clock::properties(typed, declared, name, reporter));
    let variable = Variable {
        name: name.to_owned(),
        aliases: Vec::new(),
        value_reference,
        kind,
        causality,
        variability,
        initial,
        start: start::written(typed, kind, name, &choices, reporter),
        large_start: start::too_large(typed, kind).map(str::to_owned),
        dimensions: Vec::new(),
        unit: unit.map(str::to_owned),
        minimum,
        maximum,
        nominal,
        derivative_of: None,
        previous: None,
        reinit: reinit.is_some_and(|reinit| reinit.value),
        choices,
        intermediate_update: update.is_some_and(|update| update.value),
        clocks: Vec::new(),
        clock,
        description: head.attribute("description").map(|text| text.value.to_owned()),
        span,
    };
    Some((name, variable))
}

fn declared<'a, 't>(
    typed: Element<'a>,
    name: &str,
    scope: &mut Scope<'a, 't>,
) -> Option<&'t DeclaredType<'a>> {
    let written = typed.attribute("declaredType")?;
    let found = scope.types.get(written.value);
    if found.is_none() && !written.value.is_empty() {
        scope.unknown_types.add(written.span, name);
    }
    found
}

/// The items of the type, or of the variable itself as a few tools write them.
fn items(
    typed: Element<'_>,
    declared: Option<&DeclaredType<'_>>,
    kind: Kind,
    scope: &mut Scope<'_, '_>,
    reporter: &mut Reporter,
) -> Vec<(String, i64)> {
    if kind != Kind::Enumeration {
        return Vec::new();
    }
    let count = declared.map_or(0, |declared| declared.choices.len());
    scope.choices = scope.choices.saturating_add(count);
    match declared {
        Some(declared) if scope.choices <= MAX_CHOICES => declared.choices.clone(),
        Some(_) => Vec::new(),
        None => choices(typed, reporter),
    }
}

/// An attribute of the variable, else of its type.
fn inherited<'a>(
    typed: Element<'a>,
    declared: Option<&DeclaredType<'a>>,
    attribute: &str,
) -> Option<&'a str> {
    let own = typed.attribute(attribute);
    let found = own.or_else(|| declared?.element.attribute(attribute));
    found.map(|found| found.value)
}
