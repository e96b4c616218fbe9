//! How outputs are evaluated at one instant: in which order, and which of them as a loop.

use super::columns::Places;
use crate::graph::{Conversion, Endpoint, Feedthrough, Graph, ParticipantId, Phase};
use crate::interface::PortId;
use crate::value::Plane;
use std::collections::BTreeSet;

/// The evaluation of outputs at one instant.
#[derive(Clone, PartialEq, Debug)]
pub struct Exchange {
    /// Dependencies and order.
    pub feedthrough: Feedthrough,
    /// For each participant its places in the sequence.
    pub places: Vec<Vec<u32>>,
    /// Parallel to the loops of the feedthrough.
    pub loops: Vec<Loop>,
}

/// Outputs that depend on each other at the same instant and are found together.
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// Whose outputs.
    pub members: Vec<ParticipantId>,
    /// The outputs by name.
    pub names: Vec<String>,
    /// Where the loop is cut open: the real inputs that are unknown.
    pub tears: Vec<Tear>,
}

/// A real input element that is driven from inside its loop.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tear {
    /// Whose input.
    pub reader: ParticipantId,
    /// Which real of the reader's inputs.
    pub input: u32,
    /// Whose output drives it.
    pub source: ParticipantId,
    /// Which real of the source's row.
    pub column: u32,
    /// Change of units.
    pub conversion: Conversion,
    /// A typical magnitude of the input.
    pub nominal: f64,
}

impl Exchange {
    pub(super) fn of(graph: &Graph, phase: Phase, places: &Places) -> Self {
        let feedthrough = Feedthrough::among(graph, phase, |participant, port| {
            places.contains_key(&(participant, port))
        });
        let mut by_participant = vec![Vec::new(); graph.nodes.len()];
        for (place, participant) in feedthrough.sequence.iter().enumerate() {
            by_participant[participant.index()].push(place as u32);
        }
        let loops = feedthrough.loops.iter();
        Exchange {
            loops: loops.map(|outputs| cut(graph, phase, places, outputs)).collect(),
            feedthrough,
            places: by_participant,
        }
    }
}

/// Cuts a loop open at every real connection inside it.
fn cut(graph: &Graph, phase: Phase, places: &Places, outputs: &[Endpoint]) -> Loop {
    let inside: BTreeSet<(ParticipantId, PortId)> = outputs.iter().map(|o| (o.participant, o.port)).collect();
    let members: BTreeSet<ParticipantId> = outputs.iter().map(|o| o.participant).collect();
    let mut reacting: BTreeSet<(ParticipantId, PortId)> = BTreeSet::new();
    for &member in &members {
        let pairs = graph.node(member).interface.feedthrough_in(phase).iter();
        let into = pairs.filter(|(output, _)| inside.contains(&(member, *output)));
        reacting.extend(into.map(|(_, input)| (member, *input)));
    }
    let mut tears = Vec::new();
    for connection in &graph.connections {
        let (from, to) = (connection.from, connection.to);
        let port = &graph.node(to.participant).interface.ports[to.port.index()];
        if port.value_type.plane() != Plane::Reals
            || !inside.contains(&(from.participant, from.port))
            || !reacting.contains(&(to.participant, to.port))
        {
            continue;
        }
        let place = |end: Endpoint| places[&(end.participant, end.port)] + end.element.unwrap_or(0);
        let count = if to.element.is_some() {
            1
        } else {
            port.shape.len() as u32
        };
        tears.extend((0..count).map(|element| Tear {
            reader: to.participant,
            input: place(to) + element,
            source: from.participant,
            column: place(from) + element,
            conversion: connection.conversion,
            nominal: port.nominal.abs(),
        }));
    }
    Loop {
        members: members.into_iter().collect(),
        names: outputs.iter().map(|o| graph.name_of(*o)).collect(),
        tears,
    }
}
