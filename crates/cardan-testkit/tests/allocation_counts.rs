//! The allocator counts, and the benchmark participant does not allocate in its steps.

use cardan_core::inputs::Inputs;
use cardan_core::participant::{Participant, RunWindow, Settings, StepEnd, StepRequest, Watch};
use cardan_core::planes::{Extent, Planes};
use cardan_core::signal::Segment;
use cardan_core::time::{Grid, SimTime};
use cardan_testkit::allocation::{CountingAllocator, allocations, allocations_anywhere};
use cardan_testkit::fakes::Accumulator;
use std::hint::black_box;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn counts_what_this_thread_allocates() {
    assert_eq!(allocations(|| ()), 0);
    let mut kept: Vec<u64> = Vec::new();
    assert_eq!(allocations(|| kept.reserve_exact(4)), 1);
    assert_eq!(allocations(|| kept.extend([1, 2, 3, 4])), 0);
    assert_eq!(allocations(|| kept.reserve_exact(100)), 1);
    assert_eq!(allocations(|| drop(black_box(vec![0_u8; 64]))), 1);
}

#[test]
fn other_threads_count_only_for_the_process() {
    let elsewhere = || {
        let thread = std::thread::spawn(|| (0..1000).for_each(|_| drop(black_box(Box::new(1_u64)))));
        thread.join().unwrap();
    };
    assert!(allocations_anywhere(elsewhere) >= 1000);
    // Starting a thread takes a few on this side.
    assert!(allocations(elsewhere) < 100);
}

#[test]
fn accumulator_steps_without_allocating() {
    let mut accumulator = Accumulator::new(0.0);
    accumulator
        .bind(&[Accumulator::INPUT], &[Accumulator::OUTPUT])
        .unwrap();
    let window = RunWindow {
        start: SimTime::default(),
        stop: SimTime::from_seconds(1.0),
        tolerance: None,
    };
    accumulator
        .begin_initialization(&window, &Settings::default())
        .unwrap();
    accumulator.finish_initialization().unwrap();
    accumulator.rollback().unwrap().save(0).unwrap();

    let (grid, segments) = (
        Grid::new(window.start, 1e-3),
        [Segment::constant(2.0, window.stop)],
    );
    let inputs = Planes::new(Extent {
        reals: 1,
        ..Extent::default()
    });
    let mut values = inputs.clone();
    let counted = allocations(|| {
        for k in 0..1000 {
            let request = StepRequest {
                from: grid.at(k),
                to: grid.at(k + 1),
                inputs: Inputs::single(&segments),
                watch: Watch::Nothing,
            };
            accumulator.rollback().unwrap().save(0).unwrap();
            assert_eq!(accumulator.step(request), Ok(StepEnd::Completed));
            accumulator
                .outputs(request.to, &inputs, values.view_mut())
                .unwrap();
        }
    });
    assert_eq!(counted, 0);
    // A thousand additions of 0.002, each rounded at a size up to 2.
    assert!((values.reals[0] - 2.0).abs() < 1000.0 * f64::EPSILON);
}
