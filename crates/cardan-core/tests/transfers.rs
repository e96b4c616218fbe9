//! What goes over the wires: every type, elements, units, the order of evaluation, and the printed plan.

mod support;

use cardan_core::graph::{Conversion, Mapping};
use cardan_core::interface::{PortId, Variability};
use cardan_core::method::Sweep;
use cardan_core::record::ColumnData;
use cardan_core::signal::Reading;
use cardan_core::time::SimTime;
use cardan_core::value::Value;
use cardan_testkit::fakes::{Accumulator, AllTypes, Relay, Script};
use support::{Bench, id};

const KINDS: [&str; 11] = [
    "real", "vector", "rotation", "integer", "integers", "boolean", "booleans", "string", "strings",
    "binary", "choice",
];

fn chain(method: Sweep, first: AllTypes, second: AllTypes) -> Bench {
    let mut bench = Bench::new(method, 0.1, 0.5).add("a", first).add("b", second);
    for kind in KINDS {
        let reading = if kind == "rotation" {
            Reading::Slerp
        } else {
            Reading::Hold
        };
        bench = bench.wire(&format!("a.{kind}_out"), &format!("b.{kind}_in"), reading);
    }
    bench.record_all()
}

#[test]
fn every_type_arrives_as_it_left() {
    for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
        for threads in [1, 2] {
            // `b` holds other start values than `a` only through its inputs: what it shows at the end came over the wire.
            let (run, _, result) = chain(method, AllTypes::held(), AllTypes::held()).run(threads);
            result.unwrap();
            for (kind, name) in KINDS.into_iter().enumerate() {
                let value = |participant: u32| -> Value {
                    let port = AllTypes::output(kind);
                    let (row, place) = run.world().output(id(participant), port).unwrap();
                    let shown = &AllTypes::held();
                    let port = &cardan_core::participant::Participant::interface(shown).ports[port.index()];
                    row.value(port.value_type, place, port.shape.len())
                };
                assert_eq!(value(0), value(1), "{name}");
            }
        }
    }
}

/// What is mapped on the way arrives mapped, and is recorded so at the input.
#[test]
fn discrete_values_are_mapped_on_their_way() {
    for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
        let mut bench = chain(method, AllTypes::held(), AllTypes::held());
        for kind in [3, 5, 10] {
            bench.graph.connections[kind].mapping = Mapping::new(vec![(-7, 70), (0, 1), (1, 0), (2, 5)]);
            bench.setup.record.push((id(1), AllTypes::input(kind)));
        }
        let (run, rows, result) = bench.run(1);
        result.unwrap();
        let shown = |kind: usize| run.world().output(id(1), AllTypes::output(kind)).unwrap();
        let (integers, place) = shown(3);
        assert_eq!(integers.integers[place], 70);
        let (booleans, place) = shown(5);
        assert!(!booleans.booleans[place], "true became false");
        let (choices, place) = shown(10);
        assert_eq!(choices.integers[place], 5);
        let (schema, blocks) = rows.blocks();
        let column = |name: &str| schema.columns.iter().position(|c| c.name == name).unwrap();
        let recorded = &blocks.last().unwrap().columns[column("b.integer_in")];
        assert!(matches!(recorded, ColumnData::Integers(values) if values.last() == Some(&70)));
    }
}

/// The user's value for an input that nothing drives reaches the participant.
#[test]
fn given_values_of_open_inputs_arrive() {
    let mut bench = Bench::new(Sweep::Jacobi, 0.1, 0.5)
        .add("a", AllTypes::held())
        .record_all();
    let ports = &mut bench.graph.nodes[0].interface.ports;
    for (kind, value) in [(0, Value::real(4.5)), (3, Value::integer(9))] {
        let port = &mut ports[AllTypes::input(kind).index()];
        port.start = Some(value);
        port.given = true;
    }
    let (run, _, result) = bench.run(1);
    result.unwrap();
    let (row, place) = run.world().output(id(0), AllTypes::output(0)).unwrap();
    assert_eq!(row.reals[place], 4.5);
    let (row, place) = run.world().output(id(0), AllTypes::output(3)).unwrap();
    assert_eq!(row.integers[place], 9);
    let (row, place) = run.world().output(id(0), AllTypes::output(10)).unwrap();
    assert_eq!(row.integers[place], 2, "its own value");
}

#[test]
fn chains_of_feedthrough_are_current_at_every_point() {
    for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
        for threads in [1, 2] {
            // In the description the readers stand before their sources: the order of evaluation is derived.
            let (_, rows, result) = Bench::new(method, 0.25, 1.0)
                .add("c", Relay::direct(1))
                .add("b", Relay::direct(1))
                .add("a", Script::new())
                .wire("a.time", "b.in1", Reading::Hold)
                .wire_converted(
                    "b.out1",
                    "c.in1",
                    Reading::Hold,
                    Conversion {
                        factor: 1000.0,
                        offset: 1.0,
                    },
                )
                .record_all()
                .run(threads);
            result.unwrap();
            assert_eq!(rows.reals("b.out1"), rows.times());
            let expected: Vec<f64> = rows.times().iter().map(|t| 1000.0 * t + 1.0).collect();
            assert_eq!(rows.reals("c.out1"), expected);
        }
    }
}

#[test]
fn outputs_are_evaluated_once_where_once_is_enough() {
    let relay = Relay::direct(1);
    let calls = relay.calls();
    let (_, _, result) = Bench::new(Sweep::Jacobi, 0.25, 1.0)
        .add("relay", relay)
        .add("source", Script::new())
        .wire("source.time", "relay.in1", Reading::Hold)
        .run(1);
    result.unwrap();
    // Twice at the start (before and after the end of the initialisation) and once a step.
    assert_eq!((calls.steps(), calls.outputs()), (4, 6));
}

#[test]
fn single_elements_can_be_connected() {
    let (run, _, result) = Bench::new(Sweep::Jacobi, 0.5, 1.0)
        .add("source", Script::new())
        .add("sink", AllTypes::direct())
        .wire("source.time", "sink.vector_in#1", Reading::Hold)
        .record_all()
        .run(1);
    result.unwrap();
    let (row, place) = run.world().output(id(1), AllTypes::output(1)).unwrap();
    // The other two keep their start values.
    assert_eq!(row.reals[place..place + 3], [1.0, 1.0, 3.0]);
}

#[test]
fn what_is_settled_is_told_to_participants() {
    let relay = Relay::held(1);
    let calls = relay.calls();
    let (_, _, result) = Bench::new(Sweep::Jacobi, 0.01, 1.0).add("relay", relay).run(1);
    result.unwrap();
    assert!(calls.accepted() >= 3, "{}", calls.accepted());
}

/// In Gauss-Seidel a slow reader steps after its fast source and sees all of its points; in Jacobi it sees none of them.
#[test]
fn a_slow_reader_sees_the_points_of_a_fast_source_that_leads() {
    for (method, seen) in [(Sweep::GaussSeidel, 0.5), (Sweep::Jacobi, 0.0)] {
        let bench = Bench::new(method, 1.0, 1.0)
            .add("source", Script::new())
            .step(0.25)
            .add("sum", Accumulator::new(0.0))
            .wire("source.time", "sum.u", Reading::Linear { weight: 1.0 })
            .record_all();
        let (run, _, result) = bench.run(1);
        result.unwrap();
        // The accumulator takes its input in the middle of the step, where the source said 0.5 s; with only the
        // first point, from a cold start, it is zero.
        assert_eq!(
            run.world().output(id(1), PortId(1)).unwrap().0.reals[0],
            seen,
            "{method}"
        );
        assert_eq!(run.world().frontier(), SimTime::from_seconds(1.0));
    }
}

/// Holding after a source that leads: of a continuous one the new value, of a discrete one each sample from its own
/// instant on.
#[test]
fn holding_means_the_new_value_only_after_continuous_sources() {
    for (variability, seen) in [(Variability::Continuous, 0.75), (Variability::Discrete, 0.5)] {
        let mut bench = Bench::new(Sweep::GaussSeidel, 1.0, 1.0)
            .add("source", Script::new())
            .step(0.25)
            .add("sum", Accumulator::new(0.0))
            .wire("source.time", "sum.u", Reading::Hold)
            .record_all();
        bench.graph.nodes[0].interface.ports[0].variability = variability;
        let (run, _, result) = bench.run(1);
        result.unwrap();
        // In the middle of the step, at 0.5 s, the samples at 0.5 s and 0.75 s meet.
        assert_eq!(
            run.world().output(id(1), PortId(1)).unwrap().0.reals[0],
            seen,
            "{variability:?}"
        );
    }
}

#[test]
fn the_plan_prints_what_will_happen() {
    let mut bench = Bench::new(Sweep::GaussSeidel, 0.1, 2.0)
        .add("plant", Accumulator::new(1.0))
        .add("controller", Relay::direct(1))
        .step(0.3)
        .add("clock", Script::new())
        .wire("clock.time", "controller.in1", Reading::Quadratic)
        .wire_converted(
            "controller.out1",
            "plant.u",
            Reading::Hold,
            Conversion {
                factor: 0.5,
                offset: 0.0,
            },
        )
        .record_all();
    bench.setup.every = Some(0.2);
    insta::assert_snapshot!(bench.plan().to_string());
    insta::assert_snapshot!(bench.graph.to_string());
}

/// A component that nobody waits for must not run away: its history would hold the whole run.
#[test]
fn nobody_runs_ahead_whom_nobody_waits_for() {
    // Two in a circle with steps that do not fit, which can block each other, and one that is alone.
    let (run, _, result) = Bench::new(Sweep::GaussSeidel, 0.001, 2.0)
        .add("a", Accumulator::new(1.0))
        .step(0.003)
        .add("b", Accumulator::new(1.0))
        .step(0.005)
        .add("alone", Script::new())
        .wire("a.x", "b.u", Reading::Hold)
        .wire_converted(
            "b.x",
            "a.u",
            Reading::Hold,
            Conversion {
                factor: -1.0,
                offset: 0.0,
            },
        )
        .record_all()
        .run(1);
    result.unwrap();
    for participant in 0..3 {
        let points = run.world().history(id(participant)).len();
        assert!(points <= 16, "participant {participant} keeps {points} points");
    }
    // The fastest took two thousand steps.
    assert_eq!(run.steps(), 2000);
}
