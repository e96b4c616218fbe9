//! What is said while somebody or something is waited for.

use crate::bench::{PAIR, Running, quick, sample};
use cardan_tlm::manager::Options;
use std::net::TcpListener;
use std::time::Duration;

#[test]
fn a_tool_that_hangs_is_named_and_not_ended() {
    let options = Options {
        hush: Duration::from_millis(300),
        ..quick()
    };
    let running = Running::start(PAIR, options);
    let (mut m1, mut m2) = running.both();
    m1.send(1, 0, &sample(0.3005, 1.0));
    m2.receive();
    // Rounding of steps that add up is nothing that people want to read.
    m2.send(1, 1, &sample(0.1 + 0.2, 1.0));
    m1.receive();
    running.warns("; waiting for m2, whose last sample is at 0.3 s.");
    // Said once, again after ten times as long, and no ending.
    std::thread::sleep(Duration::from_millis(1000));
    let said = running.warnings();
    let times = said.iter().filter(|text| text.contains("waiting for m2, whose"));
    assert_eq!(times.count(), 1, "{said:?}");
    m2.send(1, 1, &sample(1.0, 1.0));
    m1.receive();
    running.warns("waiting for m1, whose last sample is at 0.3005 s.");
    m1.send(1, 0, &sample(1.0, 1.0));
    m2.receive();
    m1.send(7, -1, b"");
    m2.send(7, -1, b"");
    assert_eq!((m1.receive().kind, m2.receive().kind), (8, 8));
    drop((m1, m2));
    running.completes();
}

#[test]
fn a_port_that_is_taken_is_told() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let options = Options {
        port: Some(port),
        monitor_port: Some(port),
        ..quick()
    };
    let running = Running::start(PAIR, options);
    let (tools, monitors) = (running.tools.port(), running.monitors.unwrap().port());
    running.warns(&format!(
        "The port {port} is taken, perhaps by another manager; tools connect to {tools}."
    ));
    running.warns(&format!("monitors connect to {monitors}."));
    running.goes_well();
}

#[test]
fn waiting_for_a_monitor_is_told() {
    let options = Options {
        monitor_port: Some(0),
        monitor_wait: Duration::from_millis(800),
        ..quick()
    };
    let running = Running::start(PAIR, options);
    let said = running.goes_well();
    assert_eq!(
        said[0],
        "All tools are ready; the start waits up to 1 s for a monitor."
    );
    assert!(
        said[1].starts_with("No monitor has come; the co-simulation begins"),
        "{said:?}"
    );
}
