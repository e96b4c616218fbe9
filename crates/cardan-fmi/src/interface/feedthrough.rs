//! Which output reacts at once to which input.

use cardan_core::interface::{Causality as Direction, Interface, PortId};

use crate::description::{Initial, ModelDescription, Unknown};

/// Declares what the model structure says. An output of which it says nothing may depend on everything.
pub(super) fn declare(interface: &mut Interface, description: &ModelDescription, port_of: &[Option<PortId>]) {
    let ports = &interface.ports;
    let direction = |port: PortId| ports[port.index()].causality;
    let inputs: Vec<PortId> = interface.ports_of(Direction::Input).map(|(id, _)| id).collect();
    let reaching = |unknown: Option<&Unknown>| -> Vec<PortId> {
        match unknown.and_then(|unknown| unknown.dependencies.as_ref()) {
            None => inputs.clone(),
            Some(variables) => {
                let known = variables
                    .iter()
                    .filter_map(|&variable| port_of.get(variable).copied().flatten());
                known
                    .filter(|&port| direction(port) == Direction::Input)
                    .collect()
            }
        }
    };
    let structure = &description.structure;
    let usual = by_variable(&structure.outputs, port_of.len());
    let initial = by_variable(&structure.initial_unknowns, port_of.len());

    let mut always = Vec::new();
    let mut initially = Vec::new();
    for (variable, port) in port_of.iter().enumerate() {
        let Some(output) = port.filter(|&port| direction(port) == Direction::Output) else {
            continue;
        };
        let pairs = |inputs: Vec<PortId>| inputs.into_iter().map(move |input| (output, input));
        match initial[variable] {
            Some(unknown) => initially.extend(pairs(reaching(Some(unknown)))),
            // What is known from the beginning depends on nothing.
            None if description.variables[variable].initial == Some(Initial::Exact) => {}
            None => initially.extend(pairs(reaching(usual[variable]))),
        }
        always.extend(pairs(reaching(usual[variable])));
    }
    // An exporter that lists no initial unknowns at all has left them out.
    if !structure.initial_unknowns.is_empty() && initially != always {
        interface.initial_feedthrough = Some(initially);
    }
    interface.feedthrough = always;
}

/// The entry of each variable, if it has one.
fn by_variable(unknowns: &[Unknown], variables: usize) -> Vec<Option<&Unknown>> {
    let mut entries = vec![None; variables];
    for unknown in unknowns {
        if let Some(entry) = entries.get_mut(unknown.variable) {
            *entry = Some(unknown);
        }
    }
    entries
}
