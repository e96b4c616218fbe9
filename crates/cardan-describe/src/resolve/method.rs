//! The order of the components, and the reading for all.

use super::Scope;
use crate::diagnostic::{Reporter, Span};
use std::collections::HashMap;

pub(super) fn check(scope: &Scope<'_>, reporter: &mut Reporter) {
    let method = &scope.spec.method;
    if let Some(reading) = method.reading.filter(|reading| reading.value.turns()) {
        reporter
            .error(
                reading.span,
                "slerp is for rotations and cannot be the reading of all connections",
            )
            .advice("leave it out: rotations are read by slerp anyway");
    }
    let Some(order) = &method.order else {
        return;
    };
    let mut seen: HashMap<&str, Span> = HashMap::new();
    for name in &order.value {
        if !scope.by_name.contains_key(name.value.as_str()) {
            reporter
                .error(name.span, format!("there is no component `{}`", name.value))
                .label("unknown component")
                .advice(scope.component_advice(&name.value));
        } else if let Some(first) = seen.insert(&name.value, name.span) {
            reporter
                .error(name.span, format!("`{}` is listed twice", name.value))
                .related(first, "first listed here")
                .advice("list every component once");
        }
    }
    // Misspelt names were reported; what they stand for is not missing.
    let guessed = order
        .value
        .iter()
        .filter(|name| !scope.by_name.contains_key(name.value.as_str()));
    let guessed: Vec<&str> = guessed
        .filter_map(|name| scope.nearest_component(&name.value))
        .collect();
    let names = scope.spec.components.iter().map(|c| c.name.value.as_str());
    let missing: Vec<String> = names
        .filter(|name| !seen.contains_key(name) && !guessed.contains(name))
        .map(|n| format!("`{n}`"))
        .collect();
    if !missing.is_empty() && !scope.spec.broken {
        reporter
            .error(order.span, format!("the order leaves out {}", missing.join(", ")))
            .advice("list every component once, or leave `order` out");
    }
}
