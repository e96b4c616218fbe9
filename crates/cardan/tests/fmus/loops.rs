//! Outputs that depend on each other at one instant.

use crate::workplace::{Workplace, largest_error, run};
use cardan::Overrides;

/// y = 0.5 cos(y) + b: a contraction by at most one half, so sixty rounds give all bits.
fn solution(b: f64) -> f64 {
    (0..60).fold(0.0, |y: f64, _| 0.5 * y.cos() + b)
}

fn system(gain: &str, cosine: &str, method: &str) -> Workplace {
    Workplace::system(&format!(
        r#"
[system]
stop = 1.0
[components.ramp]
model = "ramp"
[components.g]
fmu = {{@{gain}}}
parameters = {{ a = 0.5 }}
[components.c]
fmu = {{@{cosine}}}
[components.total]
model = "sum"
[[connections]]
from = "total.y"
to = "c.u"
[[connections]]
from = "c.y"
to = "g.u"
[[connections]]
from = "g.y"
to = "total.u1"
[[connections]]
from = "ramp.y"
to = "total.u2"
[method]
kind = "{method}"
step = 0.1
"#
    ))
}

/// total = g + t, g = cos(total) / 2: the loop goes through two FMUs and a built-in model, and moves with time.
#[test]
fn a_loop_is_solved_at_the_start_and_at_every_point() {
    for (gain, cosine) in [("gain-fmi2", "cosine-fmi3"), ("gain-fmi3", "cosine-fmi2")] {
        for method in ["jacobi", "gauss-seidel"] {
            let place = system(gain, cosine, method);
            let (report, table) = run(place.path(), Overrides::default());
            let error = largest_error(&table, "total.y", solution);
            assert!(error < 1e-9, "{gain}, {method}: {error}");
            assert_eq!(report.loops.len(), 1, "{:?}", report.loops);
            let json = serde_json::to_value(&report).unwrap();
            let told = &json["loops"][0];
            let names: Vec<&str> = told["outputs"]
                .as_array()
                .unwrap()
                .iter()
                .map(|name| name.as_str().unwrap())
                .collect();
            assert!(names.contains(&"g.y") && names.contains(&"c.y"), "{told}");
            // At the start and at ten points.
            assert!(told["solved"].as_u64().unwrap() >= 11, "{told}");
            // What is left is no larger than what the answer above lacks; the factor is 1 / (1 - 1/2).
            let residual = told["residual"].as_f64().unwrap();
            assert!((0.0..1e-9).contains(&residual), "{told}");
        }
    }
}
