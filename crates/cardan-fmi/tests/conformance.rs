//! The promises of a participant, kept by FMUs of both versions.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod support;

use cardan_core::value::Value;
use cardan_testkit::conformance;
use cardan_testkit::conformance::Options;
use cardan_testkit::fmus::Fmi;
use support::participant;

conformance!(lag_fmi2, || participant("lag", Fmi::V2));
conformance!(lag_fmi3, || participant("lag", Fmi::V3));
conformance!(driven_mass_fmi2, || participant("driven-mass", Fmi::V2));
conformance!(driven_mass_fmi3, || participant("driven-mass", Fmi::V3));
conformance!(held_mass_fmi2, || participant("held-mass", Fmi::V2));
conformance!(held_mass_fmi3, || participant("held-mass", Fmi::V3));
conformance!(feedthrough_fmi2, || participant("feedthrough", Fmi::V2));
conformance!(
    feedthrough_fmi3,
    || participant("feedthrough", Fmi::V3),
    Options::new().exempt(
        "feedthrough_is_declared",
        "it would drive unsigned inputs below zero; the same model in FMI 2 is tested"
    )
);
conformance!(gain_fmi2, || participant("gain", Fmi::V2));
conformance!(gain_fmi3, || participant("gain", Fmi::V3));
conformance!(counter_fmi2, || participant("counter", Fmi::V2));
conformance!(counter_fmi3, || participant("counter", Fmi::V3));
conformance!(
    arrays_fmi3,
    || participant("arrays", Fmi::V3),
    Options::new().parameter("x0", Value::Reals(vec![1.0, -2.0]))
);
conformance!(
    ticker_fmi3,
    || participant("ticker", Fmi::V3),
    Options::new().step(0.03).steps(20)
);
conformance!(follower_fmi3, || participant("follower", Fmi::V3));
conformance!(alarm_fmi3, || participant("alarm", Fmi::V3));
conformance!(
    bouncing_ball_fmi3,
    || participant("bouncing-ball", Fmi::V3),
    Options::new().step(0.1)
);
