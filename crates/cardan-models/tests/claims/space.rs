//! Bodies and bushings in space against their closed forms.

use cardan_core::planes::Planes;
use cardan_core::spatial::{after, back, by_angles, by_vector, cross, dot, plus, times, turned, turning};
use cardan_core::value::Value;
use cardan_ode::{Method, SolverSettings};

use crate::bench::{Bench, PRECISE, at, build, close, precise};

const STILL: [f64; 6] = [0.0; 6];

fn list(values: &[f64]) -> Value {
    Value::Reals(values.to_vec())
}

fn three(values: &[f64], first: usize) -> [f64; 3] {
    std::array::from_fn(|i| values[first + i])
}

fn orientation(frame: &[f64]) -> [f64; 4] {
    std::array::from_fn(|i| frame[3 + i])
}

/// The axis of a symmetric top goes round the angular momentum L at |L| / A, while the top turns about its axis at
/// ω₃ (A - C) / A: both steadily, so that the orientation is a product of two exponentials.
#[test]
fn a_symmetric_top_precesses() {
    let (across, along) = (0.4, 0.7);
    let (start, spin) = (by_angles([0.3, -0.5, 0.8]), [1.0, -2.0, 4.0]);
    let body = [
        ("inertia", list(&[across, across, along])),
        ("orientation", list(&start)),
        ("angular_velocity", list(&spin)),
    ];
    let mut top = Bench::new("rigid-body", &body, &precise());
    let axis = turned(start, [0.0, 0.0, 1.0]);
    let about_axis = dot(axis, spin);
    let momentum = plus(times(across, spin), times((along - across) * about_axis, axis));
    for k in 1..=10 {
        let t = 0.4 * f64::from(k);
        top.hold(t, &STILL);
        let frame = top.outputs(&STILL);
        let round = by_vector(times(t / across, momentum));
        let turn = by_vector([0.0, 0.0, t * about_axis * (across - along) / across]);
        let expected = after(after(round, start), turn);
        let found = orientation(&frame);
        let sign = found
            .iter()
            .zip(expected)
            .map(|(a, b)| a * b)
            .sum::<f64>()
            .signum();
        for (found, expected) in found.iter().zip(expected) {
            close(*found, sign * expected, PRECISE);
        }
        // The momentum is a state that nothing moves; the frame is the same numbers turned there and back.
        let body_velocity = turned(back(found), three(&frame, 10));
        let kept = turned(
            found,
            [
                across * body_velocity[0],
                across * body_velocity[1],
                along * body_velocity[2],
            ],
        );
        for (kept, momentum) in kept.iter().zip(momentum) {
            close(*kept, momentum, 1e-13);
        }
        let norm: f64 = found.iter().map(|q| q * q).sum();
        close(norm, 1.0, 4.0 * f64::EPSILON);
    }
}

/// An asymmetric body tumbles, but neither its energy nor its momentum changes; with a coarse solver its quaternion still
/// has a length of one and its orientation the error of the solver: that of RK4 at a twentieth of a radian is about
/// 0.05⁴ / 120 a radian.
#[test]
fn a_tumbling_body_keeps_its_energy() {
    let inertia = [0.2, 0.5, 0.6, 0.03, -0.02, 0.05];
    let body = [
        ("inertia", list(&inertia)),
        ("angular_velocity", list(&[0.1, 3.0, 0.2])),
    ];
    let coarse = SolverSettings {
        step: Some(1.0 / 64.0),
        ..SolverSettings::of(Method::Rk4)
    };
    for (solver, allowed) in [(precise(), PRECISE), (coarse, 30.0 * 0.05_f64.powi(4) / 120.0)] {
        let mut tumbling = Bench::new("rigid-body", &body, &solver);
        let first = tumbling.outputs(&STILL)[13];
        for k in 1..=20 {
            tumbling.hold(0.5 * f64::from(k), &STILL);
            let outputs = tumbling.outputs(&STILL);
            close(outputs[13] / first, 1.0, allowed);
        }
    }
}

#[test]
fn a_thrown_body_follows_a_parabola() {
    let body = [
        ("mass", Value::real(2.0)),
        ("gravity", list(&[0.0, 0.0, -9.81])),
        ("position", list(&[1.0, 2.0, 3.0])),
        ("velocity", list(&[4.0, 0.0, 5.0])),
    ];
    let mut thrown = Bench::new("rigid-body", &body, &precise());
    let load = [6.0, -2.0, 0.0, 0.0, 0.0, 0.5];
    thrown.hold(2.0, &load);
    let found = thrown.outputs(&load);
    // Half of a t², with accelerations 3, -1 and -9.81; the moment about z turns an inertia of 1.
    let expected = [1.0 + 8.0 + 6.0, 2.0 - 2.0, 3.0 + 10.0 - 19.62];
    for (found, expected) in found.iter().zip(expected) {
        close(*found, expected, PRECISE);
    }
    close(found[12], 1.0, PRECISE);
    close(2.0 * found[6].atan2(found[3]), 1.0, PRECISE);
}

/// The tangent of force against displacement is the stiffness; that of the moment is `K J(θ)⁻¹`, where J⁻¹ leads from a
/// small turn in inertial axes to the change of the rotation vector: `1 - [θ]/2 + (1/θ² - cot(θ/2)/(2θ)) [θ]²`.
#[test]
fn the_tangent_of_a_bushing_is_its_stiffness() {
    let stiffness = [3e4, 2e4, 1e4, 300.0, 200.0, 100.0];
    let damping = [30.0, 20.0, 10.0, 3.0, 2.0, 1.0];
    let rest = by_angles([0.4, 0.1, -0.2]);
    let bushing = [
        ("stiffness", list(&stiffness)),
        ("damping", list(&damping)),
        ("orientation", list(&[0.4, 0.1, -0.2])),
    ];
    let mut bushing = Bench::new("bushing", &bushing, &precise());
    let theta = [0.3, -0.5, 0.2];
    let q = after(by_vector(theta), rest);
    let mut frame = vec![
        0.01, 0.02, -0.03, 0.0, 0.0, 0.0, 0.0, 0.5, -0.4, 0.3, 0.2, 0.1, -0.6,
    ];
    frame[3..7].copy_from_slice(&q);
    let load = bushing.outputs(&frame);
    for i in 0..3 {
        close(
            load[i],
            -stiffness[i] * frame[i] - damping[i] * frame[7 + i],
            1e-11,
        );
        let moment = -stiffness[3 + i] * theta[i] - damping[3 + i] * frame[10 + i];
        close(load[3 + i], moment, 1e-11);
    }

    let angle = dot(theta, theta).sqrt();
    let bend = 1.0 / (angle * angle) - 0.5 / (angle * (0.5 * angle).tan());
    let vector_change = |small: [f64; 3]| {
        let once = cross(theta, small);
        plus(small, plus(times(-0.5, once), times(bend, cross(theta, once))))
    };
    let inputs = Planes {
        reals: frame,
        ..Planes::default()
    };
    let derivatives = bushing.participant.derivatives().unwrap();
    for axis in 0..6 {
        let mut direction = [0.0; 13];
        let mut small = [0.0; 3];
        match axis {
            0..3 => direction[axis] = 1.0,
            _ => {
                small[axis - 3] = 1.0;
                direction[3..7].copy_from_slice(&turning(q, small));
            }
        }
        let mut change = [f64::NAN; 6];
        derivatives
            .directional(at(0.0), &inputs, &direction, &mut change)
            .unwrap();
        let turned = vector_change(small);
        for i in 0..3 {
            // Differences of fourth order lose about a millionth at most, by their own test for curvature.
            close(change[i], -stiffness[i] * direction[i], 1e-6 * stiffness[i]);
            close(
                change[3 + i],
                -stiffness[3 + i] * turned[i],
                1e-6 * stiffness[3 + i],
            );
        }
    }
}

#[test]
fn bodies_that_cannot_be_are_refused() {
    let refused = |model: &str, name: &'static str, value: &[f64]| {
        let error = build(model, &[(name, list(value))], &precise()).err().unwrap();
        assert_eq!(error.parameter.as_deref(), Some(name));
        error.to_string()
    };
    assert!(refused("rigid-body", "inertia", &[1.0, 1.0]).contains("expected 3 or 6 values, found 2"));
    assert!(refused("rigid-body", "inertia", &[1.0, 1.0, 1.0, 2.0, 0.0, 0.0]).contains("above 0"));
    assert!(refused("rigid-body", "gravity", &[9.81]).contains("expected 3 values (x, y, z), found 1"));
    assert!(refused("rigid-body", "orientation", &[0.0; 4]).contains("no orientation"));
    assert!(refused("bushing", "orientation", &[0.0; 2]).contains("expected 3 angles"));
    assert!(refused("bushing", "stiffness", &[1.0; 4]).contains("expected 3 or 6 values, found 4"));
    assert!(refused("bushing", "damping", &[-1.0; 3]).contains("at least 0"));
}
