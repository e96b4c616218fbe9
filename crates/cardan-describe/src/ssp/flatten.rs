//! From a tree of systems to components and connections between them.

use super::tree::{Link, Owner, Place, Tree, Value};
use super::values::Assignments;
use crate::diagnostic::{Reporter, Spanned};
use crate::spec::{ComponentSpec, ConnectionSpec, ConnectorKind, Hop};
use cardan_core::interface::UnitDefinition;

/// The system without levels.
pub(super) struct Flat {
    pub(super) components: Vec<ComponentSpec>,
    pub(super) connections: Vec<ConnectionSpec>,
    pub(super) units: Vec<UnitDefinition>,
    pub(super) broken: bool,
}

/// Which connections lead to and from the places that values pass through.
pub(super) struct Net {
    /// For each stop the connection that leads to it.
    drivers: Vec<Option<usize>>,
    /// For each stop the connections that lead away.
    pub(super) outgoing: Vec<Vec<usize>>,
}

impl Tree<'_> {
    pub(super) fn flatten(mut self, reporter: &mut Reporter) -> Flat {
        let net = self.net(reporter);
        let mut connections = Vec::with_capacity(self.links.len());
        for link in &self.links {
            if let Place::Port { component, port, .. } = &link.to {
                connections.extend(self.trace(&net, link, *component, port, reporter));
            }
        }
        let mut assignments = Assignments::default();
        let values: Vec<Value> = std::mem::take(&mut self.values);
        let mut unused = Vec::new();
        for value in &values {
            if !self.assign(&net, value, &mut assignments, reporter) {
                unused.push(value);
            }
        }
        self.report_unused(&unused, reporter);
        self.files.report_left_out(reporter);
        assignments.hand_over(&mut self.components);
        if self.components.is_empty() && !self.broken {
            let message = "there is no component";
            if let Some(system) = self.root_span {
                reporter
                    .error(system, message)
                    .advice("add a <Component> to its <Elements>");
            }
        }
        Flat {
            components: self.components.into_iter().map(|c| c.spec).collect(),
            connections,
            units: self.units,
            broken: self.broken,
        }
    }

    fn net(&self, reporter: &mut Reporter) -> Net {
        let mut net = Net {
            drivers: vec![None; self.stops.len()],
            outgoing: vec![Vec::new(); self.stops.len()],
        };
        for (index, link) in self.links.iter().enumerate() {
            if let Place::Stop { stop, .. } = link.from {
                net.outgoing[stop].push(index);
            }
            let Place::Stop { stop, span } = link.to else {
                continue;
            };
            match net.drivers[stop] {
                Some(first) => {
                    reporter
                        .error(span, format!("`{}` is driven twice", self.stops[stop].name))
                        .label("driven again here")
                        .related(self.links[first].to.span(), "first driven here")
                        .advice("remove one of the two connections");
                }
                None => net.drivers[stop] = Some(index),
            }
        }
        net
    }

    /// Follows a connection back to where its values come from. None where nothing drives the last stop, so that the
    /// input is open.
    fn trace(
        &self,
        net: &Net,
        last: &Link,
        component: usize,
        port: &Spanned<String>,
        reporter: &mut Reporter,
    ) -> Option<ConnectionSpec> {
        let mut hops: Vec<Hop> = vec![last.hop.clone()];
        let mut parameter = last.parameter;
        let mut from = &last.from;
        while let Place::Stop { stop, .. } = from {
            let link = &self.links[net.drivers[*stop]?];
            if hops.len() > self.links.len() {
                reporter
                    .error(port.span, "the connections lead round in a circle of connectors")
                    .advice("connect one of the connectors to an output");
                return None;
            }
            hops.push(link.hop.clone());
            parameter |= link.parameter;
            from = &link.from;
        }
        let Place::Port {
            component: source,
            port: output,
            kind,
        } = from
        else {
            return None;
        };
        if parameter {
            let what = match kind {
                Some(ConnectorKind::CalculatedParameter) => "a calculated parameter",
                _ => "an output",
            };
            reporter
                .error(
                    port.span,
                    format!(
                        "`{}` would get its value from {what} of `{}`, which is not supported",
                        self.full(component, port),
                        self.components[*source].spec.name.value
                    ),
                )
                .related(output.span, "this one")
                .advice("give the parameter a value in a parameter set");
            return None;
        }
        hops.reverse();
        let plain = hops.len() == 1 && hops[0] == Hop::default();
        Some(ConnectionSpec {
            undirected: last.undirected && hops.len() == 1,
            hops: if plain { Vec::new() } else { hops },
            ..ConnectionSpec::new(
                Some(Spanned::new(self.full(*source, output), output.span)),
                Some(Spanned::new(self.full(component, port), port.span)),
            )
        })
    }

    fn full(&self, component: usize, port: &Spanned<String>) -> String {
        format!("{}.{}", self.components[component].spec.name.value, port.value)
    }

    /// The name of whom a value is for, for people.
    pub(super) fn owner_name(&self, owner: Owner) -> String {
        match owner {
            Owner::Component(id) => format!("component `{}`", self.components[id].spec.name.value),
            Owner::System(id) => match self.systems[id].prefix.trim_end_matches('.') {
                "" => "the system".to_owned(),
                name => format!("system `{name}`"),
            },
        }
    }
}
