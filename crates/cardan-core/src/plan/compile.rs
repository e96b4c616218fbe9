//! From graph to plan.

use super::columns::{Places, columns, open_value};
use super::order::Stages;
use super::{
    Bonds, Exchange, HeldWire, InputPlace, Plan, Probes, RealInput, Seat, Setup, Wire, interactions, lines,
    order,
};
use crate::graph::{Connection, Conversion, Endpoint, Feedthrough, Graph, ParticipantId, Phase};
use crate::interface::{Causality, Port, PortId, Variability};
use crate::method::{Steps, Sweep};
use crate::planes::{Extent, Planes};
use crate::signal::Reading;
use crate::time::{Grid, Resolution};
use crate::value::{Plane, ValueType};
use std::collections::BTreeMap;

/// Steps below this part of the run do not make instants finer: times have no more digits.
const FINEST: f64 = 1e-9;

/// Why a graph has no plan. Readers of descriptions report the same with a place in the file.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum PlanError {
    /// A step is not a positive number.
    #[error("the step {0} is not a positive number")]
    Step(f64),
    /// The run ends before it starts.
    #[error("the run stops at {stop} s, before it starts at {start} s")]
    Window {
        /// Start of the run.
        start: f64,
        /// End of the run.
        stop: f64,
    },
}

impl Plan {
    /// Compiles the plan of a run.
    pub fn compile(graph: &Graph, setup: &Setup) -> Result<Plan, PlanError> {
        check(graph, setup)?;
        let connected = Feedthrough::of(graph, Phase::Running);
        let mut order = match &setup.order {
            Some(declared) => declared.clone(),
            None => order::derive(graph, &connected),
        };
        // The leader goes before all that follow it.
        let needs = setup.method.needs();
        order.sort_by_key(|p| needs.leader.is_some_and(|leader| leader != *p));
        order.sort_by_key(|p| !graph.node(*p).interface.foretold);
        let bound = bind(graph, setup);
        let exchange = Exchange::of(graph, Phase::Running, &bound.places);
        let mut seats: Vec<Seat> = graph
            .participants()
            .map(|p| seat(graph, setup, &bound, &exchange.feedthrough, p))
            .collect();
        let kinds = kinds(graph, &bound, &mut seats);
        let stages = match needs.repeats {
            false => Stages::once(graph, setup.method.sweep, order),
            true => Stages::repeating(graph, &order, |p| {
                !seats[p.index()].has_own_grid && !setup.one_way.contains(&p)
            }),
        };
        connect(graph, setup, &stages, &bound, &mut seats);
        let lines = lines::lines(graph, &bound.places, &mut seats);
        let interactions = match needs.leader {
            Some(leader) => interactions::interactions(graph, leader, &bound.places, &seats),
            None => Vec::new(),
        };
        let probes = Probes::of(graph, &bound.places, &seats);
        let bonds = match needs.energy {
            true => Bonds::of(graph, &bound.places, &mut seats),
            false => Bonds::default(),
        };

        let span = setup.window.stop.since(setup.window.start);
        let smallest = seats.iter().map(|s| s.grid.step()).fold(setup.step, f64::min);
        let smallest = setup.every.map_or(smallest, |every| every.min(smallest));
        let smallest = needs
            .shortest_step
            .map_or(smallest, |min| min.max(FINEST * span).min(smallest));
        Ok(Plan {
            window: setup.window,
            resolution: Resolution::of_step(smallest),
            method: setup.method.clone(),
            needs,
            correction: setup.correction,
            start: setup.start,
            probes,
            interactions,
            bonds,
            lines,
            has_exchange: seats
                .iter()
                .any(|seat| seat.needs_inputs || seat.wants_slopes || seat.bonded),
            has_slopes: seats.iter().any(|seat| seat.wants_slopes),
            single_rate: needs.steps == Steps::Together
                && seats.windows(2).all(|pair| pair[0].grid == pair[1].grid),
            groups: order::groups(graph),
            columns: columns(graph, setup, &bound.places),
            kinds,
            seats,
            order: stages.order,
            waves: stages.waves,
            repeats: stages.repeats,
            exchange,
            initial: Exchange::of(graph, Phase::Initial, &bound.places),
        })
    }
}

fn check(graph: &Graph, setup: &Setup) -> Result<(), PlanError> {
    let (start, stop) = (setup.window.start.seconds(), setup.window.stop.seconds());
    if stop <= start {
        return Err(PlanError::Window { start, stop });
    }
    let steps = graph.nodes.iter().filter_map(|n| n.step).chain(setup.every);
    for step in steps.chain([setup.step]) {
        if !(step > 0.0 && step.is_finite()) {
            return Err(PlanError::Step(step));
        }
    }
    Ok(())
}

/// Which ports are used at all, and where they lie.
struct Bound {
    inputs: Vec<Vec<PortId>>,
    outputs: Vec<Vec<PortId>>,
    places: Places,
}

fn bind(graph: &Graph, setup: &Setup) -> Bound {
    let n = graph.nodes.len();
    // An input with a value of the user's is bound even where nothing drives it.
    let given = |port: &Port| port.causality == Causality::Input && port.given;
    let mut used: Vec<Vec<bool>> = graph
        .nodes
        .iter()
        .map(|node| node.interface.ports.iter().map(given).collect())
        .collect();
    for connection in &graph.connections {
        for end in [connection.from, connection.to] {
            used[end.participant.index()][end.port.index()] = true;
        }
    }
    for end in lines::ports(graph) {
        used[end.participant.index()][end.port.index()] = true;
    }
    for &(participant, port) in &setup.drive {
        used[participant.index()][port.index()] = true;
    }
    for &(participant, port) in setup.record.iter().chain(&setup.observe) {
        if graph.node(participant).interface.ports[port.index()].causality != Causality::Input {
            used[participant.index()][port.index()] = true;
        }
    }
    let mut bound = Bound {
        inputs: vec![Vec::new(); n],
        outputs: vec![Vec::new(); n],
        places: BTreeMap::new(),
    };
    for participant in graph.participants() {
        let p = participant.index();
        let ports = &graph.node(participant).interface.ports;
        let (mut inputs, mut outputs) = (Extent::default(), Extent::default());
        for (index, port) in ports.iter().enumerate().filter(|(index, _)| used[p][*index]) {
            let id = PortId(index as u32);
            let (list, extent) = match port.causality {
                Causality::Input => (&mut bound.inputs[p], &mut inputs),
                _ => (&mut bound.outputs[p], &mut outputs),
            };
            list.push(id);
            bound.places.insert((participant, id), extent.place(port) as u32);
        }
    }
    bound
}

fn seat(
    graph: &Graph,
    setup: &Setup,
    bound: &Bound,
    feedthrough: &Feedthrough,
    participant: ParticipantId,
) -> Seat {
    let p = participant.index();
    let node = graph.node(participant);
    let ports = &node.interface.ports;
    let port = |id: &PortId| &ports[id.index()];
    let input_extent = Extent::of(bound.inputs[p].iter().map(port));
    let mut open = Planes::new(input_extent);
    for id in &bound.inputs[p] {
        let place = bound.places[&(participant, *id)] as usize;
        for element in 0..port(id).shape.len() {
            open.view_mut()
                .set(place + element, &open_value(port(id), element as u32));
        }
    }
    let real_names = |bound: &[PortId]| -> Vec<String> {
        let reals = bound
            .iter()
            .map(port)
            .filter(|p| p.value_type.plane() == Plane::Reals);
        let elements = reals.flat_map(|port| {
            (0..port.shape.len()).map(move |e| format!("{}{}", port.name, port.element_suffix(e)))
        });
        elements.collect()
    };
    let elements = |bound_ports: &[PortId], wanted: fn(&Port) -> bool| -> Vec<u32> {
        let ports = bound_ports.iter().filter(|id| wanted(port(id)));
        let places = ports.flat_map(|id| {
            let first = bound.places[&(participant, *id)];
            first..first + port(id).shape.len() as u32
        });
        places.collect()
    };
    let clocks = |bound_ports: &[PortId]| elements(bound_ports, |port| port.value_type == ValueType::Clock);
    let steps = setup.method.needs().steps;
    let own_step = node.step.or(node.interface.period);
    let (step, has_own_grid) = (own_step.unwrap_or(setup.step), own_step.is_some());
    Seat {
        name: node.name.clone(),
        inputs: bound.inputs[p].clone(),
        input_places: bound.inputs[p]
            .iter()
            .map(|id| InputPlace {
                plane: port(id).value_type.plane(),
                first: bound.places[&(participant, *id)],
                count: port(id).shape.len() as u32,
            })
            .collect(),
        outputs: bound.outputs[p].clone(),
        output_places: bound.outputs[p]
            .iter()
            .map(|id| bound.places[&(participant, *id)])
            .collect(),
        input_extent,
        output_extent: Extent::of(bound.outputs[p].iter().map(port)),
        real_inputs: open.reals.iter().map(|&value| RealInput::Open(value)).collect(),
        held_wires: Vec::new(),
        open,
        clock_inputs: clocks(&bound.inputs[p]),
        clock_outputs: clocks(&bound.outputs[p]),
        jumping_inputs: elements(&bound.inputs[p], |port| {
            port.value_type == ValueType::Real && port.variability == Variability::Discrete
        }),
        grid: Grid::new(setup.window.start, step),
        has_own_grid,
        continuous: continuous(graph, bound, participant),
        kinds: Vec::new(),
        foretold: node.interface.foretold,
        needs_inputs: feedthrough.needs_inputs[p],
        has_extras: input_extent.has_discrete()
            || setup
                .every
                .is_some_and(|every| every < step || (steps == Steps::Own && !has_own_grid)),
        wants_slopes: false,
        bonded: false,
        past: node
            .past
            .iter()
            .filter_map(|point| {
                let place = bound.places.get(&(participant, point.port))?;
                Some((point.time, *place, point.value.clone()))
            })
            .collect(),
        real_names: real_names(&bound.outputs[p]),
        input_names: real_names(&bound.inputs[p]),
        held_names: Vec::new(),
    }
}

/// The continuous real outputs of a participant by place, with their nominal values.
fn continuous(graph: &Graph, bound: &Bound, participant: ParticipantId) -> Vec<(u32, f64)> {
    let ports = &graph.node(participant).interface.ports;
    let ids = bound.outputs[participant.index()].iter().filter(|&&port| {
        let end = Endpoint {
            participant,
            port,
            element: None,
        };
        ports[port.index()].value_type == ValueType::Real && graph.is_continuous(end)
    });
    let elements = ids.flat_map(|id| {
        let (first, port) = (bound.places[&(participant, *id)], &ports[id.index()]);
        (first..first + port.shape.len() as u32).map(|place| (place, port.nominal.abs()))
    });
    elements.collect()
}

/// Finds out which signals are of one kind, and how many kinds there are.
fn kinds(graph: &Graph, bound: &Bound, seats: &mut [Seat]) -> usize {
    let mut units: BTreeMap<String, u32> = BTreeMap::new();
    let mut count = 0;
    for participant in graph.participants() {
        let p = participant.index();
        // For what has no unit.
        let own = count;
        count += 1;
        let mut kinds = vec![own; seats[p].output_extent.reals];
        for id in &bound.outputs[p] {
            let port = &graph.node(participant).interface.ports[id.index()];
            if port.value_type.plane() != Plane::Reals {
                continue;
            }
            let first = bound.places[&(participant, *id)] as usize;
            for element in 0..port.shape.len() {
                if let Some(unit) = port.element_unit(element) {
                    let next = count;
                    let kind = *units.entry(unit.to_owned()).or_insert(next);
                    count += u32::from(kind == next);
                    kinds[first + element] = kind;
                }
            }
        }
        seats[p].kinds = kinds;
    }
    count as usize
}

fn connect(graph: &Graph, setup: &Setup, stages: &Stages, bound: &Bound, seats: &mut [Seat]) {
    let mut rank = vec![0; seats.len()];
    for (place, participant) in stages.order.iter().enumerate() {
        rank[participant.index()] = place;
    }
    let circles = stages.circles();
    let needs = setup.method.needs();
    let one_after_the_other = needs.repeats || setup.method.sweep == Sweep::GaussSeidel;
    for connection in &graph.connections {
        let (from, to) = (connection.from.participant, connection.to.participant);
        let foretold = graph.node(from).interface.foretold && !graph.node(to).interface.foretold;
        // In a circle that repeats its steps, everybody sees what was assumed of the others.
        let together = circles[from.index()].is_some() && circles[from.index()] == circles[to.index()];
        // In the glue it is where everybody stands that decides what is seen.
        let leads = needs.steps == Steps::Own
            || foretold
            || together
            || (one_after_the_other && rank[from.index()] < rank[to.index()]);
        if connection.reading.wants_slopes() {
            seats[from.index()].wants_slopes = true;
        }
        // A sample of a discrete source is valid from its own instant on, whoever steps first.
        let reading = match leads && graph.is_continuous(connection.from) {
            true => connection.reading.after_source(),
            false => connection.reading,
        };
        attach(graph, connection, reading, leads, bound, &mut seats[to.index()]);
    }
}

/// Enters a connection in the seat of its reader.
fn attach(
    graph: &Graph,
    connection: &Connection,
    reading: Reading,
    leads: bool,
    bound: &Bound,
    seat: &mut Seat,
) {
    let (from, to) = (connection.from, connection.to);
    let place = |end: Endpoint| bound.places[&(end.participant, end.port)] + end.element.unwrap_or(0);
    let port = &graph.node(to.participant).interface.ports[to.port.index()];
    let count = if to.element.is_some() {
        1
    } else {
        port.shape.len() as u32
    };
    let plane = port.value_type.plane();
    for element in 0..count {
        let (source, target) = (place(from) + element, place(to) + element);
        if plane == Plane::Reals {
            // A frame that is held is held as a whole.
            let turning = !reading.holds() && to.element.is_none() && port.is_turning(element as usize);
            let reading = if turning { Reading::Slerp } else { reading };
            let wire = Wire {
                source: from.participant,
                column: source,
                reading,
                leads,
                conversion: connection.conversion,
                converts: connection.conversion != Conversion::NONE,
            };
            let first = port.form.quaternion() == Some(element as usize);
            seat.real_inputs[target as usize] = match reading.turns() {
                true if first => RealInput::Rotation(wire),
                true => RealInput::RotationRest(wire),
                false => RealInput::Wire(wire),
            };
        } else {
            let name = |end: Endpoint| {
                let port = &graph.node(end.participant).interface.ports[end.port.index()];
                let element = end.element.unwrap_or(0) + element;
                format!("{}{}", port.name, port.element_suffix(element as usize))
            };
            seat.held_names.push((name(to), name(from)));
            seat.held_wires.push(HeldWire {
                plane,
                to: target,
                source: from.participant,
                from: source,
                leads,
                mapping: connection.mapping.clone(),
            });
        }
    }
}
