//! Events of FMUs in Model Exchange: at thresholds, in time, by inputs, and too many of them.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::sync::Arc;

use cardan_core::inputs::{HeldInputs, Inputs};
use cardan_core::interface::PortId;
use cardan_core::participant::{
    FailureKind, Outcome, Participant, RunWindow, Settings, StepEnd, StepRequest, Watch,
};
use cardan_core::planes::Planes;
use cardan_core::signal::Segment;
use cardan_core::time::SimTime;
use cardan_core::value::Value;
use cardan_describe::Reporter;
use cardan_fmi::model_exchange::Options;
use cardan_fmi::{Fmu, FmuInterface, ModelExchange};
use cardan_testkit::fmus::{Fmi, build};

fn at(seconds: f64) -> SimTime {
    SimTime::from_seconds(seconds)
}

/// The switching FMU with its outputs x, last_event; above; ticks, events.
struct Rig {
    participant: ModelExchange,
    fmu: Arc<FmuInterface>,
    switched: bool,
    now: SimTime,
}

#[derive(PartialEq, Debug)]
struct Seen {
    x: f64,
    last_event: f64,
    above: bool,
    ticks: i64,
    events: i64,
}

impl Rig {
    /// With its discrete input bound or not; bound, its events concern others.
    fn new(version: Fmi, switched: bool, parameters: &[(&str, Value)]) -> Self {
        let mut reporter = Reporter::new();
        let fmu = Fmu::open(&build("switching", version), &mut reporter).unwrap();
        let fmu = Arc::new(FmuInterface::new(fmu, &Settings::default()).unwrap());
        let parameter =
            |(name, value): &(&str, Value)| (fmu.interface().find_parameter(name).unwrap(), value.clone());
        let settings = Settings(parameters.iter().map(parameter).collect());
        let port = |name: &str| -> PortId { fmu.interface().find_port(name).unwrap() };
        let mut participant =
            ModelExchange::new(Arc::clone(&fmu), "switching", settings, Options::default()).unwrap();
        let inputs = if switched {
            vec![port("u"), port("reverse")]
        } else {
            vec![port("u")]
        };
        let outputs = ["x", "last_event", "above", "ticks", "events"].map(port);
        participant.bind(&inputs, &outputs).unwrap();
        let window = RunWindow {
            start: at(0.0),
            stop: at(10.0),
            tolerance: None,
        };
        participant
            .begin_initialization(&window, &Settings::default())
            .unwrap();
        let mut rig = Rig {
            participant,
            fmu,
            switched,
            now: at(0.0),
        };
        rig.seen(0.0, false);
        rig.participant.finish_initialization().unwrap();
        rig
    }

    fn inputs(&self, u: f64, reverse: bool) -> Planes {
        Planes {
            reals: vec![u],
            booleans: if self.switched { vec![reverse] } else { Vec::new() },
            ..Planes::default()
        }
    }

    fn seen(&mut self, u: f64, reverse: bool) -> Seen {
        let mut values = Planes {
            reals: vec![0.0; 2],
            booleans: vec![false],
            integers: vec![0; 2],
            ..Planes::default()
        };
        let inputs = self.inputs(u, reverse);
        self.participant
            .outputs(self.now, &inputs, values.view_mut())
            .unwrap();
        Seen {
            x: values.reals[0],
            last_event: values.reals[1],
            above: values.booleans[0],
            ticks: values.integers[0],
            events: values.integers[1],
        }
    }

    fn step(&mut self, to: f64, law: [f64; 4], reverse: bool) -> Outcome<StepEnd> {
        let segments = [Segment::polynomial(law, at(0.0), at(to))];
        let held = [HeldInputs {
            until: at(to),
            values: Planes {
                reals: Vec::new(),
                ..self.inputs(0.0, reverse)
            },
        }];
        self.go(to, Inputs::new(&segments, &[], &held))
    }

    fn go(&mut self, to: f64, inputs: Inputs<'_>) -> Outcome<StepEnd> {
        let end = self.participant.step(StepRequest {
            from: self.now,
            to: at(to),
            inputs,
            watch: Watch::Nothing,
        })?;
        self.now = match end {
            StepEnd::Early { at } | StepEnd::Terminate { at } => at,
            _ => at(to),
        };
        Ok(end)
    }
}

const RAMP: [f64; 4] = [0.0, 1.0, 0.0, 0.0];

/// No periodic events: the period lies beyond all ends.
fn quiet() -> (&'static str, Value) {
    ("period", Value::real(100.0))
}

#[test]
fn a_threshold_is_met_inside_a_step() {
    for version in Fmi::ALL {
        let mut rig = Rig::new(version, false, &[quiet()]);
        // The ramp passes 0.5 at 0.5 s: x falls before and rises after.
        assert_eq!(rig.step(1.2, RAMP, false), Ok(StepEnd::Completed));
        let seen = rig.seen(1.2, false);
        assert!((seen.x - 0.2).abs() < 1e-12, "{version}: {seen:?}");
        assert!((seen.last_event - 0.5).abs() < 1e-15, "{version}: {seen:?}");
        assert!(seen.above);
        // One at the start, one at the threshold.
        assert_eq!(seen.events, 2, "{version}");
    }
}

#[test]
fn a_jump_over_the_threshold_is_an_event() {
    for version in Fmi::ALL {
        let mut rig = Rig::new(version, false, &[quiet()]);
        // Inside a step.
        let segments = [Segment::constant(0.0, at(0.25)), Segment::constant(2.0, at(1.0))];
        assert_eq!(
            rig.go(1.0, Inputs::new(&segments, &[2], &[])),
            Ok(StepEnd::Completed)
        );
        let seen = rig.seen(2.0, false);
        assert!((seen.x - 0.5).abs() < 1e-12 && seen.above, "{version}: {seen:?}");
        assert_eq!(seen.last_event, 0.25);
        // At the beginning of one.
        assert_eq!(rig.step(1.5, [0.0; 4], false), Ok(StepEnd::Completed));
        let seen = rig.seen(0.0, false);
        assert!(seen.x.abs() < 1e-12 && !seen.above, "{version}: {seen:?}");
        assert_eq!(seen.last_event, 1.0);
    }
}

#[test]
fn events_in_time_are_met_exactly() {
    for version in Fmi::ALL {
        let mut rig = Rig::new(version, false, &[]);
        assert_eq!(rig.participant.next_instant(), Some(at(0.3)));
        assert_eq!(rig.step(0.8, [0.0; 4], false), Ok(StepEnd::Completed));
        let seen = rig.seen(0.0, false);
        assert_eq!(
            (seen.ticks, seen.events, seen.last_event),
            (2, 3, 0.6),
            "{version}"
        );
        // One at the very end of a step shows there.
        let third = 3.0 * 0.3;
        assert_eq!(rig.participant.next_instant(), Some(at(third)));
        assert_eq!(rig.step(third, [0.0; 4], false), Ok(StepEnd::Completed));
        assert_eq!(rig.seen(0.0, false).ticks, 3);
    }
}

#[test]
fn the_fmu_may_ask_for_the_end() {
    for version in Fmi::ALL {
        let mut rig = Rig::new(version, false, &[("terminate", Value::boolean(true))]);
        assert_eq!(
            rig.step(1.0, [0.0; 4], false),
            Ok(StepEnd::Terminate { at: at(0.6) })
        );
        assert_eq!(rig.seen(0.0, false).ticks, 2);
        rig.participant.terminate().unwrap();
    }
}

#[test]
fn chattering_ends_with_a_word() {
    for version in Fmi::ALL {
        let mut rig = Rig::new(
            version,
            false,
            &[quiet(), ("slide", Value::boolean(true)), ("x", Value::real(0.1))],
        );
        let failure = rig.step(1.0, [0.0; 4], false).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Numbers);
        assert!(failure.message.contains("chatters at t = 0.1"), "{failure}");
    }
}

#[test]
fn others_take_part_in_events_that_concern_them() {
    for version in Fmi::ALL {
        let mut rig = Rig::new(version, true, &[quiet()]);
        // The initialisation ends with an event, in which the discrete input changes.
        assert!(rig.participant.events().unwrap().pending());
        rig.participant.events().unwrap().enter(at(0.0)).unwrap();
        rig.seen(0.0, true);
        assert_eq!(rig.participant.events().unwrap().update(at(0.0)), Ok(false));
        rig.participant.events().unwrap().leave(at(0.0)).unwrap();
        assert!(!rig.participant.events().unwrap().pending());
        // A step ends where the threshold is passed.
        let end = rig.step(1.0, RAMP, true).unwrap();
        let StepEnd::Early { at: met } = end else {
            panic!("{version}: {end:?}");
        };
        assert!((met.seconds() - 0.5).abs() < 1e-15);
        assert!(rig.participant.events().unwrap().pending());
        assert!(!rig.seen(0.5, true).above);
        rig.participant.events().unwrap().enter(met).unwrap();
        rig.seen(met.seconds(), true);
        rig.participant.events().unwrap().update(met).unwrap();
        assert!(rig.seen(met.seconds(), true).above);
        rig.participant.events().unwrap().leave(met).unwrap();
        // Reversed, x rises and then falls; nobody had to step an event again.
        assert_eq!(rig.step(1.0, RAMP, true), Ok(StepEnd::Completed));
        let seen = rig.seen(1.0, true);
        assert!(seen.x.abs() < 1e-12 && seen.events == 2, "{version}: {seen:?}");
    }
}

#[test]
fn an_event_that_nobody_attends_is_handled_alone() {
    for version in Fmi::ALL {
        let mut rig = Rig::new(version, true, &[quiet()]);
        let mut ends = 0;
        while rig.now < at(1.2) {
            rig.step(1.2, RAMP, false).unwrap();
            ends += 1;
        }
        let seen = rig.seen(1.2, false);
        assert_eq!((ends, seen.events, seen.above), (2, 2, true), "{version}");
        assert!((seen.x - 0.2).abs() < 1e-12, "{version}: {seen:?}");
        // A discrete input that changes between steps.
        rig.step(1.4, RAMP, true).unwrap();
        let seen = rig.seen(1.4, true);
        assert!(seen.x.abs() < 1e-12 && seen.events == 3, "{version}: {seen:?}");
    }
}

#[test]
fn a_tuned_parameter_switches() {
    for version in Fmi::ALL {
        let mut rig = Rig::new(version, false, &[quiet()]);
        rig.step(0.3, RAMP, false).unwrap();
        let id = rig.fmu.interface().find_parameter("threshold").unwrap();
        let change = |value: f64| Settings(vec![(id, Value::real(value))]);
        rig.participant.set_parameters(rig.now, &change(0.5)).unwrap();
        assert_eq!(rig.seen(0.3, false).events, 1, "{version}: nothing has changed");
        rig.participant.set_parameters(rig.now, &change(0.1)).unwrap();
        rig.step(0.6, RAMP, false).unwrap();
        let seen = rig.seen(0.6, false);
        assert!(seen.x.abs() < 1e-12 && seen.above, "{version}: {seen:?}");
    }
}

#[test]
fn events_are_taken_back_bit_for_bit() {
    for version in Fmi::ALL {
        for switched in [false, true] {
            let mut rig = Rig::new(version, switched, &[]);
            let go = |rig: &mut Rig, to: f64| {
                while rig.now < at(to) {
                    rig.step(to, [0.1, 1.0, 0.0, 0.0], false).unwrap();
                }
            };
            go(&mut rig, 0.25);
            rig.participant.rollback().unwrap().save(3).unwrap();
            let saved = rig.now;
            go(&mut rig, 1.0);
            let first = rig.seen(1.1, false);
            rig.participant.rollback().unwrap().restore(3).unwrap();
            rig.now = saved;
            go(&mut rig, 1.0);
            let again = rig.seen(1.1, false);
            assert_eq!(first.x.to_bits(), again.x.to_bits());
            assert_eq!(first, again, "{version}");
            assert_eq!(first.ticks, 3);
        }
    }
}

mod conformance {
    use super::*;

    fn make(version: Fmi) -> Box<dyn Participant> {
        let mut reporter = Reporter::new();
        let fmu = Fmu::open(&build("switching", version), &mut reporter).unwrap();
        let fmu = Arc::new(FmuInterface::new(fmu, &Settings::default()).unwrap());
        Box::new(ModelExchange::new(fmu, "switching", Settings::default(), Options::default()).unwrap())
    }

    fn options() -> cardan_testkit::conformance::Options {
        cardan_testkit::conformance::Options::new()
            .step(0.1)
            .real("u", |t| 0.5 + (7.0 * t).sin())
            .window(0.0, 2.0)
            .exempt(
                "unbound_inputs_keep_their_start",
                "with its discrete input bound, the event after the initialisation waits for others",
            )
    }

    cardan_testkit::conformance!(fmi2, || make(Fmi::V2), options());
    cardan_testkit::conformance!(fmi3, || make(Fmi::V3), options());
}
