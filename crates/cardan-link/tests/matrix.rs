//! Every way to go wrong in the middle of a run, over every transport that a Python participant can use.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod support;

use cardan_core::inputs::Inputs;
use cardan_core::participant::{Participant, RunWindow, Settings, StepRequest, Watch};
use cardan_core::time::SimTime;
use cardan_link::handshake::Secret;
use cardan_link::launch::{Launch, Way, call, launch};
use cardan_link::transport::{Address, TlsClient};
use cardan_link::{Error, Manner, Remote};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::manner;

const PARTICIPANT: &str = r#"
import os, struct, sys, time, cardan

class Bad(cardan.Participant):
    y = cardan.Output()

    def raw(self, data):
        self._link.sink.write(data)
        self._link.sink.flush()

    def step(self, t, dt):
        how = sys.argv[1]
        if how == "segfault":
            os.kill(os.getpid(), 11)
        elif how == "abort":
            os.abort()
        elif how == "exit":
            print("I leave", file=sys.stderr, flush=True)
            os._exit(3)
        elif how == "loop":
            while True: pass
        elif how == "closed":
            for line in {self._link.sink.fileno(), self._link.source.fileno()}:
                os.close(line)
            time.sleep(30)
        elif how == "half":
            self.raw(struct.pack("<IHHQ", 500, 0x8013, 0, 0) + b"half")
            os._exit(0)
        elif how == "garbage":
            self.raw(b"this is certainly not the protocol")
            time.sleep(30)
        elif how == "other":
            self.raw(struct.pack("<IHHQ", 24, 0x8014, 0, 0) + bytes(24))
            time.sleep(30)
        elif how == "number":
            self.raw(struct.pack("<IHHQ", 24, 0x8013, 0, 77) + bytes(24))
            time.sleep(30)
        elif how == "short":
            self.raw(struct.pack("<IHHQ", 8, 0x8013, 0, self.sequence()) + bytes(8))
            time.sleep(30)

    def sequence(self):
        return 4  # Bind, begin, finish, step.

cardan.run(Bad, *sys.argv[2:])
"#;

fn client() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/python");
    std::path::absolute(folder).unwrap()
}

fn written(folder: &Path) -> String {
    let file = folder.join("bad.py");
    std::fs::write(&file, PARTICIPANT).unwrap();
    file.to_str().unwrap().to_owned()
}

fn ready(remote: &mut Remote) {
    let ports: Vec<_> = (0..remote.interface().ports.len() as u32)
        .map(cardan_core::interface::PortId)
        .collect();
    remote.bind(&[], &ports).unwrap();
    let window = RunWindow {
        start: SimTime::default(),
        stop: SimTime::from_seconds(1.0),
        tolerance: None,
    };
    remote
        .begin_initialization(&window, &Settings::default())
        .unwrap();
    remote.finish_initialization().unwrap();
}

fn step() -> StepRequest<'static> {
    StepRequest {
        from: SimTime::default(),
        to: SimTime::from_seconds(0.1),
        inputs: Inputs::default(),
        watch: Watch::Nothing,
    }
}

fn launched(how: &str, way: Way) -> Remote {
    let folder = tempfile::tempdir().unwrap();
    let order = Launch {
        command: vec!["python3".into(), written(folder.path()), how.into()],
        environment: vec![("PYTHONPATH".into(), client().to_str().unwrap().into())],
        way,
        grace: Duration::from_millis(500),
        ..Launch::default()
    };
    let manner = Manner {
        call: Some(Duration::from_millis(1500)),
        ..manner()
    };
    launch(&order, &manner).unwrap()
}

#[test]
fn every_fault_over_every_transport() {
    for (how, words) in [
        ("segfault", "The process was ended by signal 11 (SIGSEGV"),
        ("abort", "The process was ended by signal 6 (SIGABRT"),
        (
            "exit",
            "The process ended with exit status 3. Its last words:\n    I leave",
        ),
        ("loop", "The call did not return within 1.5 s."),
        ("closed", "The process closed its connection but did not end."),
        ("half", "The process ended by itself, with exit status 0."),
        ("garbage", "What arrived is not the protocol"),
        (
            "other",
            "What arrived is not the protocol: the message has no place here",
        ),
        (
            "number",
            "What arrived is not the protocol: the reply carries the number 77",
        ),
        (
            "short",
            "What arrived is not the protocol: the message ends inside",
        ),
    ] {
        for way in [Way::Pipe, Way::Unix, Way::Tcp] {
            let mut remote = launched(how, way);
            ready(&mut remote);
            let pid = remote.process_id().unwrap();
            let begun = Instant::now();
            let failure = remote.step(step()).unwrap_err();
            assert!(
                begun.elapsed() < Duration::from_secs(4),
                "{how} {way:?} took {:?}",
                begun.elapsed()
            );
            assert!(
                failure.message.starts_with(words),
                "{how} {way:?}: {}",
                failure.message
            );
            assert!(
                !Path::new(&format!("/proc/{pid}")).exists(),
                "{how} {way:?} left {pid} behind"
            );
        }
    }
}

/// A port of this host that is free, or was a moment ago.
fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// A participant that was started by other means and listens; the test ends it.
fn listening(arguments: &[&str], run: impl FnOnce()) {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new("python3")
        .arg(written(folder.path()))
        .arg("well")
        .args(arguments)
        .env("PYTHONPATH", client())
        .env("CARDAN_SECRET", "sesame")
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    run();
    let deadline = Instant::now() + Duration::from_secs(5);
    while child.try_wait().unwrap().is_none() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    let ended = child.try_wait().unwrap();
    let _ = child.kill();
    child.wait().unwrap();
    assert!(ended.is_some_and(|status| status.success()), "{ended:?}");
}

/// Calls until somebody listens.
fn called(address: &Address, tls: Option<&TlsClient>, secret: &str) -> Result<Remote, Error> {
    let manner = Manner {
        secret: Some(Secret::new(secret)),
        ..manner()
    };
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        match call(address, tls, &manner) {
            Err(error) if error.is_unreachable() && Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(20));
            }
            met => return met,
        }
    }
}

fn good_run(mut remote: Remote) {
    ready(&mut remote);
    remote.step(step()).unwrap();
    remote.terminate().unwrap();
}

#[test]
fn one_that_listens_is_called() {
    let address = format!("tcp://127.0.0.1:{}", free_port());
    listening(&[&address], || {
        good_run(called(&Address::parse(&address).unwrap(), None, "sesame").unwrap());
    });
}

#[test]
fn one_that_listens_is_called_through_tls() {
    let folder = tempfile::tempdir().unwrap();
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let (certificate, key) = (folder.path().join("c.pem"), folder.path().join("k.pem"));
    std::fs::write(&certificate, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let address = format!("tls://localhost:{}", free_port());
    let files = [certificate.to_str().unwrap(), key.to_str().unwrap()];
    listening(&[&address, files[0], files[1]], || {
        let tls = TlsClient::trusting(&certificate).unwrap();
        good_run(called(&Address::parse(&address).unwrap(), Some(&tls), "sesame").unwrap());
    });
}
