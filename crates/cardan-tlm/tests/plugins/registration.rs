//! First words: names, interfaces, parameters, what the model knows of them.

use crate::drive::{Answer, CLIENTS, Client, Probe, connected, running};
use crate::peer::{
    CHECK_MODEL, CLOSE_PERMISSION, CLOSE_REQUEST, Peer, REG_COMPONENT, REG_INTERFACE, REG_PARAMETER,
    TIME_DATA, line,
};
use std::net::TcpListener;

const SPAN: [f64; 3] = [0.0, 1.0, 1e-3];

#[test]
fn interfaces_of_all_kinds_are_registered_in_both_byte_orders() {
    let mut frames = line(2e-3, 100.0, 7.0, 0.2);
    for (k, number) in (4..28).zip(1..) {
        frames[k] = f64::from(number) / 8.0;
    }
    for client in CLIENTS {
        let interfaces = [
            ("x 1 bidirectional mechanical", line(1e-3, 10.0, 0.0, 0.0)),
            ("w 1 Bidirectional Rotational", line(1e-3, 10.0, 0.0, 0.0)),
            ("p 1 bidirectional hydraulic", line(1e-3, 1e9, 0.0, 0.0)),
            ("u 1 bidirectional electric", line(1e-3, 50.0, 0.0, 0.0)),
            ("in 1 Input Signal", line(1e-3, 0.0, 0.0, 0.0)),
            ("out 1 output signal", line(1e-3, 0.0, 0.0, 0.0)),
        ];
        let (mut probe, mut peer) = connected(client, SPAN, &interfaces, &[], &[]);
        peer.big = true;
        probe.say("iface tie 6 bidirectional mechanical");
        peer.expect(REG_INTERFACE);
        peer.send(REG_INTERFACE, 300, &frames);
        assert_eq!(probe.answer().number(), 300.0);
        assert_eq!(probe.ask("params 300").numbers(), frames, "{client:?}");
        // Not in the model, or connected to nothing.
        probe.say("iface free 6 bidirectional mechanical");
        peer.expect(REG_INTERFACE);
        peer.send(REG_INTERFACE, -1, &[]);
        assert_eq!(probe.answer().number(), -1.0);

        probe.refused("iface tie 6 bidirectional mechanical", "registered twice");
        probe.refused("iface a:b 1 bidirectional mechanical", "colon");
        probe.refused("iface y 3 bidirectional mechanical", "dimension");
        probe.refused("iface y 6 input signal", "dimension");
        probe.refused("iface y 1 bidirectional signal", "input or output");
        probe.refused("iface y 1 sideways signal", "causality");
    }
}

#[test]
fn parameters_come_from_the_model_or_stay() {
    for client in CLIENTS {
        let (mut probe, mut peer) = connected(client, SPAN, &[], &[], &[]);
        probe.say("param mass 1.5");
        assert_eq!(peer.expect(REG_PARAMETER).payload, b"mass:1.5");
        // A value, its zero, and what happened to lie in the memory of the manager.
        let mut payload = b"2.25\0".to_vec();
        payload.resize(100, 0xee);
        let mut message = b"TLM_0101\x06\x00\x00\x00".to_vec();
        message.extend(100_i32.to_le_bytes());
        message.extend((-1_i32).to_le_bytes());
        message.extend(7_i32.to_le_bytes());
        message.extend(payload);
        peer.raw(&message);
        assert_eq!(probe.answer(), Answer::Ok("mass 2.25".into()));
        probe.say("param other 3");
        peer.expect(REG_PARAMETER);
        peer.send(REG_PARAMETER, -1, &[]);
        assert_eq!(probe.answer(), Answer::Ok("other 3".into()));
    }
}

#[test]
fn the_secret_of_the_environment_follows_the_name() {
    for client in CLIENTS {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let mut probe = Probe::start(client, &[("CARDAN_TLM_SECRET", " open sesame\n")]);
        probe.say(&format!("connect m1 0 1 0.1 127.0.0.1:{port}"));
        let mut peer = Peer::accept(&listener);
        assert_eq!(peer.expect(REG_COMPONENT).payload, b"m1\0open sesame");
        peer.send(REG_COMPONENT, 0, &[]);
        assert_eq!(probe.answer(), Answer::Ok(String::new()));
    }
}

#[test]
fn a_model_that_is_wrong_is_refused() {
    for client in CLIENTS {
        let (mut probe, mut peer) = connected(client, SPAN, &[], &[], &[]);
        probe.say("check");
        peer.expect(CHECK_MODEL);
        peer.send(CHECK_MODEL, 0, &[]);
        let Answer::Error(code, words) = probe.answer() else {
            panic!()
        };
        assert_eq!(code, -6);
        assert!(words.contains("not registered"), "{words}");
        let (mut probe, mut peer) = connected(client, SPAN, &[], &[], &[]);
        probe.say("iface x 1 bidirectional mechanical");
        peer.expect(REG_INTERFACE);
        peer.send(REG_INTERFACE, 0, &line(0.0, 1.0, 0.0, 0.0));
        assert!(matches!(probe.answer(), Answer::Error(-6, words) if words.contains("no delay")));
    }
}

/// The start script for Adams of the document writes the server last, all others second.
#[test]
fn the_file_of_the_start_script_is_read_in_both_orders() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tlm.config");
    for client in CLIENTS {
        let mut probe = Probe::start(client, &[]);
        let order = format!("config {}", path.display());
        probe.refused(&order.replace("tlm.", "no."), "cannot be opened");
        for text in [
            "shaft1 host.example:11111\n0 1.5 2e-4\n",
            "shaft1\n0\n1.5\n2e-4\nhost.example:11111\n",
        ] {
            std::fs::write(&path, text).unwrap();
            let Answer::Ok(words) = probe.ask(&order) else {
                panic!()
            };
            let words: Vec<_> = words.split_whitespace().collect();
            assert_eq!(words[..2], ["shaft1", "host.example:11111"], "{client:?}");
            let numbers: Vec<f64> = words[2..].iter().map(|word| word.parse().unwrap()).collect();
            assert_eq!(numbers, [0.0, 1.5, 2e-4]);
        }
        for text in [
            "",
            "shaft1 host:1 0 1",
            "shaft1 host:1 0 1 2 3",
            "shaft1 host 0 1 2",
            "shaft1 host:1 0 one 2",
            "shaft1 host:1 0 nan 2",
        ] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(probe.refused(&order, "five words"), -9, "{text}");
        }
    }
}

/// In this mode the first motion leaves at once, and the second says goodbye.
#[test]
fn a_manager_that_asks_for_interfaces_gets_them() {
    let mut asking = line(0.1, 0.0, 0.0, 0.0);
    asking[28] = 1.0;
    for client in CLIENTS {
        let interfaces = [
            ("a 1 bidirectional mechanical", asking),
            ("b 6 bidirectional mechanical", asking),
        ];
        let (mut probe, mut peer) = running(client, &interfaces, &[]);
        assert_eq!(probe.ask("get1 0 0.7 3").number(), 0.0);
        assert!(matches!(probe.ask("set1 0 0 0.25 0"), Answer::Ok(_)));
        let sample = peer.expect(TIME_DATA);
        assert_eq!((sample.id, sample.numbers()), (0, vec![0.0, 0.25, 0.0, 0.0]));
        assert!(matches!(
            probe.ask("set3 1 0  1 2 3  1 0 0 0 1 0 0 0 1  0 0 0  0 0 0"),
            Answer::Ok(_)
        ));
        assert_eq!(peer.expect(TIME_DATA).numbers()[1..4], [1.0, 2.0, 3.0]);
        probe.say("set1 0 0.001 0.25 0");
        peer.expect(CLOSE_REQUEST);
        peer.send(CLOSE_PERMISSION, -1, &[]);
        if client == Client::Cpp {
            // What tools expect of the class: it ends the process, and not as a failure.
            assert!(probe.finish().success());
        } else {
            assert_eq!(probe.answer(), Answer::Done);
            assert_eq!(probe.ask("set1 0 0.002 0.25 0"), Answer::Done);
        }
    }
}
