//! A step of an FMU in Model Exchange allocates nothing, events and rollback included.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::sync::Arc;

use cardan_core::inputs::Inputs;
use cardan_core::participant::{Participant, RunWindow, Settings, StepRequest, Watch};
use cardan_core::planes::Planes;
use cardan_core::signal::Segment;
use cardan_core::time::{Grid, SimTime};
use cardan_describe::Reporter;
use cardan_fmi::model_exchange::Options;
use cardan_fmi::{Fmu, FmuInterface, ModelExchange};
use cardan_ode::{Method, SolverSettings};
use cardan_testkit::allocation::{CountingAllocator, allocations};
use cardan_testkit::fmus::{Fmi, build};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn steps_do_not_allocate() {
    for version in Fmi::ALL {
        for method in [Method::Dopri5, Method::Bdf, Method::Rk4] {
            // The ball bounces on its way; its log is off, for messages are allocated.
            for (name, input, output) in [("lag", Some("u"), "y"), ("bouncing-ball", None, "h")] {
                let mut reporter = Reporter::new();
                let fmu = Fmu::open(&build(name, version), &mut reporter).unwrap();
                let fmu = Arc::new(FmuInterface::new(fmu, &Settings::default()).unwrap());
                let port = |name: &str| fmu.interface().find_port(name).unwrap();
                let inputs: Vec<_> = input.into_iter().map(port).collect();
                let options = Options {
                    solver: Some(SolverSettings::of(method)),
                    log_categories: Some(Vec::new()),
                    ..Options::default()
                };
                let output = [port(output)];
                let mut participant = ModelExchange::new(fmu, name, Settings::default(), options).unwrap();
                participant.bind(&inputs, &output).unwrap();
                let window = RunWindow {
                    start: SimTime::default(),
                    stop: SimTime::from_seconds(2.0),
                    tolerance: None,
                };
                participant
                    .begin_initialization(&window, &Settings::default())
                    .unwrap();
                participant.finish_initialization().unwrap();
                let grid = Grid::new(SimTime::default(), 0.01);
                let mut values = Planes {
                    reals: vec![0.0],
                    ..Planes::default()
                };
                let mut run = |from: i64, exchanged: &Planes| {
                    for k in from..from + 90 {
                        let (from, to) = (grid.at(k), grid.at(k + 1));
                        let law = [Segment::polynomial([1.0, 2.0, 0.5, 0.0], from, to)];
                        participant.rollback().unwrap().save(0).unwrap();
                        let request = StepRequest {
                            from,
                            to,
                            inputs: Inputs::single(&law[..inputs.len()]),
                            watch: Watch::Nothing,
                        };
                        participant.step(request).unwrap();
                        participant.outputs(to, exchanged, values.view_mut()).unwrap();
                    }
                };
                let exchanged = Planes {
                    reals: vec![1.0; inputs.len()],
                    ..Planes::default()
                };
                run(0, &exchanged);
                let count = allocations(|| run(90, &exchanged));
                assert_eq!(count, 0, "{name} with {version} and {method}");
            }
        }
    }
}
