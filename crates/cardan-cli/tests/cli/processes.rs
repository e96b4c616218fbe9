//! Components in other processes: exit codes, results, and what is left behind.
#![cfg(target_os = "linux")]

use crate::bench::{Answer, Bench};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A class that writes the number of its process into a file, prints, and after half a second does what it is told.
fn bench(then: &str) -> Bench {
    let bench = Bench::new();
    bench.write(
        "it.py",
        &format!(
            "import os, sys, time, cardan\n\
             class It(cardan.Participant):\n\
             \x20   y = cardan.Output()\n\
             \x20   def initialize(self, start, stop):\n\
             \x20       open('pid', 'w').write(str(os.getpid()))\n\
             \x20   def step(self, t, dt):\n\
             \x20       print('this would harm', t)\n\
             \x20       if t >= 0.5:\n\
             \x20           {then}\n\
             \x20       self.y = t + dt\n"
        ),
    );
    bench.write(
        "system.toml",
        "[system]\nname = \"it\"\nstop = 1.0\n[components.it]\npython = \"it.py:It\"\n[method]\nstep = 0.1\n",
    );
    bench
}

fn is_gone(bench: &Bench) -> bool {
    let process = format!("/proc/{}/stat", bench.read("pid"));
    let deadline = Instant::now() + Duration::from_secs(5);
    loop {
        // A process that nobody has reaped yet has ended all the same.
        let ended = match std::fs::read_to_string(&process) {
            Ok(stat) => stat
                .rsplit(')')
                .next()
                .is_some_and(|rest| rest.trim_start().starts_with('Z')),
            Err(_) => true,
        };
        if ended || Instant::now() > deadline {
            return ended;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn prints_harm_nothing() {
    let bench = bench("pass");
    let answer = bench.cardan(&["run", ".", "--json"]).expect(0);
    let report = answer.json();
    assert_eq!(report["status"], "ok");
    assert_eq!(bench.table("it.csv").times.len(), 11);
    assert!(is_gone(&bench));
    assert_eq!(bench.files(), ["it.csv", "it.py", "pid", "system.toml"]);
}

#[test]
fn a_process_that_dies_ends_the_run_with_its_name_and_keeps_the_rows() {
    for (then, words) in [
        ("os._exit(7)", "The process ended with exit status 7."),
        ("os.abort()", "The process was ended by signal 6"),
        ("raise RuntimeError('no fuel')", "RuntimeError: no fuel."),
    ] {
        let bench = bench(then);
        let answer = bench.cardan(&["run", ".", "--json"]).expect(3);
        let error = &answer.json()["error"];
        assert_eq!(error["participant"], "it");
        assert_eq!(error["call"], "step");
        assert_eq!(error["time"], 0.5);
        assert!(error["message"].as_str().unwrap().starts_with(words), "{error}");
        assert_eq!(bench.table("it.csv").times.len(), 6);
        assert!(is_gone(&bench));
    }
}

#[test]
fn numbers_that_break_in_python_are_numbers() {
    let bench = bench("1 / 0");
    let answer = bench.cardan(&["run", ".", "--json"]).expect(4);
    let message = answer.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.starts_with("ZeroDivisionError"), "{message}");
}

#[test]
fn a_description_that_cannot_start_is_wrong() {
    let bench = bench("pass");
    bench.write(
        "system.toml",
        "[system]\nstop = 1.0\n[components.it]\nprocess = { command = [\"./nothing\"] }\n[method]\nstep = 0.1\n",
    );
    let answer = bench.cardan(&["run", "."]).expect(2);
    assert!(answer.err.contains("There is no program"), "{}", answer.err);
}

/// Whatever Cardan dies of, nothing stays behind.
#[test]
fn a_participant_dies_with_cardan() {
    let bench = bench("time.sleep(60)");
    let mut child = bench
        .command(&["run", "."])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while !bench.path("pid").exists() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_gone(&bench));
}

#[test]
fn the_second_ctrl_c_ends_a_call_that_does_not_return() {
    let bench = bench("time.sleep(60)");
    let child = bench
        .command(&["run", "."])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while !bench.path("pid").exists() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    for _ in 0..2 {
        let process = child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &process])
                .status()
                .unwrap()
                .success()
        );
        std::thread::sleep(Duration::from_millis(100));
    }
    let begun = Instant::now();
    let answer = Answer::from(child.wait_with_output().unwrap());
    assert_eq!(answer.code, 130);
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(is_gone(&bench));
    assert!(Path::new(&bench.path("it.py")).exists());
}
