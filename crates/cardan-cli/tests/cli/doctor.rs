//! `cardan check` measures a coupling.

use crate::bench::Bench;
use cardan_testkit::fmus::Fmi;
use std::time::{Duration, Instant};

fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn figures_for_machines() {
    let bench = Bench::new();
    let path = example("two-mass/displacement.toml");
    let check = bench.cardan(&["check", &path, "--json"]).expect(0).json();
    let group = &check["groups"][0];
    assert_eq!(group["measured"], true);
    assert_eq!(group["alpha"], 0.0);
    let limits = &group["stable_step"];
    assert!(limits["gauss-seidel"]["hold"].is_null(), "no limit");
    let linear = limits["jacobi"]["linear"].as_f64().unwrap();
    assert!((linear / 8.1475e-3 - 1.0).abs() < 0.01, "{linear}");
    assert_eq!(group["order"], serde_json::json!(["one", "two"]));
    assert_eq!(check["recommended"]["keep"], true);
}

#[test]
fn nothing_is_started_in_haste() {
    let bench = Bench::new();
    let quick = bench
        .cardan(&["check", &example("two-mass"), "--quick"])
        .expect(0);
    assert!(!quick.out.contains("largest stable step"), "{}", quick.out);
    let full = bench.cardan(&["check", &example("two-mass")]).expect(0);
    assert!(
        full.out.contains("largest stable step") && full.out.contains("Advice"),
        "{}",
        full.out
    );
    assert_eq!(full.err, "", "no progress where nobody looks");
    let odd = bench.cardan(&["check", &example("two-mass"), "--budget", "0"]);
    assert!(odd.expect(2).err.contains("positive number of seconds"));
}

/// A circle of a good component and a bad one, which breaks in its first step in the way `kind` says.
fn circle(bench: &Bench, kind: u8, more: &str) {
    bench.changed("disaster", Fmi::V2, |description| {
        let able = description.replacen(
            "<CoSimulation ",
            "<CoSimulation canGetAndSetFMUstate=\"true\" ",
            1,
        );
        assert_ne!(able, description);
        able
    });
    let text = format!(
        r#"
[system]
stop = 1.0
[components.good]
model = "gain"
parameters = {{ k = -1.0 }}
[components.bad]
fmu = "m"
parameters = {{ at = 0.0, kind = {kind} }}
{more}
[[connections]]
from = "good.y"
to = "bad.u"
[[connections]]
from = "bad.y"
to = "good.u"
[method]
kind = "jacobi"
step = 0.01
"#
    );
    bench.write("s.toml", &text);
}

#[test]
fn whoever_crashes_is_named() {
    let bench = Bench::new();
    circle(&bench, 6, "");
    let answer = bench.cardan(&["check", "s.toml"]).expect(3);
    let said = "bad at t = 0 s in step: took the process of the check down: ";
    assert!(
        answer.err.contains(said) && answer.err.contains("SIGSEGV"),
        "{}",
        answer.err
    );
    assert!(answer.err.contains("--quick"), "{}", answer.err);
    bench.cardan(&["check", "s.toml", "--quick"]).expect(0);
}

#[test]
fn whoever_hangs_is_named() {
    let bench = Bench::new();
    circle(&bench, 8, "limits = { call = 1.0 }");
    let began = Instant::now();
    let answer = bench.cardan(&["check", "s.toml"]).expect(3);
    let said = "bad at t = 0 s in step: it did not return within 1 s";
    assert!(answer.err.contains(said), "{}", answer.err);
    assert!(began.elapsed() < Duration::from_secs(30));
}

/// In a process of its own it takes nothing down, and the page says what became of it.
#[test]
fn whoever_is_isolated_takes_nothing_down() {
    let bench = Bench::new();
    circle(&bench, 6, "isolate = true");
    let answer = bench.cardan(&["check", "s.toml"]).expect(0);
    assert!(
        answer.out.contains("`bad` failed while it was examined"),
        "{}",
        answer.out
    );
}
