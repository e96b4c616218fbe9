//! Signals of time that jump, bend or are sampled, on a mass, a spring and a damper.

use super::family;
use super::reference::{jumping, sampled, switched};
use crate::system::System;
use cardan_testkit::reference::Hybrid;
use std::f64::consts::TAU;

family![
    step_on_an_oscillator,
    step_through_a_gain,
    step_on_a_grid_point,
    pulse_of_a_microsecond,
    train_of_pulses,
    two_pulses_that_touch,
    staircase_through_two_gains,
    table_with_a_jump,
    ramp_with_corners,
    ramp_through_a_gain,
    sampled_sine,
    sampled_sine_through_a_gain,
    sampled_sines_of_two_periods,
    source_and_sample_into_a_loop,
];

/// 1 kg on 400 N/m with 2 N s/m.
const MASS: &str = r#"
    mass = { model = "mass-spring-damper", parameters = { mass = 1.0, stiffness = 400.0, damping = 2.0 } }
"#;

fn oscillator(x: &[f64], force: f64, dx: &mut [f64]) {
    dx.copy_from_slice(&[x[1], force - 400.0 * x[0] - 2.0 * x[1]]);
}

/// A force that jumps to `values[k]` at `times[k]`.
fn driven(source: &str, times: &[f64], values: &[f64]) -> System {
    let reference = jumping(&[0.0; 2], times, values, |_, x, force, dx| {
        oscillator(x, force, dx)
    });
    observed(source, reference)
}

fn observed<M: Clone + 'static>(source: &str, reference: Hybrid<M>) -> System {
    System::new(&format!("{MASS}{source}"), reference).observe(&["mass.position", "mass.velocity"])
}

fn step_on_an_oscillator() -> System {
    let source = r#"
        source = { model = "step", parameters = { time = 0.2345, after = 7.0 } }
        source.y -> mass.force
    "#;
    driven(source, &[0.2345], &[7.0])
}

fn step_through_a_gain() -> System {
    let source = r#"
        source = { model = "step", parameters = { time = 0.2345, after = 7e-3 } }
        gain = { model = "gain", parameters = { k = 1e6 } }
        source.y -> gain.u
        gain.y -> mass.force
    "#;
    driven(source, &[0.2345], &[7e3])
}

/// A jump where a row is recorded, and where a step of a thousandth of the run ends.
fn step_on_a_grid_point() -> System {
    let source = r#"
        source = { model = "step", parameters = { time = 0.25, before = 0.0, after = -3.0 } }
        gain = { model = "gain", parameters = { k = 2.0 } }
        source.y -> gain.u
        gain.y -> mass.force
    "#;
    driven(source, &[0.25], &[-6.0])
}

/// A blow with a hammer: 0.3 N s in a microsecond.
fn pulse_of_a_microsecond() -> System {
    let source = r#"
        source = { model = "table", parameters = { times = [0.0, 0.3, 0.300001], values = [0.0, 3e5, 0.0], interpolation = "hold" } }
        gain = { model = "gain", parameters = { k = 1.0 } }
        source.y -> gain.u
        gain.y -> mass.force
    "#;
    driven(source, &[0.3, 0.300001], &[3e5, 0.0])
}

fn train_of_pulses() -> System {
    let (mut times, mut values) = (vec![0.0], vec![0.0]);
    for k in 0..8 {
        let begin = 0.05 + 0.1 * f64::from(k);
        times.extend([begin, begin + 0.0037]);
        values.extend([20.0 + 10.0 * f64::from(k), 0.0]);
    }
    let source = format!(
        "source = {{ model = \"table\", parameters = {{ times = {times:?}, values = {values:?}, interpolation = \"hold\" }} }}\n\
         source.y -> mass.force"
    );
    driven(&source, &times, &values)
}

/// One ends where the other begins, and a sum sees both.
fn two_pulses_that_touch() -> System {
    let source = r#"
        one = { model = "table", parameters = { times = [0.0, 0.1, 0.2], values = [0.0, 5.0, 0.0], interpolation = "hold" } }
        two = { model = "table", parameters = { times = [0.0, 0.2, 0.3], values = [0.0, 5.0, 0.0], interpolation = "hold" } }
        sum = { model = "sum", parameters = { gains = [2.0, -3.0] } }
        one.y -> sum.u1
        two.y -> sum.u2
        sum.y -> mass.force
    "#;
    driven(source, &[0.1, 0.2, 0.3], &[10.0, -15.0, 0.0])
}

fn staircase_through_two_gains() -> System {
    let source = r#"
        source = { model = "table", parameters = { times = [0.0, 0.11, 0.37, 0.371, 0.8], values = [0.0, 1.0, 2.0, -4.0, 8.0], interpolation = "hold" } }
        first = { model = "gain", parameters = { k = 10.0 } }
        second = { model = "gain", parameters = { k = -0.3 } }
        source.y -> first.u
        first.y -> second.u
        second.y -> mass.force
    "#;
    driven(source, &[0.11, 0.37, 0.371, 0.8], &[-3.0, -6.0, 12.0, -24.0])
}

/// Lines, and a jump where an instant comes twice.
fn table_with_a_jump() -> System {
    let source = r#"
        source = { model = "table", parameters = { times = [0.0, 0.3, 0.3, 0.7], values = [0.0, 6.0, -6.0, 4.0] } }
        gain = { model = "gain", parameters = { k = 1.5 } }
        source.y -> gain.u
        gain.y -> mass.force
    "#;
    let reference = Hybrid::new(&[0.0; 2], 0, |t, x, piece: &usize, dx| {
        let force = [20.0 * t, -6.0 + 25.0 * (t - 0.3), 4.0][*piece];
        oscillator(x, 1.5 * force, dx);
    })
    .breaks(&[0.3, 0.7], |_, _, _, piece| *piece += 1);
    observed(source, reference)
}

/// A force that rises from 0.1234 s to 0.3456 s.
fn ramped(source: &str) -> System {
    let reference = Hybrid::new(&[0.0; 2], 0, |t, x, piece: &usize, dx| {
        let force = [0.0, 40.0 * (t - 0.1234), 40.0 * (0.3456 - 0.1234)][*piece];
        oscillator(x, force, dx);
    })
    .breaks(&[0.1234, 0.3456], |_, _, _, piece| *piece += 1);
    observed(source, reference)
}

fn ramp_with_corners() -> System {
    ramped(
        r#"
        source = { model = "ramp", parameters = { start_time = 0.1234, end_time = 0.3456, slope = 40.0 } }
        source.y -> mass.force
    "#,
    )
}

fn ramp_through_a_gain() -> System {
    ramped(
        r#"
        source = { model = "ramp", parameters = { start_time = 0.1234, end_time = 0.3456, slope = 0.4 } }
        gain = { model = "gain", parameters = { k = 100.0 } }
        source.y -> gain.u
        gain.y -> mass.force
    "#,
    )
}

/// 2 Hz, twenty samples a second.
fn sampled_by(source: &str, factor: f64) -> System {
    let reference = sampled(
        &[0.0; 2],
        0.05,
        1.0,
        move |t, _| factor * (2.0 * TAU * t).sin(),
        |_, x, force, dx| oscillator(x, force, dx),
    );
    observed(source, reference)
}

fn sampled_sine() -> System {
    sampled_by(
        r#"
        source = { model = "sine", parameters = { amplitude = 12.0, frequency = 2.0, period = 0.05 } }
        source.y -> mass.force
    "#,
        12.0,
    )
}

fn sampled_sine_through_a_gain() -> System {
    sampled_by(
        r#"
        source = { model = "sine", parameters = { frequency = 2.0, period = 0.05 } }
        gain = { model = "gain", parameters = { k = 12.0 } }
        source.y -> gain.u
        gain.y -> mass.force
    "#,
        12.0,
    )
}

/// Thirty and fifty milliseconds: their instants agree only now and then.
fn sampled_sines_of_two_periods() -> System {
    let source = r#"
        one = { model = "sine", parameters = { amplitude = 5.0, frequency = 2.0, period = 0.03 } }
        two = { model = "sine", parameters = { amplitude = 8.0, frequency = 1.0, period = 0.05 } }
        sum = { model = "sum" }
        one.y -> sum.u1
        two.y -> sum.u2
        sum.y -> mass.force
    "#;
    let held = |t: f64| {
        let last = |period: f64| (t / period + 1e-9).floor() * period;
        5.0 * (2.0 * TAU * last(0.03)).sin() + 8.0 * (TAU * last(0.05)).sin()
    };
    let mut instants: Vec<u32> = (0..34).map(|k| 3 * k).chain((0..21).map(|k| 5 * k)).collect();
    instants.sort_unstable();
    instants.dedup();
    let times: Vec<f64> = instants.iter().map(|k| f64::from(*k) / 100.0).collect();
    let values: Vec<f64> = times.iter().map(|t| held(*t)).collect();
    driven(source, &times, &values)
}

/// A jump and a sample reach a mass that swings on another one by a spring of contact.
fn source_and_sample_into_a_loop() -> System {
    let source = r#"
        jump = { model = "step", parameters = { time = 0.1, after = 30.0 } }
        sample = { model = "sine", parameters = { amplitude = 10.0, frequency = 3.0, period = 0.1 } }
        stop = { model = "contact-spring", parameters = { stiffness = 1e5, floor = -0.01 } }
        sum = { model = "sum", parameters = { gains = [-1.0, 1.0, 1.0] } }
        jump.y -> sum.u1
        sample.y -> sum.u2
        stop.force -> sum.u3
        mass.position -> stop.position
        sum.y -> mass.force
    "#;
    // The sample is a part of the state that holds: it changes at breaks only.
    let sample = |k: usize| 10.0 * (0.6 * std::f64::consts::PI * k as f64).sin();
    let rates = |_: f64, x: &[f64], free: &[bool], dx: &mut [f64]| {
        let push = if free[0] { 0.0 } else { 1e5 * (-0.01 - x[0]) };
        oscillator(x, x[2] + push, &mut dx[..2]);
        dx[2] = 0.0;
    };
    let reference = switched(&[0.0, 0.0, 0.0], rates, |_, x| vec![x[0] + 0.01]).breaks(
        &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
        move |k, _, x, _| x[2] = sample(k + 1) - 30.0,
    );
    observed(source, reference)
}
