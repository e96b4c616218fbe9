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

/// The tangent of a displacement-driven spring, k1 + 3 k3 u²: 40 kN/m at a centimetre.
#[test]
fn the_tangent_of_a_nonlinear_spring_is_exact() {
    let values = [("stiffness", 1e4), ("cubic_stiffness", 1e8), ("damping", 5.0)];
    let mut spring = Bench::precise("nonlinear-spring", &values);
    let derivatives = spring.participant.derivatives().unwrap();
    let mut change = [f64::NAN; 2];
    for (position, direction, expected) in [
        (0.01, [1.0, 0.0], [-4e4, 200.0]),
        (-0.01, [1e-3, 0.0], [-40.0, -0.2]),
        (0.0, [1.0, 0.0], [-1e4, 0.0]),
        (0.01, [0.0, 1.0], [-5.0, 0.0]),
        (0.01, [1.0, 2.0], [-40_010.0, 200.0]),
    ] {
        derivatives
            .directional(at(0.0), &planes(&[position, 0.3]), &direction, &mut change)
            .unwrap();
        for (found, expected) in change.into_iter().zip(expected) {
            close(found, expected, 1e-14 * expected.abs());
        }
    }
}

/// Ten nanometres deep: a difference would look to both sides of the floor and find half of the stiffness.
#[test]
fn a_floor_that_is_just_touched_has_its_whole_stiffness() {
    let mut contact = Bench::precise("contact-spring", &[("stiffness", 1e6), ("damping", 0.5)]);
    let derivatives = contact.participant.derivatives().unwrap();
    let mut change = [f64::NAN; 3];
    for (motion, direction, expected) in [
        ([-1e-8, 0.0], [1.0, 0.0], [-1e6, -1e-2, -1.0]),
        ([1e-8, 0.0], [1.0, 0.0], [0.0; 3]),
        ([0.0, -1.0], [1.0, 1.0], [0.0; 3]),
        ([-1e-3, -1.0], [1.0, 0.0], [-1.5e6, -1e3, -1.0]),
        ([-1e-3, -1.0], [0.0, 1.0], [-500.0, 0.0, 0.0]),
        // Torn off: no force, whatever is done.
        ([-1e-3, 3.0], [0.0, 1.0], [0.0; 3]),
    ] {
        derivatives
            .directional(at(0.0), &planes(&motion), &direction, &mut change)
            .unwrap();
        for (found, expected) in change.into_iter().zip(expected) {
            close(found, expected, 1e-14 * expected.abs());
        }
    }
}

/// With a power of the depth, the stiffness grows with it: 3/2 k √depth.
#[test]
fn round_bodies_stiffen_as_hertz_says() {
    let values = [("stiffness", 5e7), ("exponent", 1.5)];
    let mut contact = Bench::precise("contact-spring", &values);
    let mut change = [f64::NAN; 3];
    let derivatives = contact.participant.derivatives().unwrap();
    derivatives
        .directional(at(0.0), &planes(&[-4e-4, 0.0]), &[1.0, 0.0], &mut change)
        .unwrap();
    close(change[0], -1.5 * 5e7 * 0.02, 1e-8);
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
