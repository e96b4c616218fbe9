//! The handshake, the relay and the close, byte by byte in both orders.

use crate::bench::{Running, message, numbers, quick, sample};
use cardan_tlm::manager::Ending;

/// What m1.tlm of the pair must be told: by the table of the protocol, and by the rotation of (0.3, -0.4, 1.2).
fn expected_reply() -> Vec<f64> {
    let rotation = |x: f64, y: f64, z: f64| {
        let ((s1, c1), (s2, c2), (s3, c3)) = (x.sin_cos(), y.sin_cos(), z.sin_cos());
        vec![
            c2 * c3,
            c2 * s3,
            -s2,
            -c1 * s3 + s1 * s2 * c3,
            c1 * c3 + s1 * s2 * s3,
            s1 * c2,
            s1 * s3 + c1 * s2 * c3,
            -s1 * c3 + c1 * s2 * s3,
            c1 * c2,
        ]
    };
    let mut reply = vec![1e-3, 200.0, 3.0, 0.2, 1.0, 2.0, 3.0];
    reply.extend(rotation(0.3, -0.4, 1.2));
    reply.extend([0.0, -0.1, 0.0]);
    reply.extend(rotation(0.0, 0.0, 0.5));
    reply.push(0.0);
    reply
}

fn decoded(big: bool, payload: &[u8]) -> Vec<f64> {
    let chunks = payload.chunks_exact(8).map(|c| c.try_into().unwrap());
    chunks
        .map(|c| {
            if big {
                f64::from_be_bytes(c)
            } else {
                f64::from_le_bytes(c)
            }
        })
        .collect()
}

#[test]
fn the_whole_conversation_in_both_orders() {
    for big in [false, true] {
        let running = Running::pair();
        let mut m1 = running.connect();
        m1.big = big;
        m1.send(2, -1, b"m1");
        let reply = m1.receive();
        assert_eq!((reply.kind, reply.big, reply.id), (2, big, 0));
        assert!(reply.payload.is_empty());

        // Both forms, and one that is not there.
        for text in ["tlm", "tlm:1:Bidirectional:Mechanical"] {
            m1.send(3, -1, text.as_bytes());
            let reply = m1.receive();
            assert_eq!((reply.kind, reply.id, reply.payload.len()), (3, 0, 232));
            let found = decoded(reply.big, &reply.payload);
            for (found, expected) in found.iter().zip(expected_reply()) {
                assert!((found - expected).abs() < 1e-15, "{found} {expected}");
            }
        }
        m1.send(3, -1, b"nothing");
        let reply = m1.receive();
        assert_eq!((reply.kind, reply.id, reply.payload.len()), (3, -1, 0));

        m1.send(6, -1, b"name:nobody");
        let reply = m1.receive();
        assert_eq!((reply.kind, reply.parameter, reply.payload.len()), (6, 1, 100));
        assert_eq!(&reply.payload[..5], b"left\0");
        assert!(reply.payload[4..].iter().all(|byte| *byte == 0), "no leaks");
        m1.send(6, -1, b"colour:red");
        assert!(m1.receive().payload.is_empty());

        let mut m2 = running.connect();
        m2.register("m2", &["tlm"]);
        // In the meta-model, but not connected.
        m2.send(3, -1, b"free");
        assert_eq!(m2.receive().id, -1);
        m2.send(6, 0, b"mass:1");
        let reply = m2.receive();
        assert_eq!((reply.parameter, reply.payload[0]), (2, b'4'));

        // A stale payload and any id may come with it.
        m1.send(4, 77, b"stale");
        m2.send(4, -1, b"");
        for client in [&mut m1, &mut m2] {
            let reply = client.receive();
            assert_eq!((reply.kind, reply.id, reply.payload.len()), (4, 1, 0));
        }

        // Samples are handed on as they are, in the order of their sender.
        let payload = numbers(big, &[0.001, 1.0, 2.0, 3.0, 0.002, 1.5, 2.5, 3.5]);
        m1.send(1, 0, &payload);
        let received = m2.receive();
        assert_eq!((received.kind, received.big, received.id), (1, big, 1));
        assert_eq!(received.payload, payload);
        m2.send(1, 1, &sample(0.001, 7.0));
        let received = m1.receive();
        assert_eq!((received.big, received.id), (false, 0));
        assert_eq!(received.payload, sample(0.001, 7.0));

        // The one who is done first waits, and still hears the other.
        m1.send(7, 3, &[0; 32]);
        m2.send(1, 1, &sample(0.002, 8.0));
        assert_eq!(m1.receive().payload, sample(0.002, 8.0));
        m2.send(7, -1, b"");
        for client in [&mut m1, &mut m2] {
            let received = client.receive();
            assert_eq!((received.kind, received.id, received.payload.len()), (8, -1, 0));
        }
        drop((m1, m2));
        let outcome = running.outcome();
        assert_eq!(outcome.ending, Ending::Completed);
        assert_eq!(outcome.messages(), 3);
        assert_eq!(outcome.components[0].time, Some(0.002));
    }
}

#[test]
fn nobody_starts_before_all_are_ready() {
    let running = Running::pair();
    let mut m1 = running.connect();
    m1.register("m1", &["tlm"]);
    m1.send(4, -1, b"");
    let brief = std::time::Duration::from_millis(300);
    m1.stream.set_read_timeout(Some(brief)).unwrap();
    let mut byte = [0];
    assert!(m1.stream.peek(&mut byte).is_err(), "an answer came too early");
    m1.stream.set_read_timeout(Some(crate::bench::PATIENCE)).unwrap();
    let mut m2 = running.connect();
    m2.register("m2", &["tlm"]);
    m2.send(4, -1, b"");
    assert_eq!((m1.receive().id, m2.receive().id), (1, 1));
    m1.send(7, -1, b"");
    m2.send(7, -1, b"");
    assert_eq!((m1.receive().kind, m2.receive().kind), (8, 8));
    drop((m1, m2));
    running.completes();
}

#[test]
fn a_message_may_come_byte_by_byte_or_many_at_once() {
    let running = Running::pair();
    let (mut m1, mut m2) = running.both();
    for byte in message(false, 1, 0, 0, &sample(0.001, 1.0)) {
        m1.bytes(&[byte]);
        std::thread::sleep(std::time::Duration::from_micros(200));
    }
    assert_eq!(m2.receive().payload, sample(0.001, 1.0));
    let many: Vec<u8> = (0..1000)
        .flat_map(|i| message(i % 2 == 1, 1, 0, 0, &sample(0.002, f64::from(i))))
        .collect();
    m1.bytes(&many);
    for i in 0..1000 {
        let received = m2.receive();
        assert_eq!((received.big, received.id), (i % 2 == 1, 1));
        assert_eq!(received.payload, sample(0.002, f64::from(i)));
    }
    m1.send(7, -1, b"");
    m2.send(7, -1, b"");
    m1.receive();
    m2.receive();
    drop((m1, m2));
    running.completes();
}

/// The sender has to wait, the memory does not grow, and nothing is lost when the receiver wakes up.
#[test]
fn a_receiver_that_sleeps_loses_nothing() {
    let running = Running::pair();
    let (mut m1, mut m2) = running.both();
    const MESSAGES: u32 = 20_000;
    let sender = std::thread::spawn(move || {
        let payload = numbers(false, &[0.5; 4 * 64]);
        for i in 0..MESSAGES {
            let mut payload = payload.clone();
            payload[..8].copy_from_slice(&f64::from(i).to_le_bytes());
            m1.send(1, 0, &payload);
        }
        m1.send(7, -1, b"");
        m1
    });
    // 40 MB: more than all buffers on the way hold.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(
        !sender.is_finished(),
        "somebody took 40 MB for a receiver that sleeps"
    );
    for i in 0..MESSAGES {
        assert_eq!(m2.receive().payload[..8], f64::from(i).to_le_bytes());
    }
    m2.send(7, -1, b"");
    let mut m1 = sender.join().unwrap();
    assert_eq!((m1.receive().kind, m2.receive().kind), (8, 8));
    drop((m1, m2));
    running.completes();
}

#[test]
fn who_leaves_at_its_end_without_a_word_has_come_to_its_end() {
    let running = Running::pair();
    let (mut m1, mut m2) = running.both();
    m1.send(1, 0, &sample(1.0, 1.0));
    m2.send(1, 1, &sample(1.0, 1.0));
    m1.receive();
    m2.receive();
    drop(m1);
    m2.send(7, -1, b"");
    assert_eq!(m2.receive().kind, 8);
    drop(m2);
    let warnings = running.completes();
    assert!(
        warnings.iter().any(|w| w.contains("m1 left at its end")),
        "{warnings:?}"
    );
}

#[test]
fn a_taken_port_gives_the_next_one() {
    let first = Running::pair();
    let options = cardan_tlm::manager::Options {
        port: Some(first.tools.port()),
        ..quick()
    };
    let second = Running::start(crate::bench::PAIR, options);
    assert!(second.tools.port() > first.tools.port());
    assert!(second.tools.ip().is_loopback());
    first.goes_well();
    second.goes_well();
}

#[test]
fn it_can_be_stopped() {
    let running = Running::pair();
    let (mut m1, mut m2) = running.both();
    running.handle.stop();
    m1.is_closed();
    m2.is_closed();
    assert_eq!(running.outcome().ending, Ending::Interrupted);
}
