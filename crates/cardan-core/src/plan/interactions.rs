//! What a leader gets from its followers.

use super::columns::Places;
use super::{RealInput, Seat, Wire};
use crate::graph::{Connection, Graph, ParticipantId};

/// A number that the leader gets from a follower, and that is predicted while the leader steps.
#[derive(Clone, PartialEq, Debug)]
pub struct Interaction {
    /// Which of the leader's real inputs.
    pub input: u32,
    /// Where it comes from, and how it is read.
    pub wire: Wire,
    /// Does it react at once to what the leader gives?
    pub at_once: bool,
    /// The connection, for people.
    pub name: String,
    /// Which number of it, for people.
    pub component: String,
}

/// What the leader gets from followers. What is held between samples or known ahead is not predicted.
pub(super) fn interactions(
    graph: &Graph,
    leads: ParticipantId,
    places: &Places,
    seats: &[Seat],
) -> Vec<Interaction> {
    let mut found = Vec::new();
    let leader = &seats[leads.index()];
    let to_leader = graph.connections.iter().filter(|c| c.to.participant == leads);
    for connection in to_leader.filter(|c| c.from.participant != leads) {
        let follower = connection.from.participant;
        let foretold = seats[follower.index()].foretold && !seats[follower.index()].has_own_grid;
        if foretold || !graph.is_continuous(connection.from) {
            continue;
        }
        let at_once = reacts_to(graph, follower, connection, leads);
        let port = &graph.node(leads).interface.ports[connection.to.port.index()];
        let Some(&first) = places.get(&(leads, connection.to.port)) else {
            continue;
        };
        let elements = match connection.to.element {
            Some(element) => element..element + 1,
            None => 0..port.shape.len() as u32,
        };
        for element in elements {
            let Some(RealInput::Wire(wire)) = leader.real_inputs.get((first + element) as usize) else {
                continue;
            };
            found.push(Interaction {
                input: first + element,
                wire: *wire,
                at_once,
                name: match &connection.name {
                    Some(name) => name.clone(),
                    None => format!(
                        "{} → {}",
                        graph.name_of(connection.from),
                        graph.name_of(connection.to)
                    ),
                },
                component: format!("{}{}", port.name, port.element_suffix(element as usize)),
            });
        }
    }
    found
}

/// Does what a follower gives react at once to what it gets from the leader? Not where that in turn reacts at once to what
/// the follower gives: then it is no motion, but a part of a loop that is solved at the points.
fn reacts_to(graph: &Graph, follower: ParticipantId, gives: &Connection, leader: ParticipantId) -> bool {
    let connections = |from: ParticipantId, to: ParticipantId| {
        let between = move |c: &&Connection| c.from.participant == from && c.to.participant == to;
        graph.connections.iter().filter(between)
    };
    let mut pushed = connections(follower, leader).map(|c| c.to.port);
    let at_once = |c: &Connection| {
        let mut reacting = graph.node(leader).interface.feedthrough_of(c.from.port);
        reacting.any(|input| pushed.clone().any(|port| port == input))
    };
    if connections(leader, follower).any(at_once) {
        return false;
    }
    let interface = &graph.node(follower).interface;
    let answers = |c: &Connection| {
        interface
            .feedthrough_of(gives.from.port)
            .any(|input| input == c.to.port)
    };
    let driven = connections(leader, follower).any(answers);
    driven && pushed.next().is_some()
}
