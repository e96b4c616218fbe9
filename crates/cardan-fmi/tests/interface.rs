//! What the engine sees of an FMU.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod support;

use cardan_core::interface::{Causality, Interface};
use cardan_core::participant::{Participant, Settings};
use cardan_core::value::{Value, ValueType};
use cardan_fmi::FmuInterface;
use cardan_fmi::co_simulation::Options;
use cardan_testkit::fmus::Fmi;
use support::{Bench, open, settings, with};

fn interface(name: &str, version: Fmi) -> Interface {
    let fmu = FmuInterface::new(open(name, version), &Settings::default());
    fmu.unwrap().interface().clone()
}

fn names(
    interface: &Interface,
    pairs: &[(cardan_core::interface::PortId, cardan_core::interface::PortId)],
) -> Vec<String> {
    let name = |id: cardan_core::interface::PortId| &interface.ports[id.index()].name;
    pairs
        .iter()
        .map(|(o, i)| format!("{} <- {}", name(*o), name(*i)))
        .collect()
}

#[test]
fn feedthrough_is_what_the_model_structure_says() {
    for version in Fmi::ALL {
        let mass = interface("driven-mass", version);
        assert_eq!(names(&mass, &mass.feedthrough), ["acceleration <- force"]);
        assert_eq!(mass.initial_feedthrough, None);
        let lag = interface("lag", version);
        assert!(lag.feedthrough.is_empty());
        assert_eq!(
            lag.ports[lag.find_port("x").unwrap().index()].causality,
            Causality::Local
        );
    }
}

#[test]
fn time_based_clocks_are_no_ports_and_triggered_ones_are() {
    let ticker = interface("ticker", Fmi::V3);
    assert_eq!(ticker.find_port("clock"), None);
    let every_third = ticker.find_port("every_third").unwrap();
    assert_eq!(ticker.ports[every_third.index()].value_type, ValueType::Clock);
    assert_eq!(names(&ticker, &ticker.feedthrough), ["sample <- u"]);
    let follower = interface("follower", Fmi::V3);
    let clock = follower.find_port("clock").unwrap();
    assert_eq!(follower.ports[clock.index()].start, Some(Value::boolean(false)));
}

#[test]
fn start_values_of_states_are_parameters() {
    let ball = interface("bouncing-ball", Fmi::V3);
    let height = ball.find_parameter("h").unwrap();
    assert_eq!(ball.parameters[height.index()].default, Some(Value::real(1.0)));
    let participant = with(
        "bouncing-ball",
        Fmi::V3,
        &[("h", Value::real(7.0))],
        Options::default(),
    )
    .unwrap();
    let mut bench = Bench::new(participant, &[], &["h"]).initialize();
    assert_eq!(bench.look().reals, [7.0]);
}

#[test]
fn tunable_parameters_change_between_steps() {
    for version in Fmi::ALL {
        let mut bench = Bench::new(
            with("gain", version, &[], Options::default()).unwrap(),
            &["u"],
            &["y"],
        )
        .initialize();
        bench.inputs.reals[0] = 2.0;
        bench.step(
            0.1,
            &[cardan_core::signal::Segment::constant(2.0, support::at(0.1))],
        );
        let changes = settings(&open("gain", version), &[("a", Value::real(5.0))]);
        bench
            .participant
            .set_parameters(support::at(0.1), &changes)
            .unwrap();
        assert_eq!(bench.look().reals, [10.0]);
    }
}

#[test]
fn slopes_are_told_where_they_do_not_depend_on_those_of_inputs() {
    for version in Fmi::ALL {
        let mass = with(
            "driven-mass",
            version,
            &[("v0", Value::real(3.0))],
            Options::default(),
        )
        .unwrap();
        let mut bench = Bench::new(mass, &["force"], &["position", "velocity"]).initialize();
        bench.inputs.reals[0] = 2.0;
        let mut slopes = [0.0; 2];
        let ability = bench.participant.slopes().unwrap();
        ability
            .slopes(support::at(0.0), &bench.inputs, &[0.0], &mut slopes)
            .unwrap();
        assert_eq!(slopes, [3.0, 2.0]);
        let mut all = Bench::all(with("driven-mass", version, &[], Options::default()).unwrap());
        assert!(all.participant.slopes().is_none());
    }
}

#[test]
fn nothing_is_loaded_before_the_initialisation() {
    // Its binary lacks a function, and nobody finds out.
    let participant = with("missing-symbol", Fmi::V2, &[], Options::default()).unwrap();
    let bench = Bench::all(participant);
    assert!(!bench.participant.interface().ports.is_empty());
}
