//! Units that a file defines.

use crate::diagnostic::{Reporter, Severity};
use crate::xml::Element;
use cardan_core::interface::UnitDefinition;

/// In the order of [`UnitDefinition::exponents`].
const BASES: [&str; 8] = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"];

/// The definitions in the `<Units>` of a file's root.
pub(super) fn units(root: Element<'_>, reporter: &mut Reporter) -> Vec<UnitDefinition> {
    let lists = root.children_named("Units");
    let units = lists.flat_map(|list| list.children_named("Unit").collect::<Vec<_>>());
    units.filter_map(|unit| definition(unit, reporter)).collect()
}

fn definition(unit: Element<'_>, reporter: &mut Reporter) -> Option<UnitDefinition> {
    let name = unit.required("name", reporter)?;
    // Without a base unit the name has to speak for itself.
    let base = unit.child("BaseUnit")?;
    let mut exponents = [0; 8];
    for (exponent, base_name) in exponents.iter_mut().zip(BASES) {
        let power = base.integer(base_name, Severity::Error, reporter);
        *exponent = power.map_or(0, |power| i32::try_from(power.value).unwrap_or(i32::MAX));
    }
    let mut number = |name, default| {
        let number = base.real(name, Severity::Error, reporter);
        number.map_or(default, |number| number.value)
    };
    Some(UnitDefinition {
        name: name.value.to_owned(),
        exponents,
        factor: number("factor", 1.0),
        offset: number("offset", 0.0),
    })
}
