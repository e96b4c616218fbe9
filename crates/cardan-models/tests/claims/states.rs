//! Saved states bring everything back, tuned parameters included.

use cardan_core::participant::Participant;
use cardan_core::value::Value;
use cardan_ode::{Method, SolverSettings};

use crate::bench::{Bench, PRECISE, close, precise, reals};

fn solvers() -> impl Iterator<Item = SolverSettings> {
    Method::ALL.into_iter().map(|method| SolverSettings {
        step: method.is_fixed_step().then_some(3e-3),
        ..SolverSettings::of(method)
    })
}

fn oscillator(solver: &SolverSettings) -> Bench {
    let values = reals(&[("stiffness", 30.0), ("damping", 0.5), ("position", 1.0)]);
    Bench::new("mass-spring-damper", &values, solver)
}

/// A few steps with inputs that jump; the bits of all outputs.
fn ride(bench: &mut Bench) -> Vec<u64> {
    let mut bits = Vec::new();
    for force in [1.0, 1.0, -2.0, 0.5] {
        bench.hold(bench.time + 0.07, &[force]);
        bits.extend(bench.outputs(&[force]).iter().map(|y| y.to_bits()));
    }
    bits
}

#[test]
fn a_restored_state_goes_on_with_the_same_bits() {
    for solver in solvers() {
        let mut bench = oscillator(&solver);
        ride(&mut bench);
        bench.participant.rollback().unwrap().save(1).unwrap();
        let time = bench.time;
        let first = ride(&mut bench);
        for _ in 0..2 {
            bench.participant.rollback().unwrap().restore(1).unwrap();
            bench.time = time;
            assert_eq!(ride(&mut bench), first, "{:?}", solver.method);
        }
        assert!(bench.participant.rollback().unwrap().restore(7).is_err());
    }
}

#[test]
fn a_state_travels_as_bytes_to_another_instance() {
    for solver in solvers() {
        let mut one = oscillator(&solver);
        ride(&mut one);
        one.tune("stiffness", Value::real(90.0)).unwrap();
        let bytes = export(&mut *one.participant);
        let mut other = oscillator(&solver);
        import(&mut *other.participant, &bytes).unwrap();
        other.participant.rollback().unwrap().restore(0).unwrap();
        other.time = one.time;
        assert_eq!(ride(&mut one), ride(&mut other));
    }
}

#[test]
fn bytes_of_another_model_or_solver_are_refused_and_change_nothing() {
    let bytes = export(&mut *oscillator(&precise()).participant);
    let mut mass = Bench::precise("mass", &[]);
    let refusal = import(&mut *mass.participant, &bytes).unwrap_err();
    assert!(refusal.message.contains("mass-spring-damper"), "{refusal}");

    let rk4 = SolverSettings::of(Method::Rk4);
    let (mut touched, mut untouched) = (oscillator(&rk4), oscillator(&rk4));
    assert!(import(&mut *touched.participant, &bytes).is_err());
    assert!(import(&mut *touched.participant, &bytes[..bytes.len() - 1]).is_err());
    assert_eq!(ride(&mut touched), ride(&mut untouched));
}

fn export(participant: &mut dyn Participant) -> Vec<u8> {
    let mut bytes = Vec::new();
    let rollback = participant.rollback().unwrap();
    rollback.save(0).unwrap();
    rollback.portable().unwrap().export(0, &mut bytes).unwrap();
    bytes
}

fn import(participant: &mut dyn Participant, bytes: &[u8]) -> cardan_core::participant::Outcome<()> {
    participant
        .rollback()
        .unwrap()
        .portable()
        .unwrap()
        .import(0, bytes)
}

#[test]
fn a_tuned_mass_falls_on_with_its_new_weight() {
    let mut mass = Bench::precise("mass", &[]);
    mass.hold(1.0, &[1.0]);
    mass.tune("mass", Value::real(0.5)).unwrap();
    assert_eq!(mass.outputs(&[1.0])[2], 2.0);
    mass.hold(2.0, &[1.0]);
    close(mass.outputs(&[1.0])[1], 1.0 + 2.0, PRECISE);
    close(mass.outputs(&[1.0])[0], 0.5 + 1.0 + 1.0, PRECISE);
}

#[test]
fn rollback_takes_tuning_back() {
    let mut gain = Bench::precise("gain", &[("k", 2.0)]);
    gain.participant.rollback().unwrap().save(0).unwrap();
    gain.tune("k", Value::real(5.0)).unwrap();
    assert_eq!(gain.outputs(&[1.0]), [5.0]);
    gain.participant.rollback().unwrap().restore(0).unwrap();
    assert_eq!(gain.outputs(&[1.0]), [2.0]);
}

#[test]
fn what_cannot_be_tuned_says_so() {
    let mut mass = Bench::precise("mass", &[]);
    let refusal = mass.tune("position", Value::real(1.0)).unwrap_err();
    assert!(refusal.message.contains("position"), "{refusal}");
    assert!(mass.tune("mass", Value::real(-1.0)).is_err());
    let mut sum = Bench::precise("sum", &[]);
    assert!(
        sum.tune("gains", Value::Reals(vec![1.0; 3])).is_err(),
        "a third port cannot appear"
    );
    sum.tune("gains", Value::Reals(vec![2.0, 3.0])).unwrap();
    assert_eq!(sum.outputs(&[1.0, 1.0]), [5.0]);
    // Feedthrough cannot appear either.
    let mut function = Bench::precise("transfer-function", &[]);
    assert!(function.tune("numerator", Value::Reals(vec![1.0, 1.0])).is_err());
    function.tune("numerator", Value::Reals(vec![4.0])).unwrap();
}

#[test]
fn settings_at_initialisation_count() {
    let mut bench = oscillator(&precise());
    let id = bench.participant.interface().find_parameter("position").unwrap();
    let run = cardan_core::participant::RunWindow {
        start: crate::bench::at(5.0),
        stop: crate::bench::at(6.0),
        tolerance: None,
    };
    let settings = cardan_core::participant::Settings(vec![(id, Value::real(0.25))]);
    bench.participant.begin_initialization(&run, &settings).unwrap();
    bench.time = 5.0;
    assert_eq!(bench.outputs(&[0.0])[0], 0.25);
}
