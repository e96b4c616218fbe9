//! Looks up every name of a description in the participants' interfaces and builds the graph.

mod bonds;
mod connections;
mod connectors;
mod described;
mod endpoint;
mod history;
mod inputs;
mod lines;
mod mapping;
mod method;
mod reading;
mod record;
mod terminal;
mod way;

use crate::diagnostic::{Reporter, nearest, suggest};
use crate::spec::{ComponentSpec, SystemSpec};
use cardan_core::graph::{Endpoint, Graph, Node, ParticipantId};
use cardan_core::interface::{Causality, Interface, Port, PortId};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;

/// Checks a description against the interfaces of its components and builds the graph.
///
/// `interfaces` runs parallel to the components of the spec. None there means that the component could not be made,
/// which has been reported: nothing that follows from it is. The answer is none if anything is wrong.
pub fn resolve(
    spec: &SystemSpec,
    interfaces: &[Option<&Interface>],
    reporter: &mut Reporter,
) -> Option<Graph> {
    let errors = reporter.error_count();
    let scope = Scope::new(spec, interfaces, reporter);
    connectors::check(&scope, interfaces, reporter);
    let mut wiring = connections::resolve(&scope, reporter);
    let lines = lines::resolve(&scope, &mut wiring.driven, reporter);
    let whole = reporter.error_count() == errors;
    let bonds = bonds::resolve(&scope, &wiring.connections, whole, reporter);
    inputs::check(&scope, &wiring.driven, reporter);
    method::check(&scope, reporter);
    record::check(&scope, &lines, reporter);
    let mut nodes = Vec::with_capacity(spec.components.len());
    for (id, component, interface) in scope.known() {
        let past = history::resolve(component, interface, reporter);
        nodes.push(Node {
            name: component.name.value.clone(),
            interface: interface.clone(),
            step: lines::step_of(&lines, id, component, reporter),
            past,
        });
    }
    let whole = nodes.len() == spec.components.len() && reporter.error_count() == errors;
    whole.then_some(Graph {
        nodes,
        connections: wiring.connections,
        bonds,
        lines,
    })
}

/// The names that a description may use.
struct Scope<'a> {
    spec: &'a SystemSpec,
    interfaces: Vec<Option<Cow<'a, Interface>>>,
    by_name: HashMap<&'a str, ParticipantId>,
    /// The ports of each component sorted by name, made when the first one is asked for.
    sorted: Vec<OnceCell<Vec<PortId>>>,
}

impl<'a> Scope<'a> {
    fn new(spec: &'a SystemSpec, interfaces: &[Option<&'a Interface>], reporter: &mut Reporter) -> Self {
        let interfaces = spec.components.iter().enumerate().map(|(index, component)| {
            let interface = interfaces.get(index).copied().flatten()?;
            Some(described::interface(spec, component, interface, reporter))
        });
        let names = spec.components.iter().enumerate();
        let sorted = spec.components.iter().map(|_| OnceCell::new()).collect();
        Scope {
            spec,
            interfaces: interfaces.collect(),
            by_name: names
                .map(|(i, c)| (c.name.value.as_str(), ParticipantId(i as u32)))
                .collect(),
            sorted,
        }
    }

    /// The port of that name.
    fn find_port(&self, id: ParticipantId, name: &str) -> Option<PortId> {
        let ports = &self.interface(id)?.ports;
        let named = |port: &PortId| ports[port.index()].name.as_str();
        let sorted = self.sorted.get(id.index())?.get_or_init(|| {
            let mut sorted: Vec<PortId> = (0..ports.len() as u32).map(PortId).collect();
            sorted.sort_by_key(|port| named(port));
            sorted
        });
        let found = *sorted.get(sorted.partition_point(|port| named(port) < name))?;
        (named(&found) == name).then_some(found)
    }

    /// The interface of a component, if that could be made.
    fn interface(&self, id: ParticipantId) -> Option<&Interface> {
        self.interfaces.get(id.index())?.as_deref()
    }

    fn name(&self, id: ParticipantId) -> &'a str {
        self.spec
            .components
            .get(id.index())
            .map_or("", |c| c.name.value.as_str())
    }

    /// The components that could be made.
    fn known(&self) -> impl Iterator<Item = (ParticipantId, &'a ComponentSpec, &Interface)> {
        let ids = (0..).map(ParticipantId);
        ids.zip(&self.spec.components)
            .zip(&self.interfaces)
            .filter_map(|((id, component), interface)| Some((id, component, interface.as_deref()?)))
    }

    fn port(&self, endpoint: Endpoint) -> Option<&Port> {
        self.interface(endpoint.participant)?
            .ports
            .get(endpoint.port.index())
    }

    /// `component.port`, with an index for a single element.
    fn name_of(&self, endpoint: Endpoint) -> String {
        let component = self.name(endpoint.participant);
        match self.port(endpoint) {
            Some(port) => {
                let suffix = endpoint.element.map(|e| port.element_suffix(e as usize));
                format!("{component}.{}{}", port.name, suffix.unwrap_or_default())
            }
            None => component.to_owned(),
        }
    }

    fn nearest_component(&self, name: &str) -> Option<&'a str> {
        nearest(name, self.spec.components.iter().map(|c| c.name.value.as_str()))
    }

    /// What to say to somebody who named a component that is not there.
    fn component_advice(&self, name: &str) -> String {
        suggest(
            name,
            "components",
            self.spec.components.iter().map(|c| c.name.value.as_str()),
        )
    }
}

fn plural(causality: Causality) -> &'static str {
    match causality {
        Causality::Input => "inputs",
        Causality::Output => "outputs",
        Causality::Local => "local variables",
    }
}
