//! Where readings are compared with what comes.

use super::columns::Places;
use super::{RealInput, Seat, Wire};
use crate::graph::{Endpoint, Graph, ParticipantId};
use crate::value::Plane;
use std::ops::Range;

/// An input element that foretells: it reads a continuous output beyond its last point.
///
/// There are none for discrete sources, whose readings are never wrong, for inputs that see the new step, and for
/// rotations: the difference of two of those is no difference of components.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Probe {
    /// Who reads.
    pub reader: ParticipantId,
    /// Which of its real inputs.
    pub input: u32,
    /// What it reads, and how.
    pub wire: Wire,
}

/// The two ends of a probe, for people.
#[derive(Clone, PartialEq, Debug)]
pub struct ProbeName {
    /// `component.port`, with the element of a vector.
    pub from: String,
    /// `component.port`, with the element of a vector.
    pub to: String,
}

/// All probes, connection by connection.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Probes {
    /// In the order of the connections.
    pub list: Vec<Probe>,
    /// Parallel to the list.
    pub names: Vec<ProbeName>,
    /// Which of the list belong to one connection.
    pub connections: Vec<Range<usize>>,
}

impl Probes {
    pub(super) fn of(graph: &Graph, places: &Places, seats: &[Seat]) -> Self {
        let mut probes = Probes::default();
        let reals = |end: Endpoint| {
            let port = &graph.node(end.participant).interface.ports[end.port.index()];
            port.value_type.plane() == Plane::Reals && graph.is_continuous(end)
        };
        for connection in graph.connections.iter().filter(|c| reals(c.from)) {
            let (to, seat) = (connection.to, &seats[connection.to.participant.index()]);
            let begin = probes.list.len();
            for element in 0..elements(graph, to) {
                let input = places[&(to.participant, to.port)] + to.element.unwrap_or(0) + element;
                let Some(RealInput::Wire(wire)) = seat.real_inputs.get(input as usize) else {
                    continue;
                };
                if wire.leads {
                    continue;
                }
                probes.list.push(Probe {
                    reader: to.participant,
                    input,
                    wire: *wire,
                });
                probes.names.push(ProbeName {
                    from: graph.name_of(element_of(connection.from, element)),
                    to: graph.name_of(element_of(to, element)),
                });
            }
            if begin < probes.list.len() {
                probes.connections.push(begin..probes.list.len());
            }
        }
        probes
    }
}

/// How many elements an end has.
pub(super) fn elements(graph: &Graph, end: Endpoint) -> u32 {
    match end.element {
        Some(_) => 1,
        None => graph.node(end.participant).interface.ports[end.port.index()]
            .shape
            .len() as u32,
    }
}

/// One element of an end.
pub(super) fn element_of(end: Endpoint, element: u32) -> Endpoint {
    Endpoint {
        element: Some(end.element.unwrap_or(0) + element),
        ..end
    }
}
