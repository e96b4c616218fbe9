//! What a placed participant shows: its own ports, seen from the system, and those of its markers.

use crate::feedthrough;
use crate::marker::Marker;
use crate::motion::{Load, Motion};
use crate::placement::Placement;
use cardan_core::form::Form;
use cardan_core::interface::{Causality, Interface, Port, PortId};
use cardan_core::value::Value;

/// The interface of a participant as the system sees it, and where each part of it comes from.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(crate) placement: Placement,
    pub(crate) points: Vec<Point>,
    /// How many ports are the participant's own; those of markers follow.
    pub(crate) own: usize,
    pub(crate) interface: Interface,
}

/// A marker and the ports that belong to it.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) marker: Marker,
    /// The frame it is fixed to.
    pub(crate) base: PortId,
    /// The frame it shows.
    pub(crate) frame: PortId,
    /// The load at the frame of the body, and the one it shows.
    pub(crate) loads: Option<(PortId, PortId)>,
}

/// The part of a marker that is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Its name.
    Name,
    /// The frame it names.
    Frame,
    /// The load it names.
    Load,
}

/// What is wrong with a marker.
#[derive(Clone, PartialEq, Debug)]
pub struct Mistake {
    /// Which marker.
    pub marker: usize,
    /// What of it.
    pub part: Part,
    /// A full sentence without its point.
    pub message: String,
    /// What to do.
    pub advice: String,
}

impl Layout {
    /// Checks markers against the ports of a participant and works out what it shows.
    pub fn new(own: &Interface, placement: Placement, markers: Vec<Marker>) -> Result<Layout, Vec<Mistake>> {
        let mut layout = Layout {
            placement,
            points: Vec::new(),
            own: own.ports.len(),
            interface: own.clone(),
        };
        let mut mistakes = Vec::new();
        for (index, marker) in markers.into_iter().enumerate() {
            layout.mark(own, index, marker, &mut mistakes);
        }
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let (points, interface) = (&layout.points, &mut layout.interface);
        interface.feedthrough = feedthrough::spread(own, points, &own.feedthrough);
        let initial = own.initial_feedthrough.as_ref();
        interface.initial_feedthrough = initial.map(|pairs| feedthrough::spread(own, points, pairs));
        interface.period = own.period.map(|period| period * placement.scales.time);
        for port in &mut interface.ports {
            port.start = port
                .start
                .take()
                .map(|start| seen(&layout.placement, port.form, start));
        }
        Ok(layout)
    }

    /// What the system sees.
    pub fn interface(&self) -> &Interface {
        &self.interface
    }

    /// Does it matter at all where the participant lives?
    pub fn has_effect(own: &Interface, placement: &Placement) -> bool {
        let in_space = own.ports.iter().any(|port| port.form.is_named());
        in_space || placement.scales.time != 1.0
    }

    fn mark(&mut self, own: &Interface, index: usize, marker: Marker, mistakes: &mut Vec<Mistake>) {
        let before = mistakes.len();
        let mut complain = |part, message: String, advice: String| {
            mistakes.push(Mistake {
                marker: index,
                part,
                message,
                advice,
            });
        };
        let base = find(own, &marker.frame, Form::Frame).map_err(|(message, advice)| {
            complain(Part::Frame, message, advice);
        });
        let load = marker.load.as_ref().map(|name| {
            find(own, name, Form::Load).map_err(|(message, advice)| complain(Part::Load, message, advice))
        });
        let names = [Some(marker.name.clone()), load.map(|_| marker.load_name())];
        for name in names.into_iter().flatten() {
            if self.interface.find_port(&name).is_some() {
                let message = format!("there is a port `{name}` already");
                complain(Part::Name, message, "give the marker another name".into());
            }
        }
        if let Ok(base) = base
            && own.ports[base.index()].causality == Causality::Input
            && let Some(earlier) = self.points.iter().find(|point| point.base == base)
        {
            let message = format!(
                "`{}` is driven through the marker `{}` already",
                marker.frame, earlier.marker.name
            );
            complain(
                Part::Frame,
                message,
                "a body moves in one way: keep one of the markers".into(),
            );
        }
        if let (Ok(base), Some(Ok(load))) = (base, load)
            && own.feedthrough.contains(&(base, load))
        {
            let message = format!(
                "`{}` reacts at once to `{}`: how a load turns it cannot be told from how it is turned",
                marker.frame,
                own.ports[load.index()].name
            );
            complain(Part::Load, message, "leave the load of the marker out".into());
        }
        let (Ok(base), None | Some(Ok(_))) = (base, load) else {
            return;
        };
        if mistakes.len() == before {
            self.add(own, marker, base, load.and_then(Result::ok));
        }
    }

    fn add(&mut self, own: &Interface, marker: Marker, base: PortId, load: Option<PortId>) {
        let offset = marker.offset();
        let shown = &own.ports[base.index()];
        let start = shown.start.as_ref().and_then(Value::as_reals).map(|start| {
            let mut numbers = start.to_vec();
            offset.motion_of_marker(Motion::read(start)).write(&mut numbers);
            Value::Reals(numbers)
        });
        let frame = self.interface.port(Port {
            name: marker.name.clone(),
            description: format!("a marker on `{}`", marker.frame),
            start,
            ..shown.clone()
        });
        if shown.causality == Causality::Input {
            // Whoever drives the marker drives the body; what becomes of its own frame can be looked at.
            let replaced = &mut self.interface.ports[base.index()];
            replaced.causality = Causality::Local;
            replaced.start = None;
            replaced.given = false;
        }
        let loads = load.map(|load| {
            let port = &own.ports[load.index()];
            let input = port.causality == Causality::Input;
            let nothing = || Value::Reals(vec![0.0; 6]);
            if input && port.start.is_none() {
                self.interface.ports[load.index()].start = Some(nothing());
            }
            let shown = self.interface.port(Port {
                name: marker.load_name(),
                description: format!("the load at the marker `{}`", marker.name),
                start: input.then(nothing),
                ..port.clone()
            });
            (load, shown)
        });
        self.points.push(Point {
            marker,
            base,
            frame,
            loads,
        });
    }
}

/// A port of a form, or why there is none: a message, and advice.
fn find(own: &Interface, name: &str, form: Form) -> Result<PortId, (String, String)> {
    let named = |port: &&Port| port.form == form;
    let known: Vec<String> = own
        .ports
        .iter()
        .filter(named)
        .map(|port| format!("`{}`", port.name))
        .collect();
    let advice = match known.is_empty() {
        true => format!("the component has no {} at all", form.name()),
        false => format!("choose among {}", known.join(", ")),
    };
    let Some(id) = own.find_port(name) else {
        return Err((format!("there is no port `{name}`"), advice));
    };
    match own.ports[id.index()].form == form {
        true => Ok(id),
        false => Err((format!("`{name}` is not {}", form.described()), advice)),
    }
}

/// A value of a port as the system sees it.
fn seen(placement: &Placement, form: Form, value: Value) -> Value {
    match (form, value) {
        (Form::Frame, Value::Reals(mut numbers)) => {
            placement.motion_out(Motion::read(&numbers)).write(&mut numbers);
            Value::Reals(numbers)
        }
        (Form::Load, Value::Reals(mut numbers)) => {
            placement.load_out(Load::read(&numbers)).write(&mut numbers);
            Value::Reals(numbers)
        }
        (_, value) => value,
    }
}
