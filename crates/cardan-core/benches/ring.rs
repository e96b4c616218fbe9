//! The cost of the master: a ring of trivial participants, each reading its neighbour.
//!
//! `cargo bench -p cardan-core --bench ring` prints, for rings of 2 to 1000 participants, the processor time of one
//! participant-step in a run, that of the same participants called by a bare loop, and the difference: what the engine
//! adds. Medians of rounds that alternate between both, in one process.

#![allow(clippy::expect_used, clippy::print_stdout)] // a program that measures may stop and print

mod support;

use cardan_core::inputs::Inputs;
use cardan_core::method::Sweep;
use cardan_core::participant::{StepRequest, Watch};
use cardan_core::planes::{Extent, Planes};
use cardan_core::signal::Segment;
use cardan_core::time::{Grid, SimTime};
use cardan_testkit::fakes::Accumulator;
use support::{STEP, cpu_ns, cpu_of, median, participants, ring};

const ROUNDS: usize = 9;
const PARTICIPANT_STEPS: usize = 2_000_000;

fn main() {
    println!("CPU ns per participant-step (median of {ROUNDS} rounds of {PARTICIPANT_STEPS})");
    println!(
        "{:>6} {:>14} {:>8} {:>8} {:>8}",
        "N", "method", "run", "bare", "engine"
    );
    for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
        for n in [2, 10, 100, 1000] {
            let (mut coupled, mut bare) = (Vec::new(), Vec::new());
            for _ in 0..ROUNDS {
                let mut run = ring(n, method, PARTICIPANT_STEPS / n, None);
                coupled.push(cpu_of(&mut run) / PARTICIPANT_STEPS as f64);
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

/// The participants' own work: the same calls with inputs that are already there.
fn bare_loop(n: usize) -> f64 {
    let mut participants = participants(n);
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
    for k in 0..(PARTICIPANT_STEPS / n) as i64 {
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
            p.outputs(to, &inputs, outputs.view_mut()).expect("outputs");
        }
    }
    let spent = (cpu_ns() - before) as f64;
    std::hint::black_box(outputs.reals[0]);
    spent / PARTICIPANT_STEPS as f64
}
