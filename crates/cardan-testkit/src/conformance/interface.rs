//! Claims on what a participant says about itself.

use super::bench::Bench;
use super::drive::drives;
use super::rig::Binding;
use super::{Make, Options};
use cardan_core::interface::{Causality, Interface, Port, PortId, Variability};
use cardan_core::value::{Value, ValueType};
use std::collections::BTreeSet;

/// Names are unique, feedthrough leads from inputs to outputs, values fit their ports and parameters.
pub fn interface_is_consistent(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("interface_is_consistent", make, options) else {
        return;
    };
    let interface = &bench.interface;
    let ports = interface.ports.iter().map(|p| &p.name);
    let parameters = interface.parameters.iter().map(|p| &p.name);
    let objection = repeated(ports)
        .map(|name| format!("two ports are named `{name}`, or one has no name"))
        .or_else(|| {
            repeated(parameters).map(|n| format!("two parameters are named `{n}`, or one has no name"))
        })
        .or_else(|| interface.ports.iter().find_map(port_objection))
        .or_else(|| parameter_objection(interface))
        .or_else(|| feedthrough_objection(interface))
        .or_else(|| match interface.period {
            Some(p) if !(p > 0.0 && p.is_finite()) => Some(format!("the period is {p} s")),
            _ => None,
        });
    if let Some(words) = objection {
        bench.fail(words);
    }
}

/// The interface is the same for every instance and at every time of its life.
pub fn interface_is_stable(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("interface_is_stable", make, options) else {
        return;
    };
    let mut rig = bench.fresh();
    let expect = |now: &Interface, when: &str| {
        if *now != bench.interface {
            bench.fail(format_args!(
                "the interface is another one {when}: {}",
                changed(&bench.interface, now)
            ));
        }
    };
    expect(rig.participant.interface(), "for a second instance");
    rig.bind(&Binding::all(&bench.interface));
    expect(rig.participant.interface(), "after `bind`");
    rig.begin();
    expect(rig.participant.interface(), "after `begin_initialization`");
    rig.finish();
    expect(rig.participant.interface(), "after `finish_initialization`");
    rig.go_to(bench.point(1));
    expect(rig.participant.interface(), "after `step`");
    rig.terminate();
    expect(rig.participant.interface(), "after `terminate`");
}

/// A name that occurs twice or is empty.
fn repeated<'a>(names: impl Iterator<Item = &'a String>) -> Option<&'a str> {
    let mut seen = BTreeSet::new();
    names
        .map(String::as_str)
        .find(|name| name.is_empty() || !seen.insert(*name))
}

fn port_objection(port: &Port) -> Option<String> {
    let name = &port.name;
    if let Some(words) = port.misformed() {
        return Some(format!("port `{name}` {words}"));
    }
    if port.value_type != ValueType::Real && port.variability == Variability::Continuous {
        return Some(format!(
            "port `{name}` is a {} that moves continuously",
            port.value_type
        ));
    }
    if !(port.nominal > 0.0 && port.nominal.is_finite()) {
        return Some(format!("the nominal value of port `{name}` is {}", port.nominal));
    }
    let start = port.start.as_ref()?;
    if !drives(start, port.value_type) {
        let (found, expected) = (start.value_type(), port.value_type);
        return Some(format!(
            "the start value of port `{name}` is a {found}, the port a {expected}"
        ));
    }
    if start.len() != port.shape.len() {
        let (found, expected) = (start.len(), port.shape.len());
        return Some(format!(
            "the start value of port `{name}` has {found} elements, the port {expected}"
        ));
    }
    let unknown = |v: &&i64| !port.choices.is_empty() && port.choices.iter().all(|(_, choice)| choice != *v);
    match start {
        Value::Integers(v) => {
            let wrong = v.iter().find(unknown)?;
            Some(format!(
                "the start value {wrong} of port `{name}` is none of its choices"
            ))
        }
        Value::Reals(v) => {
            let wrong = v.iter().find(|v| !v.is_finite())?;
            Some(format!("the start value of port `{name}` is {wrong}"))
        }
        _ => None,
    }
}

fn parameter_objection(interface: &Interface) -> Option<String> {
    interface.parameters.iter().find_map(|parameter| {
        let objection = parameter.objection(parameter.default.as_ref()?)?;
        Some(format!(
            "the default of parameter `{}`: {objection}",
            parameter.name
        ))
    })
}

fn feedthrough_objection(interface: &Interface) -> Option<String> {
    let is_input = |id: PortId| {
        interface
            .ports
            .get(id.index())
            .map(|p| p.causality == Causality::Input)
    };
    let mut seen = BTreeSet::new();
    interface.feedthrough.iter().find_map(|&(output, input)| {
        if is_input(output) != Some(false) {
            Some(format!(
                "feedthrough is declared for {output:?}, which is no output or local"
            ))
        } else if is_input(input) != Some(true) {
            Some(format!(
                "feedthrough is declared from {input:?}, which is no input"
            ))
        } else if !seen.insert((output, input)) {
            Some(format!(
                "feedthrough from {input:?} to {output:?} is declared twice"
            ))
        } else {
            None
        }
    })
}

/// What changed, in words.
fn changed(before: &Interface, now: &Interface) -> String {
    let port = before.ports.iter().zip(&now.ports).find(|(a, b)| a != b);
    let parameter = before
        .parameters
        .iter()
        .zip(&now.parameters)
        .find(|(a, b)| a != b);
    match (port, parameter) {
        (Some((a, b)), _) => format!("port {a:?} became {b:?}"),
        (None, Some((a, b))) => format!("parameter {a:?} became {b:?}"),
        (None, None) => "ports or parameters came or went, or feedthrough or period changed".into(),
    }
}
