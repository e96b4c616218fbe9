//! An engine that turns a linkage through a gear, against the reference.

#![allow(clippy::unwrap_used)] // in helpers of tests

mod support;

use cardan::Overrides;
use cardan_testkit::observed_order;
use cardan_testkit::problems::EngineLinkage;
use support::{Variant, largest_error, reals, step};

const SYSTEM: &str = r#"
[system]
name = "engine-linkage"
stop = 30.0

[components.throttle]
model = "table"
parameters = { times = [0.0, 5.0, 6.0, 15.0, 16.0, 30.0], values = [8.97, 8.97, 11.93, 11.93, 8.97, 8.97] }

[components.engine]
model = "mean-value-engine"
parameters = { gear = 7.0, air_fuel_ratio = 14.6, spark_advance = 15.0, pressure = 0.543 }

[components.linkage]
model = "four-bar-linkage"
parameters = { loops = 1.0, damping = 3.18, speed = 30.0 }

[[connections]]
from = "throttle.y"
to = "engine.throttle"

[[connections]]
from = "engine.torque"
to = "linkage.torque"

[[connections]]
from = "linkage.speed"
to = "engine.speed"

[method]
kind = "jacobi"
step = 0.001
reading = "hold"
start = "flat"

[record]
every = 0.01
variables = ["engine.*", "linkage.*"]
"#;

fn error(method: &str, reading: &str, h: f64) -> f64 {
    let system = Variant::text(&SYSTEM.replace("\"hold\"", &format!("\"{reading}\"")));
    let overrides = Overrides {
        stop: Some(10.0),
        method: Some(method.into()),
        ..step(h)
    };
    let table = system.run(overrides);
    largest_error(&table, "linkage.speed", |t| EngineLinkage::reference(t)[1])
}

/// The figures come from a computation apart from this project, with Runge-Kutta steps inside: torque and speed held or
/// extended along a line, and the torque at an exchange from the speed exchanged there.
#[test]
fn errors_without_a_memory_are_those_of_the_scheme() {
    for (reading, h, expected) in [
        ("hold", 1e-2, 2.767e-1),
        ("hold", 1e-3, 2.649e-2),
        ("linear", 1e-2, 1.875e-2),
        ("linear", 1e-3, 1.837e-4),
    ] {
        let error = error("jacobi", reading, h);
        // The maxima of the figures are taken every 2.5 ms, those here every 10 ms.
        assert!(
            (error / expected - 1.0).abs() < 0.01,
            "{reading} at {h} s: {error:e} instead of {expected:e}"
        );
    }
}

/// Torques at an exchange use the speed exchanged there, so that no memory stands in the loop and lines keep their second
/// order. The corners of the throttle lie at exchanges.
#[test]
fn lines_are_second_order() {
    for (method, reading, least) in [
        ("jacobi", "hold", 0.95),
        ("jacobi", "linear", 1.95),
        ("gauss-seidel", "linear", 1.95),
    ] {
        let points = [1e-2, 5e-3, 2e-3, 1e-3].map(|h| (h, error(method, reading, h)));
        let order = observed_order(&points);
        assert!(order >= least, "{method} {reading}: order {order}, {points:?}");
    }
}

/// The whole run ends where the reference does.
#[test]
fn thirty_seconds_end_as_they_should() {
    let system = Variant::text(&SYSTEM.replace("\"hold\"", "\"quadratic\""));
    let table = system.run(step(1e-3));
    let last = |name: &str| reals(&table, name)[table.times.len() - 1];
    let [phi, omega, pressure] = EngineLinkage::reference(EngineLinkage::END);
    // A parabola's error at 1 ms is below the 2e-4 rad/s of a line, and settles within a second; the angle sums it up.
    assert!((last("linkage.speed") - omega).abs() < 1e-4);
    assert!((last("engine.pressure") - pressure).abs() < 1e-6);
    assert!((last("linkage.angle") - phi).abs() < 1e-3);
}
