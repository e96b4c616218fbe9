//! The cost of a row for the run: from the histories into a block and onto the queue.
//!
//! `cargo bench -p cardan-core --bench rows` runs rings with and without recording all outputs at every step, in turn,
//! and prints the difference of the run thread's processor time per value. The recorder, on its own thread, does
//! nothing, so this is the hand-over alone.

#![allow(clippy::expect_used, clippy::print_stdout)] // a program that measures may stop and print

mod support;

use cardan_core::method::Sweep;
use cardan_core::participant::Participant;
use cardan_core::record::{Block, RecordError, Recorder, Schema};
use cardan_core::run::Run;
use cardan_testkit::fakes::Relay;
use support::{cpu_of, median, ring, start};

const ROUNDS: usize = 9;
const VALUES: usize = 2_000_000;

struct Nowhere;

impl Recorder for Nowhere {
    fn begin(&mut self, _: &Schema) -> Result<(), RecordError> {
        Ok(())
    }

    fn write(&mut self, block: &Block) -> Result<(), RecordError> {
        std::hint::black_box(block.rows());
        Ok(())
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        Ok(())
    }
}

fn main() {
    println!("CPU ns of the run thread per recorded value (median of {ROUNDS} rounds of {VALUES})");
    println!(
        "{:>12} {:>8} {:>10} {:>10} {:>8}",
        "participants", "columns", "without", "with", "a value"
    );
    // Each column from another participant, and ten from each.
    for (n, width) in [(10, 1), (100, 1), (1000, 1), (1, 10), (10, 10), (100, 10)] {
        let (mut without, mut with) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            without.push(cpu_of(&mut run(n, width, None)) / VALUES as f64);
            let mut recorded = run(n, width, Some(Box::new(Nowhere)));
            with.push(cpu_of(&mut recorded) / VALUES as f64);
            recorded.finish(false).expect("recorded");
        }
        let (without, with) = (median(without), median(with));
        println!(
            "{n:>12} {:>8} {without:>10.1} {with:>10.1} {:>8.1}",
            n * width,
            with - without
        );
    }
}

fn run(n: usize, width: usize, recorder: Option<Box<dyn Recorder>>) -> Run {
    let steps = VALUES / (n * width);
    if width == 1 {
        return ring(n, Sweep::Jacobi, steps, recorder);
    }
    let relays = (0..n).map(|_| Box::new(Relay::held(width)) as Box<dyn Participant>);
    start(relays.collect(), Vec::new(), Sweep::Jacobi, steps, recorder)
}
