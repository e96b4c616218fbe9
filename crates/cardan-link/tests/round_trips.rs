//! What rides along costs no message of its own.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod support;

use cardan_core::inputs::Inputs;
use cardan_core::interface::PortId;
use cardan_core::participant::{Participant, RunWindow, Settings, StepRequest, Watch};
use cardan_core::planes::Planes;
use cardan_core::signal::Segment;
use cardan_core::time::SimTime;
use cardan_link::serve::serve;
use cardan_link::transport::{Deadline, Descriptors, Framed, Transport};
use cardan_link::wire::Header;
use cardan_link::{Error, Remote};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts requests.
struct Counting(Framed<Descriptors>, Arc<AtomicU64>);

impl Transport for Counting {
    fn send(&mut self, frame: &[u8], deadline: &Deadline) -> Result<(), Error> {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.send(frame, deadline)
    }

    fn receive(&mut self, deadline: &Deadline) -> Result<Header, Error> {
        self.0.receive(deadline)
    }

    fn payload(&self) -> &[u8] {
        self.0.payload()
    }

    fn limit(&mut self, most: u32) {
        self.0.limit(most);
    }

    fn unread(&self) -> &[u8] {
        self.0.unread()
    }
}

fn served(name: &'static str) -> (Remote, Arc<AtomicU64>) {
    let (here, there) = UnixStream::pair().unwrap();
    std::thread::spawn(move || {
        let mut transport = Framed::new(Descriptors::unix(there).unwrap());
        serve(support::fake(name).as_mut(), &mut transport, name, None)
    });
    let count = Arc::<AtomicU64>::default();
    let transport = Counting(Framed::new(Descriptors::unix(here).unwrap()), Arc::clone(&count));
    let remote = Remote::meet(Box::new(transport), None, &support::manner()).unwrap();
    (remote, count)
}

fn at(k: u32) -> SimTime {
    SimTime::from_seconds(0.01 * f64::from(k))
}

fn initialize(remote: &mut Remote, inputs: &[PortId], outputs: &[PortId]) {
    remote.bind(inputs, outputs).unwrap();
    let window = RunWindow {
        start: at(0),
        stop: at(100),
        tolerance: None,
    };
    remote
        .begin_initialization(&window, &Settings::default())
        .unwrap();
    remote.finish_initialization().unwrap();
}

/// Ten steps, each followed by all that a method may ask, and how many requests they took.
fn requests(name: &'static str, outputs: &[PortId]) -> u64 {
    let (mut remote, count) = served(name);
    initialize(&mut remote, &[PortId(0)], outputs);
    let before = count.load(Ordering::SeqCst);
    let given = Planes {
        reals: vec![0.5],
        ..Planes::default()
    };
    let mut values = Planes {
        reals: vec![0.0; outputs.len()],
        ..Planes::default()
    };
    for k in 0..10 {
        let segments = [Segment::constant(f64::from(k), at(k + 1))];
        let instants = [at(k), at(k + 1)];
        let request = StepRequest {
            from: at(k),
            to: at(k + 1),
            inputs: Inputs::single(&segments),
            watch: Watch::Instants(&instants),
        };
        remote.step(request).unwrap();
        remote.outputs(at(k + 1), &given, values.view_mut()).unwrap();
        remote.accepted(at(k + 1));
        remote.next_instant();
        remote.effort();
        if let Some(trace) = remote.trace() {
            assert_eq!(trace.instants(), instants);
            trace.point(1, values.view_mut()).unwrap();
        }
    }
    count.load(Ordering::SeqCst) - before
}

#[test]
fn a_step_without_feedthrough_is_one_round_trip() {
    // Position and velocity do not react at once to the force.
    assert_eq!(requests("harmonic", &[PortId(1), PortId(2)]), 10);
}

#[test]
fn with_feedthrough_outputs_are_asked_for_with_the_inputs_exchanged() {
    assert_eq!(requests("harmonic", &[PortId(1), PortId(3)]), 20);
}

/// What came along with a step is not taken for what holds after a restore.
#[test]
fn a_restore_forgets_what_came_along() {
    let (mut remote, _) = served("harmonic");
    initialize(&mut remote, &[PortId(0)], &[PortId(1)]);
    let given = Planes {
        reals: vec![0.0],
        ..Planes::default()
    };
    let position = |remote: &mut Remote, k: u32| {
        let mut values = given.clone();
        remote.outputs(at(k), &given, values.view_mut()).unwrap();
        values.reals[0]
    };
    remote.rollback().unwrap().save(0).unwrap();
    let start = position(&mut remote, 0);
    let segments = [Segment::constant(1.0, at(1))];
    let request = StepRequest {
        from: at(0),
        to: at(1),
        inputs: Inputs::single(&segments),
        watch: Watch::Nothing,
    };
    remote.step(request).unwrap();
    assert_ne!(position(&mut remote, 1), start);
    remote.rollback().unwrap().restore(0).unwrap();
    assert_eq!(position(&mut remote, 0), start);
    // Even asked for the instant of the step, it is the state that answers.
    assert_eq!(position(&mut remote, 1), start);
}
