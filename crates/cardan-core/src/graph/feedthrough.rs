//! What reacts at once to what: the order in which outputs can be evaluated at one instant, and the loops that
//! have no such order.

use super::components::strongly_connected;
use super::{Endpoint, Graph, ParticipantId};
use crate::interface::{Causality, PortId};
use std::collections::{BTreeMap, BTreeSet};

/// The instantaneous dependencies of a graph.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Feedthrough {
    /// Outputs that depend on each other at the same instant; each list is one loop.
    pub loops: Vec<Vec<Endpoint>>,
    /// Whom to ask for outputs, one after the other, so that in the end every output was computed from current
    /// inputs. A participant with several outputs may stand here more than once. Meaningless with loops.
    pub sequence: Vec<ParticipantId>,
    /// For each place in the sequence its round. Places of one round do not depend on each other.
    pub rounds: Vec<u32>,
    /// For each participant those whose outputs depend on its outputs at the same instant, directly or through others.
    pub downstream: Vec<Vec<ParticipantId>>,
    /// For each participant: do its outputs depend on connected inputs at the same instant?
    pub needs_inputs: Vec<bool>,
}

impl Feedthrough {
    /// Finds the dependencies between connected outputs. No other output can be part of a loop or ask for an order.
    pub fn of(graph: &Graph) -> Self {
        let connected: BTreeSet<(ParticipantId, PortId)> = graph
            .connections
            .iter()
            .map(|c| (c.from.participant, c.from.port))
            .collect();
        Feedthrough::among(graph, |participant, port| {
            connected.contains(&(participant, port))
        })
    }

    /// Finds the dependencies between the outputs that are `used`: connected, recorded or looked at.
    pub fn among(graph: &Graph, used: impl Fn(ParticipantId, PortId) -> bool) -> Self {
        let ports = Ports::among(graph, used);
        let dependents = ports.dependents(graph);
        let components = strongly_connected(&dependents);
        let loops = components
            .iter()
            .filter(|c| c.len() > 1 || c.iter().any(|&p| dependents[p].contains(&p)))
            .map(|c| c.iter().map(|&p| ports.endpoints[p]).collect())
            .collect();
        let (downstream, needs_inputs) = participants_downstream(graph, &ports, &dependents);
        let (sequence, rounds) = sequence(graph, &ports, &dependents);
        Feedthrough {
            loops,
            sequence,
            rounds,
            downstream,
            needs_inputs,
        }
    }
}

/// The used outputs of the graph, numbered.
struct Ports {
    endpoints: Vec<Endpoint>,
    number: BTreeMap<(ParticipantId, PortId), usize>,
}

impl Ports {
    fn among(graph: &Graph, used: impl Fn(ParticipantId, PortId) -> bool) -> Self {
        let mut ports = Ports {
            endpoints: Vec::new(),
            number: BTreeMap::new(),
        };
        for participant in graph.participants() {
            let interface = &graph.node(participant).interface;
            for (index, port) in interface.ports.iter().enumerate() {
                let id = PortId(index as u32);
                if port.causality != Causality::Input && used(participant, id) {
                    let port = id;
                    ports.number.insert((participant, port), ports.endpoints.len());
                    ports.endpoints.push(Endpoint {
                        participant,
                        port,
                        element: None,
                    });
                }
            }
        }
        ports
    }

    /// For each output the outputs that depend on it at the same instant. Elements of a port are not told apart.
    fn dependents(&self, graph: &Graph) -> Vec<Vec<usize>> {
        let mut reacting: BTreeMap<(ParticipantId, PortId), Vec<usize>> = BTreeMap::new();
        for participant in graph.participants() {
            for &(output, input) in &graph.node(participant).interface.feedthrough {
                if let Some(&number) = self.number.get(&(participant, output)) {
                    reacting.entry((participant, input)).or_default().push(number);
                }
            }
        }
        let mut dependents = vec![Vec::new(); self.endpoints.len()];
        for connection in &graph.connections {
            let source = self
                .number
                .get(&(connection.from.participant, connection.from.port));
            let reaction = reacting.get(&(connection.to.participant, connection.to.port));
            if let (Some(&source), Some(reaction)) = (source, reaction) {
                dependents[source].extend(reaction);
            }
        }
        for list in &mut dependents {
            list.sort_unstable();
            list.dedup();
        }
        dependents
    }
}

/// Evaluates participants as soon as all their outputs can be, and those with some outputs that wait for others early
/// and again later.
fn sequence(graph: &Graph, ports: &Ports, dependents: &[Vec<usize>]) -> (Vec<ParticipantId>, Vec<u32>) {
    let mut waiting_for = vec![0usize; ports.endpoints.len()];
    for &dependent in dependents.iter().flatten() {
        waiting_for[dependent] += 1;
    }
    let mut pending: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for (number, endpoint) in ports.endpoints.iter().enumerate() {
        pending[endpoint.participant.index()].push(number);
    }
    let mut sequence = Vec::new();
    let mut rounds = Vec::new();
    // Participants without outputs are asked too: they may still check their inputs.
    let mut left: BTreeSet<usize> = (0..graph.nodes.len()).collect();
    while !left.is_empty() {
        let whole = |p: &usize| pending[*p].iter().all(|&port| waiting_for[port] == 0);
        let part = |p: &usize| pending[*p].iter().any(|&port| waiting_for[port] == 0);
        let round: Vec<usize> = left.iter().copied().filter(whole).collect();
        let round = if round.is_empty() {
            match left.iter().copied().find(part) {
                Some(partly) => vec![partly],
                None => break, // a loop: nothing can go first
            }
        } else {
            round
        };
        let number = rounds.last().map_or(0, |last| last + 1);
        for participant in round {
            rounds.push(number);
            let (ready, rest): (Vec<usize>, Vec<usize>) = pending[participant]
                .iter()
                .partition(|&&port| waiting_for[port] == 0);
            for port in ready {
                dependents[port].iter().for_each(|&d| waiting_for[d] -= 1);
            }
            if rest.is_empty() {
                left.remove(&participant);
            }
            pending[participant] = rest;
            sequence.push(ParticipantId(participant as u32));
        }
    }
    (sequence, rounds)
}

fn participants_downstream(
    graph: &Graph,
    ports: &Ports,
    dependents: &[Vec<usize>],
) -> (Vec<Vec<ParticipantId>>, Vec<bool>) {
    let n = graph.nodes.len();
    let mut direct: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); n];
    let mut needs_inputs = vec![false; n];
    for (port, list) in dependents.iter().enumerate() {
        let from = ports.endpoints[port].participant.index();
        for &dependent in list {
            let to = ports.endpoints[dependent].participant.index();
            direct[from].insert(to);
            needs_inputs[to] = true;
        }
    }
    let downstream = (0..n)
        .map(|start| {
            let mut reached = BTreeSet::new();
            let mut frontier: Vec<usize> = direct[start].iter().copied().collect();
            while let Some(node) = frontier.pop() {
                if reached.insert(node) {
                    frontier.extend(&direct[node]);
                }
            }
            reached.into_iter().map(|p| ParticipantId(p as u32)).collect()
        })
        .collect();
    (downstream, needs_inputs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Connection, Conversion, Node};
    use crate::interface::{Interface, Port};
    use crate::signal::Reading;

    /// A participant with outputs `y` (of the state) and `z` (reacts at once to the input `u`).
    fn half(name: &str) -> Node {
        let mut interface = Interface::default();
        let u = interface.port(Port::input("u"));
        interface.port(Port::output("y"));
        let z = interface.port(Port::output("z"));
        interface.feeds_through(z, u);
        Node {
            name: name.into(),
            interface,
            step: None,
            past: Vec::new(),
        }
    }

    fn wire(graph: &Graph, from: &str, to: &str) -> Connection {
        let end = |text: &str| {
            let (component, port) = text.split_once('.').unwrap();
            let participant = graph.find(component).unwrap();
            Endpoint {
                participant,
                port: graph.node(participant).interface.find_port(port).unwrap(),
                element: None,
            }
        };
        Connection {
            from: end(from),
            to: end(to),
            reading: Reading::Hold,
            conversion: Conversion::NONE,
            mapping: crate::graph::Mapping::NONE,
        }
    }

    fn graph(nodes: &[&str], wires: &[(&str, &str)]) -> Graph {
        let mut graph = Graph {
            nodes: nodes.iter().map(|n| half(n)).collect(),
            connections: Vec::new(),
        };
        graph.connections = wires.iter().map(|(a, b)| wire(&graph, a, b)).collect();
        graph
    }

    #[test]
    fn a_chain_is_evaluated_from_its_source() {
        let graph = graph(
            &["last", "middle", "first"],
            &[("first.y", "middle.u"), ("middle.z", "last.u")],
        );
        let found = Feedthrough::among(&graph, |_, _| true);
        assert!(found.loops.is_empty());
        assert_eq!(
            found.sequence,
            [ParticipantId(2), ParticipantId(1), ParticipantId(0)]
        );
        assert_eq!(found.needs_inputs, [true, true, false]);
        assert_eq!(found.downstream[2], [ParticipantId(0), ParticipantId(1)]);
    }

    #[test]
    fn crossed_outputs_are_no_loop_but_need_a_second_look() {
        // a.y → b.u, b.z → a.u: a.z needs b.z, which needs a.y.
        let graph = graph(&["a", "b"], &[("a.y", "b.u"), ("b.z", "a.u")]);
        let found = Feedthrough::among(&graph, |_, _| true);
        assert!(found.loops.is_empty());
        assert_eq!(
            found.sequence,
            [ParticipantId(0), ParticipantId(1), ParticipantId(0)]
        );
    }

    #[test]
    fn a_loop_is_named_by_its_outputs() {
        let graph = graph(
            &["a", "b", "c"],
            &[("a.z", "b.u"), ("b.z", "a.u"), ("a.y", "c.u")],
        );
        let found = Feedthrough::of(&graph);
        assert_eq!(found.loops.len(), 1);
        let names: Vec<String> = found.loops[0].iter().map(|e| graph.name_of(*e)).collect();
        assert_eq!(names, ["a.z", "b.z"]);
    }
}
