//! The fakes keep the promises that the conformance suite tests.

use cardan_testkit::conformance;
use cardan_testkit::conformance::Options;
use cardan_testkit::fakes::{Accumulator, AllTypes, Harmonic, Relay, Script};
use cardan_testkit::problems::Oscillator;

const OSCILLATOR: Oscillator = Oscillator {
    mass: 2.0,
    damping: 0.5,
    stiffness: 300.0,
};

conformance!(accumulator, || Box::new(Accumulator::new(1.0)));
conformance!(relay_direct, || Box::new(Relay::direct(3)));
conformance!(relay_held, || Box::new(Relay::held(3)));
conformance!(relay_without_ports, || Box::new(Relay::direct(0)));
conformance!(relay_without_rollback, || Box::new(
    Relay::held(1).without_rollback()
));
conformance!(all_types_direct, || Box::new(AllTypes::direct()));
conformance!(
    all_types_held,
    || Box::new(AllTypes::held()),
    Options::new().step(0.1).steps(9)
);
conformance!(
    harmonic,
    || Box::new(Harmonic::new(OSCILLATOR, [0.1, -0.2])),
    Options::new()
        .window(-0.5, 3.0)
        .step(0.02)
        .real("force", |t| 40.0 * (5.0 * t).cos())
);
conformance!(script_without_acts, || Box::new(Script::new()));
conformance!(script_early, || Box::new(
    Script::new().early(0.013).early(0.02).early(0.025).early(0.057)
));
conformance!(script_announced, || Box::new(
    Script::new().early(0.013).early(0.0425).announced()
));
conformance!(script_terminates, || Box::new(
    Script::new().early(0.004).terminate_at(0.033)
));
conformance!(script_rejects_longer_steps, || Box::new(
    Script::new().reject(0.02, 0.01)
));
