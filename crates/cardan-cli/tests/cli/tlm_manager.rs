//! `cardan tlm manager` and `tlmmanager`, with real tools.
#![cfg(unix)]

use crate::bench::{Answer, Bench, last};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const CLIENT: &str = include_str!("tlm/client.py");

/// Two tools that do what their model files say.
pub(crate) fn pair(first: &str, second: &str) -> Bench {
    let bench = Bench::new();
    bench.write("tool", CLIENT);
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(bench.path("tool"), executable).unwrap();
    let tool = bench.path("tool").display().to_string();
    let sub_model = |name: &str, model: &str| {
        format!(
            r#"<SubModel Name="{name}" StartCommand="{tool}" ModelFile="{model}"><InterfacePoint Name="tlm" Dimensions="1"/></SubModel>"#
        )
    };
    bench.write(
        "pair.xml",
        &format!(
            r#"<Model Name="pair"><SubModels>{}{}</SubModels>
<Connections><Connection From="m1.tlm" To="m2.tlm" Delay="1e-3" Zf="200"/></Connections>
<SimulationParams StartTime="0" StopTime="0.1"/></Model>"#,
            sub_model("m1", first),
            sub_model("m2", second)
        ),
    );
    bench
}

pub(crate) fn stand_in(bench: &Bench, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tlmmanager"));
    command.args(arguments).current_dir(bench.path("."));
    command
}

/// Is the process that wrote this file alive?
pub(crate) fn lives(bench: &Bench, name: &str) -> bool {
    let pid = bench.read(&format!("{name}.pid"));
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().unwrap_or_default().trim();
    !state.is_empty() && !state.starts_with('Z')
}

#[track_caller]
pub(crate) fn until(what: impl Fn() -> bool) {
    let began = Instant::now();
    while !what() {
        assert!(began.elapsed() < Duration::from_secs(20), "it did not happen");
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub(crate) fn start(mut command: Command) -> Child {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn signal(child: &Child, which: &str) {
    let sent = Command::new("kill")
        .args([which, &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

#[test]
fn a_co_simulation_comes_to_its_end() {
    let bench = pair("good", "good");
    let answer = bench
        .cardan(&["tlm", "manager", "-p", "0", "pair.xml", "--json"])
        .expect(0);
    let report = answer.json();
    assert_eq!(
        (report["status"].as_str(), report["system"].as_str()),
        (Some("ok"), Some("pair"))
    );
    assert_eq!(report["messages"], 400);
    assert!((report["time"].as_f64().unwrap() - 0.1).abs() < 1e-12);
    assert_eq!(report["components"]["m2"]["messages"], 200);
    assert!(report["setup_s"].as_f64().is_some() && report["port"].as_u64() > Some(0));
    let plain = bench.cardan(&["tlm", "manager", "-p", "0", "pair.xml"]).expect(0);
    assert!(
        plain.out.contains("Tools connect to 127.0.0.1:") && plain.out.contains("400 messages"),
        "{}",
        plain.out
    );
    let quiet = bench
        .cardan(&["tlm", "manager", "-q", "-p", "0", "pair.xml"])
        .expect(0);
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
}

#[test]
fn the_other_name_takes_the_options_that_scripts_know() {
    let bench = pair("good", "good");
    let answer = Answer::from(stand_in(&bench, &["-d", "-p0", "pair.xml"]).output().unwrap()).expect(0);
    assert!(answer.out.starts_with("singleModel = \n"), "{}", answer.out);
    assert!(bench.read("TLMlogfile.log").contains("m1 is here"));
    for wrong in [&["-x", "pair.xml"][..], &[], &["-p"], &["a.xml", "b.xml"]] {
        let answer = Answer::from(stand_in(&bench, wrong).output().unwrap()).expect(1);
        assert!(answer.err.contains("Usage: tlmmanager"), "{}", answer.err);
    }
    assert!(
        Answer::from(stand_in(&bench, &["--help"]).output().unwrap())
            .expect(0)
            .out
            .contains("-m <monitor-port>")
    );
    let missing = Answer::from(stand_in(&bench, &["no.xml"]).output().unwrap()).expect(2);
    assert!(
        missing.out.starts_with("singleModel = \n") && missing.err.contains("no.xml"),
        "{}",
        missing.err
    );
}

#[test]
fn interface_points_are_asked_for() {
    let bench = pair("good", "good");
    let answer = Answer::from(
        stand_in(&bench, &["-r", "-s", "m2", "-p", "0", "pair.xml"])
            .output()
            .unwrap(),
    )
    .expect(0);
    assert!(answer.out.starts_with("singleModel = m2\n"), "{}", answer.out);
    assert!(
        answer
            .out
            .ends_with("Positions and orientations:\nm2.tlm:\nR  : ( 0.125 0 0 )\nphi: ( 0 0 0 )\n"),
        "{}",
        answer.out
    );
    let file = bench.read("interfaceData.xml");
    assert!(
        file.contains(r#"<Interface model="m2" Name="tlm" Dimensions="1""#) && !file.contains("m1"),
        "{file}"
    );
    let both = bench
        .cardan(&["tlm", "manager", "-r", "-p", "0", "pair.xml", "--json"])
        .expect(0)
        .json();
    assert_eq!(both["interfaces"].as_array().unwrap().len(), 2);
    assert_eq!(both["interfaces"][0]["position"][0], 0.125);
    let wrong = bench
        .cardan(&["tlm", "manager", "-r", "-s", "m3", "pair.xml"])
        .expect(2);
    assert!(wrong.err.contains("there are m1, m2"), "{}", wrong.err);
    bench
        .cardan(&["tlm", "manager", "-s", "m1", "pair.xml"])
        .expect(2);
}

#[test]
fn mistakes_in_the_meta_model() {
    let bench = pair("good", "good");
    let text = bench
        .read("pair.xml")
        .replace("Delay=\"1e-3\"", "")
        .replace("StopTime=\"0.1\"", "StopTime=\"0\"");
    bench.write("wrong.xml", &text);
    let answer = bench.cardan(&["tlm", "manager", "wrong.xml", "--json"]).expect(2);
    let report = answer.json();
    assert_eq!(report["status"], "failed");
    assert_eq!(report["diagnostics"].as_array().unwrap().len(), 2);
    assert_eq!(report["diagnostics"][0]["line"], 2);
    assert!(answer.err.contains("2 mistakes"), "{}", answer.err);
    assert!(!bench.path("m1.pid").exists(), "nothing is started");
}

#[test]
fn a_start_command_that_is_not_there() {
    let bench = pair("good", "good");
    let tool = bench.path("tool").display().to_string();
    let text = bench.read("pair.xml");
    let last = text.rfind(&tool).unwrap();
    bench.write(
        "pair.xml",
        &(text[..last].to_owned() + "no-such-tool" + &text[last + tool.len()..]),
    );
    let answer = bench
        .cardan(&["tlm", "manager", "-p", "0", "pair.xml", "--json"])
        .expect(3);
    let report = answer.json();
    assert_eq!(report["error"]["participant"], "m2");
    assert!(
        answer.err.contains("There is no program `no-such-tool`"),
        "{}",
        answer.err
    );
    if bench.path("m1.pid").exists() {
        until(|| !lives(&bench, "m1"));
    }
}

#[test]
fn a_tool_that_is_killed() {
    let bench = pair("good", "die 0.05");
    let answer = bench
        .cardan(&["tlm", "manager", "-p", "0", "pair.xml", "--json"])
        .expect(3);
    let report = answer.json();
    assert_eq!(
        (report["status"].as_str(), report["error"]["participant"].as_str()),
        (Some("failed"), Some("m2"))
    );
    // It is killed instead of its step to 0.05, of half a delay.
    assert!(
        (report["error"]["time"].as_f64().unwrap() - 0.0495).abs() < 1e-9,
        "{report}"
    );
    assert!(
        answer.err.contains("SIGKILL") && answer.err.contains("m2 runs"),
        "{}",
        answer.err
    );
    until(|| !lives(&bench, "m1"));
}

#[test]
fn a_tool_that_gives_up() {
    let bench = pair("abort 0.02", "good");
    let answer = bench.cardan(&["tlm", "manager", "-p", "0", "pair.xml"]).expect(3);
    assert!(
        answer.err.contains("m1 gave up after its samples at 0.0195 s"),
        "{}",
        answer.err
    );
    until(|| !lives(&bench, "m2"));
}

#[test]
fn a_tool_that_stays_after_the_end_is_ended() {
    let bench = pair("linger", "good");
    let began = Instant::now();
    let answer = bench
        .cardan(&["tlm", "manager", "-p", "0", "--grace", "0.5", "pair.xml"])
        .expect(0);
    assert!(began.elapsed() < Duration::from_secs(30));
    assert!(answer.err.contains("did not end within 0.5 s"), "{}", answer.err);
    until(|| !lives(&bench, "m1"));
}

#[test]
fn ctrl_c_ends_all() {
    let bench = pair("wait", "wait");
    let child = start(bench.command(&["tlm", "manager", "-p", "0", "pair.xml", "--json"]));
    until(|| bench.path("m1.pid").exists() && bench.path("m2.pid").exists());
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, "-INT");
    let answer = Answer::from(child.wait_with_output().unwrap()).expect(130);
    assert_eq!(answer.json()["status"], "failed");
    assert!(answer.err.contains("interrupted"), "{}", answer.err);
    until(|| !lives(&bench, "m1") && !lives(&bench, "m2"));
}

/// The tool is started by a script, so the kernel alone would not end it with the manager.
#[test]
fn no_orphans_when_the_manager_is_killed() {
    let bench = pair("wait", "wait");
    bench.write(
        "wrapper",
        &format!("#!/bin/sh\n\"{}\" \"$@\"\n", bench.path("tool").display()),
    );
    std::fs::set_permissions(bench.path("wrapper"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let text = bench.read("pair.xml").replace("/tool\"", "/wrapper\"");
    bench.write("pair.xml", &text);
    let mut child = start(bench.command(&["tlm", "manager", "-p", "0", "pair.xml"]));
    until(|| bench.path("m1.pid").exists() && bench.path("m2.pid").exists());
    std::thread::sleep(Duration::from_millis(300));
    assert!(lives(&bench, "m1") && lives(&bench, "m2"));
    signal(&child, "-KILL");
    child.wait().unwrap();
    until(|| !lives(&bench, "m1") && !lives(&bench, "m2"));
}

#[test]
fn a_taken_port_gives_the_next_free_one() {
    let bench = pair("good", "good");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let report = bench
        .cardan(&["tlm", "manager", "-p", &port.to_string(), "pair.xml", "--json"])
        .expect(0)
        .json();
    assert!(report["port"].as_u64().unwrap() > u64::from(port));
}

#[test]
fn tools_that_somebody_else_starts() {
    let bench = pair("good", "good");
    let tool = bench.path("tool").display().to_string();
    let text = bench.read("pair.xml").replace(&format!("\"{tool}\""), "\"none\"");
    bench.write("pair.xml", &text);
    let mut child = start(bench.command(&["tlm", "manager", "-p", "0", "pair.xml"]));
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    let address = line
        .trim()
        .trim_end_matches('.')
        .rsplit(' ')
        .next()
        .unwrap()
        .to_owned();
    let tools = ["m1", "m2"].map(|name| {
        let mut command = Command::new(&tool);
        command
            .args([name, "0", "0.1", "0.0005", &address, "good"])
            .current_dir(bench.path("."));
        command.stdout(Stdio::null()).spawn().unwrap()
    });
    let codes = tools.map(|mut tool| tool.wait().unwrap().code());
    assert_eq!(codes, [Some(0), Some(0)]);
    out.read_to_string(&mut line).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{line}");
    // Nobody comes.
    let answer = bench
        .cardan(&["tlm", "manager", "-p", "0", "--start-timeout", "0.3", "pair.xml"])
        .expect(3);
    assert!(answer.err.contains("m1, m2 did not connect"), "{}", answer.err);
}

#[test]
fn listening_further_needs_a_secret() {
    let bench = pair("good", "good");
    let answer = bench
        .cardan(&["tlm", "manager", "--listen", "0.0.0.0", "-p", "0", "pair.xml"])
        .expect(2);
    assert!(answer.err.contains("--secret-file"), "{}", answer.err);
    bench.write("secret", "open sesame\n");
    bench
        .cardan(&[
            "tlm",
            "manager",
            "--listen",
            "0.0.0.0",
            "--secret-file",
            "secret",
            "-p",
            "0",
            "pair.xml",
        ])
        .expect(0);
    bench.write("secret", " \n");
    bench
        .cardan(&["tlm", "manager", "--secret-file", "secret", "-p", "0", "pair.xml"])
        .expect(2);
}

/// The double pendulum in the form of its document: a manager, a process for each half, and what a run in one process gives.
#[test]
fn the_example_in_its_original_form_runs_in_processes() {
    let bench = Bench::new();
    bench
        .cardan(&["example", "tlm-double-pendulum", "--into", "pendulum"])
        .expect(0);
    let model = "pendulum/doublePendulum.xml";
    let shorter = bench.read(model).replace("StopTime=\"3\"", "StopTime=\"0.2\"");
    bench.write(model, &shorter);
    let answer = bench
        .cardan(&["tlm", "manager", "-p", "0", model, "--json"])
        .expect(0);
    let report = answer.json();
    assert_eq!(report["status"].as_str(), Some("ok"));
    assert!((report["time"].as_f64().unwrap() - 0.2).abs() < 1e-12);
    bench.cardan(&["run", model, "--out", "one.csv"]).expect(0);
    assert!(last(&bench.table("one.csv"), "doublePendulum1.angle[1]") < -0.4);
}
