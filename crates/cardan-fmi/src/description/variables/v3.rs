//! Variables of FMI 3: an element named after its type.

use super::super::{Kind, Variable};
use super::{Relations, Scope, common};
use cardan_describe::Reporter;
use cardan_describe::xml::Element;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The variable of each value reference.
pub(super) fn read<'a>(
    elements: impl Iterator<Item = Element<'a>>,
    scope: &mut Scope<'a, '_>,
    reporter: &mut Reporter,
) -> HashMap<u32, usize> {
    let mut by_value = HashMap::new();
    for element in elements {
        let Some(kind) = Kind::of_v3(element.name()) else {
            if element.name() != "Annotations" {
                let message = format!("<{}> is not a variable of FMI 3: it is ignored", element.name());
                reporter.warning(element.span(), message);
            }
            continue;
        };
        let Some((name, mut variable)) = common::variable(element, element, kind, scope, reporter) else {
            continue;
        };
        let (value_reference, span) = (variable.value_reference, variable.span);
        aliases(element, name, &mut variable, scope, reporter);
        let relations = Relations {
            derivative: element.attribute("derivative"),
            previous: element.attribute("previous"),
            clocks: element.attribute("clocks"),
            dimensions: element.children_named("Dimension").collect(),
        };
        let index = scope.add(name, variable, relations, reporter);
        match by_value.entry(value_reference) {
            Entry::Vacant(free) => {
                free.insert(index);
            }
            Entry::Occupied(taken) if *taken.get() != index => {
                let first = &scope.list[*taken.get()];
                let message = format!(
                    "`{name}` has the value reference {value_reference} of `{}`: the FMU cannot tell them apart",
                    first.name
                );
                reporter
                    .warning(span, message)
                    .related(first.span, "used here first");
            }
            Entry::Occupied(_) => {}
        }
    }
    by_value
}

/// Other names of a variable, which must be as unique as its own.
fn aliases<'a>(
    element: Element<'a>,
    name: &str,
    variable: &mut Variable,
    scope: &mut Scope<'a, '_>,
    reporter: &mut Reporter,
) {
    // A second variable of the same name is dropped, and its aliases with it.
    if scope.names.contains_key(name) {
        return;
    }
    for alias in element.children_named("Alias") {
        let Some(other) = alias.required("name", reporter) else {
            continue;
        };
        if other.value == name || scope.names.contains_key(other.value) {
            let message = format!(
                "the alias `{}` is the name of a variable already: it is ignored",
                other.value
            );
            reporter.warning(other.span, message);
            continue;
        }
        scope.names.insert(other.value, scope.list.len());
        variable.aliases.push(other.value.to_owned());
    }
}
