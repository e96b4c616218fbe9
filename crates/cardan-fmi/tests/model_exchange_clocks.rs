//! Clocks of FMUs in Model Exchange.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::sync::Arc;

use cardan_core::inputs::Inputs;
use cardan_core::participant::{Participant, RunWindow, Settings, StepEnd, StepRequest, Watch};
use cardan_core::planes::Planes;
use cardan_core::signal::Segment;
use cardan_core::time::SimTime;
use cardan_describe::Reporter;
use cardan_fmi::model_exchange::Options;
use cardan_fmi::{Fmu, FmuInterface, ModelExchange};
use cardan_testkit::fmus::{Fmi, build};

fn at(seconds: f64) -> SimTime {
    SimTime::from_seconds(seconds)
}

fn make() -> ModelExchange {
    let mut reporter = Reporter::new();
    let fmu = Fmu::open(&build("ticker", Fmi::V3), &mut reporter).unwrap();
    let fmu = Arc::new(FmuInterface::new(fmu, &Settings::default()).unwrap());
    ModelExchange::new(fmu, "ticker", Settings::default(), Options::default()).unwrap()
}

fn started() -> ModelExchange {
    let mut participant = make();
    let port = |name: &str| participant.interface().find_port(name).unwrap();
    let (u, outputs) = (
        port("u"),
        ["sample", "ticks", "slow_ticks", "every_third"].map(port),
    );
    participant.bind(&[u], &outputs).unwrap();
    let window = RunWindow {
        start: at(0.0),
        stop: at(1.0),
        tolerance: None,
    };
    participant
        .begin_initialization(&window, &Settings::default())
        .unwrap();
    participant.finish_initialization().unwrap();
    participant
}

fn seen(participant: &mut ModelExchange, t: SimTime) -> (f64, i64, i64, bool) {
    let mut values = Planes {
        reals: vec![0.0],
        integers: vec![0; 2],
        booleans: vec![false],
        ..Planes::default()
    };
    let inputs = Planes {
        reals: vec![t.seconds()],
        ..Planes::default()
    };
    participant.outputs(t, &inputs, values.view_mut()).unwrap();
    (
        values.reals[0],
        values.integers[0],
        values.integers[1],
        values.booleans[0],
    )
}

fn step(participant: &mut ModelExchange, from: SimTime, to: SimTime) -> StepEnd {
    let segments = [Segment::polynomial([0.0, 1.0, 0.0, 0.0], at(0.0), to)];
    participant
        .step(StepRequest {
            from,
            to,
            inputs: Inputs::single(&segments),
            watch: Watch::Nothing,
        })
        .unwrap()
}

#[test]
fn clocks_tick_with_others() {
    let mut participant = started();
    let mut now = at(0.0);
    let mut thirds = Vec::new();
    let mut rounds = 0;
    loop {
        if participant.events().unwrap().pending() {
            participant.events().unwrap().enter(now).unwrap();
            if seen(&mut participant, now).3 {
                thirds.push(now.seconds());
            }
            while participant.events().unwrap().update(now).unwrap() {}
            participant.events().unwrap().leave(now).unwrap();
            rounds += 1;
        }
        assert!(!participant.events().unwrap().pending());
        let next = participant.next_instant().unwrap();
        assert!(next > now);
        if next > at(0.75) {
            break;
        }
        assert_eq!(step(&mut participant, now, next), StepEnd::Completed);
        now = next;
    }
    // 0, 0.1 … 0.7 and 0, 0.25, 0.5 (at a tick of the other), 0.75
    assert_eq!(rounds, 8 + 2);
    assert_eq!(seen(&mut participant, now), (0.7, 8, 4, false));
    assert_eq!(thirds, [0.2, 0.5]);
}

#[test]
fn clocks_tick_alone() {
    let mut participant = started();
    let mut now = at(0.0);
    let mut ends = 0;
    while now < at(0.72) {
        now = match step(&mut participant, now, at(0.72)) {
            StepEnd::Early { at } => at,
            _ => at(0.72),
        };
        ends += 1;
    }
    // 0.1 … 0.7 and 0.25, then the end
    assert_eq!(ends, 8 + 1);
    assert_eq!(seen(&mut participant, now), (0.7, 8, 3, false));
}

cardan_testkit::conformance!(
    conforms,
    || Box::new(make()),
    cardan_testkit::conformance::Options::new().step(0.05)
);
