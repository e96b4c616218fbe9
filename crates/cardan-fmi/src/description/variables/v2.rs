//! Variables of FMI 2: a `<ScalarVariable>` with its type inside.

use super::super::Kind;
use super::{Relations, Scope, common};
use cardan_describe::Reporter;
use cardan_describe::xml::Element;

/// For each place in the file the index of its variable, because others refer to it by its place.
pub(super) fn read<'a>(
    elements: impl Iterator<Item = Element<'a>>,
    scope: &mut Scope<'a, '_>,
    reporter: &mut Reporter,
) -> Vec<Option<usize>> {
    let mut order = Vec::new();
    for element in elements {
        if element.name() == "ScalarVariable" {
            order.push(scalar(element, scope, reporter));
        } else if element.name() != "Annotations" {
            let message = format!("<{}> is not a variable of FMI 2: it is ignored", element.name());
            reporter.warning(element.span(), message);
        }
    }
    order
}

fn scalar<'a>(element: Element<'a>, scope: &mut Scope<'a, '_>, reporter: &mut Reporter) -> Option<usize> {
    // Some tools put annotations first.
    let typed = element
        .children()
        .find_map(|child| Some((child, Kind::of_v2(child.name())?)));
    let Some((typed, kind)) = typed else {
        let name = element.attribute("name").map_or("", |name| name.value);
        reporter
            .error(element.span(), format!("the variable `{name}` has no type"))
            .advice("it needs a <Real>, <Integer>, <Boolean>, <String> or <Enumeration> inside");
        return None;
    };
    let (name, variable) = common::variable(element, typed, kind, scope, reporter)?;
    let relations = Relations {
        derivative: typed.attribute("derivative"),
        ..Relations::default()
    };
    Some(scope.add(name, variable, relations, reporter))
}
