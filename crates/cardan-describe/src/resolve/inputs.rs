//! Inputs that nothing drives.

use super::Scope;
use super::connections::Driven;
use crate::diagnostic::Reporter;
use crate::units::Unit;
use cardan_core::graph::ParticipantId;
use cardan_core::interface::{Causality, Port};

/// Reports inputs that need a driver and have none, with outputs that could be it.
pub(super) fn check(scope: &Scope<'_>, driven: &Driven, reporter: &mut Reporter) {
    if scope.spec.broken {
        return;
    }
    let mut outputs: Option<Vec<Candidate<'_>>> = None;
    for (id, component, interface) in scope.known() {
        for (port_id, port) in interface.ports_of(Causality::Input).filter(|(_, p)| p.start.is_none()) {
            let open = driven.open(id, port_id, port);
            if open.is_empty() {
                continue;
            }
            let name = format!("{}.{}", component.name.value, port.name);
            let message = if open.len() == port.shape.len() {
                format!("the input `{name}` is not connected")
            } else {
                let elements: Vec<String> = open.iter().take(5).map(|&e| port.shape.element_suffix(e)).collect();
                let more = if open.len() > elements.len() { ", …" } else { "" };
                format!("the input `{name}` is only partly connected; open: {}{more}", elements.join(", "))
            };
            let outputs = outputs.get_or_insert_with(|| candidates(scope));
            reporter
                .error(component.name.span, message)
                .label("has no value of its own for it")
                .advice(advice(outputs, id, &name, port));
        }
    }
}

/// An output that may drive something.
struct Candidate<'a> {
    participant: ParticipantId,
    name: String,
    port: &'a Port,
    unit: Option<Unit>,
}

fn unit_of(port: &Port) -> Option<Unit> {
    port.unit.as_deref().and_then(|text| Unit::parse(text).ok())
}

fn candidates<'a>(scope: &'a Scope<'_>) -> Vec<Candidate<'a>> {
    let of = |(id, interface): (ParticipantId, &'a cardan_core::interface::Interface)| {
        interface.ports_of(Causality::Output).map(move |(_, port)| Candidate {
            participant: id,
            name: format!("{}.{}", scope.name(id), port.name),
            port,
            unit: unit_of(port),
        })
    };
    scope.known().map(|(id, _, interface)| (id, interface)).flat_map(of).collect()
}

fn advice(outputs: &[Candidate<'_>], participant: ParticipantId, name: &str, port: &Port) -> String {
    let unit = unit_of(port);
    let mut likely: Vec<(u32, &str)> = outputs
        .iter()
        .filter(|candidate| candidate.participant != participant)
        .map(|candidate| (likeness(candidate, port, unit.as_ref()), candidate.name.as_str()))
        .filter(|(likeness, _)| *likeness > 0)
        .collect();
    // Stable, so that equally likely ones stay in the order of the description.
    likely.sort_by_key(|(likeness, _)| std::cmp::Reverse(*likeness));
    match likely.as_slice() {
        [] => format!("connect an output to it: [[connections]] from = \"…\", to = \"{name}\""),
        [(_, only)] => format!("`{only}` could drive it: [[connections]] from = \"{only}\", to = \"{name}\""),
        several => {
            let names: Vec<String> = several.iter().take(3).map(|(_, name)| format!("`{name}`")).collect();
            format!("it could be driven by {}", names.join(", "))
        }
    }
}

/// How likely an output drives an input: 0 if it cannot, more for a matching unit, most for a matching name.
fn likeness(candidate: &Candidate<'_>, port: &Port, unit: Option<&Unit>) -> u32 {
    let output = candidate.port;
    if !output.value_type.drives(port.value_type) || output.shape.len() != port.shape.len() {
        return 0;
    }
    let units = match (&candidate.unit, unit) {
        (Some(from), Some(to)) if from.conversion_to(to).is_err() => return 0,
        (Some(_), Some(_)) => 1,
        _ => 0,
    };
    let (a, b) = (output.name.to_lowercase(), port.name.to_lowercase());
    let names = match () {
        () if a == b => 4,
        () if a.len().min(b.len()) >= 3 && (a.contains(&b) || b.contains(&a)) => 2,
        () => 0,
    };
    units + names
}
