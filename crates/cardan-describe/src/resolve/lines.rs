//! Transmission lines: what is at their ends, and what they are made of.

use super::connections::{self, Driven};
use super::{Scope, endpoint};
use crate::diagnostic::{Reporter, Span, Spanned, listed};
use crate::spec::{ComponentSpec, LineEndSpec, LineSpec};
use crate::units::Unit;
use cardan_core::form::Form;
use cardan_core::graph::{Endpoint, Line, LineEnd, ParticipantId};
use cardan_core::interface::{Causality, Interface, Variability};
use cardan_core::line::{Compensation, Filling, Filter, Interpolation, Medium, Properties};
use cardan_core::value::ValueType;

/// Numbers that a signal line carries at most.
const WIDEST: usize = 64;

/// Checks all lines. What they act on counts as driven.
pub(super) fn resolve(scope: &Scope<'_>, driven: &mut Driven, reporter: &mut Reporter) -> Vec<Line> {
    let mut lines: Vec<(Line, Span)> = Vec::with_capacity(scope.spec.lines.len());
    for spec in &scope.spec.lines {
        let Some(line) = one(scope, spec, driven, reporter) else {
            continue;
        };
        let line = Line {
            name: name(scope, spec, &line, &lines, reporter),
            ..line
        };
        lines.push((line, spec.span));
    }
    lines.into_iter().map(|(line, _)| line).collect()
}

/// The own step of a component: the one that is said, which its lines must allow; else half of what the shortest of them allows.
pub(super) fn step_of(
    lines: &[Line],
    id: ParticipantId,
    component: &ComponentSpec,
    reporter: &mut Reporter,
) -> Option<f64> {
    let told = component.step;
    let own = lines
        .iter()
        .filter(|line| line.ends.iter().any(|end| end.participant == id));
    let shortest = own.min_by(|a, b| a.properties.transport().total_cmp(&b.properties.transport()));
    let (Some(line), true) = (shortest, !lines.is_empty()) else {
        return told.map(|step| step.value);
    };
    let transport = line.properties.transport();
    let (most, why) = match line.properties.compensate {
        Compensation::None => (transport, "waves are on their way for"),
        _ => (
            0.5 * transport,
            "which is compensated, and half of the time of its waves is",
        ),
    };
    if let Some(step) = told.filter(|step| step.value > most * (1.0 + 1e-9)) {
        reporter
            .error(
                step.span,
                format!(
                    "`{}` steps by {} s, too far for its line `{}`: {why} {most} s",
                    component.name.value, step.value, line.name
                ),
            )
            .advice("leave `step` out: half of the delay is taken then");
    }
    Some(told.map_or(0.5 * transport, |step| step.value))
}

/// The ports of an end, before it is known whether they fit.
struct Ends {
    flow: Option<(Endpoint, Span)>,
    effort: Option<(Endpoint, Span)>,
    position: Option<Endpoint>,
    /// Where the end stands.
    span: Span,
}

impl Ends {
    fn participant(&self) -> Option<ParticipantId> {
        let (end, _) = self.flow.or(self.effort)?;
        Some(end.participant)
    }
}

fn one(scope: &Scope<'_>, spec: &LineSpec, driven: &mut Driven, reporter: &mut Reporter) -> Option<Line> {
    // Both are looked up before one of them is given up.
    let from = spec
        .from
        .as_ref()
        .and_then(|end| ports(scope, end, true, driven, reporter));
    let to = spec
        .to
        .as_ref()
        .and_then(|end| ports(scope, end, false, driven, reporter));
    let properties = properties(spec, reporter);
    let (from, to) = (from?, to?);
    let (medium_from, medium_to) = (medium(scope, &from), medium(scope, &to));
    let medium = match &spec.medium {
        Some(told) => told.value,
        None => medium_from.or(medium_to).unwrap_or(Medium::Translational),
    };
    for (end, found) in [(&from, medium_from), (&to, medium_to)] {
        if let Some(found) = found.filter(|found| *found != medium) {
            reporter
                .error(end.span, format!("the line is {medium}, and this end is {found}"))
                .advice("both ends of a line are of one kind, which `domain` names");
            return None;
        }
    }
    if medium != Medium::Signal && from.participant() == to.participant() {
        let name = from.participant().map_or("", |id| scope.name(id));
        reporter
            .error(to.span, format!("both ends of the line are at `{name}`"))
            .advice("a line joins two components");
        return None;
    }
    let errors = reporter.error_count();
    let ends = [(from, 0), (to, 1)].map(|(end, side)| line_end(scope, medium, &end, side, reporter));
    let [Some(from), Some(to)] = ends else { return None };
    let mut properties = properties?;
    check_material(spec, medium, &mut properties, reporter);
    let jumps = |end: Endpoint| {
        scope
            .port(end)
            .is_some_and(|port| port.variability == Variability::Discrete)
    };
    if medium == Medium::Signal && from.flow.is_some_and(jumps) {
        properties.interpolation = Interpolation::Hold;
    }
    let line = Line {
        name: String::new(),
        medium,
        properties,
        ends: [from, to],
    };
    check_widths(scope, &line, spec.span, reporter);
    (reporter.error_count() == errors).then_some(line)
}

/// Looks up the ports of an end.
fn ports(
    scope: &Scope<'_>,
    spec: &LineEndSpec,
    begins: bool,
    driven: &mut Driven,
    reporter: &mut Reporter,
) -> Option<Ends> {
    if let Some(point) = &spec.point {
        let (flow, effort, position) = point_ports(scope, point, reporter)?;
        let named = LineEndSpec {
            flow: Some(flow),
            effort: Some(effort),
            position,
            ..LineEndSpec::new(spec.span)
        };
        return ports(scope, &named, begins, driven, reporter);
    }
    let mut output = |text: &Option<Spanned<String>>| {
        let text = text.as_ref()?;
        let end = endpoint::find(scope, text, Causality::Output, reporter).ok()?;
        Some((end, text.span))
    };
    if let Some(value) = &spec.value {
        let (flow, effort) = match begins {
            true => (Some(output(&spec.value)?), None),
            false => {
                let end = connections::acted_on(scope, value, driven, reporter)?;
                (None, Some((end, value.span)))
            }
        };
        return Some(Ends {
            flow,
            effort,
            position: None,
            span: spec.span,
        });
    }
    let flow = spec.flow.as_ref().or(spec.frame.as_ref());
    let effort = spec.effort.as_ref().or(spec.load.as_ref());
    let (Some(flow), Some(effort)) = (flow, effort) else {
        reporter
            .error(spec.span, "an end of a line needs an output that moves and an input on which the line acts")
            .advice(
                "write { flow = \"component.velocity\", effort = \"component.force\" }, in space { frame = …, load = … }, for a \
                 signal { value = … }",
            );
        return None;
    };
    let position = output(&spec.position);
    let flow = output(&Some(flow.clone()));
    let effort = connections::acted_on(scope, effort, driven, reporter).map(|end| (end, effort.span));
    Some(Ends {
        flow: Some(flow?),
        effort: Some(effort?),
        position: position.map(|(end, _)| end),
        span: spec.span,
    })
}

/// What one name for an interface stands for: flow, effort and, where it is known, position.
type PointPorts = (Spanned<String>, Spanned<String>, Option<Spanned<String>>);

/// A frame with the load of the same name, or a terminal of one output and one input.
fn point_ports(scope: &Scope<'_>, point: &Spanned<String>, reporter: &mut Reporter) -> Option<PointPorts> {
    let Some((participant, rest)) = endpoint::component(scope, &point.value) else {
        // Says what is wrong with the name.
        let _ = endpoint::find(scope, point, Causality::Output, reporter);
        return None;
    };
    let interface = scope.interface(participant)?;
    let component = scope.name(participant);
    let named = |port: &str| Spanned::new(format!("{component}.{port}"), point.span);
    if let Some(load) = load_of(interface, rest) {
        return Some((named(rest), named(load), None));
    }
    if let Some(terminal) = interface.find_terminal(rest) {
        let of = |causality: Causality| {
            let ports = terminal
                .members
                .iter()
                .map(|(_, id)| &interface.ports[id.index()]);
            ports.filter(move |port| port.causality == causality && port.value_type == ValueType::Real)
        };
        let flows: Vec<&str> = of(Causality::Output).map(|port| port.name.as_str()).collect();
        let efforts: Vec<&str> = of(Causality::Input).map(|port| port.name.as_str()).collect();
        if let ([flow], [effort]) = (&flows[..], &efforts[..]) {
            return Some((named(flow), named(effort), None));
        }
    }
    reporter
        .error(
            point.span,
            format!("`{}` is no interface at which a line can end", point.value),
        )
        .advice(format!(
            "{}; otherwise name the ports: {{ flow = \"{component}.…\", effort = \"{component}.…\" }}",
            listed(
                &format!("frames with loads of `{component}`"),
                frames(interface).into_iter()
            )
        ));
    None
}

/// The load that acts where a frame is: the one with its name, or the only one where there is no other frame.
fn load_of<'a>(interface: &'a Interface, frame: &str) -> Option<&'a str> {
    let of = |causality: Causality, form: Form| {
        let ports = interface.ports_of(causality);
        ports.filter_map(move |(_, port)| (port.form == form).then_some(port.name.as_str()))
    };
    let frames = || of(Causality::Output, Form::Frame);
    let loads = || of(Causality::Input, Form::Load);
    frames().find(|name| *name == frame)?;
    let lone = frames().count() == 1 && loads().count() == 1;
    loads()
        .find(|load| load.strip_suffix("_load") == Some(frame))
        .or_else(|| loads().next().filter(|_| lone))
}

/// The frames at which a line can end.
fn frames(interface: &Interface) -> Vec<&str> {
    let outputs = interface.ports_of(Causality::Output);
    let names = outputs.map(|(_, port)| port.name.as_str());
    names.filter(|name| load_of(interface, name).is_some()).collect()
}

/// What an end carries, as far as its ports tell.
fn medium(scope: &Scope<'_>, end: &Ends) -> Option<Medium> {
    let (Some((flow, _)), Some(_)) = (end.flow, end.effort) else {
        return Some(Medium::Signal);
    };
    let port = scope.port(flow)?;
    if port.form == Form::Frame && flow.element.is_none() {
        return Some(Medium::Spatial);
    }
    let unit = unit(scope, flow)?;
    let is = |name: &str| Unit::parse(name).is_ok_and(|known| unit.conversion_to(&known).is_ok());
    let kinds = [
        ("m/s", Medium::Translational),
        ("rad/s", Medium::Rotational),
        ("A", Medium::Electric),
        ("m3/s", Medium::Hydraulic),
    ];
    kinds.into_iter().find(|(name, _)| is(name)).map(|(_, kind)| kind)
}

fn unit(scope: &Scope<'_>, end: Endpoint) -> Option<Unit> {
    let text = scope.port(end)?.element_unit(end.element.unwrap_or(0) as usize)?;
    Unit::find(text, &scope.interface(end.participant)?.units).ok()
}

fn line_end(
    scope: &Scope<'_>,
    medium: Medium,
    ends: &Ends,
    side: usize,
    reporter: &mut Reporter,
) -> Option<LineEnd> {
    let participant = ends.participant()?;
    if medium == Medium::Signal {
        let end = match side {
            0 => ends.flow,
            _ => ends.effort,
        };
        let Some((end, span)) = end else {
            reporter
                .error(
                    ends.span,
                    "a signal goes from an output to an input, and nothing comes back",
                )
                .advice(
                    "write from = { value = \"component.output\" }, to = { value = \"component.input\" }",
                );
            return None;
        };
        check_real(scope, end, span, reporter);
        let flow = (side == 0).then_some(end);
        let effort = (side != 0).then_some(end);
        return Some(LineEnd {
            participant,
            flow,
            effort,
            position: None,
            flow_to_si: 1.0,
            effort_to_si: 1.0,
            position_to_si: 1.0,
        });
    }
    let (Some((flow, flow_span)), Some((effort, effort_span))) = (ends.flow, ends.effort) else {
        reporter
            .error(ends.span, format!("a {medium} line goes both ways, and this end is one of a signal"))
            .advice("write { flow = \"component.velocity\", effort = \"component.force\" }, or domain = \"signal\"");
        return None;
    };
    if flow.participant != effort.participant {
        reporter
            .error(
                effort_span,
                "the two ports of an end belong to different components",
            )
            .related(flow_span, "of another component")
            .advice("a line acts on what moves at its end");
        return None;
    }
    check_real(scope, flow, flow_span, reporter);
    check_real(scope, effort, effort_span, reporter);
    check_forms(scope, medium, (flow, flow_span), (effort, effort_span), reporter);
    check_feedthrough(scope, (flow, flow_span), effort, reporter);
    let (a, b) = (unit(scope, effort), unit(scope, flow));
    if let (Some(a), Some(b), false) = (&a, &b, medium == Medium::Spatial)
        && !a.makes_power_with(b)
    {
        reporter
            .error(
                effort_span,
                format!(
                    "`{}` [{a}] times `{}` [{b}] is no power",
                    scope.name_of(effort),
                    scope.name_of(flow)
                ),
            )
            .advice("a force goes with a velocity, a torque with an angular velocity in rad/s, a pressure with a flow");
    }
    let factor = |unit: Option<Unit>| match medium {
        Medium::Spatial => 1.0,
        _ => unit.map_or(1.0, |unit| unit.to_si().factor),
    };
    Some(LineEnd {
        participant,
        flow: Some(flow),
        effort: Some(effort),
        position: ends.position,
        flow_to_si: factor(b),
        effort_to_si: factor(a),
        position_to_si: factor(ends.position.and_then(|end| unit(scope, end))),
    })
}

fn check_real(scope: &Scope<'_>, end: Endpoint, span: Span, reporter: &mut Reporter) {
    let Some(port) = scope.port(end) else { return };
    if port.value_type != ValueType::Real {
        reporter
            .error(
                span,
                format!(
                    "`{}` is {}: lines carry reals",
                    scope.name_of(end),
                    port.value_type
                ),
            )
            .label("not a real");
    }
}

/// In space a frame goes with a load; elsewhere single numbers go with each other.
fn check_forms(
    scope: &Scope<'_>,
    medium: Medium,
    (flow, flow_span): (Endpoint, Span),
    (effort, effort_span): (Endpoint, Span),
    reporter: &mut Reporter,
) {
    let whole = |end: Endpoint| scope.port(end).filter(|_| end.element.is_none());
    let wanted = [(flow, flow_span, Form::Frame), (effort, effort_span, Form::Load)];
    for (end, span, form) in wanted {
        let name = scope.name_of(end);
        let Some(port) = scope.port(end) else { continue };
        match medium {
            Medium::Spatial if whole(end).is_none_or(|port| port.form != form) => {
                reporter
                    .error(span, format!("`{name}` is not {}", form.described()))
                    .advice("a line in space ends at a frame and acts by a load");
            }
            Medium::Spatial => {}
            _ if end.element.is_none() && port.shape.len() != 1 => {
                reporter
                    .error(span, format!("`{name}` has {} elements", port.shape.len()))
                    .advice("a line carries one number each way: name an element, as in `component.port[1]`");
            }
            _ => {}
        }
    }
}

/// A motion that reacts at once to the load has no answer to a line.
fn check_feedthrough(
    scope: &Scope<'_>,
    (flow, span): (Endpoint, Span),
    effort: Endpoint,
    reporter: &mut Reporter,
) {
    let Some(interface) = scope.interface(flow.participant) else {
        return;
    };
    if interface.feedthrough.contains(&(flow.port, effort.port)) {
        reporter
            .error(
                span,
                format!(
                    "`{}` reacts at once to `{}`: a line needs something with inertia at its end",
                    scope.name_of(flow),
                    scope.name_of(effort)
                ),
            )
            .advice("end the line at a velocity or a flow that is a state of the component");
    }
}

fn check_widths(scope: &Scope<'_>, line: &Line, span: Span, reporter: &mut Reporter) {
    if line.medium != Medium::Signal {
        return;
    }
    let size = |end: Option<Endpoint>| match end {
        Some(end) if end.element.is_none() => scope.port(end).map_or(1, |port| port.shape.len()),
        _ => 1,
    };
    let (from, to) = (size(line.ends[0].flow), size(line.ends[1].effort));
    if from != to || from > WIDEST {
        reporter
            .error(
                span,
                format!("the signal has {from} numbers where it begins and takes {to} where it ends"),
            )
            .advice(format!("both ends have the same size, up to {WIDEST} numbers"));
    }
}

/// What a line is made of, as far as that is said.
fn properties(spec: &LineSpec, reporter: &mut Reporter) -> Option<Properties> {
    let is_signal = |end: &Option<LineEndSpec>| end.as_ref().is_some_and(|end| end.value.is_some());
    let signal = is_signal(&spec.from) || is_signal(&spec.to);
    let number = |text: &Option<Spanned<f64>>| text.as_ref().map(|number| number.value);
    let mut properties = match (&spec.material, number(&spec.length)) {
        (Some(material), Some(length)) => Properties::of_material(material.modulus?, material.speed?, length),
        (None, None) => {
            let (delay, impedance) = (number(&spec.delay), number(&spec.impedance));
            let missing = match (delay, impedance) {
                (None, _) => Some("`delay`"),
                (_, None) if !signal => Some("`Zf`"),
                _ => None,
            };
            if let Some(missing) = missing {
                // What was there and wrong has been reported.
                if spec.incomplete {
                    return None;
                }
                reporter
                    .error(spec.span, format!("a line lacks {missing}"))
                    .advice("give `delay` in s and `Zf`, or `material = \"steel\"` and `length` in m");
                return None;
            }
            Properties::new(delay?, impedance.unwrap_or(1.0))
        }
        // What was there and wrong has been reported.
        _ if spec.incomplete => return None,
        (material, _) => {
            let (have, lack) = match material {
                Some(_) => ("material", "length"),
                None => ("length", "material"),
            };
            reporter
                .error(spec.span, format!("a line has a `{have}` and lacks `{lack}`"))
                .advice("`material` and `length` together give delay and impedances");
            return None;
        }
    };
    // What is said beside a material counts.
    for (told, place) in [
        (&spec.delay, &mut properties.delay),
        (&spec.impedance, &mut properties.impedance),
        (&spec.rotational, &mut properties.rotational),
        (&spec.feedback, &mut properties.feedback),
    ] {
        if let Some(told) = told {
            *place = told.value;
        }
    }
    if let Some(alpha) = &spec.alpha {
        if alpha.value >= 1.0 {
            reporter
                .error(
                    alpha.span,
                    format!("`alpha` must be below 1, found {}", alpha.value),
                )
                .advice("0 damps nothing, 0.2 is usual, 1 would let nothing through");
            return None;
        }
        properties.alpha = alpha.value;
    }
    if signal && (properties.alpha > 0.0 || spec.compensate.is_some()) {
        let span = spec.alpha.as_ref().map_or(spec.span, |alpha| alpha.span);
        reporter
            .warning(
                span,
                "a signal is only delayed: it has no waves to damp and no inertia",
            )
            .advice("leave out `alpha` and `compensate`");
    }
    properties.interpolation = spec.interpolation.as_ref().map(|i| i.value).unwrap_or_default();
    properties.compensate = spec.compensate.as_ref().map_or(Compensation::None, |c| c.value);
    // What stands for a rigid tie is to be damped without becoming longer.
    let usual = match properties.compensate {
        Compensation::Full => Filter::Unit,
        _ => Filter::Lengthening,
    };
    properties.filter = spec.filter.as_ref().map_or(usual, |f| f.value);
    properties.filling = spec.filling.as_ref().map_or(Filling::Empty, |f| f.value);
    Some(properties)
}

/// A material makes mechanical lines; about a single axis its impedance is that of rotations.
fn check_material(spec: &LineSpec, medium: Medium, properties: &mut Properties, reporter: &mut Reporter) {
    if let Some(rotational) = spec.rotational.filter(|_| medium != Medium::Spatial) {
        reporter
            .warning(
                rotational.span,
                format!("`Zfr` is for lines in space, and this one is {medium}"),
            )
            .advice("`Zf` is the impedance of a line that carries one number");
    }
    let Some(material) = &spec.material else { return };
    match medium {
        Medium::Translational | Medium::Spatial => {}
        Medium::Rotational if spec.impedance.is_none() => properties.impedance = properties.rotational,
        Medium::Rotational => {}
        _ => {
            reporter
                .error(
                    material.span,
                    format!("a material makes bars, and this line is {medium}"),
                )
                .advice("give `delay` and `Zf`");
        }
    }
}

/// The name of a line, which no component and no other line has.
fn name(
    scope: &Scope<'_>,
    spec: &LineSpec,
    line: &Line,
    others: &[(Line, Span)],
    reporter: &mut Reporter,
) -> String {
    let taken = |name: &str| {
        others
            .iter()
            .find(|(other, _)| other.name == name)
            .map(|(_, span)| *span)
    };
    let Some(told) = &spec.name else {
        let [from, to] = line.ends.map(|end| scope.name(end.participant));
        let plain = format!("{from}-{to}");
        let free = |name: &String| taken(name).is_none() && !scope.by_name.contains_key(name.as_str());
        let mut names = std::iter::once(plain.clone()).chain((2..).map(|n| format!("{plain}-{n}")));
        return names.find(free).unwrap_or(plain);
    };
    if scope.by_name.contains_key(told.value.as_str()) {
        reporter
            .error(told.span, format!("`{}` is the name of a component", told.value))
            .advice("give the line another name: both have columns in the results");
    } else if let Some(first) = taken(&told.value) {
        reporter
            .error(told.span, format!("there are two lines called `{}`", told.value))
            .related(first, "the first")
            .advice("give them different names");
    } else if told.value.contains(['.', '[', ']', '*', '?']) || told.value.trim().is_empty() {
        reporter
            .error(
                told.span,
                format!("`{}` cannot be the name of a line", told.value),
            )
            .advice("choose a name without dots, brackets, * and ?");
    }
    told.value.clone()
}
