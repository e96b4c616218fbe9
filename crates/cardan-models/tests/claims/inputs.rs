//! Inputs are read where the solver needs them.

use cardan_core::inputs::Inputs;
use cardan_core::participant::{FailureKind, Watch};
use cardan_core::signal::Segment;
use cardan_core::time::SimTime;
use cardan_ode::{Method, SolverSettings};

use crate::bench::{Bench, at, close, precise, reals};

fn cubic(coefficients: [f64; 4], until: f64) -> Segment {
    Segment::polynomial(coefficients, SimTime::default(), at(until))
}

#[test]
fn a_jump_inside_the_step_is_integrated_exactly() {
    for method in [Method::Heun, Method::Rk4, Method::Dopri5] {
        let mut mass = Bench::new("mass", &[], &SolverSettings::of(method));
        // Force 3 up to 0.4 s, then -1; the corner is no point of any solver's own grid.
        let segments = [Segment::constant(3.0, at(0.4)), Segment::constant(-1.0, at(1.0))];
        mass.try_step(1.0, Inputs::new(&segments, &[2], &[]), Watch::Nothing)
            .unwrap();
        let seen = mass.outputs(&[-1.0]);
        close(seen[1], 3.0 * 0.4 - 0.6, 1e-14);
        close(seen[0], 0.5 * 3.0 * 0.16 + 1.2 * 0.6 - 0.5 * 0.36, 1e-14);
    }
}

#[test]
fn a_jump_between_steps_is_noticed() {
    // A method that keeps the slope of the last stage would start the second step with the old force.
    for method in [Method::Rk4, Method::Dopri5] {
        let mut mass = Bench::new("mass", &[], &SolverSettings::of(method));
        mass.hold(0.5, &[1.0]);
        mass.hold(1.0, &[-1.0]);
        close(mass.outputs(&[0.0])[1], 0.0, 1e-15);
        close(mass.outputs(&[0.0])[0], 0.25, 1e-15);
    }
}

#[test]
fn inputs_are_read_at_every_stage() {
    // x'' + x = t³ from rest: x = t³ - 6 t + 6 sin t
    let exact = 1.0 - 6.0 + 6.0 * 1.0_f64.sin();
    let error = |step: f64| {
        let settings = SolverSettings {
            step: Some(step),
            ..SolverSettings::of(Method::Rk4)
        };
        let mut oscillator = Bench::new("mass-spring-damper", &[], &settings);
        oscillator.step(1.0, &[cubic([0.0, 0.0, 0.0, 1.0], 1.0)]);
        (oscillator.outputs(&[1.0])[0] - exact).abs()
    };
    let orders = [0.1, 0.05].map(|step| (error(step) / error(0.5 * step)).log2());
    assert!(
        orders.iter().all(|order| (3.8..4.3).contains(order)),
        "{orders:?}"
    );
}

#[test]
fn smooth_inputs_cost_no_extra_evaluations() {
    let settings = SolverSettings::of(Method::Rk4);
    let mut mass = Bench::new("mass", &[], &settings);
    for k in 1..=100 {
        let t = 0.1 * f64::from(k);
        // The same parabola, written from another origin each time: equal up to rounding where two steps meet.
        let o = t - 0.1;
        let law = Segment::polynomial([1.0 + o * o, 2.0 * o, 1.0, 0.0], at(o), at(t));
        mass.step(t, &[law]);
    }
    // Four for each step, of which the last serves the next one, and the very first.
    assert_eq!(mass.participant.effort().evaluations, 401);
    assert_eq!(mass.participant.effort().inner_steps, 100);
}

#[test]
fn an_unbound_input_keeps_its_start_value() {
    let mut spring =
        crate::bench::build("spring-damper", &reals(&[("stiffness", 10.0)]), &precise()).unwrap();
    let port =
        |name: &str, p: &dyn cardan_core::participant::Participant| p.interface().find_port(name).unwrap();
    let (force, position) = (port("force_a", &*spring), port("position_a", &*spring));
    spring.bind(&[position], &[force]).unwrap();
    let mut seen = [f64::NAN];
    let inputs = cardan_core::planes::Planes {
        reals: vec![0.5],
        ..Default::default()
    };
    spring
        .outputs(at(0.0), &inputs, crate::bench::plane(&mut seen))
        .unwrap();
    assert_eq!(seen, [-5.0]);
    assert!(spring.bind(&[force], &[]).is_err(), "an output is no input");
}

#[test]
fn a_broken_input_is_named() {
    let mut mass = Bench::precise("mass", &[]);
    let nan = [Segment::constant(f64::NAN, at(1.0))];
    let failure = mass
        .try_step(1.0, Inputs::single(&nan), Watch::Nothing)
        .unwrap_err();
    assert_eq!(failure.kind, FailureKind::Numbers);
    assert!(failure.message.contains("input force"), "{failure}");
    assert!(failure.advice.is_some());
}

#[test]
fn numbers_that_run_away_are_a_failure() {
    for method in [Method::Euler, Method::Rk4] {
        let settings = SolverSettings::of(method);
        let stiff = reals(&[("stiffness", 1e300), ("position", 1e20)]);
        let mut oscillator = Bench::new("mass-spring-damper", &stiff, &settings);
        let still = [Segment::constant(0.0, at(1.0))];
        let failure = oscillator
            .try_step(1.0, Inputs::single(&still), Watch::Nothing)
            .unwrap_err();
        assert_eq!(failure.kind, FailureKind::Numbers);
        assert!(failure.message.contains("not finite"), "{failure}");
        assert!(failure.advice.is_some());
    }
}

#[test]
fn a_step_from_elsewhere_names_both_times() {
    let mut mass = Bench::precise("mass", &[]);
    mass.hold(0.5, &[1.0]);
    mass.time = 0.25;
    let held = [Segment::constant(1.0, at(1.0))];
    let failure = mass
        .try_step(1.0, Inputs::single(&held), Watch::Nothing)
        .unwrap_err();
    assert_eq!(failure.kind, FailureKind::Failed);
    assert!(
        failure.message.contains("0.25") && failure.message.contains("0.5"),
        "{failure}"
    );
}
