//! What can go wrong at the other end, and that it is told in words within finite time.

use crate::drive::{Answer, CLIENTS, Client, Probe, running};
use crate::peer::{ABORT, CHECK_MODEL, Peer, REG_COMPONENT, TIME_DATA, encoded, line};
use std::net::TcpListener;
use std::process::Command;
use std::time::Instant;

const MECHANICAL: &str = "x 1 bidirectional mechanical";
const DELAY: f64 = 1e-2;

fn waiting(client: Client) -> (Probe, Peer) {
    let (mut probe, peer) = running(client, &[(MECHANICAL, line(DELAY, 10.0, 0.0, 0.0))], &[]);
    assert!(matches!(probe.ask("set1 0 0.01 0 0"), Answer::Ok(_)));
    probe.say("get1 0 0.02 1");
    (probe, peer)
}

fn lost(client: Client, what: impl FnOnce(Peer) -> Option<Peer>, code: i32, words: &str) {
    let (mut probe, peer) = waiting(client);
    let _kept = what(peer);
    match probe.answer() {
        Answer::Error(got, said) if got == code && said.contains(words) => {}
        other => panic!("{client:?}: {other:?} is not {code} {words}"),
    }
    // The process goes on, and says the same again.
    assert!(matches!(probe.ask("set1 0 0.02 0 0"), Answer::Error(..)));
    assert!(probe.finish().success());
}

#[test]
fn the_death_of_the_manager_is_told() {
    for client in CLIENTS {
        lost(client, |_| None, -4, "lost");
        lost(
            client,
            |mut peer| {
                peer.raw(&encoded(TIME_DATA, 0, &[0.01, 0.0, 0.0, 1.0], false)[..30]);
                None
            },
            -4,
            "lost",
        );
        let abort = |mut peer: Peer| {
            peer.send(ABORT, -1, &[]);
            Some(peer)
        };
        lost(client, abort, -4, "ended the run");
    }
}

#[test]
fn what_is_no_message_or_has_no_place_is_told() {
    let message = |id: i32, numbers: &[f64]| encoded(TIME_DATA, id, numbers, false);
    let good = [0.01, 0.0, 0.0, 1.0];
    let with = |at: usize, byte: u8| {
        let mut bytes = message(0, &good);
        bytes[at] = byte;
        bytes
    };
    let cases = [
        (with(0, b'X'), "TLM_0101"),
        (with(9, 2), "byte order"),
        (with(15, 0xff), "negative"),
        (with(15, 0x7f), "64 MB"),
        (with(8, 77), "type 77"),
        (with(8, REG_COMPONENT), "type 2"),
        (message(5, &good), "does not have"),
        (message(-1, &good), "does not have"),
        (message(0, &good[..3]), "24 bytes"),
        (message(0, &[0.01, 0.0, 0.0, f64::NAN]), "not finite"),
        (message(0, &[f64::INFINITY, 0.0, 0.0, 0.0]), "not finite"),
    ];
    for client in CLIENTS {
        for (bytes, words) in &cases {
            let act = |mut peer: Peer| {
                peer.raw(bytes);
                Some(peer)
            };
            lost(client, act, -5, words);
        }
    }
}

#[test]
fn nobody_at_the_address() {
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    for client in CLIENTS {
        let mut probe = Probe::start(client, &[("CARDAN_TLM_CONNECT_PATIENCE", "0.2")]);
        let begin = Instant::now();
        probe.refused(&format!("connect m 0 1 0.1 127.0.0.1:{port}"), "answers at");
        assert!(begin.elapsed().as_secs_f64() < 5.0);
        // The name counts: there is no such host, whatever listens here.
        probe.refused(
            &format!("connect m 0 1 0.1 no.such.host.invalid:{port}"),
            "not known",
        );
        for server in [
            "localhost",
            "localhost:",
            ":1",
            "localhost:0",
            "localhost:65536",
            "localhost:1x",
        ] {
            probe.refused(&format!("connect m 0 1 0.1 {server}"), "host:port");
        }
        probe.refused("connect m 1 1 0.1 localhost:1", "end after its start");
    }
}

/// The manager may start later than its tools.
#[test]
fn somebody_at_the_address_soon() {
    for client in CLIENTS {
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let mut probe = Probe::start(client, &[]);
        probe.say(&format!("connect m 0 1 0.1 127.0.0.1:{port}"));
        assert!(probe.waits());
        let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
        let mut peer = Peer::accept(&listener);
        peer.expect(REG_COMPONENT);
        peer.send(REG_COMPONENT, 0, &[]);
        assert_eq!(probe.answer(), Answer::Ok(String::new()));
    }
}

#[test]
fn patience_has_an_end_if_it_was_given_one() {
    for client in CLIENTS {
        let lines = [(MECHANICAL, line(DELAY, 10.0, 0.0, 0.0))];
        let (mut probe, _peer) = running(client, &lines, &["patience 60 0.2"]);
        assert!(matches!(probe.ask("set1 0 0.01 0 0"), Answer::Ok(_)));
        assert_eq!(probe.refused("get1 0 0.02 1", "0.2 s"), -8);
    }
}

/// Data may overtake the answer to the check of the model.
#[test]
fn data_that_comes_before_the_answer_is_kept() {
    for client in CLIENTS {
        let lines = [(MECHANICAL, line(DELAY, 10.0, 0.0, 0.0))];
        let (mut probe, mut peer) = crate::drive::connected(client, [0.0, 1.0, 0.1], &lines, &[], &[]);
        probe.say("set1 0 0.01 0 0"); // checks the model first
        peer.expect(CHECK_MODEL);
        peer.send(TIME_DATA, 0, &[0.01, 0.0, 0.0, 5.0]);
        peer.send(CHECK_MODEL, 1, &[]);
        assert!(matches!(probe.answer(), Answer::Ok(_)));
        assert_eq!(probe.ask("get1 0 0.02 0").number(), 5.0);
    }
}

#[test]
fn signals_end_the_run_if_asked_for() {
    let (mut probe, mut peer) = running(Client::C, &[(MECHANICAL, line(DELAY, 10.0, 0.0, 0.0))], &[]);
    assert!(matches!(probe.ask("signals"), Answer::Ok(_)));
    let killed = Command::new("kill")
        .args(["-TERM", &probe.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    assert_eq!(peer.expect(ABORT).id, -1);
    assert!(peer.next().is_none());
    let status = probe.finish();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(15));
}

/// Interfaces that the model does not connect: no load, no complaint. Numbers that nobody gave out: a complaint.
#[test]
fn what_is_not_connected_carries_no_load() {
    for client in [Client::C, Client::Cpp] {
        let (mut probe, _peer) = running(client, &[], &[]);
        assert_eq!(probe.ask("get1 -1 0.5 3").number(), 0.0);
        assert_eq!(probe.ask("get3 -1 0.5 1 2 3 4 5 6").numbers(), [0.0; 6]);
        assert!(matches!(probe.ask("set1 -1 0.5 0 0"), Answer::Ok(_)));
        assert_eq!(probe.refused("get1 7 0.5 3", "no interface"), -2);
    }
}

/// A manager that sends and does not read, while the client sends: the client takes in what comes, and nobody waits for ever.
#[test]
fn two_who_both_send_do_not_wait_for_each_other() {
    for client in CLIENTS {
        let delay = 1e6; // one message for all of it, at the end
        let lines = [("tie 6 bidirectional mechanical", line(delay, 10.0, 0.0, 0.0))];
        let (mut probe, mut peer) = running(client, &lines, &[]);
        let motion = " 1 2 3 1 0 0 0 1 0 0 0 1 1 2 3 4 5 6";
        let count = 60_000; // 12 MB, more than sockets hold
        for k in 0..count {
            probe.say(&format!("set3 0 {k}{motion}"));
            assert!(matches!(probe.answer(), Answer::Ok(_)));
        }
        probe.say("close");
        let mut sample = vec![0.0; 25];
        for k in 0..2000 {
            let many: Vec<f64> = (0..100)
                .flat_map(|j| {
                    sample[0] = f64::from(100 * k + j);
                    sample.clone()
                })
                .collect();
            peer.send(TIME_DATA, 0, &many); // 40 MB
        }
        assert_eq!(peer.expect(TIME_DATA).payload.len(), 200 * count);
        peer.expect(crate::peer::CLOSE_REQUEST);
        peer.send(crate::peer::CLOSE_PERMISSION, -1, &[]);
        assert!(matches!(probe.answer(), Answer::Ok(_)), "{client:?}");
    }
}
