//! A step allocates nothing once it has been taken before.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use cardan_core::inputs::Inputs;
use cardan_core::interface::{Causality, ParameterId, PortId};
use cardan_core::participant::{Participant, RunWindow, Settings, StepRequest, Watch};
use cardan_core::planes::{Extent, Planes};
use cardan_core::signal::Segment;
use cardan_core::time::{Grid, SimTime};
use cardan_core::value::Value;
use cardan_models::{ModelInfo, catalogue};
use cardan_ode::{Method, SolverSettings};
use cardan_testkit::allocation::{CountingAllocator, allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// One for what must be given: a table of one row, a state-space model of one state.
fn settings(info: &ModelInfo) -> Settings {
    let parameters = (info.parameters)();
    let required = parameters.iter().enumerate().filter(|(_, p)| p.default.is_none());
    Settings(
        required
            .map(|(index, _)| (ParameterId(index as u32), Value::real(1.0)))
            .collect(),
    )
}

/// Everything that a master does in a step, with inputs that jump.
fn drive(
    participant: &mut dyn Participant,
    inputs: usize,
    planes: &mut [Planes; 2],
    steps: std::ops::Range<i64>,
) {
    let grid = Grid::new(SimTime::default(), 0.01);
    let [given, seen] = planes;
    let mut segments = [Segment::constant(0.0, SimTime::FUTURE); 16];
    for k in steps {
        let (from, to) = (grid.at(k), grid.at(k + 1));
        for (index, segment) in segments[..inputs].iter_mut().enumerate() {
            let value = ((k + index as i64) % 3) as f64;
            *segment = Segment::polynomial([value, 1.0, -2.0, 0.5], from, to);
            given.reals[index] = segment.at(to);
        }
        let middle = [SimTime::from_seconds(0.5 * (from.seconds() + to.seconds()))];
        let watches = [Watch::Nothing, Watch::InnerSteps, Watch::Instants(&middle)];
        for watch in watches {
            participant.rollback().unwrap().save(0).unwrap();
            let request = StepRequest {
                from,
                to,
                inputs: Inputs::single(&segments[..inputs]),
                watch,
            };
            participant.step(request).unwrap();
            participant.rollback().unwrap().restore(0).unwrap();
        }
        if let Some(steps) = participant.own_steps() {
            let request = StepRequest {
                from,
                to,
                inputs: Inputs::single(&segments[..inputs]),
                watch: Watch::InnerSteps,
            };
            steps.step_once(request).unwrap();
            participant.rollback().unwrap().restore(0).unwrap();
        }
        let request = StepRequest {
            from,
            to,
            inputs: Inputs::single(&segments[..inputs]),
            watch: Watch::Nothing,
        };
        participant.step(request).unwrap();
        participant.outputs(to, given, seen.view_mut()).unwrap();
        let directions = [1.0; 16];
        let derivatives = participant.derivatives().unwrap();
        derivatives
            .directional(to, given, &directions[..inputs], &mut seen.reals)
            .unwrap();
        let slopes = participant.slopes().unwrap();
        slopes
            .slopes(to, given, &directions[..inputs], &mut seen.reals)
            .unwrap();
    }
}

#[test]
#[allow(clippy::panic)] // a model that cannot be built has failed
fn steps_allocate_nothing() {
    for info in catalogue() {
        for method in Method::ALL.into_iter().chain(Method::MECHANICAL) {
            let built = info.build(&settings(info), &SolverSettings::of(method));
            let mut participant = match built {
                Ok(participant) => participant,
                // Not every model is a mechanical system.
                Err(_) if method.is_mechanical() => continue,
                Err(error) => panic!("{error}"),
            };
            let ids = |participant: &dyn Participant, causality| -> Vec<PortId> {
                participant
                    .interface()
                    .ports_of(causality)
                    .map(|(id, _)| id)
                    .collect()
            };
            let inputs = ids(&*participant, Causality::Input);
            let outputs = ids(&*participant, Causality::Output);
            participant.bind(&inputs, &outputs).unwrap();
            let run = RunWindow {
                start: SimTime::default(),
                stop: SimTime::from_seconds(1.0),
                tolerance: None,
            };
            participant
                .begin_initialization(&run, &Settings::default())
                .unwrap();
            participant.finish_initialization().unwrap();
            let planes = |ids: &[PortId]| {
                Planes::new(Extent::of(
                    ids.iter().map(|id| &participant.interface().ports[id.index()]),
                ))
            };
            let mut planes = [planes(&inputs), planes(&outputs)];
            let width = planes[0].reals.len();
            drive(&mut *participant, width, &mut planes, 0..20);
            let count = allocations(|| drive(&mut *participant, width, &mut planes, 20..60));
            assert_eq!(count, 0, "{} with {method}", info.name);
        }
    }
}
