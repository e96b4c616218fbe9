//! Inputs that nothing drives.

use super::Scope;
use super::connections::Driven;
use crate::diagnostic::Reporter;
use crate::units::Unit;
use cardan_core::graph::ParticipantId;
use cardan_core::interface::{Causality, Interface, Port};

/// Reports inputs that need a driver and have none, with outputs that could be it.
pub(super) fn check(scope: &Scope<'_>, driven: &Driven, reporter: &mut Reporter) {
    if scope.spec.broken {
        return;
    }
    let mut outputs: Option<Vec<Candidate<'_>>> = None;
    for (id, component, interface) in scope.known() {
        for (port_id, port) in interface
            .ports_of(Causality::Input)
            .filter(|(_, p)| p.start.is_none())
        {
            let elements = driven.open(id, port_id, port);
            let Some(&first) = elements.first() else {
                continue;
            };
            let whole = elements.len() == port.shape.len();
            let name = format!("{}.{}", component.name.value, port.name);
            let open = Open {
                participant: id,
                port,
                unit: unit_of(port, interface),
                size: if whole { port.shape.len() } else { 1 },
                name: if whole {
                    name.clone()
                } else {
                    format!("{name}{}", port.element_suffix(first))
                },
            };
            let message = match whole {
                true => format!("the input `{name}` is not connected"),
                false => format!(
                    "the input `{name}` is only partly connected; open: {}",
                    suffixes(port, &elements)
                ),
            };
            let outputs = outputs.get_or_insert_with(|| candidates(scope));
            let why = port.untold.as_deref();
            reporter
                .error(component.name.span, message)
                .label(why.unwrap_or("has no value of its own for it"))
                .advice(match why {
                    Some(_) => format!(
                        "{}, or give it a value among the `parameters`",
                        open.advice(outputs)
                    ),
                    None => open.advice(outputs),
                });
        }
    }
}

fn suffixes(port: &Port, elements: &[usize]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = elements
        .iter()
        .take(SHOWN)
        .map(|&e| port.element_suffix(e))
        .collect();
    let more = if elements.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// An input, or the first open element of it, that needs a driver.
struct Open<'a> {
    participant: ParticipantId,
    port: &'a Port,
    unit: Option<Unit>,
    size: usize,
    name: String,
}

/// An output that may drive something.
struct Candidate<'a> {
    participant: ParticipantId,
    name: String,
    port: &'a Port,
    unit: Option<Unit>,
}

fn unit_of(port: &Port, interface: &Interface) -> Option<Unit> {
    let text = port.unit.as_deref()?;
    Unit::find(text, &interface.units).ok()
}

fn candidates<'a>(scope: &'a Scope<'_>) -> Vec<Candidate<'a>> {
    let of = |(id, interface): (ParticipantId, &'a Interface)| {
        interface
            .ports_of(Causality::Output)
            .map(move |(_, port)| Candidate {
                participant: id,
                name: format!("{}.{}", scope.name(id), port.name),
                port,
                unit: unit_of(port, interface),
            })
    };
    scope
        .known()
        .map(|(id, _, interface)| (id, interface))
        .flat_map(of)
        .collect()
}

impl Open<'_> {
    fn advice(&self, outputs: &[Candidate<'_>]) -> String {
        let mut likely: Vec<(u32, &str)> = outputs
            .iter()
            .filter(|candidate| candidate.participant != self.participant)
            .map(|candidate| (self.likeness(candidate), candidate.name.as_str()))
            .filter(|(likeness, _)| *likeness > 0)
            .collect();
        // Stable, so that equally likely ones stay in the order of the description.
        likely.sort_by_key(|(likeness, _)| std::cmp::Reverse(*likeness));
        let to = &self.name;
        match likely.as_slice() {
            [] => format!("connect an output to it: [[connections]] from = \"…\", to = \"{to}\""),
            [(_, from)] => {
                format!("`{from}` could drive it: [[connections]] from = \"{from}\", to = \"{to}\"")
            }
            several => {
                let names: Vec<String> = several
                    .iter()
                    .take(3)
                    .map(|(_, name)| format!("`{name}`"))
                    .collect();
                format!("it could be driven by {}", names.join(", "))
            }
        }
    }

    /// How likely an output drives this input: 0 if it cannot, more for a matching unit, most for a matching name.
    fn likeness(&self, candidate: &Candidate<'_>) -> u32 {
        let output = candidate.port;
        if !output.value_type.drives(self.port.value_type) || output.shape.len() != self.size {
            return 0;
        }
        let unit = match (&candidate.unit, &self.unit) {
            (Some(from), Some(to)) if from.conversion_to(to).is_err() => return 0,
            (Some(_), Some(_)) => 1,
            _ => 0,
        };
        let (a, b) = (output.name.to_lowercase(), self.port.name.to_lowercase());
        if a == b {
            unit + 4
        } else if a.len().min(b.len()) >= 3 && (a.contains(&b) || b.contains(&a)) {
            unit + 2
        } else {
            unit
        }
    }
}
