//! Those who listen.

use crate::bench::{PAIR, Running, numbers, quick, sample};
use cardan_tlm::manager::Options;
use std::time::{Duration, Instant};

fn watched() -> Running {
    Running::start(
        PAIR,
        Options {
            monitor_port: Some(0),
            ..quick()
        },
    )
}

fn closes(running: Running, mut clients: (crate::bench::Client, crate::bench::Client)) -> Vec<String> {
    clients.0.send(7, -1, b"");
    clients.1.send(7, -1, b"");
    assert_eq!((clients.0.receive().kind, clients.1.receive().kind), (8, 8));
    drop(clients);
    running.completes()
}

#[test]
fn several_monitors_get_what_they_asked_for_even_if_they_join_late() {
    let running = watched();
    let mut early = running.monitor();
    early.send(3, -1, b"m1.tlm");
    let reply = early.receive();
    assert_eq!((reply.kind, reply.id, reply.payload.len()), (3, 0, 232));
    early.send(3, -1, b"m2.nothing:1:bidirectional:mechanical");
    assert_eq!(early.receive().id, -1);
    early.send(4, -1, b"");
    assert_eq!(early.receive().id, 1);

    let (mut m1, mut m2) = running.both();
    for i in 0..500 {
        let time = f64::from(i) * 1e-3;
        m1.send(1, 0, &sample(time, 1.0));
        m2.receive();
        m2.send(1, 1, &numbers(false, &[time, 0.0, 0.0, 2.0]));
        m1.receive();
    }
    let mut late = running.monitor();
    late.big = true;
    for (text, id) in [("m1.tlm", 0), ("m2.tlm:1:bidirectional:mechanical", 1)] {
        late.send(3, -1, text.as_bytes());
        let reply = loop {
            let reply = late.receive();
            if reply.kind == 3 {
                break reply;
            }
        };
        assert_eq!((reply.big, reply.id), (true, id));
    }
    for i in 0..500 {
        let received = early.receive();
        assert_eq!((received.kind, received.id), (1, 0), "the number of the sender");
        assert_eq!(received.payload, sample(f64::from(i) * 1e-3, 1.0));
    }
    closes(running, (m1, m2));
    assert_eq!(early.receive().kind, 8);
    early.is_closed();
    // The late one has missed nothing of the second either; of the first, some came before its second question.
    let mut second = 0;
    loop {
        let received = late.receive();
        match (received.kind, received.id) {
            (1, 1) => {
                assert_eq!(received.payload[..8], (f64::from(second) * 1e-3).to_le_bytes());
                second += 1;
            }
            (1, 0) => {}
            (8, _) => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(second, 500);
}

#[test]
fn the_start_waits_for_a_monitor_but_not_for_ever() {
    let wait = Duration::from_millis(700);
    let running = Running::start(
        PAIR,
        Options {
            monitor_port: Some(0),
            monitor_wait: wait,
            ..quick()
        },
    );
    let began = Instant::now();
    let clients = running.both();
    assert!(began.elapsed() > wait / 2);
    closes(running, clients);

    let running = Running::start(
        PAIR,
        Options {
            monitor_port: Some(0),
            monitor_wait: Duration::from_secs(60),
            ..quick()
        },
    );
    let mut monitor = running.monitor();
    monitor.send(3, -1, b"m1.tlm");
    let clients = running.both();
    closes(running, clients);
}

#[test]
fn monitors_that_misbehave_disturb_nobody() {
    let running = watched();
    let silent = running.monitor();
    let mut dying = running.monitor();
    dying.send(3, -1, b"m1.tlm");
    dying.receive();
    let mut rude = running.monitor();
    rude.send(2, -1, b"m1");
    running.warns("REG_COMPONENT, which monitors do not");
    rude.is_closed();
    let mut stranger = running.monitor();
    stranger.bytes(b"\x16\x03\x01");
    running.warns("does not speak");
    let (mut m1, mut m2) = running.both();
    for i in 0..2000 {
        if i == 1000 {
            // With unread data: the worst way to go.
            drop(dying);
            dying = running.monitor();
        }
        m1.send(1, 0, &sample(f64::from(i), 1.0));
        m2.receive();
    }
    let began = Instant::now();
    closes(running, (m1, m2));
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    drop(silent);
}

/// It subscribes and never reads: the run goes on at full speed and ends.
#[test]
fn a_stuck_monitor_does_not_hold_up_the_run() {
    let running = watched();
    let mut stuck = running.monitor();
    for _ in 0..4 {
        stuck.send(3, -1, b"m1.tlm");
        stuck.receive();
    }
    let (mut m1, mut m2) = running.both();
    let payload = numbers(false, &[0.5; 4 * 64]);
    for _ in 0..10_000 {
        m1.send(1, 0, &payload);
        m2.receive();
    }
    m1.send(7, -1, b"");
    m2.send(7, -1, b"");
    let began = Instant::now();
    assert_eq!((m1.receive().kind, m2.receive().kind), (8, 8));
    assert!(began.elapsed() < Duration::from_secs(5));
    drop((m1, m2));
    running.completes();
}

#[test]
fn a_close_request_of_a_monitor_is_answered_at_the_end() {
    let running = watched();
    let mut monitor = running.monitor();
    monitor.send(3, -1, b"m1.tlm");
    monitor.receive();
    monitor.send(7, -1, b"");
    let (mut m1, mut m2) = running.both();
    m1.send(1, 0, &sample(0.5, 1.0));
    m2.receive();
    closes(running, (m1, m2));
    assert_eq!(monitor.receive().kind, 1);
    assert_eq!(monitor.receive().kind, 8);
}
