//! A ball that bounces for ever: what a coupling makes of its energy.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan::Overrides;
use support::{Variant, reals};

const GRAVITY: f64 = 9.81;
const HEIGHT: f64 = 0.5;
const STIFFNESS: f64 = 1e5;

fn bouncing(method: &str) -> Variant {
    Variant::text(&format!(
        r#"
[system]
name = "bouncing"
stop = 4.0

[components]
ball = {{ model = "mass", parameters = {{ mass = 1.0, gravity = {GRAVITY}, position = {HEIGHT} }} }}
floor = {{ model = "contact-spring", parameters = {{ stiffness = {STIFFNESS:?}, exponent = 1.0 }} }}

[[connections]]
from = "ball.position"
to = "floor.position"

[[connections]]
from = "ball.velocity"
to = "floor.velocity"

[[connections]]
from = "floor.force"
to = "ball.force"

[record]
every = 0.002
variables = ["ball.position", "ball.velocity"]

[method]
{method}
"#
    ))
}

/// Kinetic energy, height, and what is in the floor; six bounces. Nothing is lost in this system, and nothing may be made: the energy
/// never grows by more than the tolerance.
#[test]
fn a_tolerance_bounds_the_energy_of_a_bouncing_ball() {
    for kind in ["adaptive", "iterated"] {
        for scheme in ["jacobi", "gauss-seidel"] {
            for tolerance in [1e-3, 1e-4, 1e-6, 1e-8] {
                let method = format!("kind = \"{kind}\"\nscheme = \"{scheme}\"\ntolerance = {tolerance:?}");
                let (mut simulation, handle) = bouncing(&method).open(Overrides::default());
                let report = simulation.run();
                assert_eq!(report.status, "ok", "{:?}", report.error);
                let table = handle.table();
                let (x, v) = (reals(&table, "ball.position"), reals(&table, "ball.velocity"));
                let whole = GRAVITY * HEIGHT;
                for (x, v) in x.iter().zip(v) {
                    let energy = 0.5 * v * v + GRAVITY * x + 0.5 * STIFFNESS * x.min(0.0).powi(2);
                    let made = (energy - whole) / whole;
                    assert!(made <= tolerance, "{kind} {scheme} {tolerance:e}: {made:e}");
                    // What results by tolerance may be off by.
                    assert!(
                        made >= -20.0 * tolerance,
                        "{kind} {scheme} {tolerance:e}: {made:e}"
                    );
                }
            }
        }
    }
}
