//! Runs that fail on the way: the code says how, the message who and when, and the rows so far are kept.

use crate::bench::Bench;

/// Two masses joined by a stiff spring, exchanged far too rarely, and an output that is the first to be too large for
/// a number.
fn unstable(solver: &str) -> String {
    format!(
        r#"
[system]
name = "unstable"
stop = 500.0
[components.one]
model = "mass-spring-damper"
parameters = {{ mass = 1.0, stiffness = 100.0, position = 0.1 }}
solver = {solver}
[components.two]
model = "coupled-mass"
parameters = {{ mass = 2.0, stiffness = 400.0, coupling_stiffness = 1e4, position = 0.2 }}
solver = {solver}
[components.loud]
model = "gain"
parameters = {{ k = 1e30 }}
[[connections]]
from = "one.position"
to = "loud.u"
[[connections]]
from = "two.force"
to = "one.force"
[[connections]]
from = "one.position"
to = "two.other_position"
[[connections]]
from = "one.velocity"
to = "two.other_velocity"
[method]
kind = "gauss-seidel"
step = 0.05
"#
    )
}

#[test]
fn numbers_that_grow_without_bound_end_the_run_and_keep_the_rows() {
    let bench = Bench::new();
    bench.write("unstable.toml", &unstable(r#"{ kind = "rk4", step = 1e-3 }"#));
    let answer = bench.cardan(&["run", "unstable.toml"]).expect(4);
    assert!(answer.err.starts_with("error: loud at t = "), "{}", answer.err);
    assert!(answer.err.contains("loud.y became"), "{}", answer.err);
    assert!(answer.err.contains("help: "), "{}", answer.err);
    assert!(answer.out.contains("unstable: failed at"), "{}", answer.out);

    let report = bench.cardan(&["run", "unstable.toml", "--json"]).expect(4).json();
    assert_eq!(report["status"], "failed");
    let error = &report["error"];
    assert_eq!(error["participant"], "loud");
    assert!(
        error["call"].is_string() && error["message"].is_string() && error["advice"].is_string(),
        "{error}"
    );
    assert!(error["time"].as_f64().unwrap() >= report["time"].as_f64().unwrap());

    let table = bench.table("unstable.csv");
    assert!(table.rows() > 10);
    assert_eq!(table.span().map(|(_, last)| last), report["time"].as_f64());
    assert_eq!(bench.files(), ["unstable.csv", "unstable.toml"]);
}

#[test]
fn a_solver_that_gives_up_is_named_too() {
    let bench = Bench::new();
    let text = unstable(r#"{ kind = "dopri5" }"#).replace("1e30", "1.0");
    bench.write("unstable.toml", &text);
    let report = bench
        .cardan(&["run", "unstable.toml", "--json", "--out", "a.parquet"])
        .expect(4)
        .json();
    assert!(report["error"]["participant"].is_string());
    assert!(bench.table("a.parquet").rows() > 10);
}
