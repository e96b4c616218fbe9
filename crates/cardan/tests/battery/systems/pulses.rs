//! Forces that come and go at once, and what they leave behind.

use super::family;
use super::fmu::Fmu;
use super::reference::jumping;
use crate::system::System;
use cardan_testkit::fmus::Fmi;

family![
    pulse_on_an_oscillator,
    pulse_through_a_gain,
    pulse_through_a_sum,
    pulse_through_a_chain,
    pulse_of_model_exchange,
    pulse_of_model_exchange_fmi3,
    pulse_that_steps,
    pulse_with_event_mode,
    pulse_without_state,
    pulses_that_step,
];

/// 1 kg on 400 N/m with 2 N s/m; the force is `forces[k]` from `times[k]` on, and nothing before.
fn oscillator(source: &str, times: &[f64], forces: &[f64]) -> System {
    let text = format!(
        r#"
        mass = {{ model = "mass-spring-damper", parameters = {{ mass = 1.0, stiffness = 400.0, damping = 2.0 }} }}
        {source}
        "#
    );
    let reference = jumping(&[0.0, 0.0], times, forces, |_, x, force, dx| {
        dx.copy_from_slice(&[x[1], force - 400.0 * x[0] - 2.0 * x[1]]);
    });
    System::new(&text, reference).observe(&["mass.position", "mass.velocity"])
}

/// Twelve milliseconds, between points of any grid.
const TIMES: &[f64] = &[0.1003, 0.1123];
const FORCES: &[f64] = &[50.0, 0.0];

const PULSE: &str = r#"
    pulse = { model = "table", parameters = { times = [0.0, 0.1003, 0.1123], values = [0.0, 50.0, 0.0], interpolation = "hold" } }
"#;

fn pulse_on_an_oscillator() -> System {
    oscillator(&format!("{PULSE}\npulse.y -> mass.force"), TIMES, FORCES)
}

fn pulse_through_a_gain() -> System {
    let gain = r#"
        gain = { model = "gain", parameters = { k = 3.0 } }
        pulse.y -> gain.u
        gain.y -> mass.force
    "#;
    oscillator(&format!("{PULSE}{gain}"), TIMES, &[150.0, 0.0])
}

fn pulse_through_a_sum() -> System {
    let sum = r#"
        sum = { model = "sum", parameters = { gains = [2.0, -0.5] } }
        pulse.y -> sum.u1
        pulse.y -> sum.u2
        sum.y -> mass.force
    "#;
    oscillator(&format!("{PULSE}{sum}"), TIMES, &[75.0, 0.0])
}

fn pulse_through_a_chain() -> System {
    let chain = r#"
        first = { model = "gain", parameters = { k = -2.0 } }
        second = { model = "gain", parameters = { k = -0.25 } }
        sum = { model = "sum", parameters = { gains = [1.0, 1.0] } }
        pulse.y -> first.u
        first.y -> second.u
        second.y -> sum.u1
        pulse.y -> sum.u2
        sum.y -> mass.force
    "#;
    oscillator(&format!("{PULSE}{chain}"), TIMES, &[75.0, 0.0])
}

/// An FMU that makes the pulse.
fn of_fmu(pulse: Fmu) -> System {
    let pulse = pulse.with("begin = 0.1003");
    oscillator(
        &format!("{}pulse.y -> mass.force", pulse.named("pulse")),
        TIMES,
        FORCES,
    )
}

fn pulse_of_model_exchange() -> System {
    of_fmu(Fmu::exchange("pulse", Fmi::V2))
}

fn pulse_of_model_exchange_fmi3() -> System {
    of_fmu(Fmu::exchange("pulse", Fmi::V3))
}

/// Nothing announces it: whoever takes longer steps does not see it at all.
fn pulse_that_steps() -> System {
    of_fmu(Fmu::steps("pulse", Fmi::V2))
}

fn pulse_with_event_mode() -> System {
    of_fmu(Fmu::steps("pulse", Fmi::V3))
}

fn pulse_without_state() -> System {
    of_fmu(Fmu::without_state("pulse", Fmi::V2))
}

/// Twenty pulses of 12 ms: the first tells that there may be more, which steps of any length might pass over.
fn pulses_that_step() -> System {
    const BEGIN: f64 = 0.1003;
    const WIDTH: f64 = 0.012;
    const PERIOD: f64 = 0.09;
    let edges = (0..20).flat_map(|k| {
        let up = BEGIN + f64::from(k) * PERIOD;
        [(up, 50.0), (up + WIDTH, 0.0)]
    });
    let (times, forces): (Vec<f64>, Vec<f64>) = edges.unzip();
    let pulses = Fmu::steps("pulse", Fmi::V2);
    let pulses = pulses.with(&format!("begin = {BEGIN}, width = {WIDTH}, period = {PERIOD}"));
    let source = format!("{}\npulse.y -> mass.force", pulses.named("pulse"));
    oscillator(&source, &times, &forces).until(1.8, 0.01)
}
