//! Bonds: do the effort and the flow belong together?

use super::Scope;
use super::endpoint;
use crate::diagnostic::{Reporter, Span, Spanned};
use crate::spec::BondSpec;
use crate::units::Unit;
use cardan_core::form::Form;
use cardan_core::graph::{Bond, Connection, Conversion, Endpoint};
use cardan_core::interface::Causality;
use cardan_core::value::ValueType;

/// Checks all bonds. Where connections could not be made (`whole` is false), what is missing in them is not held against
/// a bond.
pub(super) fn resolve(
    scope: &Scope<'_>,
    connections: &[Connection],
    whole: bool,
    reporter: &mut Reporter,
) -> Vec<Bond> {
    let mut bonds: Vec<(Bond, Span)> = Vec::with_capacity(scope.spec.bonds.len());
    for spec in &scope.spec.bonds {
        let errors = reporter.error_count();
        let Some(bond) = one(scope, spec, reporter) else {
            continue;
        };
        if whole && reporter.error_count() == errors {
            check_mutual(scope, spec, &bond, connections, reporter);
        }
        check_new(scope, spec, &bond, &bonds, reporter);
        bonds.push((bond, spec.span));
    }
    bonds.into_iter().map(|(bond, _)| bond).collect()
}

fn one(scope: &Scope<'_>, spec: &BondSpec, reporter: &mut Reporter) -> Option<Bond> {
    let mut find = |text: &Option<Spanned<String>>| {
        let text = text.as_ref()?;
        endpoint::find(scope, text, Causality::Output, reporter).ok()
    };
    // Both are looked up before one of them is given up.
    let (effort, flow) = (find(&spec.effort), find(&spec.flow));
    let (effort, flow) = (effort?, flow?);
    let (effort_text, flow_text) = (spec.effort.as_ref()?, spec.flow.as_ref()?);
    for (end, text) in [(effort, effort_text), (flow, flow_text)] {
        check_type(scope, end, text, reporter);
    }
    if effort.participant == flow.participant {
        reporter
            .error(
                flow_text.span,
                format!(
                    "effort and flow are both of `{}`: a bond joins two components",
                    scope.name(flow.participant)
                ),
            )
            .related(effort_text.span, "the effort")
            .advice("name the output of one component and the output that the other answers with");
        return None;
    }
    check_sizes(scope, (effort, effort_text), (flow, flow_text), reporter);
    let si = units(scope, (effort, effort_text), (flow, flow_text), reporter);
    let into = spec.into.as_ref();
    let into_effort = match into.map(|name| name.value.as_str()) {
        None => true,
        Some(name) if name == scope.name(effort.participant) => true,
        Some(name) if name == scope.name(flow.participant) => false,
        Some(name) => {
            let (a, b) = (scope.name(effort.participant), scope.name(flow.participant));
            reporter
                .error(
                    into.map_or(spec.span, |text| text.span),
                    format!("`{name}` is not at an end of this bond"),
                )
                .advice(format!("choose `{a}` or `{b}`"));
            true
        }
    };
    let name = spec.name.as_ref().map(|name| name.value.clone());
    Some(Bond {
        name: name.unwrap_or_else(|| format!("{} × {}", scope.name_of(effort), scope.name_of(flow))),
        effort,
        flow,
        effort_to_si: si.0,
        flow_to_si: si.1,
        into_effort,
    })
}

fn check_type(scope: &Scope<'_>, end: Endpoint, text: &Spanned<String>, reporter: &mut Reporter) {
    let Some(port) = scope.port(end) else { return };
    if port.value_type != ValueType::Real {
        reporter
            .error(
                text.span,
                format!("`{}` is {}: only reals carry power", text.value, port.value_type),
            )
            .label("not a real");
    } else if matches!(port.form, Form::Rotation | Form::Frame) && end.element.is_none() {
        let message = format!(
            "`{}` is {}, which is no effort and no flow",
            text.value,
            port.form.described()
        );
        reporter.error(text.span, message).advice(
            "a torque pairs with an angular velocity, a force with a velocity: `load.fx` with `frame.vx`",
        );
    }
}

fn check_sizes(
    scope: &Scope<'_>,
    effort: (Endpoint, &Spanned<String>),
    flow: (Endpoint, &Spanned<String>),
    reporter: &mut Reporter,
) {
    let size = |end: Endpoint| match (end.element, scope.port(end)) {
        (None, Some(port)) => port.shape.len(),
        _ => 1,
    };
    let (a, b) = (size(effort.0), size(flow.0));
    if a != b {
        reporter
            .error(
                flow.1.span,
                format!(
                    "`{}` has {b} elements, `{}` has {a}: they pair element by element",
                    flow.1.value, effort.1.value
                ),
            )
            .related(effort.1.span, "the effort")
            .advice("pair single elements, as in `component.port[1]`, or vectors of the same size");
    }
}

/// From the units of effort and flow to SI. What has no unit, or none that is known, is taken as SI.
fn units(
    scope: &Scope<'_>,
    effort: (Endpoint, &Spanned<String>),
    flow: (Endpoint, &Spanned<String>),
    reporter: &mut Reporter,
) -> (Conversion, Conversion) {
    let unit = |end: Endpoint| {
        let port = scope.port(end)?;
        let text = match end.element {
            Some(element) => port.element_unit(element as usize)?,
            None => port.unit.as_deref()?,
        };
        Unit::find(text, &scope.interface(end.participant)?.units).ok()
    };
    let (a, b) = (unit(effort.0), unit(flow.0));
    if let (Some(a), Some(b)) = (&a, &b)
        && !a.makes_power_with(b)
    {
        reporter
            .error(
                flow.1.span,
                format!(
                    "`{}` [{a}] times `{}` [{b}] is no power",
                    effort.1.value, flow.1.value
                ),
            )
            .label(format!("in {b}"))
            .related(effort.1.span, format!("in {a}"))
            .advice("a force goes with a velocity, a torque with an angular velocity in rad/s, a voltage with a current");
    }
    let si = |unit: Option<Unit>| unit.map_or(Conversion::NONE, |unit| unit.to_si());
    (si(a), si(b))
}

/// Each of the two must be read by the other's component.
fn check_mutual(
    scope: &Scope<'_>,
    spec: &BondSpec,
    bond: &Bond,
    connections: &[Connection],
    reporter: &mut Reporter,
) {
    for (output, reader, text) in [
        (bond.effort, bond.flow.participant, &spec.effort),
        (bond.flow, bond.effort.participant, &spec.flow),
    ] {
        let Some(text) = text else { continue };
        let to_reader = |c: &&Connection| {
            c.to.participant == reader
                && (c.from.participant, c.from.port) == (output.participant, output.port)
        };
        let ways = || connections.iter().filter(to_reader);
        let element = |wanted: u32| ways().any(|c| c.from.element.is_none_or(|e| e == wanted));
        let read = match (output.element, scope.port(output)) {
            (Some(wanted), _) => element(wanted),
            (None, port) => (0..port.map_or(1, |port| port.shape.len()) as u32).all(element),
        };
        let name = scope.name(reader);
        if !read {
            reporter
                .error(
                    text.span,
                    format!("`{}` is not connected to an input of `{name}`", text.value),
                )
                .label("no connection")
                .advice(format!(
                    "effort and flow go opposite ways between two components: connect `{}` to `{name}`, or name other \
                     outputs",
                    text.value
                ));
        } else if ways().any(|c| c.conversion.factor == 0.0) {
            reporter
                .error(
                    text.span,
                    format!("`{}` is multiplied by 0 on its way to `{name}`", text.value),
                )
                .advice("nothing crosses such a bond: leave it out");
        }
    }
}

/// A bond counts once, and has a name of its own.
fn check_new(
    scope: &Scope<'_>,
    spec: &BondSpec,
    bond: &Bond,
    others: &[(Bond, Span)],
    reporter: &mut Reporter,
) {
    let overlap = |a: Endpoint, b: Endpoint| {
        (a.participant, a.port) == (b.participant, b.port)
            && (a.element.is_none() || b.element.is_none() || a.element == b.element)
    };
    let same = |other: &&(Bond, Span)| {
        let other = &other.0;
        (overlap(bond.effort, other.effort) && overlap(bond.flow, other.flow))
            || (overlap(bond.effort, other.flow) && overlap(bond.flow, other.effort))
    };
    if let Some((_, first)) = others.iter().find(same) {
        reporter
            .error(
                spec.span,
                format!(
                    "`{}` and `{}` are bound twice",
                    scope.name_of(bond.effort),
                    scope.name_of(bond.flow)
                ),
            )
            .related(*first, "first bound here")
            .advice("keep one of the two bonds");
    } else if let Some((_, first)) = others.iter().find(|(other, _)| other.name == bond.name) {
        let span = spec.name.as_ref().map_or(spec.span, |name| name.span);
        reporter
            .error(span, format!("there are two bonds called `{}`", bond.name))
            .related(*first, "the first")
            .advice("give them different names");
    }
}
