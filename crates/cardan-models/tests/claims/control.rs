//! Blocks of control against their closed forms.

use cardan_core::value::Value;

use crate::bench::{Bench, PRECISE, close, precise};

fn lists(values: &[(&'static str, &[f64])]) -> Vec<(&'static str, Value)> {
    values
        .iter()
        .map(|(name, v)| (*name, Value::Reals(v.to_vec())))
        .collect()
}

#[test]
fn gain_and_sum_are_linear() {
    assert_eq!(Bench::precise("gain", &[("k", -2.0)]).outputs(&[1.5]), [-3.0]);
    let gains = lists(&[("gains", &[1.0, -1.0, 0.5])]);
    assert_eq!(
        Bench::new("sum", &gains, &precise()).outputs(&[3.0, 2.0, 4.0]),
        [3.0]
    );
}

#[test]
fn a_constant_error_is_integrated_to_a_line() {
    let mut pid = Bench::precise("pid", &[("kp", 3.0), ("ki", 2.0)]);
    for k in 1..=10 {
        let t = 0.1 * f64::from(k);
        pid.hold(t, &[2.0, 0.5]);
        close(pid.outputs(&[2.0, 0.5])[0], 3.0 * 1.5 + 2.0 * 1.5 * t, 1e-14);
    }
}

#[test]
fn the_derivative_of_a_step_decays_with_the_filter_time() {
    let mut pid = Bench::precise("pid", &[("kp", 0.0), ("kd", 0.3), ("filter_time", 0.2)]);
    for t in [0.1, 0.25, 1.0] {
        pid.hold(t, &[1.0, 0.0]);
        close(pid.outputs(&[1.0, 0.0])[0], 0.3 / 0.2 * (-t / 0.2).exp(), PRECISE);
    }
}

#[test]
fn a_limited_controller_does_not_wind_up() {
    let limits = [("kp", 1.0), ("ki", 5.0), ("minimum", -1.0), ("maximum", 2.0)];
    let mut pid = Bench::precise("pid", &limits);
    pid.hold(10.0, &[1.0, 0.0]);
    assert_eq!(pid.outputs(&[1.0, 0.0]), [2.0]);
    // With the other sign of the error the output leaves its limit at once: the integral part stopped at 1.03.
    close(pid.outputs(&[-1.0, 0.0])[0], 0.03, 1e-6);
    pid.hold(20.0, &[-1.0, 0.0]);
    assert_eq!(pid.outputs(&[-1.0, 0.0]), [-1.0]);
    close(pid.outputs(&[0.0, 0.0])[0], 0.0, 0.04);
    // Eighty thousand steps would be rattling along the limit.
    assert!(
        pid.participant.effort().inner_steps < 2000,
        "{:?}",
        pid.participant.effort()
    );
}

#[test]
fn transfer_functions_answer_a_step_as_in_the_book() {
    // (2 s + 3) / ((s + 1) (s + 2)), both sides times two, with zeros in front that do not count.
    let coefficients = lists(&[
        ("numerator", &[0.0, 0.0, 4.0, 6.0]),
        ("denominator", &[2.0, 6.0, 4.0]),
    ]);
    let mut lag = Bench::new("transfer-function", &coefficients, &precise());
    assert!(lag.participant.interface().feedthrough.is_empty());
    // (s + 2) / (s + 1) reacts at once.
    let coefficients = lists(&[("numerator", &[1.0, 2.0]), ("denominator", &[1.0, 1.0])]);
    let mut lead = Bench::new("transfer-function", &coefficients, &precise());
    assert_eq!(lead.participant.interface().feedthrough.len(), 1);
    for t in [0.2, 1.0, 3.0_f64] {
        lag.hold(t, &[1.0]);
        lead.hold(t, &[1.0]);
        close(
            lag.outputs(&[1.0])[0],
            1.5 - (-t).exp() - 0.5 * (-2.0 * t).exp(),
            PRECISE,
        );
        close(lead.outputs(&[1.0])[0], 2.0 - (-t).exp(), PRECISE);
    }
    let constant = lists(&[("numerator", &[3.0]), ("denominator", &[2.0])]);
    assert_eq!(
        Bench::new("transfer-function", &constant, &precise()).outputs(&[4.0]),
        [6.0]
    );
}

#[test]
fn a_state_space_and_its_transfer_function_agree() {
    // c (s - a)⁻¹ b + d = (2 s² + 6 s + 14) / (s² + 2 s + 5)
    let matrices = lists(&[
        ("a", &[-1.0, 2.0, -2.0, -1.0]),
        ("b", &[1.0, 1.0]),
        ("c", &[1.5, 0.5]),
        ("d", &[2.0]),
    ]);
    let polynomials = lists(&[
        ("numerator", &[2.0, 6.0, 14.0]),
        ("denominator", &[1.0, 2.0, 5.0]),
    ]);
    let mut space = Bench::new("state-space", &matrices, &precise());
    let mut function = Bench::new("transfer-function", &polynomials, &precise());
    for (k, u) in [1.0, -0.5, 2.0, 2.0, 0.0].into_iter().enumerate() {
        let t = 0.4 * (k + 1) as f64;
        space.hold(t, &[u]);
        function.hold(t, &[u]);
        close(space.outputs(&[u])[0], function.outputs(&[u])[0], PRECISE);
    }
}

#[test]
fn a_state_space_has_vector_ports_of_its_sizes() {
    let matrices = lists(&[
        ("a", &[0.0]),
        ("b", &[1.0, 2.0]),
        ("c", &[1.0, 10.0, 100.0]),
        ("d", &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0]),
        ("x0", &[0.5]),
    ]);
    let mut space = Bench::new("state-space", &matrices, &precise());
    let shapes: Vec<usize> = space
        .participant
        .interface()
        .ports
        .iter()
        .map(|p| p.shape.len())
        .collect();
    assert_eq!(shapes, [2, 3]);
    space.hold(1.0, &[0.25, 0.125]);
    for (found, expected) in space
        .outputs(&[0.25, 0.125])
        .into_iter()
        .zip([1.0, 10.0, 100.125])
    {
        close(found, expected, 1e-12);
    }
}
