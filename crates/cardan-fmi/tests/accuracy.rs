//! What inputs that move during a step are worth: the order of accuracy with each way of telling them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod support;

use cardan_core::participant::StepEnd;
use cardan_core::signal::Segment;
use cardan_core::value::Value;
use cardan_fmi::co_simulation::Options;
use cardan_testkit::fmus::Fmi;
use cardan_testkit::observed_order;
use support::{Bench, at, with};

const STIFFNESS: f64 = 4.0;
const DAMPING: f64 = 0.3;
const OMEGA: f64 = 3.0;

/// The steady answer of `x'' + 0.3 x' + 4 x = cos 3t`: position and velocity.
fn exact(t: f64) -> [f64; 2] {
    let stiff = STIFFNESS - OMEGA * OMEGA;
    let damp = DAMPING * OMEGA;
    let scale = 1.0 / (stiff * stiff + damp * damp);
    let (sin, cos) = (OMEGA * t).sin_cos();
    [
        scale * (stiff * cos + damp * sin),
        scale * OMEGA * (damp * cos - stiff * sin),
    ]
}

/// The force over a step as a Taylor polynomial about the middle of it.
fn force(from: f64, to: f64) -> Segment {
    let middle = 0.5 * (from + to);
    let (sin, cos) = (OMEGA * middle).sin_cos();
    let w = OMEGA;
    let law = [cos, -w * sin, -w * w * cos / 2.0, w * w * w * sin / 6.0];
    Segment::polynomial(law, at(middle), at(to))
}

fn error(name: &str, version: Fmi, step: f64, substeps: Option<u32>) -> f64 {
    let [x0, v0] = exact(0.0);
    let parameters = [("k", STIFFNESS), ("d", DAMPING), ("x0", x0), ("v0", v0)];
    let parameters = parameters.map(|(name, value)| (name, Value::real(value)));
    let options = Options {
        substeps,
        ..Options::default()
    };
    let participant = with(name, version, &parameters, options).unwrap();
    let mut bench = Bench::new(participant, &["force"], &["position"]);
    bench.inputs.reals[0] = 1.0;
    bench = bench.initialize();
    let steps = (2.0 / step).round() as usize;
    for k in 1..=steps {
        let (from, to) = ((k - 1) as f64 * step, k as f64 * step);
        assert_eq!(bench.step(to, &[force(from, to)]), StepEnd::Completed);
    }
    (bench.look().reals[0] - exact(2.0)[0]).abs()
}

fn order(name: &str, version: Fmi, substeps: Option<u32>) -> f64 {
    let errors: Vec<(f64, f64)> = [0.2, 0.1, 0.05]
        .map(|step| (step, error(name, version, step, substeps)))
        .to_vec();
    observed_order(&errors)
}

#[test]
fn derivatives_of_inputs_give_third_order() {
    let order = order("driven-mass", Fmi::V2, None);
    assert!(order > 2.7, "observed {order}");
}

#[test]
fn asking_at_inner_steps_gives_the_order_of_the_law() {
    let order = order("driven-mass", Fmi::V3, None);
    assert!(order > 3.5, "observed {order}");
}

#[test]
fn the_mean_gives_second_order_to_those_that_hold() {
    for version in Fmi::ALL {
        let order = order("held-mass", version, None);
        assert!((1.8..2.5).contains(&order), "observed {order} with {version}");
    }
}

#[test]
fn substeps_are_as_good_as_small_steps() {
    let whole = error("held-mass", Fmi::V2, 0.1, None);
    let parts = error("held-mass", Fmi::V2, 0.1, Some(4));
    assert!(
        parts < whole / 12.0,
        "{whole:e} in whole steps, {parts:e} in quarters"
    );
}

#[test]
fn what_is_held_stays_held() {
    for version in Fmi::ALL {
        let participant = with("lag", version, &[], Options::default()).unwrap();
        let mut bench = Bench::new(participant, &["u"], &["y"]).initialize();
        let mut x = 0.0;
        for k in 0..20_usize {
            let (from, to) = (0.1 * k as f64, 0.1 * (k + 1) as f64);
            bench.step(to, &[Segment::constant(0.1, at(to))]);
            x += (to - from) * (0.1 - x) / 1.0;
            assert_eq!(bench.look().reals[0].to_bits(), f64::to_bits(x));
        }
    }
}

#[test]
fn steps_are_cut_where_inputs_jump() {
    let participant = with("lag", Fmi::V2, &[], Options::default()).unwrap();
    let mut bench = Bench::new(participant, &["u"], &["y"]).initialize();
    let pieces = [Segment::constant(1.0, at(0.25)), Segment::constant(3.0, at(1.0))];
    let inputs = cardan_core::inputs::Inputs::new(&pieces, &[2], &[]);
    assert_eq!(bench.try_step(1.0, inputs).unwrap(), StepEnd::Completed);
    let x = 0.25 * 1.0;
    assert_eq!(bench.look().reals[0], x + 0.75 * (3.0 - x));
}
