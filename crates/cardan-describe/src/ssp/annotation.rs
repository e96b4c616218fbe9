//! Our own annotations: what SSP has no place for. Those of others are left alone.

use crate::diagnostic::{Reporter, Spanned};
use crate::spec::{ComponentSpec, Literal, SolverSpec, SystemSpec};
use crate::toml::fields::{Entry, Fields, Place};
use crate::toml::keys::{self, Key, Kind};
use crate::toml::{component, method};
use crate::xml::{self, Element};

/// The method, what to record, and what may be used up.
pub(super) fn of_system(place: Element<'_>, spec: &mut SystemSpec, reporter: &mut Reporter) {
    for element in content(place, "org.cardan.method") {
        let entries = attributes(element, keys::METHOD);
        spec.method = method(&fields(element, &entries, keys::METHOD, reporter));
    }
    for element in content(place, "org.cardan.record") {
        let entries = attributes(element, keys::RECORD);
        let fields = fields(element, &entries, keys::RECORD, reporter);
        spec.record.every = fields.number("every");
        spec.record.variables = fields.texts("variables").map(|list| list.value);
    }
    for element in content(place, "org.cardan.limits") {
        let entries = attributes(element, keys::LIMITS);
        let fields = fields(element, &entries, keys::LIMITS, reporter);
        spec.limits.call = fields.number("call");
        spec.limits.memory = fields.size("memory");
    }
}

/// How a component takes part.
pub(super) fn of_component(place: Element<'_>, spec: &mut ComponentSpec, reporter: &mut Reporter) {
    for element in content(place, "org.cardan.component") {
        let entries = attributes(element, keys::ANNOTATION);
        let known = fields(element, &entries, keys::ANNOTATION, reporter);
        spec.step = known.number("step");
        spec.substeps = known.count("substeps");
        spec.isolate = known.flag("isolate");
        spec.parallel = known.flag("parallel");
        spec.role = known.text("role");
        spec.discrete = known.flag("discrete");
        spec.log = component::log(&known);
        spec.solver = known.text("solver").map(|kind| SolverSpec {
            span: kind.span,
            kind: Some(kind),
            step: None,
            rtol: None,
            atol: None,
            max_step: None,
            tolerance: None,
            penalty: None,
            spectral_radius: None,
        });
        if let Some(solver) = element.child("solver") {
            let entries = attributes(solver, keys::SOLVER);
            let fields = fields(solver, &entries, keys::SOLVER, reporter);
            spec.solver = Some(component::solver(&fields, solver.span()));
        }
        if let Some(limits) = element.child("limits") {
            let entries = attributes(limits, keys::CALL_LIMITS);
            spec.call_limit = fields(limits, &entries, keys::CALL_LIMITS, reporter).number("call");
        }
    }
}

/// The elements inside the annotations of one type.
fn content<'a>(place: Element<'a>, wanted: &str) -> Vec<Element<'a>> {
    let annotations = place.children_named("Annotations");
    let annotations = annotations.flat_map(|list| list.children().collect::<Vec<_>>());
    let ours = annotations.filter(|a| a.attribute("type").is_some_and(|t| t.value.trim() == wanted));
    ours.flat_map(|annotation| annotation.children().collect::<Vec<_>>())
        .collect()
}

/// Attributes as the keys of a table. What cannot be read stays a text, so that the check of the keys objects to it.
fn attributes(element: Element<'_>, keys: &[Key]) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (name, value) in element.attributes() {
        let kind = keys.iter().find(|key| key.name == name).map(|key| &key.kind);
        let text = || Literal::String(value.value.to_owned());
        let list = || {
            let words = value.value.split([' ', ',', '\t', '\n']);
            let words = words.filter(|word| !word.is_empty());
            Literal::Array(
                words
                    .map(|word| Spanned::new(Literal::String(word.to_owned()), value.span))
                    .collect(),
            )
        };
        let literal = match kind {
            Some(Kind::Number | Kind::Positive | Kind::Limit) => {
                xml::real(value.value).map_or_else(text, Literal::Real)
            }
            Some(Kind::Count) => xml::integer(value.value).map_or_else(text, Literal::Integer),
            Some(Kind::Flag) => xml::boolean(value.value).map_or_else(text, Literal::Boolean),
            Some(Kind::FlagOrTexts) => xml::boolean(value.value).map_or_else(list, Literal::Boolean),
            Some(Kind::Texts) => list(),
            _ => text(),
        };
        let name = Spanned::new(name.to_owned(), value.span);
        entries.push((name, Spanned::new(literal, value.span)));
    }
    entries
}

fn fields<'e>(
    element: Element<'_>,
    entries: &'e [Entry],
    keys: &'static [Key],
    reporter: &mut Reporter,
) -> Fields<'e> {
    let title = format!("<{}>", element.name());
    let place = Place {
        title: &title,
        span: element.span(),
        broken: false,
    };
    Fields::check(entries, keys, place, reporter)
}
