//! A placed participant keeps the promises of a participant.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod support;

use cardan_frames::{Marker, Placement};
use cardan_testkit::conformance;
use cardan_testkit::conformance::Options;
use cardan_testkit::fakes::AllTypes;
use support::{SMALL, in_millimetres, marker, model, placed};

/// Values of a body in kg, mm, ms.
const BODY: &[(&str, &[f64])] = &[
    ("mass", &[2.0]),
    ("inertia", &[2e5, 5e5, 6e5, 3e4, -2e4, 5e4]),
    ("gravity", &[0.0, 0.0, -9.81e-3]),
    ("orientation", &[0.3, 0.2, 0.1]),
    ("velocity", &[1.0, 0.5, -2.0]),
    ("angular_velocity", &[1e-3, 2e-3, 3e-3]),
];

const BUSHING: &[(&str, &[f64])] = &[
    ("stiffness", &[30.0, 20.0, 10.0, 3.0, 2.0, 1.0]),
    ("damping", &[3.0, 2.0, 1.0, 0.3, 0.2, 0.1]),
];

fn with_load(name: &str) -> Vec<Marker> {
    vec![marker(name, "frame", Some("load"), SMALL)]
}

/// The bushing has tunable parameters, which the claims set to the values that they have.
fn bushing() -> Options {
    let tell = |options: Options, (name, v): &(&str, &[f64])| {
        options.parameter(*name, cardan_core::value::Value::Reals(v.to_vec()))
    };
    BUSHING.iter().fold(Options::new(), tell)
}

conformance!(body, || placed(
    model("rigid-body", BODY),
    in_millimetres(),
    Vec::new()
));
conformance!(body_with_a_marker, || {
    let far = SMALL.map(|part| 1e3 * part);
    let markers = vec![
        marker("tip", "frame", Some("load"), far),
        marker("tail", "frame", None, far),
    ];
    placed(model("rigid-body", BODY), in_millimetres(), markers)
});
// A claim compares laws with values to a few bits, so nothing may cancel: the origins are the same.
conformance!(
    driven,
    || {
        let here = Placement {
            position: [0.0; 3],
            ..in_millimetres()
        };
        placed(model("bushing", BUSHING), here, Vec::new())
    },
    bushing(),
);
conformance!(
    driven_through_a_marker,
    || placed(model("bushing", BUSHING), support::turned(), with_load("end")),
    bushing(),
);
// Whatever is not a frame passes as it is, in other seconds too.
conformance!(all_types, || placed(
    Box::new(AllTypes::direct()),
    in_millimetres(),
    Vec::new()
));
