//! Two masses that a constraint joins: a loop whose gain is the ratio of the masses, against the exact solution.

#![allow(clippy::unwrap_used)] // in helpers of tests

mod support;

use cardan::Overrides;
use cardan_testkit::observed_order;
use cardan_testkit::problems::RigidPair;
use support::problems::rigid_pair;
use support::{largest_error, step};

const RATIOS: [f64; 3] = [0.6, 2.0, 31.0];

/// A plain Gauss-Seidel coupling that does not solve the loop blows up at a ratio of 31 after ten steps, and at 2 after 48.
#[test]
fn a_solved_loop_is_stable_at_any_ratio() {
    for alpha in RATIOS {
        let pair = RigidPair { alpha };
        for (reading, least) in [("hold", 0.9), ("linear", 1.9)] {
            let errors = |h: f64| {
                let table = rigid_pair(pair, reading).run(Overrides {
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
