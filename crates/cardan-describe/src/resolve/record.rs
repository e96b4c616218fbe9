//! Patterns of what to record.

use super::Scope;
use crate::diagnostic::{Reporter, listed, nearest};
use crate::glob::glob;
use cardan_core::graph::Line;
use cardan_core::interface::Port;

/// A pattern that matches nothing is a mistake: somebody would miss the results after the run.
pub(super) fn check(scope: &Scope<'_>, lines: &[Line], reporter: &mut Reporter) {
    let Some(patterns) = &scope.spec.record.variables else {
        return;
    };
    let names = variables(scope);
    let lines: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    for pattern in patterns {
        if names
            .iter()
            .any(|(name, port)| matches(&pattern.value, name, port))
            || lines
                .iter()
                .any(|line| glob(&pattern.value, &format!("{line}.energy")))
            || may_match_unknown(scope, &pattern.value)
        {
            continue;
        }
        let component = component_of(scope, &pattern.value);
        let advice = match nearest(&pattern.value, names.iter().map(|(name, _)| name.as_str())) {
            Some(known) => format!("did you mean `{known}`?"),
            None if scope.by_name.contains_key(component) => {
                let dotted = format!("{component}.");
                let own = names.iter().filter(|(name, _)| name.starts_with(&dotted));
                listed("variables", own.map(|(name, _)| name.as_str()))
            }
            None => format!(
                "patterns match `component.variable`; {}",
                scope.component_advice(component)
            ),
        };
        reporter
            .error(pattern.span, format!("`{}` matches no variable", pattern.value))
            .label("nothing to record")
            .advice(advice);
    }
}

fn variables<'a>(scope: &'a Scope<'_>) -> Vec<(String, &'a Port)> {
    let ports = scope
        .known()
        .flat_map(|(id, _, interface)| interface.ports.iter().map(move |port| (id, port)));
    ports
        .map(|(id, port)| (format!("{}.{}", scope.name(id), port.name), port))
        .collect()
}

fn matches(pattern: &str, name: &str, port: &Port) -> bool {
    let mut elements = 0..if port.shape.is_scalar() {
        0
    } else {
        port.shape.len()
    };
    glob(pattern, name)
        || elements.any(|element| glob(pattern, &format!("{name}{}", port.element_suffix(element))))
}

/// A component that could not be made may well have what the pattern asks for.
fn may_match_unknown(scope: &Scope<'_>, pattern: &str) -> bool {
    let all = scope.spec.components.iter().zip(&scope.interfaces);
    let mut unknown = all.filter(|(_, interface)| interface.is_none());
    unknown.any(|(spec, _)| components(pattern).any(|component| glob(component, &spec.name.value)))
}

/// What a pattern may mean by a component: the part before each of its dots, the longest first; all of it without one.
fn components(pattern: &str) -> impl Iterator<Item = &str> {
    let whole = (!pattern.contains('.')).then_some(pattern);
    let parts = pattern.rmatch_indices('.').map(|(at, _)| &pattern[..at]);
    parts.chain(whole)
}

fn component_of<'a>(scope: &Scope<'_>, pattern: &'a str) -> &'a str {
    let known = components(pattern).find(|component| scope.by_name.contains_key(component));
    known.or_else(|| components(pattern).last()).unwrap_or(pattern)
}
