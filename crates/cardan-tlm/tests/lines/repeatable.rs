//! The same run gives the same bits, whoever is faster and however bytes are ordered.

use crate::stage::{Mass, Stage, client, model, ordered_client, xml};
use cardan_tlm::manager::Ending;
use cardan_tlm::plugin::Arithmetic;
use cardan_tlm::track::Interpolation;
use cardan_tlm::wire::ByteOrder;
use std::thread;
use std::time::Duration;

const POINT: &str = "Name=\"tlm\" Dimensions=\"1\" Domain=\"mechanical\"";
const LEFT: &str = "Name=\"left\" Dimensions=\"1\" Domain=\"mechanical\"";
const RIGHT: &str = "Name=\"right\" Dimensions=\"1\" Domain=\"mechanical\"";

/// Three masses, the middle one with two interface points, each with steps of its own.
fn chain(alpha: f64, interpolation: Interpolation) -> Vec<Vec<[f64; 3]>> {
    let stop = 0.05;
    let line = format!("Delay=\"1e-3\" Zf=\"50\" alpha=\"{alpha}\"");
    let text = xml(
        &[("m1", &[POINT]), ("m2", &[LEFT, RIGHT]), ("m3", &[POINT])],
        &[("m1.tlm", "m2.left"), ("m2.right", "m3.tlm")],
        &line,
        stop,
    );
    let masses = [
        ("m1", ["tlm"].as_slice(), 1.0, 5e-4),
        ("m2", &["left", "right"], 0.5, 1e-3 / 3.0),
        ("m3", &["tlm"], 2.0, 1e-4),
    ];
    let arithmetic = Arithmetic {
        interpolation,
        ..Arithmetic::default()
    };
    let stage = Stage::open(model(&text), false);
    let address = stage.components;
    let runs: Vec<_> = masses
        .into_iter()
        .map(|(name, points, mass, step)| {
            thread::spawn(move || {
                let mass = Mass {
                    name,
                    points,
                    mass,
                    stiffness: 1000.0 * mass,
                    position: 0.01,
                    step,
                    stop,
                    rest: Duration::ZERO,
                };
                let plugin = client(address, mass.name, stop, arithmetic).unwrap();
                mass.run(plugin).unwrap()
            })
        })
        .collect();
    let states = runs.into_iter().map(|run| run.join().unwrap()).collect();
    assert_eq!(stage.outcome().ending, Ending::Completed);
    states
}

fn bits(states: &[Vec<[f64; 3]>]) -> Vec<u64> {
    states
        .iter()
        .flatten()
        .flatten()
        .map(|number| number.to_bits())
        .collect()
}

/// The public plugin gives six results in six runs, and numbers that are none as soon as there is a filter.
#[test]
fn a_chain_of_three_gives_the_same_bits_in_twenty_runs() {
    for alpha in [0.0, 0.2] {
        for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
            let first = chain(alpha, interpolation);
            assert!(first.iter().flatten().flatten().all(|number| number.is_finite()));
            // Something has happened: the masses are not where springs alone would have them.
            let [_, x, _] = first[1][first[1].len() - 1];
            assert!((x - 0.01 * (1000.0_f64.sqrt() * 0.05).cos()).abs() > 1e-6);
            for _ in 1..20 {
                assert_eq!(bits(&first), bits(&chain(alpha, interpolation)));
            }
        }
    }
}

#[test]
fn byte_order_changes_nothing() {
    let run = |order: ByteOrder| {
        let text = xml(
            &[("m1", &[POINT]), ("m2", &[POINT])],
            &[("m1.tlm", "m2.tlm")],
            "Delay=\"1e-3\" Zf=\"50\" alpha=\"0.1\"",
            0.02,
        );
        let stage = Stage::open(model(&text), false);
        let address = stage.components;
        let mass = |name: &'static str, stiffness: f64, order: ByteOrder| {
            thread::spawn(move || {
                let mass = Mass {
                    name,
                    points: &["tlm"],
                    mass: 1.0,
                    stiffness,
                    position: 0.01,
                    step: 5e-4,
                    stop: 0.02,
                    rest: Duration::ZERO,
                };
                let plugin = ordered_client(address, name, 0.02, Arithmetic::default(), order).unwrap();
                mass.run(plugin).unwrap()
            })
        };
        let runs = [mass("m1", 1000.0, order), mass("m2", 4000.0, ByteOrder::Little)];
        let states: Vec<_> = runs.into_iter().map(|run| run.join().unwrap()).collect();
        assert_eq!(stage.outcome().ending, Ending::Completed);
        bits(&states)
    };
    assert_eq!(run(ByteOrder::Big), run(ByteOrder::Little));
}
