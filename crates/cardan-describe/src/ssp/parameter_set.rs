//! `<ParameterSet>`: values by name, in a description or in a file of its own (`.ssv`).

use super::connector::shape;
use super::{definitions, literal};
use crate::diagnostic::{Reporter, Span, Spanned};
use crate::spec::Literal;
use crate::units::Unit;
use crate::xml::Element;
use cardan_core::interface::UnitDefinition;
use std::collections::HashMap;

/// Values by name, and where they were written.
#[derive(Default)]
pub(super) struct ParameterSet {
    pub(super) values: Vec<(Spanned<String>, Spanned<Literal>)>,
    pub(super) units: Vec<UnitDefinition>,
}

/// Reads a set; units that it does not define itself may be defined outside.
pub(super) fn read(root: Element<'_>, outer: &[UnitDefinition], reporter: &mut Reporter) -> ParameterSet {
    if root.name() != "ParameterSet" {
        reporter
            .error(
                root.span(),
                format!("expected <ParameterSet>, found <{}>", root.name()),
            )
            .advice("is this a parameter set?");
        return ParameterSet::default();
    }
    let units = definitions::units(root, reporter);
    let mut known: Vec<UnitDefinition> = units.clone();
    known.extend_from_slice(outer);
    let mut reader = Reader {
        units: known,
        found: HashMap::new(),
    };
    let mut values = Vec::new();
    let mut seen: HashMap<&str, Span> = HashMap::new();
    let lists = root.children_named("Parameters");
    for parameter in lists.flat_map(|list| list.children_named("Parameter").collect::<Vec<_>>()) {
        let Some(name) = parameter.required("name", reporter) else {
            continue;
        };
        if let Some(first) = seen.insert(name.value, name.span) {
            reporter
                .error(name.span, format!("`{}` is given twice", name.value))
                .related(first, "first given here")
                .advice("keep one of the two values");
            continue;
        }
        if let Some(value) = reader.value(parameter, name, reporter) {
            values.push((name.map(str::to_owned), value));
        }
    }
    ParameterSet { values, units }
}

struct Reader<'a> {
    units: Vec<UnitDefinition>,
    /// Units that were looked up before; none for those that nobody knows.
    found: HashMap<&'a str, Option<Unit>>,
}

impl<'a> Reader<'a> {
    fn value(
        &mut self,
        parameter: Element<'a>,
        name: Spanned<&str>,
        reporter: &mut Reporter,
    ) -> Option<Spanned<Literal>> {
        let is_array = shape(parameter, reporter).is_some();
        let mut typed = parameter.children().filter(|child| {
            let value = child.attribute("value").is_some() || child.child("Value").is_some();
            value || super::connector::value_type(child.name()).is_some()
        });
        let Some(element) = typed.next() else {
            reporter
                .error(parameter.span(), format!("`{}` has no value", name.value))
                .advice("add <Real value=\"…\"/> or another type");
            return None;
        };
        if super::connector::value_type(element.name()).is_none() {
            reporter
                .error(
                    element.span(),
                    format!("<{}> is not a type of parameters", element.name()),
                )
                .advice("write Real, Integer, Boolean, String, Enumeration, Binary or a type of SSP 2.0");
            return None;
        }
        let unit = element
            .attribute("unit")
            .and_then(|unit| self.unit(unit, reporter));
        literal::read(element, unit, is_array, reporter)
    }

    fn unit(&mut self, written: Spanned<&'a str>, reporter: &mut Reporter) -> Option<Unit> {
        if let Some(known) = self.found.get(written.value) {
            return known.clone();
        }
        let unit = Unit::find(written.value, &self.units);
        if let Err(error) = &unit {
            reporter
                .warning(
                    written.span,
                    format!("the unit `{}` is not understood: {error}", written.value),
                )
                .advice("define it in <Units>; until then the number is taken as it is");
        }
        let unit = unit.ok();
        self.found.insert(written.value, unit.clone());
        unit
    }
}
