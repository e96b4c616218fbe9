//! What reacts at once to what: the order in which outputs can be evaluated at one instant, and the loops that
//! have no such order and are solved as a whole.

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
    /// inputs. A participant with several outputs may stand here more than once.
    pub sequence: Vec<ParticipantId>,
    /// For each place in the sequence its round. Places of one round do not depend on each other, unless the round is
    /// a loop.
    pub rounds: Vec<u32>,
    /// For each round the loop that its places form together, if they do, as an index into `loops`.
    pub circular: Vec<Option<u32>>,
    /// For each participant those whose outputs depend on its outputs at the same instant, directly or through others.
    pub downstream: Vec<Vec<ParticipantId>>,
    /// For each participant: do its outputs depend on inputs at the same instant that are connected, or that a line acts on?
    pub needs_inputs: Vec<bool>,
}

/// Outputs may depend on other inputs while a participant initialises than later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Before the initialisation ends.
    Initial,
    /// From then on.
    Running,
}

impl Feedthrough {
    /// Finds the dependencies between connected outputs. No other output can be part of a loop or ask for an order.
    pub fn of(graph: &Graph, phase: Phase) -> Self {
        let connected: BTreeSet<(ParticipantId, PortId)> = graph
            .connections
            .iter()
            .map(|c| (c.from.participant, c.from.port))
            .collect();
        Feedthrough::among(graph, phase, |participant, port| {
            connected.contains(&(participant, port))
        })
    }

    /// Finds the dependencies between the outputs that are `used`: connected, recorded or looked at.
    pub fn among(graph: &Graph, phase: Phase, used: impl Fn(ParticipantId, PortId) -> bool) -> Self {
        let ports = Ports::among(graph, used);
        let dependents = ports.dependents(graph, phase);
        let mut loops = strongly_connected(&dependents);
        loops.retain(|c| c.len() > 1 || c.iter().any(|&p| dependents[p].contains(&p)));
        let (downstream, mut needs_inputs) = participants_downstream(graph, &ports, &dependents);
        // What a line does to an input depends on nobody else at that instant, but it changes.
        for effort in graph
            .lines
            .iter()
            .flat_map(|line| &line.ends)
            .filter_map(|end| end.effort)
        {
            let interface = &graph.node(effort.participant).interface;
            let mut reacting = interface.feedthrough_in(phase).iter();
            needs_inputs[effort.participant.index()] |= reacting.any(|(output, input)| {
                *input == effort.port && ports.number.contains_key(&(effort.participant, *output))
            });
        }
        let sequence = Sequence::of(graph, &ports, &dependents, &loops);
        let named = |list: &Vec<usize>| list.iter().map(|&p| ports.endpoints[p]).collect();
        Feedthrough {
            loops: loops.iter().map(named).collect(),
            sequence: sequence.places,
            rounds: sequence.rounds,
            circular: sequence.circular,
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
    fn dependents(&self, graph: &Graph, phase: Phase) -> Vec<Vec<usize>> {
        let mut reacting: BTreeMap<(ParticipantId, PortId), Vec<usize>> = BTreeMap::new();
        for participant in graph.participants() {
            for &(output, input) in graph.node(participant).interface.feedthrough_in(phase) {
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

/// The order of evaluation while it is made.
#[derive(Default)]
struct Sequence {
    places: Vec<ParticipantId>,
    rounds: Vec<u32>,
    circular: Vec<Option<u32>>,
    /// For each output how many others it waits for.
    waiting_for: Vec<usize>,
    /// For each participant its outputs that have not been evaluated.
    pending: Vec<Vec<usize>>,
    /// Participants that have not been evaluated, or not for the last time.
    left: BTreeSet<usize>,
}

impl Sequence {
    /// Evaluates participants as soon as all their outputs can be, and those with some outputs that wait for others
    /// early and again later. Where all that is left waits in a circle, the first loop is next.
    fn of(graph: &Graph, ports: &Ports, dependents: &[Vec<usize>], loops: &[Vec<usize>]) -> Self {
        let mut sequence = Sequence {
            waiting_for: vec![0; ports.endpoints.len()],
            pending: vec![Vec::new(); graph.nodes.len()],
            // Participants without outputs are asked too: they may still check their inputs.
            left: (0..graph.nodes.len()).collect(),
            ..Sequence::default()
        };
        for &dependent in dependents.iter().flatten() {
            sequence.waiting_for[dependent] += 1;
        }
        for (number, endpoint) in ports.endpoints.iter().enumerate() {
            sequence.pending[endpoint.participant.index()].push(number);
        }
        let mut loops = loops.iter().enumerate();
        while !sequence.left.is_empty() {
            let ready = sequence.ready();
            if !ready.is_empty() {
                sequence.evaluate(&ready, dependents);
            } else if let Some((index, outputs)) = loops.next() {
                // Loops stand in the order in which they depend on each other: this one waits for nobody else.
                sequence.solve(index, outputs, ports, dependents);
            } else {
                break;
            }
        }
        sequence
    }

    /// Those with nothing to wait for; if there are none, one with some outputs that need not wait.
    fn ready(&self) -> Vec<usize> {
        let free = |port: &usize| self.waiting_for[*port] == 0;
        let whole = |p: &usize| self.pending[*p].iter().all(free);
        let part = |p: &usize| self.pending[*p].iter().any(free);
        let ready: Vec<usize> = self.left.iter().copied().filter(whole).collect();
        if ready.is_empty() {
            self.left.iter().copied().find(part).into_iter().collect()
        } else {
            ready
        }
    }

    fn evaluate(&mut self, participants: &[usize], dependents: &[Vec<usize>]) {
        for &participant in participants {
            let ready: Vec<usize> = self.pending[participant]
                .iter()
                .copied()
                .filter(|&port| self.waiting_for[port] == 0)
                .collect();
            self.place(participant);
            self.finish(&ready, dependents);
            self.forget(participant, &ready);
        }
        self.circular.push(None);
    }

    fn solve(&mut self, index: usize, outputs: &[usize], ports: &Ports, dependents: &[Vec<usize>]) {
        let members: BTreeSet<usize> = outputs
            .iter()
            .map(|&o| ports.endpoints[o].participant.index())
            .collect();
        self.finish(outputs, dependents);
        for participant in members {
            self.place(participant);
            self.forget(participant, outputs);
        }
        self.circular.push(Some(index as u32));
    }

    fn place(&mut self, participant: usize) {
        self.places.push(ParticipantId(participant as u32));
        self.rounds.push(self.circular.len() as u32);
    }

    fn finish(&mut self, outputs: &[usize], dependents: &[Vec<usize>]) {
        for &output in outputs {
            dependents[output].iter().for_each(|&d| self.waiting_for[d] -= 1);
        }
    }

    fn forget(&mut self, participant: usize, outputs: &[usize]) {
        self.pending[participant].retain(|port| !outputs.contains(port));
        if self.pending[participant].is_empty() {
            self.left.remove(&participant);
        }
    }
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
            name: None,
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
            ..Graph::default()
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
        let found = Feedthrough::among(&graph, Phase::Running, |_, _| true);
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
        let found = Feedthrough::among(&graph, Phase::Running, |_, _| true);
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
        let found = Feedthrough::of(&graph, Phase::Running);
        assert_eq!(found.loops.len(), 1);
        let names: Vec<String> = found.loops[0].iter().map(|e| graph.name_of(*e)).collect();
        assert_eq!(names, ["a.z", "b.z"]);
        let ids = |list: &[u32]| list.iter().copied().map(ParticipantId).collect::<Vec<_>>();
        assert_eq!(found.sequence, ids(&[2, 0, 0, 1]), "a.y waits for nobody");
        assert_eq!(found.rounds, [0, 1, 2, 2]);
        assert_eq!(found.circular, [None, None, Some(0)]);
    }

    #[test]
    fn what_follows_a_loop_comes_after_it() {
        let graph = graph(
            &["after", "a", "b", "c", "d"],
            &[
                ("d.z", "after.u"),
                ("c.z", "d.u"),
                ("d.z", "c.u"),
                ("a.z", "b.u"),
                ("b.z", "a.u"),
            ],
        );
        let found = Feedthrough::among(&graph, Phase::Running, |_, _| true);
        let last = |p: u32| found.sequence.iter().rposition(|q| *q == ParticipantId(p));
        assert!(last(0) > last(4), "{:?}", found.sequence);
        assert_eq!(found.circular.iter().flatten().count(), 2);
    }
}
