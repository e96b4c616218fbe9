//! The cost of the master: a ring of trivial participants, each reading its neighbour.
//!
//! `cargo bench -p cardan-core --bench ring` prints, for rings of 2 to 1000 participants, the CPU time of one
//! participant-step in a run, the CPU time of the same participants called by a bare loop, and the difference: what the
//! engine adds. Medians of several rounds that alternate between both, measured in one process.

#![allow(clippy::expect_used, clippy::print_stdout)] // a program that measures may stop and print

use cardan_core::graph::{Connection, Conversion, Endpoint, Graph, Node, ParticipantId};
use cardan_core::inputs::Inputs;
use cardan_core::participant::{Participant, RunWindow, Settings, StepRequest, Watch};
use cardan_core::plan::{Method, Plan, Setup, StartMode};
use cardan_core::planes::{Extent, Planes};
use cardan_core::run::Run;
use cardan_core::signal::{Reading, Segment};
use cardan_core::time::{Grid, SimTime};
use cardan_testkit::fakes::Accumulator;
use std::sync::Arc;

const STEP: f64 = 1e-3;
const ROUNDS: usize = 9;
const PARTICIPANT_STEPS: usize = 2_000_000;

fn main() {
    println!("CPU ns per participant-step (median of {ROUNDS} rounds of {PARTICIPANT_STEPS})");
    println!(
        "{:>6} {:>14} {:>8} {:>8} {:>8}",
        "N", "method", "run", "bare", "engine"
    );
    for method in [Method::Jacobi, Method::GaussSeidel] {
        for n in [2, 10, 100, 1000] {
            let (mut coupled, mut bare) = (Vec::new(), Vec::new());
            for _ in 0..ROUNDS {
                coupled.push(run_ring(n, method));
                bare.push(bare_loop(n));
            }
            let (coupled, bare) = (median(coupled), median(bare));
            println!(
                "{n:>6} {:>14} {coupled:>8.1} {bare:>8.1} {:>8.1}",
                method.to_string(),
                coupled - bare
            );
        }
    }
}

fn ring(n: usize) -> (Graph, Vec<Box<dyn Participant>>) {
    let participants: Vec<Box<dyn Participant>> = (0..n)
        .map(|i| Box::new(Accumulator::new(1.0 + i as f64)) as Box<dyn Participant>)
        .collect();
    let end = |participant: usize, port| Endpoint {
        participant: ParticipantId((participant % n) as u32),
        port,
        element: None,
    };
    let graph = Graph {
        nodes: participants
            .iter()
            .enumerate()
            .map(|(i, p)| Node {
                name: format!("p{i}"),
                interface: p.interface().clone(),
                step: None,
                past: Vec::new(),
            })
            .collect(),
        connections: (0..n)
            .map(|i| Connection {
                from: end(i, Accumulator::OUTPUT),
                to: end(i + 1, Accumulator::INPUT),
                reading: Reading::Hold,
                conversion: Conversion {
                    factor: -1.0,
                    offset: 0.0,
                },
            })
            .collect(),
    };
    (graph, participants)
}

fn run_ring(n: usize, method: Method) -> f64 {
    let steps = PARTICIPANT_STEPS / n;
    let (mut graph, participants) = ring(n);
    // One sign change in the ring keeps the sums bounded; the others are plain copies.
    for connection in graph.connections.iter_mut().skip(1) {
        connection.conversion = Conversion::NONE;
    }
    let setup = Setup {
        system: "ring".into(),
        window: RunWindow {
            start: SimTime::default(),
            stop: Grid::new(SimTime::default(), STEP).at(steps as i64),
            tolerance: None,
        },
        method,
        step: STEP,
        order: None,
        start: StartMode::Cold,
        record: Vec::new(),
        observe: Vec::new(),
        every: None,
        notes: Vec::new(),
    };
    let plan = Arc::new(Plan::compile(&graph, &setup).expect("the ring has a plan"));
    let mut run = Run::new(plan, participants, 1, None).expect("a run");
    run.initialize(vec![Settings::default(); n]).expect("initialised");
    let before = cpu_ns();
    run.advance(SimTime::FUTURE).expect("the ring runs");
    let spent = cpu_ns() - before;
    assert_eq!(run.steps() as usize, steps);
    spent as f64 / (steps * n) as f64
}

fn bare_loop(n: usize) -> f64 {
    let steps = PARTICIPANT_STEPS / n;
    let (_, mut participants) = ring(n);
    for p in &mut participants {
        p.bind(&[Accumulator::INPUT], &[Accumulator::OUTPUT])
            .expect("bound");
    }
    let extent = Extent {
        reals: 1,
        ..Extent::default()
    };
    let (inputs, mut outputs) = (Planes::new(extent), Planes::new(extent));
    let grid = Grid::new(SimTime::default(), STEP);
    let before = cpu_ns();
    for k in 0..steps as i64 {
        let (from, to) = (grid.at(k), grid.at(k + 1));
        let segments = [Segment::constant(1.0, to)];
        for p in &mut participants {
            let request = StepRequest {
                from,
                to,
                inputs: Inputs::single(&segments),
                watch: Watch::Nothing,
            };
            p.step(request).expect("a step");
            p.outputs(to, inputs.view(), outputs.view_mut()).expect("outputs");
        }
    }
    let spent = cpu_ns() - before;
    std::hint::black_box(outputs.reals[0]);
    spent as f64 / (steps * n) as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Nanoseconds this thread has spent on a processor.
fn cpu_ns() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}
