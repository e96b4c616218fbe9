//! The quarter car, put together by hand.

use crate::bench::{Bench, close};

/// The reference: road step of 0.1 m at the start, solved as one system with a tolerance of 1e-12; the highest of the
/// points every 10 ms.
const HIGHEST_CHASSIS: f64 = 0.161837937;
const HIGHEST_WHEEL: f64 = 0.142283270;

#[test]
fn the_halves_of_a_quarter_car_meet_the_whole() {
    let mut chassis = Bench::precise("quarter-car-chassis", &[]);
    let mut wheel = Bench::precise("quarter-car-wheel", &[]);
    let (mut force, mut wheel_velocity) = (0.0, 0.0);
    let (mut highest_chassis, mut highest_wheel) = (0.0_f64, 0.0_f64);
    for k in 1..=50_000 {
        let t = 2e-5 * f64::from(k);
        chassis.hold(t, &[wheel_velocity]);
        wheel.hold(t, &[force, 0.1]);
        let [velocity, position] = wheel.outputs(&[force, 0.1])[..] else {
            unreachable!()
        };
        wheel_velocity = velocity;
        let seen = chassis.outputs(&[wheel_velocity]);
        force = seen[0];
        if k % 500 == 0 {
            highest_wheel = highest_wheel.max(position);
            highest_chassis = highest_chassis.max(seen[1]);
        }
    }
    // Held inputs make an error of first order: 1.2e-3 m at a step of 1 ms.
    close(highest_chassis, HIGHEST_CHASSIS, 3e-5);
    close(highest_wheel, HIGHEST_WHEEL, 3e-5);
}
