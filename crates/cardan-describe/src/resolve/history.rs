//! Points of outputs before the start.

use crate::diagnostic::{Reporter, listed, suggest};
use crate::spec::{ComponentSpec, HistorySpec};
use crate::value::{Wanted, value};
use cardan_core::graph::PastPoint;
use cardan_core::interface::{Causality, Interface, PortId};
use cardan_core::time::SimTime;

/// The points of one component, oldest first.
pub(super) fn resolve(
    component: &ComponentSpec,
    interface: &Interface,
    reporter: &mut Reporter,
) -> Vec<PastPoint> {
    let mut past = Vec::new();
    for history in &component.history {
        if let Some(port) = output(component, interface, history, reporter) {
            past.extend(points(port, interface, history, reporter));
        }
    }
    past.sort_by(|a, b| a.time.seconds().total_cmp(&b.time.seconds()));
    past
}

fn output(
    component: &ComponentSpec,
    interface: &Interface,
    history: &HistorySpec,
    reporter: &mut Reporter,
) -> Option<PortId> {
    let (component, name) = (&component.name.value, &history.port);
    let what = format!("outputs of `{component}`");
    let outputs = interface
        .ports_of(Causality::Output)
        .map(|(_, port)| port.name.as_str());
    match interface.find_port(&name.value) {
        Some(port) if interface.ports[port.index()].causality == Causality::Output => Some(port),
        Some(_) => {
            reporter
                .error(
                    name.span,
                    format!(
                        "`{component}.{}` is not an output: only outputs have a history",
                        name.value
                    ),
                )
                .advice(listed(&what, outputs));
            None
        }
        None => {
            reporter
                .error(
                    name.span,
                    format!("component `{component}` has no output `{}`", name.value),
                )
                .label("no such output")
                .advice(suggest(&name.value, &what, outputs));
            None
        }
    }
}

fn points(
    id: PortId,
    interface: &Interface,
    history: &HistorySpec,
    reporter: &mut Reporter,
) -> Vec<PastPoint> {
    let port = &interface.ports[id.index()];
    let wanted = Wanted {
        name: &port.name,
        value_type: port.value_type,
        unit: port.unit.as_deref(),
        choices: &port.choices,
        units: &interface.units,
    };
    let point = |point: &crate::spec::HistoryPoint| {
        Some(PastPoint {
            port: id,
            time: SimTime::from_seconds(point.time.value),
            value: value(wanted, Some(&port.shape), &point.value, reporter)?,
        })
    };
    history.points.iter().filter_map(point).collect()
}
