//! What lives in another process keeps all promises of a participant.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod support;

use cardan_link::launch::Way;
use cardan_link::transport::Waiting;
use cardan_testkit::conformance;
use cardan_testkit::conformance::Options;
use support::{launched, paired};

#[test]
fn worker() {
    support::work();
}

fn harmonic_options() -> Options {
    Options::new()
        .window(-0.5, 3.0)
        .step(0.02)
        .real("force", |t| 40.0 * (5.0 * t).cos())
}

conformance!(accumulator, || Box::new(paired("accumulator")));
conformance!(relay_direct, || Box::new(paired("relay-direct")));
conformance!(relay_held, || Box::new(paired("relay-held")));
conformance!(without_ports, || Box::new(paired("no-ports")));
conformance!(without_rollback, || Box::new(paired("no-rollback")));
conformance!(all_types_direct, || Box::new(paired("all-types-direct")));
conformance!(
    all_types_held,
    || Box::new(paired("all-types-held")),
    Options::new().step(0.1).steps(9)
);
conformance!(harmonic, || Box::new(paired("harmonic")), harmonic_options());
conformance!(early_ends, || Box::new(paired("early")));
conformance!(announced_instants, || Box::new(paired("announced")));
conformance!(terminates, || Box::new(paired("terminates")));

conformance!(
    pipe,
    || Box::new(launched("harmonic", Way::Pipe)),
    harmonic_options()
);
conformance!(
    unix_socket,
    || Box::new(launched("harmonic", Way::Unix)),
    harmonic_options()
);
conformance!(
    tcp,
    || Box::new(launched("harmonic", Way::Tcp)),
    harmonic_options()
);
conformance!(
    shared_memory,
    || Box::new(launched("harmonic", Way::SharedMemory(Waiting::Sleep))),
    harmonic_options()
);
conformance!(all_types_over_shared_memory, || Box::new(launched(
    "all-types-held",
    Way::SharedMemory(Waiting::Sleep)
)));

#[test]
fn spinning_gives_the_same() {
    let make = || -> Box<dyn cardan_core::participant::Participant> {
        Box::new(launched("harmonic", Way::SharedMemory(Waiting::Spin)))
    };
    conformance::calls_in_order_work(&make, &harmonic_options());
    conformance::rollback_repeats_steps(&make, &harmonic_options());
}
