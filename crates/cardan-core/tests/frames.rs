//! What a plan makes of a connection of frames.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod support;

use cardan_core::graph::{Connection, Conversion, Endpoint, Graph, Mapping, Node, ParticipantId};
use cardan_core::interface::{Interface, Port, PortId};
use cardan_core::method::Sweep;
use cardan_core::plan::{Plan, RealInput};
use cardan_core::planes::Extent;
use cardan_core::signal::{History, Reading};
use cardan_core::time::SimTime;
use support::Bench;

fn end(participant: u32, element: Option<u32>) -> Endpoint {
    Endpoint {
        participant: ParticipantId(participant),
        port: PortId(0),
        element,
    }
}

/// The plan of a body that drives a mount with its frame, or with an element of it.
fn plan(reading: Reading, element: Option<u32>) -> Plan {
    let (mut body, mut mount) = (Interface::default(), Interface::default());
    body.port(Port::output("tip").frame());
    match element {
        None => mount.port(Port::input("base").frame()),
        Some(_) => mount.port(Port::input("number")),
    };
    let node = |name: &str, interface| Node {
        name: name.into(),
        interface,
        step: None,
        past: Vec::new(),
    };
    let graph = Graph {
        nodes: vec![node("body", body), node("mount", mount)],
        connections: vec![Connection {
            name: None,
            from: end(0, element),
            to: end(1, None),
            reading,
            conversion: Conversion::NONE,
            mapping: Mapping::NONE,
        }],
        ..Graph::default()
    };
    let mut setup = Bench::new(Sweep::Jacobi, 0.1, 1.0).setup;
    setup.record = vec![(ParticipantId(0), PortId(0))];
    Plan::compile(&graph, &setup).unwrap()
}

#[test]
fn the_quaternion_of_a_frame_is_read_by_slerp() {
    let plan = plan(Reading::Quadratic, None);
    for (place, input) in plan.seats[1].real_inputs.iter().enumerate() {
        let reading = match (place, input) {
            (3, RealInput::Rotation(wire)) | (4..7, RealInput::RotationRest(wire)) => {
                assert_eq!(wire.column as usize, place);
                wire.reading
            }
            (0..3 | 7..13, RealInput::Wire(wire)) => {
                assert_eq!(wire.column as usize, place);
                wire.reading
            }
            other => unreachable!("{other:?}"),
        };
        let turning = (3..7).contains(&place);
        assert_eq!(reading == Reading::Slerp, turning, "{place}");
        assert_eq!(reading == Reading::Quadratic, !turning, "{place}");
    }
    let names: Vec<&str> = plan
        .columns
        .schema
        .columns
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(
        names[..4],
        ["body.tip.x", "body.tip.y", "body.tip.z", "body.tip.qw"]
    );
    assert_eq!(plan.columns.schema.columns[7].unit.as_deref(), Some("m/s"));
    assert_eq!(plan.columns.schema.columns[4].unit, None);
    assert_eq!(plan.seats[1].input_names[12], "base.wz");
}

/// A body that is held does not turn on, and one number of a quaternion is a number.
#[test]
fn what_is_held_does_not_turn() {
    let held = plan(Reading::Hold, None);
    assert!(
        held.seats[1]
            .real_inputs
            .iter()
            .all(|input| matches!(input, RealInput::Wire(wire) if wire.reading == Reading::Hold))
    );
    let element = plan(Reading::Quadratic, Some(4));
    let [RealInput::Wire(wire)] = element.seats[1].real_inputs[..] else {
        unreachable!()
    };
    assert_eq!((wire.column, wire.reading), (4, Reading::Quadratic));
}

/// The reference problem: from no turn to a quarter turn about z, three tenths of the way, whichever sign the end has.
#[test]
fn an_orientation_on_its_way() {
    let columns = plan(Reading::Linear { weight: 1.0 }, None).seats[1]
        .real_inputs
        .clone();
    let RealInput::Rotation(wire) = columns[3] else {
        unreachable!()
    };
    let half = std::f64::consts::FRAC_1_SQRT_2;
    for sign in [1.0, -1.0] {
        let mut history = History::new(Extent {
            reals: 13,
            ..Extent::default()
        });
        for (time, q) in [(0.0, [1.0, 0.0]), (1.0, [sign * half, sign * half])] {
            let row = history.publish(SimTime::from_seconds(time), SimTime::PAST);
            row.reals[3] = q[0];
            row.reals[6] = q[1];
        }
        let found = history.rotation(wire.column as usize, SimTime::from_seconds(0.3));
        // The reference is given with twelve digits.
        for (found, expected) in found.iter().zip([0.972369920398, 0.0, 0.0, 0.233445363856]) {
            assert!((found - expected).abs() < 1e-12);
        }
    }
}
