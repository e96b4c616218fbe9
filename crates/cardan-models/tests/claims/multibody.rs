//! Pendulums and linkages, driven by hand.

use cardan_core::inputs::Inputs;
use cardan_core::participant::{StepEnd, StepRequest, Watch};
use cardan_core::signal::{Curve, Segment};
use cardan_models::find;
use cardan_ode::{Method, SolverSettings};
use cardan_testkit::problems::{DoublePendulum, EngineLinkage};

use crate::bench::{Bench, PRECISE, at, close, precise, reals};

/// A line from `value` at `from`.
fn line(from: f64, value: f64, slope: f64, until: f64) -> Segment {
    Segment {
        until: at(until),
        origin: at(from),
        curve: Curve::Polynomial([value, slope, 0.0, 0.0]),
    }
}

/// Steps once towards `to`; the answer is where it ended early.
fn early(bench: &mut Bench, to: f64, inputs: &[f64]) -> Option<f64> {
    let held: Vec<Segment> = inputs.iter().map(|&v| Segment::constant(v, at(to))).collect();
    let request = StepRequest {
        from: at(bench.time),
        to: at(to),
        inputs: Inputs::single(&held),
        watch: Watch::Nothing,
    };
    match bench.participant.step(request).unwrap() {
        StepEnd::Completed => {
            bench.time = to;
            None
        }
        StepEnd::Early { at } => {
            bench.time = at.seconds();
            Some(bench.time)
        }
        other => unreachable!("{other:?}"),
    }
}

/// Any state of the problem: each half, given what the other shows, does what the whole does.
#[test]
fn the_halves_of_a_double_pendulum_obey_the_equations_of_the_whole() {
    let apart = [1.2, -0.7, 0.3, 2.1];
    let in_contact = [0.4, -1.0, 0.41, 0.5];
    let letting_go = [0.4, 1.0, 0.41, 0.5];
    for state @ [phi1, w1, phi2, w2] in [apart, in_contact, letting_go] {
        let [force_x, force_y] = DoublePendulum::joint_force(state);
        let torque = DoublePendulum::torque(state);
        let [a1, _] = DoublePendulum::accelerations(state, torque);
        let mut upper = Bench::precise("pendulum-upper", &[("angle", phi1), ("speed", w1)]);
        let mut lower = Bench::precise("pendulum-lower", &[("angle", phi2), ("speed", w2)]);
        let joint = upper.outputs(&[force_x, force_y, torque]);
        let reaction = lower.outputs(&[phi1, w1, joint[0], joint[1]]);
        // Rounding: torques of up to 4500 N m.
        close(joint[0], phi1.cos() * a1 - phi1.sin() * w1 * w1, 1e-11);
        close(joint[1], phi1.sin() * a1 + phi1.cos() * w1 * w1, 1e-11);
        close(reaction[0], force_x, 1e-11);
        close(reaction[1], force_y, 1e-11);
        assert_eq!(reaction[2], torque);
        assert_eq!([joint[2], joint[3], reaction[3], reaction[4]], state);
    }
    assert!(DoublePendulum::torque(in_contact) < 0.0);
    assert_eq!(DoublePendulum::torque(letting_go), 0.0);
}

/// Without weight the rod turns steadily until it meets its stop; then `I d'' = -(c d + e d')`, whose two exponentials
/// tell when the push is over.
#[test]
fn a_step_ends_where_the_stop_closes_and_where_it_opens() {
    let (stiffness, damping, inertia) = (200.0_f64, 50.0, 1.25);
    let values = [
        ("gravity", 0.0),
        ("stop_stiffness", stiffness),
        ("stop_damping", damping),
        ("angle", -1.0),
        ("speed", 2.0),
    ];
    let half = damping / (2.0 * inertia);
    let root = (half * half - stiffness / inertia).sqrt();
    let (slow, fast) = (-half + root, -half - root);
    let contact = (fast * fast / (slow * slow)).ln() / (slow - fast);
    let still = [0.0; 4];
    for method in [Method::Dopri5, Method::Bdf] {
        let solver = SolverSettings { method, ..precise() };
        let mut lower = Bench::new("pendulum-lower", &reals(&values), &solver);
        assert_eq!(early(&mut lower, 0.4, &still), None);
        let closes = early(&mut lower, 2.0, &still).unwrap();
        close(closes, 0.5, PRECISE);
        let opens = early(&mut lower, 2.0, &still).unwrap();
        close(opens, 0.5 + contact, PRECISE);
        assert_eq!(early(&mut lower, 2.0, &still), None);
        let beyond = |s: f64| 2.0 / (slow - fast) * ((slow * s).exp() - (fast * s).exp());
        let leaves = 2.0 / (slow - fast) * (slow * (slow * contact).exp() - fast * (fast * contact).exp());
        let end = lower.outputs(&still);
        close(end[3], beyond(contact) + leaves * (2.0 - 0.5 - contact), PRECISE);
        close(end[4], leaves, PRECISE);
    }
}

#[test]
fn an_event_at_the_end_of_a_step_completes_it_and_is_not_reported_again() {
    let values = [("gravity", 0.0), ("angle", -1.0), ("speed", 2.0)];
    // Two steps of Euler's method that lead to zero without rounding.
    let solver = SolverSettings {
        step: Some(0.25),
        ..SolverSettings::of(Method::Euler)
    };
    let mut lower = Bench::new("pendulum-lower", &reals(&values), &solver);
    let still = [0.0; 4];
    assert_eq!(early(&mut lower, 0.5, &still), None);
    assert_eq!(lower.outputs(&still)[3], 0.0);
    assert_eq!(early(&mut lower, 0.5 + 1e-4, &still), None);
}

/// What a rollback brings back includes on which side of its stop the rod was.
#[test]
fn an_event_is_met_again_after_a_rollback() {
    let values = [("gravity", 0.0), ("angle", -1.0), ("speed", 2.0)];
    let mut lower = Bench::precise("pendulum-lower", &values);
    let still = [0.0; 4];
    assert_eq!(early(&mut lower, 0.3, &still), None);
    lower.participant.rollback().unwrap().save(0).unwrap();
    let first = early(&mut lower, 1.0, &still).unwrap();
    early(&mut lower, 1.0, &still);
    lower.participant.rollback().unwrap().restore(0).unwrap();
    lower.time = 0.3;
    assert_eq!(early(&mut lower, 1.0, &still), Some(first));
}

#[test]
fn a_free_linkage_keeps_its_energy() {
    let inertia_and_weight = [(1.0, 5.0 / 3.0, 2.0), (2.0, 3.0, 3.5), (5.0, 7.0, 8.0)];
    for (loops, inertia, weight) in inertia_and_weight {
        let mut linkage = Bench::precise("four-bar-linkage", &[("loops", loops), ("speed", 30.0)]);
        let energy = |x: &[f64]| 0.5 * inertia * x[1] * x[1] + 9.81 * weight * x[0].cos();
        let before = energy(&linkage.outputs(&[0.0]));
        // 769.62 J, 1384.335 J and 3228.48 J.
        close(before, 450.0 * inertia + 9.81 * weight, 1e-9);
        for k in 1..=100 {
            linkage.hold(0.01 * f64::from(k), &[0.0]);
        }
        close(energy(&linkage.outputs(&[0.0])) / before, 1.0, PRECISE);
    }
    let half = reals(&[("loops", 1.5)]);
    let refused = crate::bench::build("four-bar-linkage", &half, &precise()).err();
    assert_eq!(
        refused.unwrap().to_string(),
        "parameter loops: must be a whole number"
    );
    assert!(find("four-bar-linkage").unwrap().interface().is_some());
}

/// The engine as a program without feedthrough: its torque at the end of a step is that of the speed it was told at the
/// beginning. The linkage takes that torque. Ten seconds; the largest error of the speed every 10 ms.
fn with_memory(h: f64, straight: bool) -> f64 {
    let mut engine = Bench::precise("mean-value-engine", &[("gear", 7.0)]);
    let mut linkage = Bench::precise("four-bar-linkage", &[("damping", 3.18), ("speed", 30.0)]);
    let mut speeds = [30.0; 2];
    let mut torques = [EngineLinkage::torque(EngineLinkage::START); 2];
    let steps = (10.0 / h).round() as u32;
    let grid = (1e-2 / h).round() as u32;
    let mut worst = 0.0_f64;
    for k in 0..steps {
        let (from, to) = (h * f64::from(k), h * f64::from(k + 1));
        let law =
            |[before, now]: [f64; 2]| line(from, now, if straight { (now - before) / h } else { 0.0 }, to);
        let throttle = EngineLinkage::throttle(from);
        let opens = (EngineLinkage::throttle(to) - throttle) / h;
        engine.step(to, &[line(from, throttle, opens, to), law(speeds)]);
        linkage.step(to, &[law(torques)]);
        let torque = engine.outputs(&[EngineLinkage::throttle(to), speeds[1]])[0];
        let speed = linkage.outputs(&[0.0])[1];
        torques = [torques[1], torque];
        speeds = [speeds[1], speed];
        if (k + 1) % grid == 0 {
            worst = worst.max((speed - EngineLinkage::reference(to)[1]).abs());
        }
    }
    worst
}

#[test]
fn a_memory_against_the_loop_of_engine_and_linkage_costs_an_order() {
    for (h, held, straight) in [
        (1e-2, 0.225, 0.060),
        (1e-3, 2.19e-2, 7.7e-3),
        (5e-4, 1.09e-2, 3.9e-3),
    ] {
        // The figures have two or three digits.
        close(with_memory(h, false) / held, 1.0, 0.01);
        close(with_memory(h, true) / straight, 1.0, 0.02);
    }
}

#[test]
fn the_engine_gives_the_torque_of_the_problem() {
    for state @ [_, omega, pressure] in [EngineLinkage::START, [0.0, 48.0, 0.43], [0.0, 10.0, 0.9]] {
        let mut engine = Bench::precise("mean-value-engine", &[("gear", 7.0), ("pressure", pressure)]);
        let [torque, seen] = engine.outputs(&[8.97, omega])[..] else {
            unreachable!()
        };
        // Rounding of terms of some thousands of N m.
        close(torque, EngineLinkage::torque(state), 1e-11);
        assert_eq!(seen, pressure);
    }
}
