//! What is seen of the inside of a step.

use cardan_core::inputs::Inputs;
use cardan_core::participant::Watch;
use cardan_core::signal::Segment;
use cardan_core::time::SimTime;
use cardan_ode::{Method, SolverSettings};

use crate::bench::{Bench, PRECISE, at, close, plane, precise, reals};

fn seen(bench: &mut Bench, output: usize, width: usize) -> Vec<(f64, f64)> {
    let trace = bench.participant.trace().unwrap();
    let instants: Vec<f64> = trace.instants().iter().map(|t| t.seconds()).collect();
    let mut values = vec![f64::NAN; width];
    let mut points = Vec::new();
    for (index, t) in instants.into_iter().enumerate() {
        trace.point(index, plane(&mut values)).unwrap();
        points.push((t, values[output]));
    }
    points
}

#[test]
fn asked_instants_lie_on_the_solution() {
    let values = reals(&[("stiffness", 100.0), ("position", 1.0)]);
    let mut oscillator = Bench::new("mass-spring-damper", &values, &precise());
    let instants: Vec<SimTime> = (0..=30).map(|k| at(f64::from(k) / 30.0)).collect();
    let still = [Segment::constant(0.0, at(1.0))];
    oscillator
        .try_step(1.0, Inputs::single(&still), Watch::Instants(&instants))
        .unwrap();
    let points = seen(&mut oscillator, 0, 3);
    assert_eq!(points.len(), instants.len());
    for (t, position) in points {
        // Between its steps the solution is known to one order less.
        close(position, (10.0 * t).cos(), 100.0 * PRECISE);
    }
    oscillator.hold(2.0, &[0.0]);
    assert!(seen(&mut oscillator, 0, 3).is_empty(), "nothing was asked for");
}

#[test]
fn where_the_input_jumps_the_new_value_is_seen() {
    let mut mass = Bench::new("mass", &[], &precise());
    let force = [Segment::constant(3.0, at(0.4)), Segment::constant(-1.0, at(1.0))];
    let instants = [0.2, 0.4, 0.6, 1.0].map(at);
    mass.try_step(1.0, Inputs::new(&force, &[2], &[]), Watch::Instants(&instants))
        .unwrap();
    let accelerations: Vec<f64> = seen(&mut mass, 2, 3).into_iter().map(|(_, a)| a).collect();
    assert_eq!(accelerations, [3.0, -1.0, -1.0, -1.0]);
}

#[test]
fn inner_steps_are_those_of_the_solver() {
    let settings = SolverSettings {
        step: Some(0.25),
        ..SolverSettings::of(Method::Rk4)
    };
    let mut mass = Bench::new("mass", &[], &settings);
    let held = [Segment::constant(1.0, at(1.0))];
    mass.try_step(1.0, Inputs::single(&held), Watch::InnerSteps)
        .unwrap();
    let points = seen(&mut mass, 1, 3);
    let instants: Vec<f64> = points.iter().map(|(t, _)| *t).collect();
    assert_eq!(instants, [0.25, 0.5, 0.75, 1.0]);
    // Under a force of one on a mass of one, the velocity is the time.
    points
        .iter()
        .for_each(|(t, velocity)| close(*velocity, *t, 1e-15));
    assert!(
        mass.participant
            .trace()
            .unwrap()
            .point(4, plane(&mut []))
            .is_err()
    );
}

#[test]
fn models_without_states_show_their_corners_and_samples() {
    let mut step = Bench::precise("step", &[("time", 0.4)]);
    step.try_step(1.0, Inputs::default(), Watch::InnerSteps).unwrap();
    assert_eq!(seen(&mut step, 0, 1), [(0.4, 1.0), (1.0, 1.0)]);
    let mut sampled = Bench::precise("ramp", &[("period", 0.25)]);
    sampled
        .try_step(0.6, Inputs::default(), Watch::InnerSteps)
        .unwrap();
    assert_eq!(seen(&mut sampled, 0, 1), [(0.25, 0.25), (0.5, 0.5), (0.6, 0.5)]);
}
