//! A step allocates nothing.

#![allow(clippy::unwrap_used)] // in helpers of tests

mod support;

use cardan_core::graph::Conversion;
use cardan_core::line::Properties;
use cardan_core::method::{Glue, Sweep, Tangent};
use cardan_core::run::Run;
use cardan_core::signal::Reading;
use cardan_core::time::SimTime;
use cardan_testkit::allocation::{CountingAllocator, allocations};
use cardan_testkit::fakes::{Accumulator, Relay};
use support::{Bench, Masses};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// A ring of integrators with a relay of feedthrough in it, every connection with its own reading.
fn ring(method: Sweep) -> Bench {
    let minus = Conversion {
        factor: -1.0,
        offset: 0.0,
    };
    Bench::new(method, 1e-3, 1e3)
        .add("a", Accumulator::new(1.0))
        .add("b", Accumulator::new(2.0))
        .add("c", Accumulator::new(3.0))
        .add("relay", Relay::direct(1))
        .wire("a.x", "relay.in1", Reading::Quadratic)
        .wire("relay.out1", "b.u", Reading::Hold)
        .wire("b.x", "c.u", Reading::Linear { weight: 0.8 })
        .wire_converted("c.x", "a.u", Reading::LeastSquares, minus)
}

fn allocations_of_steps(run: &mut Run) -> u64 {
    // Buffers find their size in the first steps.
    run.advance(SimTime::from_seconds(1.0)).unwrap();
    allocations(|| {
        run.advance(SimTime::from_seconds(50.0)).unwrap();
    })
}

#[test]
fn no_allocation_per_step_with_one_step_for_all() {
    for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
        let (mut run, _) = ring(method).start(1);
        assert_eq!(allocations_of_steps(&mut run), 0, "{method}");
        assert!(run.steps() >= 49_999);
    }
}

#[test]
fn no_allocation_per_step_with_steps_of_their_own() {
    for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
        let (mut run, _) = ring(method).step(4e-3).start(1);
        assert_eq!(allocations_of_steps(&mut run), 0, "{method}");
    }
}

#[test]
fn no_allocation_per_step_in_the_glue() {
    for ahead in [0, 2] {
        let mut bench = ring(Sweep::GaussSeidel).step(4e-3);
        bench.pace(Glue {
            leader: support::id(0),
            ahead,
            tangent: Tangent::Curved,
            absolute: 1e9,
            relative: 0.01,
            reject: false,
            min: 1e-6,
            max: 1e-3,
        });
        bench.graph.nodes[0].step = Some(1e-3);
        let (mut run, _) = bench.start(1);
        assert_eq!(allocations_of_steps(&mut run), 0, "{ahead} ahead");
        assert!(run.steps() >= 49_999);
    }
}

#[test]
fn no_allocation_per_step_with_lines() {
    for alpha in [0.0, 0.2] {
        let line = Properties {
            alpha,
            ..Properties::new(4e-3, 0.1)
        };
        // One at half of the delay, one at a quarter, and one between two lines.
        let bench = Bench::new(Sweep::Jacobi, 1e-3, 1e3)
            .add("a", Accumulator::new(1.0))
            .step(2e-3)
            .add("b", Accumulator::new(0.0))
            .step(1e-3)
            .add("c", Masses::new())
            .step(2e-3)
            .line("a.x/u", "c.left/left_force", line)
            .line("b.x/u", "c.right/right_force", line);
        let (mut run, _) = bench.start(1);
        assert_eq!(allocations_of_steps(&mut run), 0, "alpha {alpha}");
        assert!(run.steps() >= 49_999);
    }
}

#[test]
fn no_allocation_per_step_on_two_threads() {
    let (mut run, _) = ring(Sweep::Jacobi).start(2);
    run.advance(SimTime::from_seconds(0.1)).unwrap();
    let count = allocations(|| {
        run.advance(SimTime::from_seconds(1.0)).unwrap();
    });
    assert_eq!(count, 0);
}

#[test]
fn no_allocation_per_row() {
    let (mut run, rows) = ring(Sweep::Jacobi).record_all().start(1);
    // Blocks are made until enough of them are on their way; then they come back.
    run.advance(SimTime::from_seconds(150.0)).unwrap();
    let count = allocations(|| {
        run.advance(SimTime::from_seconds(200.0)).unwrap();
    });
    // The recorder may fall behind on a busy machine and the queue then makes one of its few blocks more; a row
    // for row allocation would be fifty thousand.
    assert!(count <= 8 * 6, "{count}");
    run.finish(false).unwrap();
    assert_eq!(rows.times().len(), 200_001);
}
