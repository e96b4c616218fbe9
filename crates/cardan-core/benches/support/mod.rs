//! A ring of trivial participants, each reading its neighbour, and the processor's clock.
#![allow(dead_code)] // each benchmark uses its part

use cardan_core::graph::{Connection, Conversion, Endpoint, Graph, Node, ParticipantId};
use cardan_core::interface::Causality;
use cardan_core::method::{Method, Sweep};
use cardan_core::participant::{Participant, RunWindow, Settings};
use cardan_core::plan::{Plan, Setup, StartMode};
use cardan_core::record::Recorder;
use cardan_core::run::Run;
use cardan_core::signal::Reading;
use cardan_core::time::{Grid, SimTime};
use cardan_testkit::fakes::Accumulator;
use std::sync::Arc;

pub(crate) const STEP: f64 = 1e-3;

/// The participants of a ring.
pub(crate) fn participants(n: usize) -> Vec<Box<dyn Participant>> {
    (0..n)
        .map(|i| Box::new(Accumulator::new(1.0 + i as f64)) as Box<dyn Participant>)
        .collect()
}

/// A ring of `n` participants that read each other by holding, ready for `steps` steps. With a recorder all outputs
/// are recorded at every step.
pub(crate) fn ring(n: usize, sweep: Sweep, steps: usize, recorder: Option<Box<dyn Recorder>>) -> Run {
    let end = |participant: usize, port| Endpoint {
        participant: ParticipantId((participant % n) as u32),
        port,
        element: None,
    };
    // One change of sign in the ring keeps the sums bounded; the others are plain copies.
    let connection = |i: usize| Connection {
        name: None,
        from: end(i, Accumulator::OUTPUT),
        to: end(i + 1, Accumulator::INPUT),
        reading: Reading::Hold,
        conversion: Conversion {
            factor: if i == 0 { -1.0 } else { 1.0 },
            offset: 0.0,
        },
        mapping: cardan_core::graph::Mapping::NONE,
    };
    start(
        participants(n),
        (0..n).map(connection).collect(),
        sweep,
        steps,
        recorder,
    )
}

/// A run of participants ready for `steps` steps. With a recorder all outputs are recorded at every step.
pub(crate) fn start(
    participants: Vec<Box<dyn Participant>>,
    connections: Vec<Connection>,
    sweep: Sweep,
    steps: usize,
    recorder: Option<Box<dyn Recorder>>,
) -> Run {
    let nodes = participants.iter().enumerate().map(|(i, p)| Node {
        name: format!("p{i}"),
        interface: p.interface().clone(),
        step: None,
        past: Vec::new(),
    });
    let graph = Graph {
        nodes: nodes.collect(),
        connections,
        ..Graph::default()
    };
    let outputs = graph.participants().flat_map(|id| {
        let ports = graph.node(id).interface.ports_of(Causality::Output);
        ports.map(move |(port, _)| (id, port))
    });
    let outputs: Vec<_> = outputs.collect();
    let setup = Setup {
        system: "bench".into(),
        window: RunWindow {
            start: SimTime::default(),
            stop: Grid::new(SimTime::default(), STEP).at(steps as i64),
            tolerance: None,
        },
        method: Method::on_grid(sweep),
        step: STEP,
        record_lines: Vec::new(),
        one_way: Vec::new(),
        correction: false,
        order: None,
        start: StartMode::Cold,
        record: if recorder.is_some() {
            outputs.clone()
        } else {
            Vec::new()
        },
        // Evaluated with and without recording, so that the difference is the recording.
        observe: outputs,
        drive: Vec::new(),
        every: None,
        notes: Vec::new(),
    };
    let count = participants.len();
    let plan = Arc::new(Plan::compile(&graph, &setup).expect("there is a plan"));
    let mut run = Run::new(plan, participants, 1, recorder).expect("a run");
    run.initialize(vec![Settings::default(); count])
        .expect("initialised");
    run
}

/// Processor time in nanoseconds that the ring spends on this thread for all its steps.
pub(crate) fn cpu_of(run: &mut Run) -> f64 {
    let before = cpu_ns();
    run.advance(SimTime::FUTURE).expect("the ring runs");
    (cpu_ns() - before) as f64
}

/// Nanoseconds this thread has spent on a processor.
pub(crate) fn cpu_ns() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
