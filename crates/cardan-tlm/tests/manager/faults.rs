//! Everything that takes the reference down: one word about the offender, and the run goes on where it can.

use crate::bench::{Client, PAIR, Running, message, quick, sample};
use cardan_tlm::manager::Options;
use std::time::{Duration, Instant};

/// Something that a stranger does, and a word of the warning.
fn survives(words: &str, act: impl Fn(&mut Client)) {
    // Before the others are there, and while they run.
    let running = Running::pair();
    let mut stranger = running.connect();
    act(&mut stranger);
    running.warns(words);
    stranger.is_closed();
    running.goes_well();

    let running = Running::pair();
    let (mut m1, mut m2) = running.both();
    let mut stranger = running.connect();
    act(&mut stranger);
    running.warns(words);
    stranger.is_closed();
    m1.send(1, 0, &sample(0.5, 1.0));
    assert_eq!(m2.receive().payload, sample(0.5, 1.0));
    m1.send(7, -1, b"");
    m2.send(7, -1, b"");
    assert_eq!((m1.receive().kind, m2.receive().kind), (8, 8));
    drop((m1, m2));
    running.completes();
}

#[test]
fn wrong_signature() {
    survives("does not speak the TLM protocol", |c| {
        c.bytes(b"GET / HTTP/1.1\r\n\r\n")
    });
}

#[test]
fn unknown_component() {
    survives("`m9`, which the meta-model does not have", |c| {
        c.send(2, -1, b"m9")
    });
}

#[test]
fn wrong_first_message() {
    survives("its first message is TIME_DATA", |c| {
        c.send(1, 0, &sample(0.0, 0.0))
    });
}

#[test]
fn unknown_type() {
    survives("unknown type 99", |c| c.send(99, -1, b""));
}

#[test]
fn negative_size() {
    survives("negative size -5", |c| {
        let mut bytes = message(false, 2, -1, 0, b"");
        bytes[12..16].copy_from_slice(&(-5_i32).to_le_bytes());
        c.bytes(&bytes);
    });
}

#[test]
fn huge_size() {
    survives("2147483647 bytes", |c| {
        let mut bytes = message(false, 2, -1, 0, b"");
        bytes[12..16].copy_from_slice(&i32::MAX.to_le_bytes());
        c.bytes(&bytes);
    });
}

#[test]
fn half_a_header_and_then_nothing() {
    survives("did not finish its first message", |c| {
        c.bytes(&message(false, 2, -1, 0, b"m1")[..10]);
    });
}

#[test]
fn half_a_header_and_then_the_end() {
    survives("in the middle of its first message", |c| {
        c.bytes(&message(false, 2, -1, 0, b"m1")[..10]);
        c.stream.shutdown(std::net::Shutdown::Write).unwrap();
    });
}

#[test]
fn a_silent_connection() {
    survives("said nothing", |_| {});
}

#[test]
fn a_duplicate_component() {
    let running = Running::pair();
    let (mut m1, m2) = running.both();
    let mut second = running.connect();
    second.send(2, -1, b"m1");
    running.warns("m1, which is here already");
    second.is_closed();
    m1.send(7, -1, b"");
    let mut m2 = m2;
    m2.send(7, -1, b"");
    assert_eq!(m1.receive().kind, 8);
    drop((m1, m2));
    running.completes();
}

#[test]
fn a_crowd_of_silent_connections_keeps_nobody_out() {
    let options = Options {
        silence: Duration::from_secs(60),
        ..quick()
    };
    let running = Running::start(PAIR, options);
    let crowd: Vec<Client> = (0..300).map(|_| running.connect()).collect();
    running.warns("64 connections have not said yet who they are");
    let warnings = running.goes_well();
    let told = warnings.iter().filter(|text| text.contains("have not said yet"));
    assert_eq!(told.count(), 100, "no more are told");
    drop(crowd);
}

/// An offence of a component while all run: it ends, and the partner is let go.
fn offends(words: &str, act: impl Fn(&mut Client)) {
    let running = Running::pair();
    let (mut m1, mut m2) = running.both();
    m1.send(1, 0, &sample(0.25, 1.0));
    m2.receive();
    act(&mut m1);
    m1.is_closed();
    m2.is_closed();
    let failure = running.fails();
    assert_eq!(failure.component.as_deref(), Some("m1"));
    assert_eq!(failure.time, Some(0.25), "{failure:?}");
    assert!(failure.message.contains(words), "{}", failure.message);
}

#[test]
fn ids_that_do_not_exist() {
    for id in [999, -1, i32::MAX, i32::MIN] {
        offends("does not exist", |c| c.send(1, id, &sample(0.5, 1.0)));
    }
}

#[test]
fn ids_of_others() {
    offends("m2.tlm, which is not its own", |c| {
        c.send(1, 1, &sample(0.5, 1.0))
    });
}

#[test]
fn garbage_while_all_run() {
    offends("does not speak", |c| c.bytes(b"garbage"));
    offends("negative size", |c| {
        let mut bytes = message(true, 1, 0, 0, b"");
        bytes[12] = 0x80;
        c.bytes(&bytes);
    });
    offends("REG_INTERFACE during", |c| c.send(3, -1, b"tlm"));
}

#[test]
fn abort() {
    offends("m1 gave up after its samples at 0.25 s", |c| c.send(5, -1, b""));
}

#[test]
fn death_while_all_run() {
    offends("closed its connection", |c| {
        c.stream.shutdown(std::net::Shutdown::Both).unwrap();
    });
    offends("in the middle of a message", |c| {
        c.bytes(&message(false, 1, 0, 0, &sample(0.5, 1.0))[..30]);
        c.stream.shutdown(std::net::Shutdown::Both).unwrap();
    });
}

#[test]
fn death_before_the_start() {
    type Act = fn(&mut Client);
    let stages: [(&str, Act); 3] = [
        ("registered", |_| {}),
        ("with an interface", |c| {
            c.send(3, -1, b"tlm");
            c.receive();
        }),
        ("ready", |c| {
            c.send(3, -1, b"tlm");
            c.receive();
            c.send(4, -1, b"");
            std::thread::sleep(Duration::from_millis(100));
        }),
    ];
    for (stage, act) in stages {
        let running = Running::pair();
        let mut m2 = running.connect();
        m2.register("m2", &["tlm"]);
        // If both were ready, that would be the start.
        if stage != "ready" {
            m2.send(4, -1, b"");
        }
        let mut m1 = running.connect();
        m1.register("m1", &[]);
        act(&mut m1);
        drop(m1);
        // The one that waits for the start hears that there is none.
        if stage != "ready" {
            let reply = m2.receive();
            assert_eq!((reply.kind, reply.id), (4, 0), "{stage}");
        }
        m2.is_closed();
        let failure = running.fails();
        assert_eq!(failure.component.as_deref(), Some("m1"));
        assert!(
            failure.message.contains("before the start"),
            "{}",
            failure.message
        );
    }
}

#[test]
fn an_interface_point_that_nobody_registers() {
    let running = Running::pair();
    let (mut m1, mut m2) = (running.connect(), running.connect());
    m1.register("m1", &["tlm"]);
    m2.register("m2", &[]);
    m1.send(4, -1, b"");
    m2.send(4, -1, b"");
    assert_eq!((m1.receive().id, m2.receive().id), (0, 0));
    let failure = running.fails();
    assert!(failure.message.contains("m2.tlm"), "{}", failure.message);
}

#[test]
fn a_component_that_never_comes() {
    let options = Options {
        start_timeout: Duration::from_millis(600),
        ..quick()
    };
    let running = Running::start(PAIR, options);
    let mut m1 = running.connect();
    m1.register("m1", &["tlm"]);
    m1.send(4, -1, b"");
    assert_eq!(m1.receive().id, 0);
    let began = Instant::now();
    let failure = running.fails();
    assert!(
        failure.message.contains("m2 did not connect"),
        "{}",
        failure.message
    );
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn samples_of_the_wrong_size_are_handed_on_with_a_word() {
    let running = Running::pair();
    let (mut m1, mut m2) = running.both();
    m1.send(1, 0, &[0; 200]);
    assert_eq!(m2.receive().payload.len(), 200);
    running.warns("its samples have 32 according to the meta-model");
    drop((m1, m2));
    running.fails();
}

#[test]
fn listening_further_needs_a_secret() {
    let listen = "0.0.0.0".parse().unwrap();
    let model = crate::bench::model(PAIR, &cardan_tlm::manager::Task::Simulate);
    let outcome = cardan_tlm::manager::Manager::new(model, Options { listen, ..quick() }).run(&mut |_| {});
    assert!(format!("{:?}", outcome.ending).contains("needs a secret"));
    // With one, clients of this machine still need none.
    let secret = cardan_tlm::wire::Secret::new("open sesame");
    let mut running = Running::start(
        PAIR,
        Options {
            listen,
            secret,
            ..quick()
        },
    );
    running.tools.set_ip("127.0.0.1".parse().unwrap());
    running.goes_well();
}

/// A connection to an address of this machine that is not the loopback device comes from that address: as from elsewhere.
#[test]
fn from_elsewhere_the_secret_must_be_known() {
    let Some(own) = own_address() else {
        return;
    };
    let secret = cardan_tlm::wire::Secret::new("open sesame");
    let mut running = Running::start(
        PAIR,
        Options {
            listen: own,
            secret,
            ..quick()
        },
    );
    running.tools.set_ip(own);
    for wrong in ["m1", "m1\0", "m1\0open", "m1\0open sesame!"] {
        let mut stranger = running.connect();
        stranger.send(2, -1, wrong.as_bytes());
        stranger.is_closed();
    }
    running.warns("does not know the secret");
    let mut m1 = running.connect();
    m1.register("m1\0open sesame", &["tlm"]);
    running.handle.stop();
    running.outcome();
}

/// The address that would be used to reach the world; no packet is sent.
fn own_address() -> Option<std::net::IpAddr> {
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_loopback() && !ip.is_unspecified()).then_some(ip)
}
