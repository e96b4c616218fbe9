//! A worker: this very test binary, started again, serving one of the fakes.

#![allow(dead_code, reason = "not every test file uses all of it")]

use cardan_core::participant::Participant;
use cardan_link::launch::{Launch, Way, launch};
use cardan_link::serve::{Served, serve, serve_here};
use cardan_link::transport::{Address, Descriptors, Framed};
use cardan_link::{Error, Manner, Remote};
use cardan_testkit::fakes::{Accumulator, AllTypes, Harmonic, Relay, Script};
use cardan_testkit::problems::Oscillator;
use std::fs::{File, OpenOptions};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// Names the fake that a worker serves.
pub(crate) const WORKER: &str = "CARDAN_TEST_WORKER";

pub(crate) const OSCILLATOR: Oscillator = Oscillator {
    mass: 2.0,
    damping: 0.5,
    stiffness: 300.0,
};

pub(crate) fn fake(name: &str) -> Box<dyn Participant> {
    match name {
        "accumulator" => Box::new(Accumulator::new(1.0)),
        "relay-direct" => Box::new(Relay::direct(3)),
        "relay-held" => Box::new(Relay::held(3)),
        "relay-8" => Box::new(Relay::held(8)),
        "no-ports" => Box::new(Relay::direct(0)),
        "no-rollback" => Box::new(Relay::held(1).without_rollback()),
        "all-types-direct" => Box::new(AllTypes::direct()),
        "all-types-held" => Box::new(AllTypes::held()),
        "harmonic" => Box::new(Harmonic::new(OSCILLATOR, [0.1, -0.2])),
        "early" => Box::new(Script::new().early(0.013).early(0.02).early(0.057)),
        "announced" => Box::new(Script::new().early(0.013).early(0.0425).announced()),
        "terminates" => Box::new(Script::new().early(0.004).terminate_at(0.033)),
        other => panic!("there is no fake `{other}`"),
    }
}

/// Is this process a worker? Then it serves, and the test that asked is over when it returns.
pub(crate) fn work() -> bool {
    let Ok(name) = std::env::var(WORKER) else {
        return false;
    };
    let mut participant = fake(&name);
    let served = Served::from_environment().unwrap();
    let outcome = if served.address == Address::Stdio {
        // The test harness prints to standard output: the shell moved the protocol to descriptor 3.
        let input = File::open("/proc/self/fd/0").unwrap();
        let output = OpenOptions::new().write(true).open("/proc/self/fd/3").unwrap();
        let mut transport = Framed::new(Descriptors::inherited(input.into(), output.into()));
        serve(participant.as_mut(), &mut transport, &name, None)
    } else {
        serve_here(participant.as_mut(), &name)
    };
    outcome.unwrap();
    true
}

/// A worker with a fake. The test binary must have a test `worker` that calls [`work`].
pub(crate) fn launched(name: &str, way: Way) -> Remote {
    try_launched(name, way).unwrap()
}

pub(crate) fn try_launched(name: &str, way: Way) -> Result<Remote, Error> {
    let exe = std::env::current_exe().unwrap();
    let script = "exec 3>&1 1>&2; exec \"$0\" --exact worker --nocapture";
    let command = ["sh", "-c", script, exe.to_str().unwrap()].map(str::to_owned);
    let order = Launch {
        command: command.to_vec(),
        environment: vec![(WORKER.into(), name.into())],
        way,
        grace: Duration::from_secs(5),
        ..Launch::default()
    };
    launch(&order, &manner())
}

pub(crate) fn manner() -> Manner {
    Manner {
        component: "tested".into(),
        start: Some(Duration::from_secs(20)),
        call: Some(Duration::from_secs(20)),
        ..Manner::default()
    }
}

/// A fake that is served by another thread, over a pair of sockets.
pub(crate) fn paired(name: &str) -> Remote {
    let (here, there) = UnixStream::pair().unwrap();
    let name = name.to_owned();
    std::thread::spawn(move || {
        let mut transport = Framed::new(Descriptors::unix(there).unwrap());
        // A test may drop its participant at any point of its life.
        let _ = serve(fake(&name).as_mut(), &mut transport, &name, None);
    });
    let transport = Framed::new(Descriptors::unix(here).unwrap());
    Remote::meet(Box::new(transport), None, &manner()).unwrap()
}
