//! Every claim of the conformance suite on FMUs in Model Exchange, in both versions of the standard.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::sync::Arc;

use cardan_core::participant::{Participant, Settings};
use cardan_core::value::Value;
use cardan_describe::Reporter;
use cardan_fmi::model_exchange::Options as Choices;
use cardan_fmi::{Fmu, FmuInterface, ModelExchange};
use cardan_ode::{Method, SolverSettings};
use cardan_testkit::conformance::Options;
use cardan_testkit::fmus::{Fmi, build};

fn fmu(name: &str, version: Fmi) -> Box<dyn Participant> {
    with(name, version, None)
}

fn with(name: &str, version: Fmi, solver: Option<SolverSettings>) -> Box<dyn Participant> {
    let mut reporter = Reporter::new();
    let fmu = Fmu::open(&build(name, version), &mut reporter).unwrap();
    let interface = FmuInterface::new(fmu, &Settings::default()).unwrap();
    let choices = Choices {
        solver,
        ..Choices::default()
    };
    let participant = ModelExchange::new(Arc::new(interface), name, Settings::default(), choices);
    Box::new(participant.unwrap())
}

/// As exact as the default, so that differences over time tell slopes.
fn tight(method: Method) -> SolverSettings {
    SolverSettings {
        rtol: 1e-9,
        atol: 1e-12,
        ..SolverSettings::of(method)
    }
}

macro_rules! both_versions {
    ($module:ident, $name:literal, $options:expr) => {
        mod $module {
            use super::*;
            cardan_testkit::conformance!(fmi2, || fmu($name, Fmi::V2), $options);
            cardan_testkit::conformance!(fmi3, || fmu($name, Fmi::V3), $options);
        }
    };
}

both_versions!(lag, "lag", Options::new());
both_versions!(driven_mass, "driven-mass", Options::new());
mod feedthrough {
    use super::*;
    cardan_testkit::conformance!(fmi2, || fmu("feedthrough", Fmi::V2));
    cardan_testkit::conformance!(
        fmi3,
        || fmu("feedthrough", Fmi::V3),
        Options::new().exempt(
            "feedthrough_is_declared",
            "the claim turns the signs of integers, and unsigned ones refuse that; FMI 2 has none of them",
        ),
    );
}
// The first bounce is at 0.45 s: the window holds the fall, bounces and the rest of the ball.
both_versions!(
    bouncing_ball,
    "bouncing-ball",
    Options::new().step(0.1).steps(30).window(0.0, 3.0)
);

cardan_testkit::conformance!(arrays, || fmu("arrays", Fmi::V3));
cardan_testkit::conformance!(
    lag_by_bdf,
    || with("lag", Fmi::V3, Some(tight(Method::Bdf))),
    Options::new().parameter("T", Value::real(0.01)).exempt(
        "slopes_agree_with_differences",
        "over a short time bdf goes along the curve of its last step, whose slope is less exact than its value",
    ),
);
cardan_testkit::conformance!(mass_by_rk4, || with(
    "driven-mass",
    Fmi::V2,
    Some(SolverSettings {
        step: Some(1e-3),
        ..SolverSettings::of(Method::Rk4)
    })
),);
