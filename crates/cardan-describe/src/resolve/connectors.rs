//! Connectors: does the description know its components?

use super::Scope;
use crate::diagnostic::{Diagnostic, Reporter, suggest};
use crate::spec::{ComponentSpec, ConnectorKind, ConnectorSpec};
use crate::units::Unit;
use cardan_core::graph::Conversion;
use cardan_core::interface::{Causality, Interface, Parameter, Port};
use cardan_core::value::{Shape, ValueType};
use std::collections::HashMap;

/// Reports connectors that their components do not have, or have otherwise. `own` are the interfaces before the
/// description added to them.
pub(super) fn check(scope: &Scope<'_>, own: &[Option<&Interface>], reporter: &mut Reporter) {
    for (component, interface) in scope.spec.components.iter().zip(own) {
        let Some(interface) = interface.filter(|_| !component.connectors.is_empty()) else {
            continue;
        };
        let found = Found::of(interface);
        for connector in &component.connectors {
            one(scope, component, connector, interface, &found, reporter);
        }
    }
}

/// The ports and parameters of an interface by name.
struct Found<'a> {
    ports: HashMap<&'a str, &'a Port>,
    parameters: HashMap<&'a str, &'a Parameter>,
}

impl<'a> Found<'a> {
    fn of(interface: &'a Interface) -> Self {
        let ports = interface.ports.iter().map(|port| (port.name.as_str(), port));
        let parameters = interface.parameters.iter();
        Found {
            ports: ports.collect(),
            parameters: parameters
                .map(|parameter| (parameter.name.as_str(), parameter))
                .collect(),
        }
    }
}

fn one(
    scope: &Scope<'_>,
    component: &ComponentSpec,
    connector: &ConnectorSpec,
    interface: &Interface,
    found: &Found<'_>,
    reporter: &mut Reporter,
) {
    let name = connector.name.value.as_str();
    match (found.ports.get(name), found.parameters.get(name)) {
        (Some(port), _) => {
            kind(component, connector, port_kind(port), reporter);
            let facts = Facts {
                value_type: port.value_type,
                shape: Some(&port.shape),
                unit: port.unit.as_deref(),
            };
            facts.compare(scope, component, connector, interface, reporter);
        }
        (None, Some(parameter)) => {
            kind(component, connector, ConnectorKind::Parameter, reporter);
            let facts = Facts {
                value_type: parameter.value_type,
                shape: parameter.shape.as_ref(),
                unit: parameter.unit.as_deref(),
            };
            facts.compare(scope, component, connector, interface, reporter);
        }
        (None, None) => missing(component, connector, found, reporter),
    }
}

fn missing(component: &ComponentSpec, connector: &ConnectorSpec, found: &Found<'_>, reporter: &mut Reporter) {
    let wanted = connector.kind.value;
    let mut known: Vec<&str> = match wanted {
        ConnectorKind::Parameter => found.parameters.keys().copied().collect(),
        _ => {
            let ports = found.ports.iter();
            let fitting = ports.filter(|(_, port)| fits(wanted, port_kind(port)));
            fitting.map(|(name, _)| *name).collect()
        }
    };
    known.sort_unstable();
    let what = format!("{}s of `{}`", noun(wanted), component.name.value);
    let name = &connector.name;
    reporter
        .error(
            name.span,
            format!(
                "component `{}` has no {} `{}`",
                component.name.value,
                noun(wanted),
                name.value
            ),
        )
        .label("no such connector")
        .advice(suggest(&name.value, &what, known));
}

fn kind(component: &ComponentSpec, connector: &ConnectorSpec, own: ConnectorKind, reporter: &mut Reporter) {
    if fits(connector.kind.value, own) {
        return;
    }
    reporter
        .error(
            connector.kind.span,
            format!(
                "`{}.{}` is {}, the connector says {}",
                component.name.value,
                connector.name.value,
                with_article(own),
                noun(connector.kind.value)
            ),
        )
        .label(format!("not {}", with_article(connector.kind.value)))
        .advice("give the connector the kind that the component's own description says");
}

fn port_kind(port: &Port) -> ConnectorKind {
    match port.causality {
        Causality::Input => ConnectorKind::Input,
        Causality::Output => ConnectorKind::Output,
        Causality::Local => ConnectorKind::Local,
    }
}

/// Participants show what was calculated, and constants, as local variables or outputs.
fn fits(said: ConnectorKind, own: ConnectorKind) -> bool {
    use ConnectorKind::{CalculatedParameter, Inout, Local, Output, Parameter};
    said == own
        || match said {
            Inout => own != Parameter,
            CalculatedParameter => matches!(own, Local | Output),
            Local => matches!(own, Output | Parameter),
            _ => false,
        }
}

fn noun(kind: ConnectorKind) -> &'static str {
    match kind {
        ConnectorKind::Input => "input",
        ConnectorKind::Output => "output",
        ConnectorKind::Inout => "port",
        ConnectorKind::Parameter => "parameter",
        ConnectorKind::CalculatedParameter => "calculated parameter",
        ConnectorKind::Local => "local variable",
    }
}

fn with_article(kind: ConnectorKind) -> String {
    let noun = noun(kind);
    let article = if noun.starts_with(['i', 'o']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// What a component says of a port or parameter.
struct Facts<'a> {
    value_type: ValueType,
    shape: Option<&'a Shape>,
    unit: Option<&'a str>,
}

impl Facts<'_> {
    fn compare(
        &self,
        scope: &Scope<'_>,
        component: &ComponentSpec,
        connector: &ConnectorSpec,
        interface: &Interface,
        reporter: &mut Reporter,
    ) {
        let name = format!("{}.{}", component.name.value, connector.name.value);
        if let Some(said) = &connector.value_type
            && !said.value.drives(self.value_type)
        {
            let advice = "give the connector the type that the component's own description says";
            differs(&name, self.value_type, said.value, reporter.error(said.span, "")).advice(advice);
        }
        if let (Some(said), Some(own)) = (&connector.shape, self.shape)
            && said.value != *own
        {
            let advice = "give the connector the dimensions that the component's own description says";
            differs(&name, own, &said.value, reporter.error(said.span, "")).advice(advice);
        }
        let (Some(said), Some(own)) = (&connector.unit, self.unit) else {
            return;
        };
        if said.value.trim() == own.trim() {
            return;
        }
        let units = (
            Unit::find(&said.value, &scope.spec.units),
            Unit::find(own, &interface.units),
        );
        // A unit that nobody knows is reported where it matters, with the connection.
        let (Ok(said_unit), Ok(own_unit)) = units else {
            return;
        };
        match said_unit.conversion_to(&own_unit) {
            Ok(Conversion::NONE) => {}
            Ok(_) => {
                let found = reporter.warning(said.span, "");
                differs(&name, own, &said.value, found).advice("the component's own unit counts");
            }
            Err(_) => {
                let advice = "give the connector the unit that the component's own description says";
                differs(&name, own, &said.value, reporter.error(said.span, "")).advice(advice);
            }
        }
    }
}

fn differs<'r>(
    name: &str,
    own: impl std::fmt::Display,
    said: impl std::fmt::Display,
    diagnostic: &'r mut Diagnostic,
) -> &'r mut Diagnostic {
    diagnostic.message = format!("`{name}` is {own}, the connector says {said}");
    diagnostic.label(format!("the component says {own}"))
}
