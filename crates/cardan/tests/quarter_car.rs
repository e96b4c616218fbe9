//! The quarter car: a power bond with held values, against the reference.

mod support;

use cardan_testkit::problems::QuarterCar;
use support::{Variant, largest_error, reals, step};

#[test]
fn fixed_step_errors_are_those_of_the_reference() {
    let table = [
        (2e-2, 2.2e-2, 2.8e-2),
        (1e-2, 6.2e-3, 1.30e-2),
        (5e-3, 2.1e-3, 6.3e-3),
        (1e-3, 2.9e-4, 1.2e-3),
    ];
    for (h, chassis, wheel) in table {
        let result = Variant::of("quarter-car/system.toml", &[]).run(step(h));
        let errors = [
            (
                "chassis.position",
                chassis,
                largest_error(&result, "chassis.position", |t| QuarterCar::reference(t)[0]),
            ),
            (
                "wheel.position",
                wheel,
                largest_error(&result, "wheel.position", |t| QuarterCar::reference(t)[2]),
            ),
        ];
        for (name, expected, error) in errors {
            // The reference is given with two or three digits.
            assert!(
                (error / expected - 1.0).abs() < 0.05,
                "{name} at {h} s: {error:e} instead of {expected:e}"
            );
        }
    }
}

#[test]
fn the_peaks_converge_to_the_reference() {
    let result = Variant::of("quarter-car/system.toml", &[("\"hold\"", "\"quadratic\"")]).run(step(1e-3));
    let peak = |name: &str| reals(&result, name).iter().fold(0.0_f64, |m, z| m.max(*z));
    // Third order at 1 ms against time constants of tens of milliseconds: far below the held reading's 3e-4 and 1e-3.
    assert!((peak("chassis.position") - 0.161837937).abs() < 1e-5);
    assert!((peak("wheel.position") - 0.142283270).abs() < 1e-4);
}

/// Outputs at a communication point use the inputs exchanged there.
///
/// In the first step the chassis sees a wheel at rest, so nothing in it moves. At its end the wheel has a velocity, and
/// the shock absorber answers to it at once: the force is damping times that velocity, and zero if old inputs were used.
#[test]
fn feedthrough_outputs_use_current_inputs() {
    for method in ["jacobi", "gauss-seidel"] {
        let order = "reading = \"hold\"\norder = [\"road\", \"chassis\", \"wheel\"]";
        let system = Variant::of("quarter-car/system.toml", &[("reading = \"hold\"", order)]);
        let overrides = cardan::Overrides {
            method: Some(method.into()),
            every: Some(0.02),
            ..step(2e-2)
        };
        let (mut simulation, _) = system.open(overrides);
        simulation.step().unwrap();
        let value = |name: &str| simulation.value(name).unwrap().as_real().unwrap();
        assert!(value("wheel.velocity") > 1.0);
        assert_eq!(value("chassis.force"), 1e3 * value("wheel.velocity"), "{method}");
    }
}
