//! What clients are told when something is wrong.

use crate::stage::{Stage, axis, client, model, patience, xml};
use cardan_tlm::manager::Ending;
use cardan_tlm::plugin::{Arithmetic, InterfaceType, Patience, Plugin, PluginError, Settings};
use cardan_tlm::wire::ByteOrder;
use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

const POINT: &str = "Name=\"tlm\" Dimensions=\"1\" Domain=\"mechanical\"";

fn pair() -> String {
    xml(
        &[("m1", &[POINT]), ("m2", &[POINT])],
        &[("m1.tlm", "m2.tlm")],
        "Delay=\"1e-3\" Zf=\"50\"",
        1.0,
    )
}

fn settings(address: SocketAddr, patience: Patience) -> Settings {
    Settings {
        name: "m1".into(),
        start: 0.0,
        stop: 1.0,
        address: address.to_string(),
        arithmetic: Arithmetic::default(),
        patience,
        order: ByteOrder::NATIVE,
        secret: None,
    }
}

#[test]
fn nobody_is_there() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let patience = Patience {
        meeting: Duration::from_millis(200),
        ..patience()
    };
    let begun = Instant::now();
    let error = Plugin::connect(settings(free, patience)).unwrap_err();
    assert!(matches!(error, PluginError::Unreachable { .. }), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(2));
}

/// A manager that comes a little later is waited for.
#[test]
fn a_late_manager_is_found() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let waiting = thread::spawn(move || Plugin::connect(settings(free, patience())));
    thread::sleep(Duration::from_millis(200));
    let Ok(listener) = TcpListener::bind(free) else {
        // Somebody else has taken the port meanwhile, as may happen on a busy machine.
        return;
    };
    let (stream, _) = listener.accept().unwrap();
    drop(stream);
    let error = waiting.join().unwrap().unwrap_err();
    assert!(matches!(error, PluginError::Lost { .. }), "{error}");
}

#[test]
fn a_stranger_is_recognised() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let stranger = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"SSH-2.0-nothing here speaks TLM\r\n").unwrap();
        thread::sleep(Duration::from_millis(300));
    });
    let error = Plugin::connect(settings(address, patience())).unwrap_err();
    assert!(matches!(error, PluginError::Stranger { .. }), "{error}");
    stranger.join().unwrap();
}

/// Somebody who listens and never answers.
#[test]
fn silence_has_a_limit() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let patience = Patience {
        message: Some(Duration::from_millis(200)),
        ..patience()
    };
    let error = Plugin::connect(settings(address, patience)).unwrap_err();
    assert!(matches!(error, PluginError::Silent { .. }), "{error}");
    let patience = Patience {
        interrupt: Arc::new(AtomicBool::new(true)),
        ..crate::stage::patience()
    };
    let error = Plugin::connect(settings(address, patience)).unwrap_err();
    assert!(error.is_interruption(), "{error}");
}

/// An interface point of the meta-model that nobody registers.
#[test]
fn the_check_of_the_model_fails() {
    let stage = Stage::open(model(&pair()), false);
    let address = stage.components;
    let other = thread::spawn(move || {
        let mut plugin = client(address, "m2", 1.0, Arithmetic::default()).unwrap();
        let unknown = InterfaceType {
            dimensions: 1,
            causality: "bidirectional",
            domain: "mechanical",
        };
        assert!(plugin.register_interface("nobody", unknown).unwrap().is_none());
        plugin.check_model().unwrap_err()
    });
    let mut plugin = client(address, "m1", 1.0, Arithmetic::default()).unwrap();
    axis(&mut plugin, "tlm", "mechanical");
    let errors = [plugin.check_model().unwrap_err(), other.join().unwrap()];
    assert!(
        errors
            .iter()
            .all(|error| matches!(error, PluginError::CheckFailed)),
        "{errors:?}"
    );
    drop(plugin);
    assert!(matches!(stage.outcome().ending, Ending::Failed(_)));
}

/// One gives up: the other hears of it, and the manager knows who it was.
#[test]
fn one_who_gives_up_tells_all() {
    let stage = Stage::open(model(&pair()), false);
    let address = stage.components;
    let other = thread::spawn(move || {
        let mut plugin = client(address, "m2", 1.0, Arithmetic::default()).unwrap();
        let id = axis(&mut plugin, "tlm", "mechanical");
        plugin.set_motion_1d(id, 5e-4, 0.0, 0.0).unwrap();
        plugin.force_1d(id, 1.4e-3, 0.0).unwrap_err()
    });
    let mut plugin = client(address, "m1", 1.0, Arithmetic::default()).unwrap();
    let id = axis(&mut plugin, "tlm", "mechanical");
    plugin.check_model().unwrap();
    let error = plugin.set_motion_1d(id, 5e-4, f64::NAN, 0.0).unwrap_err();
    assert!(matches!(error, PluginError::NotFinite { .. }), "{error}");
    plugin.abort();
    let error = other.join().unwrap();
    assert!(matches!(error, PluginError::Lost { .. }), "{error}");
    match stage.outcome().ending {
        Ending::Failed(failure) => assert_eq!(failure.component.as_deref(), Some("m1"), "{failure:?}"),
        other => panic!("{other:?}"),
    }
}
