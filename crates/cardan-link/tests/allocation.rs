//! A step over the line allocates nothing, on neither side.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod support;

use cardan_core::inputs::Inputs;
use cardan_core::participant::{Participant, RunWindow, Settings, StepEnd, StepRequest, Watch};
use cardan_core::planes::Planes;
use cardan_core::signal::Segment;
use cardan_core::time::SimTime;
use cardan_testkit::allocation::{CountingAllocator, allocations_anywhere};
use cardan_testkit::fakes::Relay;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn steps_do_not_allocate() {
    // The other side is a thread of this process, so its allocations count too.
    let mut remote = support::paired("relay-8");
    let inputs: Vec<_> = (0..8).map(Relay::input).collect();
    let outputs: Vec<_> = (0..8).map(Relay::output).collect();
    remote.bind(&inputs, &outputs).unwrap();
    let at = |k: usize| SimTime::from_seconds(0.01 * k as f64);
    let window = RunWindow {
        start: at(0),
        stop: at(1000),
        tolerance: None,
    };
    remote
        .begin_initialization(&window, &Settings::default())
        .unwrap();
    remote.finish_initialization().unwrap();
    let given = Planes {
        reals: vec![0.0; 8],
        ..Planes::default()
    };
    let mut values = given.clone();
    let mut run = |from: usize| {
        for k in from..from + 100 {
            let segments = [Segment::polynomial([k as f64, 2.0, 0.5, 0.0], at(k), at(k + 1)); 8];
            let request = StepRequest {
                from: at(k),
                to: at(k + 1),
                inputs: Inputs::single(&segments),
                watch: Watch::Nothing,
            };
            assert_eq!(remote.step(request).unwrap(), StepEnd::Completed);
            remote.outputs(at(k + 1), &given, values.view_mut()).unwrap();
            remote.accepted(at(k + 1));
        }
        assert_ne!(values.reals[0], 0.0);
    };
    run(0);
    assert_eq!(allocations_anywhere(|| run(100)), 0);
}
