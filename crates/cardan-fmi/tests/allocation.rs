//! A step of an FMU with reals allocates nothing.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod support;

use cardan_core::signal::Segment;
use cardan_fmi::co_simulation::Options;
use cardan_testkit::allocation::{CountingAllocator, allocations};
use cardan_testkit::fmus::Fmi;
use support::{Bench, at, with};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn steps_do_not_allocate() {
    for version in Fmi::ALL {
        for (name, inputs, outputs) in [
            ("lag", &["u"], &["y", "x"]),
            ("gain", &["u"], &["y", "y"]),
            ("driven-mass", &["force"], &["position", "acceleration"]),
        ] {
            let participant = with(name, version, &[], Options::default()).unwrap();
            let mut bench = Bench::new(participant, inputs, outputs).initialize();
            let mut run = |from: usize| {
                for k in from..from + 100 {
                    let (at_from, to) = (at(0.01 * k as f64), 0.01 * (k + 1) as f64);
                    bench.step(to, &[Segment::polynomial([1.0, 2.0, 0.5, 0.0], at_from, at(to))]);
                    bench.look();
                }
            };
            run(0);
            assert_eq!(allocations(|| run(100)), 0, "{name} with {version}");
        }
    }
}
