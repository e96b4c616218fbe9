//! Help, completions, and calls that make no sense.

use crate::bench::Bench;
use std::io::Read;
use std::process::Stdio;

#[test]
fn help_teaches_by_example() {
    let bench = Bench::new();
    let tour = bench.cardan(&["--help"]).expect(0).out;
    assert!(
        tour.contains("cardan example hello") && tour.contains("cardan run hello"),
        "{tour}"
    );
    for command in [
        "run",
        "check",
        "info",
        "plot",
        "compare",
        "example",
        "tlm",
        "completions",
    ] {
        let help = bench.cardan(&[command, "--help"]).expect(0).out;
        let examples = help
            .lines()
            .filter(|line| line.trim_start().starts_with("cardan "))
            .count();
        assert!(examples >= 2, "{help}");
    }
    assert!(bench.cardan(&["--version"]).expect(0).out.starts_with("cardan "));
}

#[test]
fn completions_know_the_commands() {
    let bench = Bench::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = bench.cardan(&["completions", shell]).expect(0).out;
        assert!(
            script.contains("compare") && script.contains("log-file"),
            "{shell}"
        );
    }
    bench.cardan(&["completions", "tcl"]).expect(2);
}

#[test]
fn calls_without_sense_are_refused() {
    let bench = Bench::new();
    bench.cardan(&[]).expect(2);
    bench.cardan(&["rnu"]).expect(2);
    bench.cardan(&["run"]).expect(2);
    bench.cardan(&["run", &Bench::hello(), "-q", "-v"]).expect(2);
    let json = bench.cardan(&["run", "--json"]).expect(2).json();
    let message = json["diagnostics"][0]["message"].as_str().unwrap();
    assert!(message.contains("<SYSTEM>"), "{message}");
}

/// `cardan info --models | head -1` must not end in a panic or a complaint.
#[test]
fn a_reader_may_leave_early() {
    let bench = Bench::new();
    let mut command = bench.command(&["info", "--models", "--json"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut complaint = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut complaint)
        .unwrap();
    assert_eq!(complaint, "");
    assert!(child.wait().unwrap().success());
}
