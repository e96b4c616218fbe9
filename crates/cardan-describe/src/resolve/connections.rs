//! Connections: do the two ends fit?

use super::endpoint::{self, Missing};
use super::way::{self, End};
use super::{Scope, mapping, reading, terminal};
use crate::diagnostic::{Diagnostic, Reporter, Span, Spanned};
use crate::spec::{ConnectionSpec, Hop};
use cardan_core::graph::{Connection, Conversion, Endpoint, Mapping, ParticipantId};
use cardan_core::interface::{Causality, Port, PortId};
use cardan_core::value::ValueType;
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
        match terminal::connections(scope, spec, reporter) {
            Some(pairs) => {
                for (from, to, ends) in pairs {
                    drive(scope, to, ends.to_span, &mut wiring.driven, reporter);
                    wiring
                        .connections
                        .extend(connect(scope, spec, from, to, &ends, reporter));
                }
            }
            None => wiring
                .connections
                .extend(single(scope, spec, &mut wiring.driven, reporter)),
        }
    }
    wiring
}

/// A connection of two ports.
fn single(
    scope: &Scope<'_>,
    spec: &ConnectionSpec,
    driven: &mut Driven,
    reporter: &mut Reporter,
) -> Option<Connection> {
    let (mut from, mut to) = (spec.from.as_ref(), spec.to.as_ref());
    let causality = |text: Option<&Spanned<String>>| endpoint::causality(scope, &text?.value);
    let backwards = || (causality(from), causality(to)) == (Some(Causality::Input), Some(Causality::Output));
    if spec.undirected && backwards() {
        (from, to) = (to, from);
    }
    let source = from.map(|text| endpoint::find(scope, text, Causality::Output, reporter));
    let target = to.and_then(|text| target(scope, text, driven, reporter));
    let (Some(Ok(source)), Some(target)) = (source, target) else {
        return None;
    };
    let ends = Ends {
        from: scope.name_of(source),
        to: scope.name_of(target),
        from_span: from?.span,
        to_span: to?.span,
    };
    connect(scope, spec, source, target, &ends, reporter)
}

/// The input on which a line acts; it counts as driven.
pub(super) fn acted_on(
    scope: &Scope<'_>,
    text: &Spanned<String>,
    driven: &mut Driven,
    reporter: &mut Reporter,
) -> Option<Endpoint> {
    target(scope, text, driven, reporter)
}

/// The driven end; it counts as driven even where the other end is wrong.
fn target(
    scope: &Scope<'_>,
    text: &Spanned<String>,
    driven: &mut Driven,
    reporter: &mut Reporter,
) -> Option<Endpoint> {
    match endpoint::find(scope, text, Causality::Input, reporter) {
        Ok(to) => {
            drive(scope, to, text.span, driven, reporter);
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

fn drive(scope: &Scope<'_>, to: Endpoint, span: Span, driven: &mut Driven, reporter: &mut Reporter) {
    if let Some(earlier) = driven.add(to, span) {
        reporter
            .error(span, format!("`{}` is driven twice", scope.name_of(to)))
            .label("driven again here")
            .related(earlier, "first driven here")
            .advice("an input takes one output: remove one of the two connections");
    }
}

fn connect(
    scope: &Scope<'_>,
    spec: &ConnectionSpec,
    from: Endpoint,
    to: Endpoint,
    ends: &Ends,
    reporter: &mut Reporter,
) -> Option<Connection> {
    let (source, target) = (scope.port(from)?, scope.port(to)?);
    let errors = reporter.error_count();
    let typed = source.value_type.drives(target.value_type);
    if !typed {
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
    let whole = from.element.is_none() && to.element.is_none();
    let alike = !whole || source.shape == target.shape;
    if whole && typed && source.form != target.form && (source.form.is_named() || target.form.is_named()) {
        ends.mismatch("form", source.form.described(), target.form.described(), reporter)
            .advice("a frame drives a frame, a load a load; elements go alone, as in `component.port.x`");
    } else if size(source, from) != size(target, to) || (!alike && size(source, from) != 1) {
        let shape = |port: &Port, end: Endpoint| match end.element {
            Some(_) => "scalar".to_owned(),
            None => port.shape.to_string(),
        };
        ends.mismatch("shape", &shape(source, from), &shape(target, to), reporter)
            .advice("connect single elements, as in `component.port[1]`, or ports of the same shape");
    }
    let end = |port, end: Endpoint| End {
        port,
        element: end.element,
        units: scope
            .interface(end.participant)
            .map_or(&[][..], |interface| &interface.units),
    };
    if typed {
        check_way(ends, &spec.hops, source.value_type, reporter);
    }
    let (mut conversion, mut mapping) = (Conversion::NONE, Mapping::NONE);
    if typed && source.value_type == ValueType::Real {
        let (from, to) = (end(source, from), end(target, to));
        conversion = way::conversion(scope, ends, &spec.hops, from, to, reporter);
    } else if typed {
        mapping = mapping::mapping(ends, &spec.hops, source, target, reporter);
    }
    let reading = reading::choose(scope, spec, from, source, reporter);
    (reporter.error_count() == errors).then_some(Connection {
        name: spec.name.as_ref().map(|name| name.value.clone()),
        from,
        to,
        reading,
        conversion,
        mapping,
    })
}

/// Connectors on the way carry what the output gives, whatever they are declared as; but somebody was wrong.
fn check_way(ends: &Ends, hops: &[Hop], carried: ValueType, reporter: &mut Reporter) {
    let declared = hops.iter().filter_map(|hop| hop.value_type);
    for declared in declared.filter(|declared| !carried.drives(declared.value)) {
        let message = format!(
            "a connector on the way from `{}` to `{}` is declared as {}, but carries {carried}",
            ends.from, ends.to, declared.value
        );
        let advice = format!("declare it as {carried}; the value passes unchanged");
        reporter.warning(declared.span, message).advice(advice);
    }
}

/// Names and places of the two ends.
pub(super) struct Ends {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) from_span: Span,
    pub(super) to_span: Span,
}

impl Ends {
    pub(super) fn reversed(self) -> Self {
        Ends {
            from: self.to,
            to: self.from,
            from_span: self.to_span,
            to_span: self.from_span,
        }
    }

    fn mismatch<'r>(
        &self,
        what: &str,
        from: &str,
        to: &str,
        reporter: &'r mut Reporter,
    ) -> &'r mut Diagnostic {
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
