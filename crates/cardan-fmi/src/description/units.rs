//! Units and what they are in base units.

use super::Unit;
use cardan_describe::xml::Element;
use cardan_describe::{Reporter, Severity};
use std::collections::HashSet;

/// In the order of [`Unit::base`].
const BASE: [&str; 8] = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"];

pub(super) fn units(root: Element<'_>, reporter: &mut Reporter) -> Vec<Unit> {
    let mut seen = HashSet::new();
    let mut units = Vec::new();
    let list = root.child("UnitDefinitions");
    for element in list.iter().flat_map(|list| list.children_named("Unit")) {
        let Some(name) = element.attribute("name") else {
            reporter.warning(element.span(), "a unit without a name is ignored");
            continue;
        };
        if !seen.insert(name.value) {
            reporter.warning(
                name.span,
                format!("the unit `{}` is defined twice: the first counts", name.value),
            );
            continue;
        }
        units.push(unit(name.value, element, reporter));
    }
    units
}

fn unit(name: &str, element: Element<'_>, reporter: &mut Reporter) -> Unit {
    let mut unit = Unit {
        name: name.to_owned(),
        base: None,
        factor: 1.0,
        offset: 0.0,
    };
    let Some(base) = element.child("BaseUnit") else {
        return unit;
    };
    let mut exponents = [0; 8];
    for (exponent, name) in exponents.iter_mut().zip(BASE) {
        let Some(written) = base.integer(name, Severity::Warning, reporter) else {
            // Without one of its exponents it would be another unit.
            if base.attribute(name).is_some() {
                return unit;
            }
            continue;
        };
        *exponent = i32::try_from(written.value).unwrap_or_default();
    }
    if let Some(factor) = base.real("factor", Severity::Warning, reporter) {
        if factor.value.is_finite() && factor.value != 0.0 {
            unit.factor = factor.value;
        } else {
            reporter.warning(
                factor.span,
                format!("the factor of `{name}` is no use: 1 is taken"),
            );
        }
    }
    if let Some(offset) = base.real("offset", Severity::Warning, reporter) {
        unit.offset = if offset.value.is_finite() {
            offset.value
        } else {
            0.0
        };
    }
    unit.base = Some(exponents);
    unit
}
