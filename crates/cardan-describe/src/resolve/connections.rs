//! Connections: do the two ends fit?

use super::endpoint::{self, Missing};
use super::{Scope, reading};
use crate::diagnostic::{Reporter, Span};
use crate::spec::ConnectionSpec;
use crate::units::Unit;
use cardan_core::graph::{Connection, Conversion, Endpoint, ParticipantId};
use cardan_core::interface::{Causality, Port, PortId};
use std::collections::HashMap;

/// What the connections say, and which inputs they drive.
pub(super) struct Wiring {
    pub(super) connections: Vec<Connection>,
    pub(super) driven: Driven,
}

/// Which inputs, or elements of them, are driven, and from where in the text.
#[derive(Default)]
pub(super) struct Driven(HashMap<(ParticipantId, PortId), Vec<Driver>>);

/// The element that is driven, or all of them, and from where in the text.
type Driver = (Option<u32>, Span);

impl Driven {
    /// Notes a driver. Answers with an earlier one of the same input, if there is one.
    fn add(&mut self, to: Endpoint, span: Span) -> Option<Span> {
        let drivers = self.0.entry((to.participant, to.port)).or_default();
        let same = |element: Option<u32>| element.is_none() || to.element.is_none() || element == to.element;
        let earlier = drivers
            .iter()
            .find(|(element, _)| same(*element))
            .map(|(_, span)| *span);
        drivers.push((to.element, span));
        earlier
    }

    /// The elements of an input that nothing drives.
    pub(super) fn open(&self, participant: ParticipantId, id: PortId, port: &Port) -> Vec<usize> {
        let drivers = self
            .0
            .get(&(participant, id))
            .map(Vec::as_slice)
            .unwrap_or_default();
        if drivers.iter().any(|(element, _)| element.is_none()) {
            return Vec::new();
        }
        let mut open = vec![true; port.shape.len()];
        for (element, _) in drivers {
            if let Some(place) = element.and_then(|e| open.get_mut(e as usize)) {
                *place = false;
            }
        }
        (0..open.len()).filter(|&element| open[element]).collect()
    }
}

pub(super) fn resolve(scope: &Scope<'_>, reporter: &mut Reporter) -> Wiring {
    let mut wiring = Wiring {
        connections: Vec::with_capacity(scope.spec.connections.len()),
        driven: Driven::default(),
    };
    for spec in &scope.spec.connections {
        let from = spec
            .from
            .as_ref()
            .map(|text| endpoint::find(scope, text, Causality::Output, reporter));
        let to = target(scope, spec, &mut wiring.driven, reporter);
        if let (Some(Ok(from)), Some(to)) = (from, to) {
            wiring
                .connections
                .extend(connect(scope, spec, from, to, reporter));
        }
    }
    wiring
}

/// The driven end; it counts as driven even where the other end is wrong.
fn target(
    scope: &Scope<'_>,
    spec: &ConnectionSpec,
    driven: &mut Driven,
    reporter: &mut Reporter,
) -> Option<Endpoint> {
    let text = spec.to.as_ref()?;
    match endpoint::find(scope, text, Causality::Input, reporter) {
        Ok(to) => {
            if let Some(earlier) = driven.add(to, text.span) {
                reporter
                    .error(text.span, format!("`{}` is driven twice", scope.name_of(to)))
                    .label("driven again here")
                    .related(earlier, "first driven here")
                    .advice("an input takes one output: remove one of the two connections");
            }
            Some(to)
        }
        Err(Missing { meant }) => {
            if let Some((participant, port)) = meant {
                let whole = Endpoint {
                    participant,
                    port,
                    element: None,
                };
                driven.add(whole, text.span);
            }
            None
        }
    }
}

fn connect(
    scope: &Scope<'_>,
    spec: &ConnectionSpec,
    from: Endpoint,
    to: Endpoint,
    reporter: &mut Reporter,
) -> Option<Connection> {
    let (source, target) = (scope.port(from)?, scope.port(to)?);
    let ends = Ends {
        from: scope.name_of(from),
        to: scope.name_of(to),
        from_span: spec.from.as_ref()?.span,
        to_span: spec.to.as_ref()?.span,
    };
    let errors = reporter.error_count();
    if !source.value_type.drives(target.value_type) {
        ends.mismatch(
            "type",
            &source.value_type.to_string(),
            &target.value_type.to_string(),
            reporter,
        )
        .advice("connect ports of the same type");
    }
    let size = |port: &Port, end: Endpoint| {
        if end.element.is_some() {
            1
        } else {
            port.shape.len()
        }
    };
    let alike = from.element.is_some() || to.element.is_some() || source.shape == target.shape;
    if size(source, from) != size(target, to) || (!alike && size(source, from) != 1) {
        let shape = |port: &Port, end: Endpoint| match end.element {
            Some(_) => "scalar".to_owned(),
            None => port.shape.to_string(),
        };
        ends.mismatch("shape", &shape(source, from), &shape(target, to), reporter)
            .advice("connect single elements, as in `component.port[1]`, or ports of the same shape");
    }
    let conversion = conversion(&ends, source, target, reporter);
    let reading = reading::choose(scope, spec, from, source, reporter);
    (reporter.error_count() == errors).then_some(Connection {
        from,
        to,
        reading,
        conversion,
    })
}

/// Names and places of the two ends.
struct Ends {
    from: String,
    to: String,
    from_span: Span,
    to_span: Span,
}

impl Ends {
    fn mismatch<'r>(
        &self,
        what: &str,
        from: &str,
        to: &str,
        reporter: &'r mut Reporter,
    ) -> &'r mut crate::diagnostic::Diagnostic {
        let message = format!(
            "`{}` ({from}) cannot drive `{}` ({to}): the {what}s differ",
            self.from, self.to
        );
        reporter
            .error(self.to_span, message)
            .label(to)
            .related(self.from_span, from)
    }
}

/// A port without a unit, or with one that nobody knows, takes numbers as they come.
fn conversion(ends: &Ends, source: &Port, target: &Port, reporter: &mut Reporter) -> Conversion {
    let (Some(from), Some(to)) = (&source.unit, &target.unit) else {
        return Conversion::NONE;
    };
    if from.trim() == to.trim() {
        return Conversion::NONE;
    }
    let mut known = |unit: &str, name: &str, span: Span| {
        Unit::parse(unit)
            .map_err(|error| {
                reporter
                    .warning(
                        span,
                        format!("the unit `{unit}` of `{name}` is not understood: {error}"),
                    )
                    .advice("nothing is converted on this connection: check the units yourself");
            })
            .ok()
    };
    let from = known(from, &ends.from, ends.from_span);
    let to = known(to, &ends.to, ends.to_span);
    let (Some(from), Some(to)) = (from, to) else {
        return Conversion::NONE;
    };
    from.conversion_to(&to).unwrap_or_else(|incompatible| {
        reporter
            .error(
                ends.to_span,
                format!("`{}` cannot drive `{}`: {incompatible}", ends.from, ends.to),
            )
            .label(format!("in {to}"))
            .related(ends.from_span, format!("in {from}"))
            .advice("connect ports that measure the same thing");
        Conversion::NONE
    })
}
