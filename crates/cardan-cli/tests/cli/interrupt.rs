//! Ctrl-C.
#![cfg(unix)]

use crate::bench::{Answer, Bench};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

pub(crate) fn interrupt(child: &Child) {
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

pub(crate) fn start(bench: &Bench, arguments: &[&str]) -> Child {
    let mut command = bench.command(arguments);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Long enough to be on its way on a busy machine; the runs here last for hours.
    sleep(Duration::from_millis(700));
    child
}

#[test]
fn ctrl_c_ends_a_run_with_whole_results() {
    let bench = Bench::new();
    let hello = Bench::hello();
    let child = start(
        &bench,
        &["run", &hello, "--stop", "1e9", "--every", "1000", "--json"],
    );
    interrupt(&child);
    let answer = Answer::from(child.wait_with_output().unwrap()).expect(130);
    let report = answer.json();
    assert_eq!(report["status"], "failed");
    assert_eq!(report["error"]["participant"], serde_json::Value::Null);
    let time = report["time"].as_f64().unwrap();
    assert!(time > 0.0 && time < 1e9);
    let (first, last) = bench.table("hello.csv").span().unwrap();
    assert_eq!(first, 0.0);
    assert!(
        last <= time && time - last < 1000.0,
        "rows up to {last}, run up to {time}"
    );
    assert_eq!(bench.files(), ["hello.csv"]);
}

#[test]
fn a_second_ctrl_c_ends_a_step_that_does_not() {
    let bench = Bench::new();
    bench.write(
        "slow.toml",
        r#"
[system]
stop = 1e6
[components.a]
model = "mass-spring-damper"
solver = { kind = "euler", step = 1e-6 }
[method]
kind = "gauss-seidel"
step = 1e6
"#,
    );
    let mut child = start(&bench, &["run", "slow.toml"]);
    interrupt(&child);
    sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "the step goes on");
    interrupt(&child);
    let asked = Instant::now();
    let answer = Answer::from(child.wait_with_output().unwrap()).expect(130);
    assert!(asked.elapsed() < Duration::from_secs(5));
    assert!(answer.err.contains("Ctrl-C again"), "{}", answer.err);
}
