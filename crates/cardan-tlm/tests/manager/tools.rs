//! Tools that the manager starts: real processes.

use crate::bench::{PAIR, Running, quick};
use cardan_tlm::manager::Options;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A script that is started for m1.
fn script(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("tool");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn started(command: &str) -> String {
    PAIR.replacen("StartCommand=\"none\"", &format!("StartCommand=\"{command}\""), 1)
}

fn until(what: impl Fn() -> bool) -> bool {
    let began = Instant::now();
    while !what() && began.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(10));
    }
    what()
}

fn lives(pid: &str) -> bool {
    // A process that has ended and waits to be reaped is dead.
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    stat.rsplit(')')
        .next()
        .is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with('Z'))
}

#[test]
fn arguments_have_the_form_of_the_document_and_all_their_digits() {
    let folder = tempfile::tempdir().unwrap();
    let said = folder.path().join("said");
    let tool = script(
        folder.path(),
        &format!(
            "printf '%s|' \"$@\" > {0}.new; mv {0}.new {0}; sleep 60",
            said.display()
        ),
    );
    let text = started(tool.to_str().unwrap())
        .replace("Delay=\"1e-3\"", "Delay=\"6e-7\"")
        .replace("StopTime=\"1\"", "StopTime=\"1.23456789\"");
    let running = Running::start(&text, quick());
    assert!(until(|| said.exists()));
    let port = running.tools.port();
    let arguments = fs::read_to_string(&said).unwrap();
    assert_eq!(
        arguments,
        format!("m1|0|1.23456789|0.0000003|127.0.0.1:{port}|a|")
    );
    running.handle.stop();
    running.outcome();
}

#[test]
fn a_start_command_that_is_not_there() {
    let text = started("no-such-tool-of-anybody");
    let model = crate::bench::model(&text, &cardan_tlm::manager::Task::Simulate);
    let outcome = cardan_tlm::manager::Manager::new(model, quick()).run(&mut |_| {});
    let words = format!("{:?}", outcome.ending);
    assert!(
        words.contains("no-such-tool-of-anybody") && words.contains("m1"),
        "{words}"
    );
}

#[test]
fn a_tool_that_fails_before_it_registers() {
    let folder = tempfile::tempdir().unwrap();
    let tool = script(
        folder.path(),
        "echo 'the licence server is on holiday' >&2; exit 4",
    );
    let running = Running::start(&started(tool.to_str().unwrap()), quick());
    let failure = running.fails();
    assert_eq!(failure.component.as_deref(), Some("m1"));
    for words in ["exit status 4", "before it registered", "on holiday"] {
        assert!(failure.message.contains(words), "{}", failure.message);
    }
}

/// Nobody is left who could register: that is told at once, and is the end soon.
#[test]
fn a_start_command_that_ends_and_leaves_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let tool = script(folder.path(), "echo 'no model of that name'");
    let began = Instant::now();
    let running = Running::start(&started(tool.to_str().unwrap()), quick());
    running.warns("has ended with exit status 0 before m1 registered. It left no process behind: m1 is waited for 0.7 s");
    let told = began.elapsed();
    let failure = running.fails();
    let took = began.elapsed();
    assert!(told < took && took < Duration::from_secs(10), "{told:?} {took:?}");
    assert_eq!(failure.component.as_deref(), Some("m1"));
    for words in [
        "exit status 0",
        "m1 has not registered in 0.7 s",
        "no model of that name",
    ] {
        assert!(failure.message.contains(words), "{}", failure.message);
    }
    assert!(failure.advice.unwrap().contains("StartCommand=\"none\""));
}

/// A script that leaves its tool in the background, in its group or in a session of its own with its streams, has started it.
#[test]
fn a_tool_in_the_background_is_waited_for() {
    for way in ["sleep 5 > /dev/null 2>&1 &", "setsid sleep 5 &"] {
        let folder = tempfile::tempdir().unwrap();
        let tool = script(folder.path(), way);
        let running = Running::start(&started(tool.to_str().unwrap()), quick());
        running.warns("It left a process behind, and m1 is waited for");
        // Much longer than one is waited for that has nobody.
        std::thread::sleep(Duration::from_millis(1500));
        running.goes_well();
    }
}

/// What was left in the background ends without a word: nobody is left again.
#[test]
fn a_tool_in_the_background_that_dies() {
    let folder = tempfile::tempdir().unwrap();
    let tool = script(folder.path(), "sleep 0.5 &");
    let running = Running::start(&started(tool.to_str().unwrap()), quick());
    running.warns("It left a process behind");
    let began = Instant::now();
    let failure = running.fails();
    assert!(
        failure.message.contains("no process that it left behind lives"),
        "{}",
        failure.message
    );
    assert!(began.elapsed() < Duration::from_secs(10));
}

/// The tool and what it has started are gone when the manager is done, also if they do not listen to the polite signal.
#[test]
fn nothing_that_was_started_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let text = format!(
        "trap '' TERM\nsleep 60 &\necho $$ $! > {0}.new; mv {0}.new {0}\nwait\nwait\nsleep 60",
        pids.display()
    );
    let tool = script(folder.path(), &text);
    let running = Running::start(&started(tool.to_str().unwrap()), quick());
    assert!(until(|| pids.exists()));
    let pids: Vec<String> = fs::read_to_string(&pids)
        .unwrap()
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    assert!(pids.iter().all(|pid| lives(pid)));
    running.handle.stop();
    running.outcome();
    assert!(until(|| pids.iter().all(|pid| !lives(pid))), "{pids:?}");
}

#[test]
fn a_tool_that_is_killed_while_all_run() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let tool = script(
        folder.path(),
        &format!("echo $$ > {0}.new; mv {0}.new {0}; exec sleep 60", pid.display()),
    );
    let running = Running::start(&started(tool.to_str().unwrap()), quick());
    let (mut m1, mut m2) = running.both();
    m1.send(1, 0, &crate::bench::sample(0.5, 1.0));
    m2.receive();
    assert!(until(|| pid.exists()));
    let pid = fs::read_to_string(&pid).unwrap();
    let killed = std::process::Command::new("kill")
        .args(["-9", pid.trim()])
        .status();
    assert!(killed.unwrap().success());
    let failure = running.fails();
    assert_eq!(failure.component.as_deref(), Some("m1"));
    assert_eq!(failure.time, Some(0.5));
    assert!(failure.message.contains("SIGKILL"), "{}", failure.message);
}

/// `cardan` as a start command calls the runner with its own first words.
#[test]
fn cardan_itself_as_a_tool() {
    let folder = tempfile::tempdir().unwrap();
    let said = folder.path().join("said");
    let runner = script(
        folder.path(),
        &format!(
            "printf '%s|' \"$@\" > {0}.new; mv {0}.new {0}; sleep 60",
            said.display()
        ),
    );
    let options = Options {
        runner: Some(runner),
        ..quick()
    };
    let running = Running::start(&started("Cardan"), options);
    assert!(until(|| said.exists()));
    let port = running.tools.port();
    let expected = format!("tlm|client|m1|0|1|0.0005|127.0.0.1:{port}|a|");
    assert_eq!(fs::read_to_string(&said).unwrap(), expected);
    running.handle.stop();
    running.outcome();
}
