//! Reactions to inputs and slopes in time.

use cardan_core::planes::Planes;

use crate::bench::{Bench, at, close};

fn planes(reals: &[f64]) -> Planes {
    Planes {
        reals: reals.to_vec(),
        ..Planes::default()
    }
}

#[test]
fn linear_models_are_differentiated_to_the_last_digits() {
    let mut mass = Bench::precise(
        "coupled-mass",
        &[
            ("coupling_stiffness", 1e4),
            ("coupling_damping", 10.0),
            ("position", 0.2),
        ],
    );
    let mut change = [f64::NAN; 3];
    let derivatives = mass.participant.derivatives().unwrap();
    for (direction, expected) in [([1.0, 0.0], -1e4), ([0.0, 1.0], -10.0), ([1e-9, 0.0], -1e-5)] {
        derivatives
            .directional(at(0.0), &planes(&[0.1, 0.3]), &direction, &mut change)
            .unwrap();
        assert_eq!(change[..2], [0.0, 0.0]);
        close(change[2] / expected, 1.0, 1e-12);
    }
    derivatives
        .directional(at(0.0), &planes(&[0.1, 0.3]), &[0.0, 0.0], &mut change)
        .unwrap();
    assert_eq!(change, [0.0; 3]);
}

#[test]
fn slopes_follow_state_and_inputs() {
    let values = [
        ("mass", 2.0),
        ("stiffness", 50.0),
        ("damping", 4.0),
        ("position", 1.0),
        ("velocity", -0.5),
    ];
    let mut oscillator = Bench::precise("mass-spring-damper", &values);
    let mut slopes = [f64::NAN; 3];
    let ability = oscillator.participant.slopes().unwrap();
    ability
        .slopes(at(0.0), &planes(&[3.0]), &[7.0], &mut slopes)
        .unwrap();
    let acceleration = (3.0 - 50.0 + 2.0) / 2.0;
    let expected = [-0.5, acceleration, (7.0 + 50.0 * 0.5 - 4.0 * acceleration) / 2.0];
    for (found, expected) in slopes.into_iter().zip(expected) {
        close(found / expected, 1.0, 1e-12);
    }
}

#[test]
fn slopes_of_sources_are_those_ahead() {
    let slope = |model: &str, values: &[(&'static str, f64)], t: f64| {
        let mut source = Bench::precise(model, values);
        let mut slopes = [f64::NAN];
        let ability = source.participant.slopes().unwrap();
        ability.slopes(at(t), &planes(&[]), &[], &mut slopes).unwrap();
        slopes[0]
    };
    let ramp = [("start_time", 1.0), ("slope", 2.0), ("end_time", 3.0)];
    assert_eq!(
        [0.9, 1.0, 2.9, 3.0].map(|t| slope("ramp", &ramp, t)),
        [0.0, 2.0, 2.0, 0.0]
    );
    let tau = std::f64::consts::TAU;
    assert_eq!(slope("sine", &[("frequency", 50.0)], 0.0), tau * 50.0);
    assert_eq!(slope("sine", &[("frequency", 50.0), ("period", 0.1)], 0.0), 0.0);
}

#[test]
fn a_limited_controller_does_not_react_beyond_its_limits() {
    let mut pid = Bench::precise("pid", &[("kp", 2.0), ("maximum", 1.0)]);
    let mut change = [f64::NAN];
    let derivatives = pid.participant.derivatives().unwrap();
    derivatives
        .directional(at(0.0), &planes(&[0.499, 0.0]), &[0.0, 1.0], &mut change)
        .unwrap();
    close(change[0], -2.0, 1e-9);
    derivatives
        .directional(at(0.0), &planes(&[0.501, 0.0]), &[1.0, 0.0], &mut change)
        .unwrap();
    close(change[0], 0.0, 1e-9);
}
