//! A component's interface with what the description adds to it.

use crate::diagnostic::{Reporter, Spanned};
use crate::spec::{ComponentSpec, Literal, SystemSpec};
use crate::value::{Wanted, value};
use cardan_core::interface::{Causality, Interface, PortId, Variability};
use cardan_core::value::{Value, ValueType};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The interface as the description sees it: a component may be declared discrete, its connectors may tell units that it
/// does not know of, its inputs may get values.
pub(super) fn interface<'a>(
    spec: &SystemSpec,
    component: &ComponentSpec,
    own: &'a Interface,
    reporter: &mut Reporter,
) -> Cow<'a, Interface> {
    let mut interface = Cow::Borrowed(own);
    if component.discrete.is_some_and(|flag| flag.value) {
        let ports = interface.to_mut().ports.iter_mut();
        for port in ports.filter(|port| port.causality != Causality::Input) {
            port.variability = Variability::Discrete;
        }
    }
    add_units(spec, component, own, &mut interface);
    if component.starts.is_empty() && component.parameters.is_empty() {
        return interface;
    }
    let inputs: HashMap<&str, PortId> = own
        .ports_of(Causality::Input)
        .map(|(id, port)| (port.name.as_str(), id))
        .collect();
    let parameters: HashSet<&str> = own.parameters.iter().map(|p| p.name.as_str()).collect();
    // Who reads a description cannot always know what is an input.
    let unclear = component.parameters.iter();
    let unclear = unclear.filter(|(name, _)| !parameters.contains(name.value.as_str()));
    for (name, literal) in component.starts.iter().chain(unclear) {
        // What is no input has been reported, by whoever knows the parameters or with the connectors.
        if let Some(&input) = inputs.get(name.value.as_str()) {
            add_start(&mut interface, input, literal, reporter);
        }
    }
    interface
}

/// Units of connectors, for ports that have none of their own.
fn add_units(
    spec: &SystemSpec,
    component: &ComponentSpec,
    own: &Interface,
    interface: &mut Cow<'_, Interface>,
) {
    if component.connectors.is_empty() {
        return;
    }
    let ports = own.ports.iter().enumerate();
    let by_name: HashMap<&str, usize> = ports.map(|(index, port)| (port.name.as_str(), index)).collect();
    for connector in &component.connectors {
        let Some(unit) = &connector.unit else { continue };
        let Some(&index) = by_name.get(connector.name.value.as_str()) else {
            continue;
        };
        let port = &interface.ports[index];
        if port.unit.is_some() || port.value_type != ValueType::Real {
            continue;
        }
        let defined = spec.units.iter().find(|known| known.name == unit.value);
        let missing = interface.units.iter().all(|known| known.name != unit.value);
        let interface = interface.to_mut();
        interface.ports[index].unit = Some(unit.value.clone());
        interface.units.extend(defined.filter(|_| missing).cloned());
    }
}

fn add_start(
    interface: &mut Cow<'_, Interface>,
    id: PortId,
    literal: &Spanned<Literal>,
    reporter: &mut Reporter,
) {
    let port = &interface.ports[id.index()];
    let wanted = Wanted {
        name: &port.name,
        value_type: port.value_type,
        unit: port.unit.as_deref(),
        choices: &port.choices,
        units: &interface.units,
    };
    if let Some(start) = value(wanted, Some(&port.shape), literal, reporter) {
        let mut numbers = match &start {
            Value::Integers(numbers) => numbers.iter(),
            _ => [].iter(),
        };
        if let Some(objection) = numbers.find_map(|number| port.objection(*number)) {
            reporter.error(literal.span, format!("`{}` {objection}", port.name));
            return;
        }
        let port = &mut interface.to_mut().ports[id.index()];
        port.start = Some(start);
        port.given = true;
    }
}
