//! Two masses that a constraint joins: a loop whose gain is the ratio of the masses, against the exact solution.

#![allow(clippy::unwrap_used)] // in helpers of tests

mod support;

use cardan::Overrides;
use cardan_testkit::observed_order;
use cardan_testkit::problems::RigidPair;
use support::{Variant, largest_error, step};

const RATIOS: [f64; 3] = [0.6, 2.0, 31.0];

/// The first mass takes the force of the constraint, the second the motion of the first.
fn system(pair: RigidPair, reading: &str) -> Variant {
    let (first, second) = (pair.first(), pair.second());
    Variant::text(&format!(
        r#"
[system]
name = "rigid-pair"
stop = 1.0

[components.drive]
model = "sine"
parameters = {{ amplitude = {amplitude:?}, frequency = {frequency:?} }}

[components.net]
model = "sum"
parameters = {{ gains = [1.0, -1.0] }}

[components.first]
model = "mass-spring-damper"
parameters = {{ mass = {:?}, stiffness = {:?}, damping = {:?}, position = 0.1 }}

[components.second]
model = "moved-mass"
parameters = {{ mass = {:?}, stiffness = {:?}, damping = {:?} }}

[[connections]]
from = "drive.y"
to = "net.u1"

[[connections]]
from = "second.force"
to = "net.u2"

[[connections]]
from = "net.y"
to = "first.force"

[[connections]]
from = "first.position"
to = "second.position"

[[connections]]
from = "first.velocity"
to = "second.velocity"

[[connections]]
from = "first.acceleration"
to = "second.acceleration"

[method]
kind = "jacobi"
step = 0.001
reading = "{reading}"

[record]
variables = ["first.*", "second.force"]
"#,
        first.mass,
        first.stiffness,
        first.damping,
        second.mass,
        second.stiffness,
        second.damping,
        amplitude = RigidPair::AMPLITUDE,
        frequency = RigidPair::RATE / std::f64::consts::TAU,
    ))
}

/// A plain Gauss-Seidel coupling that does not solve the loop blows up at a ratio of 31 after ten steps, and at 2 after 48.
#[test]
fn a_solved_loop_is_stable_at_any_ratio() {
    for alpha in RATIOS {
        let pair = RigidPair { alpha };
        for (reading, least) in [("hold", 0.9), ("linear", 1.9)] {
            let errors = |h: f64| {
                let table = system(pair, reading).run(Overrides {
                    every: Some(h),
                    ..step(h)
                });
                [
                    largest_error(&table, "first.position", |t| pair.reference(t)[0]),
                    largest_error(&table, "second.force", |t| pair.lambda(t)),
                ]
            };
            let steps = [4e-3, 2e-3, 1e-3];
            let found = steps.map(errors);
            let points: Vec<(f64, f64)> = steps.into_iter().zip(found).map(|(h, e)| (h, e[0])).collect();
            let order = observed_order(&points);
            assert!(order >= least, "{alpha} {reading}: order {order}, {points:?}");
        }
    }
}
