//! The memory of a manager is bounded, however far those run ahead who do not wait for each other.
#![cfg(unix)]

use crate::bench::Bench;
use crate::tlm_raw::{Manager, Raw, sample};
use std::time::Duration;

const MIB: usize = 1 << 20;

/// Two lines that have nothing to do with each other.
fn two_groups() -> Bench {
    let bench = Bench::new();
    let sub_model = |name: &str| {
        format!(
            "<SubModel Name=\"{name}\" StartCommand=\"none\" ModelFile=\"x\"><InterfacePoint Name=\"tlm\" Dimensions=\"1\"/></SubModel>"
        )
    };
    let sub_models: String = ["a", "b", "c", "d"].map(sub_model).concat();
    bench.write(
        "groups.xml",
        &format!(
            "<Model Name=\"groups\"><SubModels>{sub_models}</SubModels><Connections>\
             <Connection From=\"a.tlm\" To=\"b.tlm\" Delay=\"1e-3\" Zf=\"1\"/>\
             <Connection From=\"c.tlm\" To=\"d.tlm\" Delay=\"1e-3\" Zf=\"1\"/></Connections>\
             <SimulationParams StartTime=\"0\" StopTime=\"1\"/></Model>"
        ),
    );
    bench
}

fn all(manager: &Manager) -> [Raw; 4] {
    let mut clients = ["a", "b", "c", "d"].map(|name| {
        let mut client = manager.connect();
        client.register(name, "tlm");
        client
    });
    for client in &mut clients {
        assert_eq!(client.receive().1, 1);
    }
    clients
}

/// A message of 1 MiB.
fn much() -> Vec<u8> {
    sample(0.5).repeat(MIB / 32)
}

/// Last samples at the end, and leave.
fn all_end(manager: Manager, mut clients: [Raw; 4]) {
    for (id, client) in (0..).zip(&mut clients) {
        client.send(1, id, &sample(1.0));
        client.send(7, -1, b"");
    }
    for client in &mut clients {
        while client.receive().0 != 8 {}
    }
    drop(clients);
    manager.ends().expect(0);
}

/// A monitor has asked for both groups and reads nothing; one group sends 200 MiB while the other one thinks. The history of
/// 256 MiB is shared by four interface points, so 64 MiB of that are kept.
#[test]
fn a_group_that_runs_ahead_does_not_fill_the_memory() {
    let bench = two_groups();
    let manager = Manager::start(&bench, &["-m", "0", "groups.xml"]);
    let mut monitor = Raw::new(manager.monitors.as_ref().unwrap());
    for name in ["a.tlm", "b.tlm", "c.tlm", "d.tlm"] {
        monitor.send(3, -1, name.as_bytes());
        assert_eq!(monitor.receive().0, 3);
    }
    let [mut a, mut b, mut c, mut d] = all(&manager);
    let much = much();
    for _ in 0..200 {
        a.send(1, 0, &much);
        b.receive();
    }
    let peak = manager.peak();
    assert!(peak > 32 * MIB && peak < 128 * MIB, "{} MiB", peak / MIB);
    // The other group has not been held up.
    c.send(1, 2, &sample(0.25));
    assert_eq!(d.receive().2, sample(0.25));
    drop(monitor);
    all_end(manager, [a, b, c, d]);
}

/// One of a group does not take its samples: who sends to it waits, and the other group comes to its end meanwhile.
#[test]
fn a_group_that_is_stuck_holds_up_itself_alone() {
    let bench = two_groups();
    let manager = Manager::start(&bench, &["groups.xml"]);
    let [mut a, mut b, mut c, mut d] = all(&manager);
    let sender = std::thread::spawn(move || {
        let much = much();
        for _ in 0..100 {
            a.send(1, 0, &much);
        }
        a
    });
    for i in 1..=1000 {
        let sample = sample(f64::from(i) * 1e-3);
        c.send(1, 2, &sample);
        assert_eq!(d.receive().2, sample);
        d.send(1, 3, &sample);
        assert_eq!(c.receive().2, sample);
    }
    std::thread::sleep(Duration::from_millis(500));
    assert!(
        !sender.is_finished(),
        "100 MiB were taken for somebody who reads nothing"
    );
    // 16 MiB wait, in a buffer that grows by doubling, and some are being read.
    let peak = manager.peak();
    assert!(peak < 80 * MIB, "{} MiB", peak / MIB);
    for _ in 0..100 {
        assert_eq!(b.receive().2.len(), MIB);
    }
    let a = sender.join().unwrap();
    all_end(manager, [a, b, c, d]);
}
