//! Runs that are killed or interrupted go on, and end as if nothing had happened.
#![cfg(target_os = "linux")]

use crate::bench::{Answer, Bench};
use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Nothing here takes this long by itself.
const PATIENCE: Duration = Duration::from_secs(120);

/// Some seconds of work in many short steps, with few rows.
const LONG: &str = r#"
[system]
name = "long"
stop = 1500.0
[components.one]
model = "mass-spring-damper"
parameters = { mass = 1.0, stiffness = 100.0, damping = 1e-4, position = 0.1 }
[components.two]
model = "coupled-mass"
parameters = { mass = 2.0, stiffness = 400.0, damping = 1e-4, coupling_stiffness = 100.0, coupling_damping = 1e-4, position = 0.2 }
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
step = 0.002
reading = "quadratic"
[record]
every = 0.5
"#;

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("long.toml", LONG);
    bench
}

/// A run that keeps checkpoints many times a second, past its first.
fn start(bench: &Bench, more: &[&str]) -> Child {
    let mut all = vec![
        "run",
        "long.toml",
        "--checkpoint",
        "state",
        "--every-wall",
        "0.1",
        "--json",
    ];
    all.extend(more);
    let mut child = bench
        .command(&all)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !bench.path("state").exists() {
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended without a checkpoint"
        );
        assert!(began.elapsed() < PATIENCE);
        sleep(Duration::from_millis(5));
    }
    sleep(Duration::from_millis(150));
    assert!(
        child.try_wait().unwrap().is_none(),
        "the run is too short for this test"
    );
    child
}

fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(sent.unwrap().success());
}

/// The process of the run, a child of the one that was started.
fn run_of(supervisor: u32) -> u32 {
    let path = format!("/proc/{supervisor}/task/{supervisor}/children");
    let children = fs::read_to_string(path).unwrap();
    children.split_whitespace().next().unwrap().parse().unwrap()
}

/// Where the checkpoint stands, from the file.
fn kept_at(bench: &Bench) -> f64 {
    let told = bench.cardan(&["info", "state", "--json"]).expect(0).json();
    assert_eq!(told["kind"], "checkpoint");
    assert_eq!(told["system"], "long");
    assert_eq!(told["stop"], 1500.0);
    told["time"].as_f64().unwrap()
}

/// Goes on to the end; the result is that of a run that was never interrupted.
#[track_caller]
fn goes_on(bench: &Bench, out: &str) {
    let time = kept_at(bench);
    assert!(time > 0.0 && time < 1500.0, "{time}");
    let report = bench
        .cardan(&["run", "long.toml", "--resume", "state", "--out", out, "--json"])
        .expect(0)
        .json();
    assert_eq!(report["status"], "ok");
    assert_eq!(report["resumed_from"].as_f64().unwrap(), time);
    assert_eq!(report["steps"], 750_000);
    assert_eq!(report["warnings"].as_array().unwrap().len(), 0, "{report}");
    let whole = format!("whole.{}", out.rsplit_once('.').unwrap().1);
    bench.cardan(&["run", "long.toml", "--out", &whole]).expect(0);
    if out.ends_with(".csv") {
        assert!(bench.read(out) == bench.read(&whole), "another result");
    } else {
        let (found, expected) = (bench.table(out), bench.table(&whole));
        assert_eq!((found.times, found.columns), (expected.times, expected.columns));
    }
    // No half-written files, journals or locks.
    let mut left = vec!["long.toml".to_owned(), out.to_owned(), "state".to_owned(), whole];
    left.sort();
    assert_eq!(bench.files(), left);
}

/// The process of the run is killed: whoever watches over it keeps the rows and tells how to go on.
#[test]
fn a_run_that_is_killed_goes_on() {
    let bench = bench();
    let child = start(&bench, &["--out", "out.csv"]);
    signal("-KILL", run_of(child.id()));
    let report = Answer::from(child.wait_with_output().unwrap()).expect(3).json();
    let time = report["checkpoint"]["time"].as_f64().unwrap();
    assert_eq!(time, kept_at(&bench));
    assert_eq!(report["checkpoint"]["file"], "state");
    let advice = report["error"]["advice"].as_str().unwrap();
    assert!(advice.contains("`--resume state` goes on"), "{advice}");
    assert!(report["time"].as_f64().unwrap() >= time);
    goes_on(&bench, "out.csv");
}

/// Everything is killed at once, as by a power cut: the rows that the checkpoint relies on are on disk, in every format.
#[test]
fn a_power_cut_costs_no_row() {
    for out in ["out.csv", "out.parquet", "out.mat"] {
        let bench = bench();
        let mut child = start(&bench, &["--out", out]);
        let run = run_of(child.id());
        child.kill().unwrap();
        child.wait().unwrap();
        let began = Instant::now();
        while fs::exists(format!("/proc/{run}/exe")).unwrap_or(false) && began.elapsed() < PATIENCE {
            sleep(Duration::from_millis(5));
        }
        for hidden in bench.files().iter().filter(|name| name.starts_with('.')) {
            fs::remove_file(bench.path(hidden)).unwrap();
        }
        goes_on_after_cut(&bench, out);
    }
}

/// Where a result cannot be had in pieces, its journal is taken over and then left to the user.
#[track_caller]
fn goes_on_after_cut(bench: &Bench, out: &str) {
    let journal = bench.path(&format!("{out}.rows.csv"));
    assert_eq!(journal.exists(), !out.ends_with(".csv"));
    let beside = bench.path("journal");
    if journal.exists() {
        fs::copy(&journal, &beside).unwrap();
    }
    let report = bench
        .cardan(&[
            "run",
            "long.toml",
            "--resume",
            "state",
            "--checkpoint",
            "state",
            "--out",
            out,
            "--json",
        ])
        .expect(0)
        .json();
    assert_eq!(report["warnings"].as_array().unwrap().len(), 0, "{report}");
    assert_eq!(report["steps"], 750_000);
    // With the end of the run there is a result, and no need for a journal.
    assert!(!journal.exists());
    let whole = format!("whole.{}", out.rsplit_once('.').unwrap().1);
    bench.cardan(&["run", "long.toml", "--out", &whole]).expect(0);
    let (found, expected) = (bench.table(out), bench.table(&whole));
    assert_eq!((found.times, found.columns), (expected.times, expected.columns));
}

#[test]
fn ctrl_c_keeps_a_checkpoint_where_the_run_stops() {
    for more in [
        &["--out", "out.csv"][..],
        &["--out", "out.csv", "--no-supervisor"],
    ] {
        let bench = bench();
        let child = start(&bench, more);
        signal("-INT", child.id());
        let report = Answer::from(child.wait_with_output().unwrap()).expect(130).json();
        assert_eq!(report["checkpoint"]["time"], report["time"], "{report}");
        let advice = report["error"]["advice"].as_str().unwrap();
        assert!(advice.contains("`--resume state` goes on"), "{advice}");
        goes_on(&bench, "out.csv");
    }
}

#[test]
fn without_a_supervisor_a_killed_run_goes_on_too() {
    let bench = bench();
    let mut child = start(&bench, &["--out", "out.csv", "--no-supervisor"]);
    child.kill().unwrap();
    child.wait().unwrap();
    for hidden in bench.files().iter().filter(|name| name.starts_with('.')) {
        fs::remove_file(bench.path(hidden)).unwrap();
    }
    goes_on(&bench, "out.csv");
}

/// Every refusal: exit code 2, a sentence, one JSON object with the name of the system, and no file.
#[test]
fn what_does_not_fit_is_refused_before_anything_runs() {
    let bench = bench();
    bench
        .cardan(&["run", "long.toml", "--stop", "1", "--checkpoint", "state"])
        .expect(0);
    fs::remove_file(bench.path("long.csv")).unwrap();
    bench.write("nonsense", "nonsense");
    let cases: [(&[&str], &str); 6] = [
        (&["--resume", "missing"], "No such file"),
        (&["--resume", "nonsense"], "it is no checkpoint"),
        (&["--resume", "."], "it is a folder"),
        (&["--resume", "state", "--set", "one.mass=2"], "other parameters"),
        (&["--resume", "state", "--stop", "0.5"], "give a later --stop"),
        (&["--checkpoint", "nonsense"], "is no checkpoint"),
    ];
    for supervised in [true, false] {
        for (arguments, words) in cases {
            let mut all = vec!["run", "long.toml", "--json"];
            all.extend(arguments);
            if !supervised {
                all.push("--no-supervisor");
            }
            let answer = bench.cardan(&all).expect(2);
            assert!(answer.err.contains(words), "{}", answer.err);
            let told = answer.json();
            assert_eq!(told["system"], "long", "{told}");
            assert!(
                told["diagnostics"][0]["message"]
                    .as_str()
                    .unwrap()
                    .contains(words)
            );
            assert!(!bench.path("long.csv").exists());
        }
    }
    assert_eq!(bench.read("nonsense"), "nonsense");
    let answer = bench.cardan(&["run", "long.toml", "--every-wall", "5"]).expect(2);
    assert!(answer.err.contains("--checkpoint"), "{}", answer.err);
}
