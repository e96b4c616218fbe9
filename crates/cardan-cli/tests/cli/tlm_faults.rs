//! What took the public manager down, row by row, on a manager in a process of its own: a word about the offender, the right
//! exit code, and nobody who stays behind.
#![cfg(unix)]

use crate::bench::Bench;
use crate::tlm_manager::{lives, pair, until};
use crate::tlm_raw::{Manager, Raw, message, sample, tool};
use std::io::Write;
use std::time::{Duration, Instant};

/// The pair, whose tools the test starts itself.
fn unattended() -> Bench {
    let bench = pair("good", "good");
    let tool = bench.path("tool").display().to_string();
    let text = bench.read("pair.xml").replace(&format!("\"{tool}\""), "\"none\"");
    bench.write("pair.xml", &text);
    bench
}

/// Strangers of all kinds: before the others are there, while one waits for the other, and while both run.
#[test]
fn strangers_cost_nobody_anything() {
    let bench = unattended();
    let manager = Manager::start(&bench, &["pair.xml", "--grace", "5"]);
    let with_size = |size: i32| {
        let mut bytes = message(2, -1, b"");
        bytes[12..16].copy_from_slice(&size.to_le_bytes());
        bytes
    };
    let offences: [(&str, Vec<u8>); 6] = [
        (
            "does not speak the TLM protocol",
            b"GET / HTTP/1.1\r\n\r\n\r\n\r\n\r\n".to_vec(),
        ),
        ("`m9`, which the meta-model does not have", message(2, -1, b"m9")),
        ("negative size -5", with_size(-5)),
        ("2147483647 bytes", with_size(i32::MAX)),
        ("its first message is TIME_DATA", message(1, 0, &sample(0.0))),
        (
            "in the middle of its first message",
            message(2, -1, b"m1")[..10].to_vec(),
        ),
    ];
    let offend = || {
        for (_, bytes) in &offences {
            let mut stranger = manager.connect();
            stranger.0.write_all(bytes).unwrap();
            stranger.0.shutdown(std::net::Shutdown::Write).unwrap();
            stranger.is_closed();
        }
    };
    // They say nothing to the end.
    let silent = [manager.connect(), manager.connect()];
    offend();
    let mut m1 = tool(&bench, "m1", &manager.tools, "good");
    until(|| bench.path("m1.pid").exists());
    offend();
    // A second m1 is refused, whichever of them came first.
    let mut m2 = manager.connect();
    m2.register("m2", "tlm");
    assert_eq!(m2.receive().1, 1, "the start");
    offend();
    let mut second = manager.connect();
    second.send(2, -1, b"m1");
    second.is_closed();
    for i in 1..=200 {
        m2.send(1, 1, &sample(f64::from(i) * 5e-4));
    }
    m2.send(7, -1, b"");
    while m2.receive().0 != 8 {}
    drop(m2);
    assert_eq!(m1.wait().unwrap().code(), Some(0));
    let answer = manager.ends().expect(0);
    for words in offences
        .iter()
        .map(|(words, _)| *words)
        .chain(["m1, which is here already"])
    {
        assert!(answer.err.contains(words), "{words}: {}", answer.err);
    }
    drop(silent);
}

/// A silent connection does not keep the others from starting.
#[test]
fn silence_blocks_nobody() {
    let bench = unattended();
    let manager = Manager::start(&bench, &["-m", "0", "--monitor-wait", "0.2", "pair.xml"]);
    let silent = [manager.connect(), Raw::new(manager.monitors.as_ref().unwrap())];
    let began = Instant::now();
    let tools = ["m1", "m2"].map(|name| tool(&bench, name, &manager.tools, "good"));
    for mut tool in tools {
        assert_eq!(tool.wait().unwrap().code(), Some(0));
    }
    manager.ends().expect(0);
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    drop(silent);
}

/// What one of two tools does, and what is said; the other one is let go, and both are gone.
#[test]
fn what_a_tool_does_wrong_is_its_own_failure() {
    for (model, words) in [
        (
            "id 999",
            "it sent samples for the interface point 999, which does not exist",
        ),
        (
            "id -1",
            "it sent samples for the interface point -1, which does not exist",
        ),
        ("id 0", "it sent samples for m1.tlm, which is not its own"),
        (
            "leave 0.05",
            // With samples that it has not read, the system says so instead of saying nothing.
            "m2 closed its connection",
        ),
        ("fail 0.05", "exit status 9"),
        ("die 0.05", "SIGKILL"),
        ("abort 0.05", "m2 gave up after its samples at 0.0495 s (ABORT)"),
        (
            "vanish",
            "m2 closed its connection without a word before the start",
        ),
    ] {
        let bench = pair("good", model);
        let began = Instant::now();
        let answer = bench
            .cardan(&["tlm", "manager", "-p", "0", "pair.xml", "--json"])
            .expect(3);
        assert!(began.elapsed() < Duration::from_secs(20), "{model}");
        assert_eq!(answer.json()["error"]["participant"], "m2", "{model}");
        assert!(answer.err.contains(words), "{model}: {}", answer.err);
        until(|| !bench.path("m1.pid").exists() || !lives(&bench, "m1"));
        until(|| !lives(&bench, "m2"));
    }
}

/// A monitor that goes in the middle, with samples that it has not read.
#[test]
fn a_monitor_that_goes_is_not_missed() {
    let bench = unattended();
    let manager = Manager::start(&bench, &["-m", "0", "pair.xml"]);
    let mut monitor = Raw::new(manager.monitors.as_ref().unwrap());
    monitor.send(3, -1, b"m1.tlm");
    assert_eq!(monitor.receive().0, 3);
    let (mut m1, mut m2) = (manager.connect(), manager.connect());
    m1.register("m1", "tlm");
    m2.register("m2", "tlm");
    assert_eq!((m1.receive().1, m2.receive().1), (1, 1));
    m1.send(1, 0, &sample(0.05));
    m2.receive();
    drop(monitor);
    m1.send(1, 0, &sample(0.1));
    m2.send(1, 1, &sample(0.1));
    for client in [&mut m1, &mut m2] {
        client.send(7, -1, b"");
    }
    for client in [&mut m1, &mut m2] {
        while client.receive().0 != 8 {}
    }
    drop((m1, m2));
    manager.ends().expect(0);
}

/// The end is no race: short runs end well, each time, and so do their tools.
#[test]
fn short_runs_end_well() {
    let bench = pair("good", "good");
    let text = bench
        .read("pair.xml")
        .replace("StopTime=\"0.1\"", "StopTime=\"0.002\"");
    bench.write("pair.xml", &text);
    for _ in 0..12 {
        let answer = bench.cardan(&["tlm", "manager", "-p", "0", "pair.xml"]).expect(0);
        assert_eq!(answer.err, "");
        assert!(!lives(&bench, "m1") && !lives(&bench, "m2"));
    }
}

/// The name of the host counts: what cannot be found is not looked for here.
#[test]
fn a_host_that_nobody_knows() {
    let bench = Bench::new();
    let answer = bench
        .cardan(&[
            "tlm",
            "client",
            "m1",
            "0",
            "1",
            "1e-3",
            "no.such.host.invalid:11111",
            "mass-spring-damper",
            "--wait",
            "0",
        ])
        .expect(3);
    assert!(answer.err.contains("no.such.host.invalid"), "{}", answer.err);
}
