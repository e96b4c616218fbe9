//! What happens to a real on its way from an output to an input: changes of units and linear transformations.

use super::Scope;
use super::connections::Ends;
use crate::diagnostic::{Reporter, Span};
use crate::spec::{Hop, Transformation};
use crate::units::Unit;
use cardan_core::graph::Conversion;
use cardan_core::interface::{Port, UnitDefinition};

/// A port at one end of the way, or an element of it, and the units its participant defines.
#[derive(Clone, Copy)]
pub(super) struct End<'a> {
    pub(super) port: &'a Port,
    pub(super) element: Option<u32>,
    pub(super) units: &'a [UnitDefinition],
}

/// A unit as it is written at a stop of the way.
#[derive(Clone, Copy)]
struct Written<'a> {
    text: &'a str,
    definitions: &'a [UnitDefinition],
    span: Span,
    /// The port whose unit it is; none for a connector on the way.
    port: Option<&'a str>,
}

impl<'a> End<'a> {
    fn unit(self, name: &'a str, span: Span) -> Option<Written<'a>> {
        Some(Written {
            text: match self.element {
                Some(element) => self.port.element_unit(element as usize)?,
                None => self.port.unit.as_deref()?,
            },
            definitions: self.units,
            span,
            port: Some(name),
        })
    }
}

/// All stretches in one. A stop without a unit, or with one that nobody knows, takes numbers as they come.
pub(super) fn conversion(
    scope: &Scope<'_>,
    ends: &Ends,
    hops: &[Hop],
    source: End<'_>,
    target: End<'_>,
    reporter: &mut Reporter,
) -> Conversion {
    let plain = [Hop::default()];
    let hops = if hops.is_empty() { &plain } else { hops };
    let mut total = Conversion::NONE;
    let first = source.unit(&ends.from, ends.from_span);
    let mut here = first;
    for (index, hop) in hops.iter().enumerate() {
        let there = match &hop.unit {
            _ if index + 1 == hops.len() => target.unit(&ends.to, ends.to_span),
            Some(unit) => Some(Written {
                text: &unit.value,
                definitions: &scope.spec.units,
                span: unit.span,
                port: None,
            }),
            None => None,
        };
        if let (false, Some(from), Some(to)) = (hop.keeps_number, here, there) {
            total = total.then(change(ends, from, to, reporter));
        }
        if let Some(transformation) = &hop.transformation {
            match &transformation.value {
                Transformation::Linear(linear) => total = total.then(*linear),
                other => misplaced(ends, other, source.port, transformation.span, reporter),
            }
        }
        // Nobody knows what a number means once its unit was left aside.
        here = if hop.keeps_number { there } else { there.or(here) };
    }
    let only_units = hops
        .iter()
        .all(|hop| hop.transformation.is_none() && !hop.keeps_number);
    // There and back again must not leave a trace of rounding.
    match (first, target.unit(&ends.to, ends.to_span)) {
        (Some(from), Some(to)) if only_units && hops.len() > 1 => direct(from, to).unwrap_or(total),
        _ => total,
    }
}

fn direct(from: Written<'_>, to: Written<'_>) -> Option<Conversion> {
    let from = Unit::find(from.text, from.definitions).ok()?;
    let to = Unit::find(to.text, to.definitions).ok()?;
    from.conversion_to(&to).ok()
}

/// From one unit to another.
fn change(ends: &Ends, from: Written<'_>, to: Written<'_>, reporter: &mut Reporter) -> Conversion {
    if from.text.trim() == to.text.trim() {
        return Conversion::NONE;
    }
    let mut known = |unit: Written<'_>| {
        Unit::find(unit.text, unit.definitions)
            .map_err(|error| {
                reporter
                    .warning(
                        unit.span,
                        match unit.port {
                            Some(port) => {
                                format!("the unit `{}` of `{port}` is not understood: {error}", unit.text)
                            }
                            None => format!("the unit `{}` is not understood: {error}", unit.text),
                        },
                    )
                    .advice("nothing is converted on this connection: check the units yourself");
            })
            .ok()
    };
    let units = (known(from), known(to));
    let (Some(from_unit), Some(to_unit)) = units else {
        return Conversion::NONE;
    };
    from_unit.conversion_to(&to_unit).unwrap_or_else(|incompatible| {
        reporter
            .error(
                to.span,
                format!("`{}` cannot drive `{}`: {incompatible}", ends.from, ends.to),
            )
            .label(format!("in {to_unit}"))
            .related(from.span, format!("in {from_unit}"))
            .advice("connect ports that measure the same thing");
        Conversion::NONE
    })
}

/// A transformation that does not suit what it is to transform.
pub(super) fn misplaced(
    ends: &Ends,
    transformation: &Transformation,
    port: &Port,
    span: Span,
    reporter: &mut Reporter,
) {
    let wanted = match transformation {
        Transformation::Linear(_) => "reals",
        Transformation::Booleans(_) => "booleans",
        Transformation::Integers(_) => "integers and enumerations",
        Transformation::Enumeration(_) => "enumerations",
    };
    reporter
        .error(
            span,
            format!(
                "{} is for {wanted}, but `{}` is {}",
                transformation.kind(),
                ends.from,
                port.value_type
            ),
        )
        .advice("use the transformation of its type, or leave it out");
}
