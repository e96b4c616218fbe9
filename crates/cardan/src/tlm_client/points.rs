//! Which ports of a component an interface point is.

use cardan_core::form::Form;
use cardan_core::interface::{Causality, Interface, Port, PortId};
use cardan_core::value::ValueType;
use cardan_describe::line_client::InterfaceSpec;
use cardan_describe::{Reporter, Spanned, nearest};
use cardan_tlm::plugin::{Flow, InterfaceType};

/// A real number of a port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Element {
    pub(super) port: PortId,
    pub(super) at: usize,
}

/// An interface point as ports of the component.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Point {
    pub(super) name: String,
    pub(super) domain: String,
    pub(super) ports: Ports<Element>,
    /// The load, or the value, before anything arrives.
    pub(super) initial: Option<f64>,
    /// Was it only guessed that there is such a point?
    pub(super) guessed: bool,
}

/// The ports, as elements of them or as places on planes.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Ports<E> {
    /// One degree of freedom. Signs are those of the ports against those of the line.
    Axis {
        flow: E,
        effort: E,
        position: Option<E>,
        flow_sign: f64,
        effort_sign: f64,
    },
    /// A point of a body.
    Body {
        position: [E; 3],
        orientation: Orientation<E>,
        velocity: [E; 3],
        angular_velocity: [E; 3],
        /// Force, then moment.
        load: [E; 6],
        load_sign: f64,
    },
    /// A signal that is taken.
    Input(E),
    /// A signal that is given.
    Output(E),
}

/// How a component tells the orientation of a body.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Orientation<E> {
    /// A quaternion from body to inertial axes, its real part first.
    Quaternion([E; 4]),
    /// A matrix from inertial to body axes, row by row.
    Matrix([E; 9]),
}

impl Ports<Element> {
    /// The same as places of inputs and outputs.
    pub(super) fn placed(
        &self,
        input: impl Fn(Element) -> usize,
        output: impl Fn(Element) -> usize,
    ) -> Ports<usize> {
        match self {
            Ports::Axis {
                flow,
                effort,
                position,
                flow_sign,
                effort_sign,
            } => Ports::Axis {
                flow: output(*flow),
                effort: input(*effort),
                position: position.map(&output),
                flow_sign: *flow_sign,
                effort_sign: *effort_sign,
            },
            Ports::Body {
                position,
                orientation,
                velocity,
                angular_velocity,
                load,
                load_sign,
            } => Ports::Body {
                position: position.map(&output),
                orientation: match orientation {
                    Orientation::Quaternion(elements) => Orientation::Quaternion(elements.map(&output)),
                    Orientation::Matrix(elements) => Orientation::Matrix(elements.map(&output)),
                },
                velocity: velocity.map(&output),
                angular_velocity: angular_velocity.map(&output),
                load: load.map(&input),
                load_sign: *load_sign,
            },
            Ports::Input(value) => Ports::Input(input(*value)),
            Ports::Output(value) => Ports::Output(output(*value)),
        }
    }
}

impl Point {
    /// What it is, in words of the protocol.
    pub(super) fn interface_type(&self) -> InterfaceType<'_> {
        let (dimensions, causality, domain) = match &self.ports {
            Ports::Axis { .. } => (1, "bidirectional", self.domain.as_str()),
            Ports::Body { .. } => (6, "bidirectional", self.domain.as_str()),
            Ports::Input(_) => (1, "input", "signal"),
            Ports::Output(_) => (1, "output", "signal"),
        };
        InterfaceType {
            dimensions,
            causality,
            domain,
        }
    }

    /// What flows.
    pub(super) fn flow(&self) -> Flow {
        Flow::of_domain(&self.domain)
    }

    /// The inputs it drives.
    pub(super) fn inputs(&self) -> Vec<PortId> {
        match &self.ports {
            Ports::Axis { effort, .. } => vec![effort.port],
            Ports::Body { load, .. } => load.iter().map(|element| element.port).collect(),
            Ports::Input(value) => vec![value.port],
            Ports::Output(_) => Vec::new(),
        }
    }

    /// The outputs that its loads follow.
    pub(super) fn flows(&self) -> Vec<PortId> {
        match &self.ports {
            Ports::Axis { flow, .. } => vec![flow.port],
            Ports::Body {
                velocity,
                angular_velocity,
                ..
            } => velocity
                .iter()
                .chain(angular_velocity)
                .map(|element| element.port)
                .collect(),
            Ports::Input(_) | Ports::Output(_) => Vec::new(),
        }
    }

    /// The outputs it looks at.
    pub(super) fn outputs(&self) -> Vec<PortId> {
        match &self.ports {
            Ports::Axis { flow, position, .. } => [Some(*flow), *position]
                .iter()
                .flatten()
                .map(|e| e.port)
                .collect(),
            Ports::Body {
                position,
                orientation,
                velocity,
                angular_velocity,
                ..
            } => {
                let turned: &[Element] = match orientation {
                    Orientation::Quaternion(elements) => elements,
                    Orientation::Matrix(elements) => elements,
                };
                let all = position
                    .iter()
                    .chain(turned)
                    .chain(velocity)
                    .chain(angular_velocity);
                all.map(|element| element.port).collect()
            }
            Ports::Input(_) => Vec::new(),
            Ports::Output(value) => vec![value.port],
        }
    }
}

fn scalar(port: PortId) -> Element {
    Element { port, at: 0 }
}

fn elements<const N: usize>(port: PortId, first: usize) -> [Element; N] {
    std::array::from_fn(|k| Element { port, at: first + k })
}

/// A frame port and a load port as a point of a body.
fn body(frame: PortId, load: PortId) -> Ports<Element> {
    Ports::Body {
        position: elements(frame, 0),
        orientation: Orientation::Quaternion(elements(frame, 3)),
        velocity: elements(frame, 7),
        angular_velocity: elements(frame, 10),
        load: elements(load, 0),
        load_sign: 1.0,
    }
}

/// What flows where the effort has that unit.
fn domain_of(unit: Option<&str>) -> &'static str {
    match unit.unwrap_or_default() {
        "Pa" | "kPa" | "MPa" | "bar" => "hydraulic",
        "N.m" | "Nm" | "N*m" => "rotational",
        "V" | "kV" | "mV" => "electric",
        _ => "mechanical",
    }
}

/// The point that a table describes. What is wrong goes to the reporter.
pub(super) fn described(
    spec: &InterfaceSpec,
    interface: &Interface,
    reporter: &mut Reporter,
) -> Option<Point> {
    let mut find = |name: &Option<Spanned<String>>, causality: Causality, form: Form| {
        let name = name.as_ref()?;
        port(name, causality, form, interface, reporter)
    };
    let sign = |negated: bool| if negated { -1.0 } else { 1.0 };
    let mut domain = spec
        .domain
        .as_ref()
        .map(|domain| domain.value.to_ascii_lowercase());
    let ports = if spec.flow.is_some() {
        let (flow, effort) = (
            find(&spec.flow, Causality::Output, Form::Plain),
            find(&spec.effort, Causality::Input, Form::Plain),
        );
        let position = match &spec.position {
            Some(_) => Some(scalar(find(&spec.position, Causality::Output, Form::Plain)?)),
            None => None,
        };
        let effort = effort?;
        domain = domain.or_else(|| {
            let unit = interface.ports[effort.index()].unit.as_deref();
            Some(domain_of(unit).to_owned())
        });
        Ports::Axis {
            flow: scalar(flow?),
            effort: scalar(effort),
            position,
            flow_sign: sign(spec.negate_flow),
            effort_sign: sign(spec.negate_effort),
        }
    } else if spec.frame.is_some() {
        let (frame, load) = (
            find(&spec.frame, Causality::Output, Form::Frame),
            find(&spec.load, Causality::Input, Form::Load),
        );
        let mut ports = body(frame?, load?);
        if let Ports::Body { load_sign, .. } = &mut ports {
            *load_sign = sign(spec.negate_effort);
        }
        ports
    } else {
        let name = spec.value.as_ref()?;
        let taken = interface
            .ports_of(Causality::Input)
            .find(|(_, port)| port.name == name.value);
        match taken {
            Some(_) => Ports::Input(scalar(find(&spec.value, Causality::Input, Form::Plain)?)),
            None => Ports::Output(scalar(find(&spec.value, Causality::Output, Form::Plain)?)),
        }
    };
    Some(Point {
        name: spec.name.value.clone(),
        domain: domain.unwrap_or_else(|| "mechanical".to_owned()),
        ports,
        initial: spec.initial,
        guessed: false,
    })
}

/// A real port of that name, direction and form.
fn port(
    name: &Spanned<String>,
    causality: Causality,
    form: Form,
    interface: &Interface,
    reporter: &mut Reporter,
) -> Option<PortId> {
    let fits = |port: &Port| {
        port.value_type == ValueType::Real
            && port.form == form
            && (form != Form::Plain || port.shape.is_scalar())
    };
    let word = match causality {
        Causality::Input => "input",
        _ => "output",
    };
    let what = match form {
        Form::Plain => "a single real number".to_owned(),
        form => form.described().to_owned(),
    };
    // Whatever is not driven can be looked at.
    let side = |port: &Port| (port.causality == Causality::Input) == (causality == Causality::Input);
    match interface
        .find_port(&name.value)
        .map(|id| (id, &interface.ports[id.index()]))
    {
        Some((id, port)) if side(port) && fits(port) => Some(id),
        Some((_, port)) => {
            let wrong = match side(port) {
                true => format!("`{}` is not {what}", name.value),
                false => format!("`{}` is no {word}", name.value),
            };
            reporter.error(name.span, wrong).advice(listed(interface));
            None
        }
        None => {
            let known = interface.ports.iter().filter(|port| side(port) && fits(port));
            let advice = match nearest(&name.value, known.map(|port| port.name.as_str())) {
                Some(near) => format!("did you mean `{near}`?"),
                None => listed(interface),
            };
            reporter
                .error(name.span, format!("there is no {word} `{}`", name.value))
                .advice(advice);
            None
        }
    }
}

/// Points that a component without tables might have: whatever the meta-model does not know is dropped by the manager.
pub(super) fn guessed(interface: &Interface) -> Vec<Point> {
    let mut points = Vec::new();
    let mut guess = |name: &str, domain: &str, ports: Ports<Element>| {
        points.push(Point {
            name: name.to_owned(),
            domain: domain.to_owned(),
            ports,
            initial: None,
            guessed: true,
        });
    };
    for (id, port) in interface.ports_of(Causality::Output) {
        let load = interface.find_port(&format!("{}_load", port.name));
        let load = load.filter(|load| interface.ports[load.index()].form == Form::Load);
        if let (Form::Frame, Some(load)) = (port.form, load) {
            guess(&port.name, "mechanical", body(id, load));
        }
    }
    if let (Some(frame), Some(load)) = (
        only(interface, Causality::Output, Form::Frame),
        only(interface, Causality::Input, Form::Load),
    ) {
        guess(
            &interface.ports[frame.index()].name,
            "mechanical",
            body(frame, load),
        );
        guess("tlm", "mechanical", body(frame, load));
    }
    for terminal in &interface.terminals {
        if let Some((domain, ports)) = pair(interface, terminal.members.iter().map(|(_, id)| *id)) {
            guess(&terminal.name, domain, ports);
        }
    }
    let all = (0..interface.ports.len()).map(|index| PortId(index as u32));
    if let Some((domain, ports)) = pair(interface, all) {
        guess("tlm", domain, ports);
    }
    for (index, port) in interface.ports.iter().enumerate() {
        let plain = port.value_type == ValueType::Real && port.form == Form::Plain && port.shape.is_scalar();
        let element = scalar(PortId(index as u32));
        match port.causality {
            Causality::Input if plain => guess(&port.name, "signal", Ports::Input(element)),
            Causality::Output if plain => guess(&port.name, "signal", Ports::Output(element)),
            _ => {}
        }
    }
    points
}

/// The port of that direction and form, if there is just one.
fn only(interface: &Interface, causality: Causality, form: Form) -> Option<PortId> {
    let mut found = interface
        .ports_of(causality)
        .filter(|(_, port)| port.form == form);
    match (found.next(), found.next()) {
        (Some((id, _)), None) => Some(id),
        _ => None,
    }
}

type Units = &'static [&'static str];

/// Units of effort, flow and position that go together, by domain.
const PAIRS: [(&str, [Units; 3]); 4] = [
    ("mechanical", [&["N"], &["m/s"], &["m"]]),
    ("rotational", [&["N.m", "Nm", "N*m"], &["rad/s"], &["rad"]]),
    ("hydraulic", [&["Pa"], &["m3/s", "m^3/s"], &[]]),
    ("electric", [&["V"], &["A"], &[]]),
];

/// An effort and a flow that go together by their units, if there is just one of each among the ports.
fn pair(
    interface: &Interface,
    ports: impl Iterator<Item = PortId>,
) -> Option<(&'static str, Ports<Element>)> {
    let ports: Vec<PortId> = ports.collect();
    let only = |causality: Causality, units: &[&str]| {
        let mut found = ports.iter().filter(|id| {
            let port = &interface.ports[id.index()];
            let unit = port.unit.as_deref().unwrap_or_default();
            port.causality == causality && port.shape.is_scalar() && units.contains(&unit)
        });
        match (found.next(), found.next()) {
            (Some(id), None) => Some(scalar(*id)),
            _ => None,
        }
    };
    PAIRS.iter().find_map(|(domain, [effort, flow, position])| {
        let ports = Ports::Axis {
            effort: only(Causality::Input, effort)?,
            flow: only(Causality::Output, flow)?,
            position: only(Causality::Output, position),
            flow_sign: 1.0,
            effort_sign: 1.0,
        };
        Some((*domain, ports))
    })
}

/// What there is, for messages.
pub(super) fn listed(interface: &Interface) -> String {
    let names = |input: bool| {
        let ports = interface.ports.iter();
        let names: Vec<String> = ports
            .filter(|port| (port.causality == Causality::Input) == input)
            .take(20)
            .map(|port| match port.form {
                Form::Plain => port.name.clone(),
                form => format!("{} ({})", port.name, form.name()),
            })
            .collect();
        match names.is_empty() {
            true => "none".to_owned(),
            false => names.join(", "),
        }
    };
    format!("its inputs are: {}; its outputs: {}", names(true), names(false))
}
