//! What goes wrong with other processes ends in one sentence, within its time, and leaves nothing running.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod support;

use cardan_core::inputs::Inputs;
use cardan_core::participant::{Participant, RunWindow, Settings, StepRequest, Watch};
use cardan_core::time::SimTime;
use cardan_link::launch::{Launch, Way, call, launch, wait_for};
use cardan_link::transport::{Address, Waiting};
use cardan_link::wire::{Flags, Hello, Kind, Message};
use cardan_link::{Error, Manner};
use rustix::process::{Pid, Signal, kill_process};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};
use support::{manner, try_launched};

#[test]
fn worker() {
    support::work();
}

const WAYS: [Way; 5] = [
    Way::Pipe,
    Way::Unix,
    Way::Tcp,
    Way::SharedMemory(Waiting::Sleep),
    Way::SharedMemory(Waiting::Spin),
];

/// The state of a process as the system shows it; empty if there is none.
fn state(pid: i32) -> String {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')')
        .next()
        .unwrap_or_default()
        .trim_start()
        .to_owned()
}

/// Is there such a process that is not just waiting to be reaped by somebody else?
fn lives(pid: i32) -> bool {
    let state = state(pid);
    !state.is_empty() && !state.starts_with('Z')
}

fn short() -> Manner {
    Manner {
        start: Some(Duration::from_millis(700)),
        call: Some(Duration::from_millis(300)),
        ..manner()
    }
}

fn started(command: &[&str], way: Way, manner: &Manner) -> Result<cardan_link::Remote, Error> {
    let order = Launch {
        command: command.iter().map(|word| (*word).to_owned()).collect(),
        way,
        grace: Duration::from_millis(500),
        ..Launch::default()
    };
    launch(&order, manner)
}

/// The error of a shell script that is started as a participant.
fn refused(script: &str, way: Way) -> Error {
    let begun = Instant::now();
    let error = started(&["sh", "-c", script], way, &short()).unwrap_err();
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "took {:?}",
        begun.elapsed()
    );
    error
}

fn ready(participant: &mut dyn Participant) {
    participant.bind(&[], &[]).unwrap();
    let window = RunWindow {
        start: SimTime::default(),
        stop: SimTime::from_seconds(1.0),
        tolerance: None,
    };
    participant
        .begin_initialization(&window, &Settings::default())
        .unwrap();
    participant.finish_initialization().unwrap();
}

fn step() -> StepRequest<'static> {
    StepRequest {
        from: SimTime::default(),
        to: SimTime::from_seconds(0.1),
        inputs: Inputs::default(),
        watch: Watch::Nothing,
    }
}

#[test]
fn a_process_that_is_killed_is_named_at_once() {
    for way in WAYS {
        let mut remote = try_launched("harmonic", way).unwrap();
        ready(&mut remote);
        let pid = Pid::from_raw(remote.process_id().unwrap() as i32).unwrap();
        kill_process(pid, Signal::KILL).unwrap();
        let begun = Instant::now();
        let failure = remote.step(step()).unwrap_err();
        assert!(
            begun.elapsed() < Duration::from_secs(2),
            "{way:?} took {:?}",
            begun.elapsed()
        );
        assert!(
            failure.message.starts_with("The process was ended by signal 9"),
            "{way:?}: {failure}"
        );
        assert!(!lives(pid.as_raw_pid()));
        // Whoever asks again gets an answer at once.
        assert!(remote.terminate().is_err());
    }
}

#[test]
fn a_call_that_does_not_return_ends_with_its_time() {
    for way in WAYS {
        let exe = std::env::current_exe().unwrap();
        let script = "exec 3>&1 1>&2; exec \"$0\" --exact worker --nocapture";
        let order = Launch {
            command: ["sh", "-c", script, exe.to_str().unwrap()]
                .map(str::to_owned)
                .to_vec(),
            environment: vec![(support::WORKER.into(), "harmonic".into())],
            way,
            ..Launch::default()
        };
        let impatient = Manner {
            call: Some(Duration::from_millis(300)),
            ..manner()
        };
        let mut remote = launch(&order, &impatient).unwrap();
        ready(&mut remote);
        let pid = Pid::from_raw(remote.process_id().unwrap() as i32).unwrap();
        // To whoever waits, a process that stands still and one that loops are the same.
        kill_process(pid, Signal::STOP).unwrap();
        while !state(pid.as_raw_pid()).starts_with('T') {
            std::thread::sleep(Duration::from_millis(1));
        }
        let begun = Instant::now();
        let failure = remote.step(step()).unwrap_err();
        assert!(
            begun.elapsed() < Duration::from_secs(3),
            "{way:?} took {:?}",
            begun.elapsed()
        );
        assert!(
            failure
                .message
                .starts_with("The call did not return within 0.3 s."),
            "{way:?}: {failure}"
        );
        assert!(failure.advice.is_some_and(|advice| advice.contains("[limits]")));
        assert!(!lives(pid.as_raw_pid()));
    }
}

#[test]
fn a_process_that_exits_at_once_is_told_with_its_last_words() {
    for way in WAYS {
        let error = refused("echo oh no >&2; exit 3", way);
        let message = error.message();
        assert!(
            message.starts_with("The process ended with exit status 3."),
            "{way:?}: {message}"
        );
        assert!(
            message.ends_with("Its last words:\n    oh no"),
            "{way:?}: {message}"
        );
    }
}

#[test]
fn a_process_that_never_speaks_is_given_up() {
    for way in WAYS {
        let error = refused("exec sleep 30", way);
        assert!(error.is_timeout(), "{way:?}: {error}");
        assert!(error.message().contains("within 0.7 s"), "{way:?}: {error}");
    }
}

#[test]
fn garbage_is_shown() {
    let error = refused(
        "echo Hello world, this is my simulation; exec sleep 30",
        Way::Pipe,
    );
    assert_eq!(
        error.message(),
        "It wrote `Hello world, this is my simulation` instead of the protocol."
    );
    assert!(
        error
            .advice()
            .is_some_and(|advice| advice.contains("standard error"))
    );
    let error = refused("echo hi; exec sleep 30", Way::Pipe);
    assert_eq!(error.message(), "It wrote `hi` instead of the protocol.");
}

fn hello(version: u32) -> Vec<u8> {
    let mut hello = Hello::new([0; 32], "n", "t");
    hello.version = version;
    let mut message = Message::default();
    hello.write(&mut message.begin(Kind::Hello, Flags::default(), 0));
    message.frame().to_vec()
}

/// A script that writes these bytes.
fn writes(folder: &Path, bytes: &[u8], then: &str) -> String {
    let file = folder.join("bytes");
    std::fs::File::create(&file).unwrap().write_all(bytes).unwrap();
    format!("cat '{}'; {then}", file.display())
}

#[test]
fn half_a_message_another_version_and_a_closed_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let error = refused(&writes(folder.path(), &hello(1)[..30], "exit 0"), Way::Pipe);
    assert!(error.message().contains("instead of the protocol"), "{error}");
    let error = refused(&writes(folder.path(), &hello(7), "exec sleep 30"), Way::Pipe);
    assert_eq!(
        error.message(),
        "The participant speaks version 7 of the protocol, Cardan speaks version 1."
    );
    assert!(error.is_refused());
    let error = refused("exec 1>&-; exec sleep 30", Way::Pipe);
    assert_eq!(
        error.message(),
        "The process closed its connection but did not end."
    );
    // A hello that is followed by nonsense where the interface should be.
    let mut bytes = hello(1);
    bytes.extend_from_slice(&[0xff; 64]);
    let error = refused(&writes(folder.path(), &bytes, "exec sleep 30"), Way::Pipe);
    assert!(error.is_malformed(), "{error}");
}

#[test]
fn programs_that_cannot_be_started() {
    let error = started(&["cardan-has-no-such-program"], Way::Pipe, &short()).unwrap_err();
    assert_eq!(
        error.message(),
        "There is no program `cardan-has-no-such-program`."
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("script");
    std::fs::write(&file, "echo hi").unwrap();
    let path = file.to_str().unwrap();
    let error = started(&[path], Way::Pipe, &short()).unwrap_err();
    assert_eq!(error.message(), format!("`{path}` may not be executed."));
    let order = Launch {
        command: vec!["true".into()],
        folder: folder.path().join("nowhere"),
        ..Launch::default()
    };
    let error = launch(&order, &short()).unwrap_err();
    assert!(error.message().starts_with("There is no folder"), "{error}");
}

#[test]
fn addresses_that_cannot_be_had() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcp://{}", taken.local_addr().unwrap());
    let address = Address::parse(&address).unwrap();
    let error = wait_for(&address, None, &short()).unwrap_err();
    assert_eq!(
        error.message(),
        format!("Cardan cannot listen at `{address}`: it is in use.")
    );
    drop(taken);
    let error = call(&address, None, &short()).unwrap_err();
    assert_eq!(
        error.message(),
        format!("`{address}` cannot be connected to: nobody listens there.")
    );
    let address = Address::parse("unix:/nowhere/at/all").unwrap();
    let error = call(&address, None, &short()).unwrap_err();
    assert!(error.message().ends_with("there is no such socket."), "{error}");
    let address = Address::parse("tcp://no-such-host.invalid:5").unwrap();
    let error = call(&address, None, &short()).unwrap_err();
    assert!(
        error.is_unreachable() && error.message().contains("cannot be found"),
        "{error}"
    );
    for plain in ["tcp://192.0.2.1:5000", "tcp://0.0.0.0:0"] {
        let address = Address::parse(plain).unwrap();
        let refused = [wait_for(&address, None, &short()), call(&address, None, &short())];
        for error in refused.map(Result::unwrap_err) {
            assert!(error.message().contains("leaves this host"), "{error}");
        }
    }
    let error = wait_for(&Address::parse("tcp://127.0.0.1:0").unwrap(), None, &short()).unwrap_err();
    assert!(
        error.message().starts_with("Nobody came to `tcp://127.0.0.1:"),
        "{error}"
    );
}

#[test]
fn children_of_the_process_end_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("pid");
    let exe = std::env::current_exe().unwrap();
    let script = format!(
        "exec 3>&1 1>&2; sleep 300 3>&- & echo $! > '{}'; exec \"$0\" --exact worker --nocapture",
        note.display()
    );
    let order = Launch {
        command: ["sh", "-c", &script, exe.to_str().unwrap()]
            .map(str::to_owned)
            .to_vec(),
        environment: vec![(support::WORKER.into(), "harmonic".into())],
        grace: Duration::from_secs(5),
        ..Launch::default()
    };
    let mut remote = launch(&order, &manner()).unwrap();
    let child: i32 = std::fs::read_to_string(&note).unwrap().trim().parse().unwrap();
    assert!(lives(child));
    ready(&mut remote);
    remote.terminate().unwrap();
    // Killed, and reaped by whoever takes care of orphans.
    let deadline = Instant::now() + Duration::from_secs(2);
    while lives(child) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!lives(child));
}
