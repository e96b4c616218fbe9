//! Methods that nobody chose: what is measured at the start of a run decides.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan::{Overrides, Report, Table};
use cardan_testkit::problems::{DoublePendulum, RigidPair, TwoMass};
use support::{Variant, largest_error, problems};

fn run(system: &Variant) -> (Table, Report) {
    let (mut simulation, handle) = system.open(Overrides::default());
    let report = simulation.run();
    assert_eq!(report.status, "ok", "{:?}", report.error);
    (handle.table(), report)
}

/// The two masses with nothing said about the method, or just a tolerance.
fn two_mass(tolerance: &str, stiffness: &str) -> Variant {
    Variant::of(
        "two-mass/system.toml",
        &[
            ("kind = \"jacobi\"", tolerance),
            ("step = 0.001 ", "#"),
            ("reading = \"quadratic\"", "# reading"),
            ("start = \"flat\"", "# start"),
            (
                "coupling_stiffness = 1e4",
                &format!("coupling_stiffness = {stiffness}"),
            ),
        ],
    )
}

#[test]
fn two_masses_need_nothing_but_a_tolerance() {
    for (text, tolerance) in [
        ("#", 1e-4),
        ("tolerance = 1e-4", 1e-4),
        ("tolerance = 1e-6", 1e-6),
    ] {
        let (result, report) = run(&two_mass(text, "1e4"));
        let error = largest_error(&result, "one.position", |t| TwoMass::reference(t)[0]) / 0.2;
        assert!(error <= 10.0 * tolerance, "{text}: {error:e}");
        assert_eq!(report.method, "adaptive");
        let reason = report.reason.unwrap();
        assert!(reason.contains("everybody can go back"), "{reason}");
    }
}

/// Components that depend on each other at once repeat their steps, whatever the gain.
#[test]
fn what_depends_on_each_other_at_once_is_repeated() {
    let pair = RigidPair { alpha: 31.0 };
    let system =
        problems::rigid_pair(pair, "hermite").with(&[("kind = \"jacobi\"", "#"), ("step = 0.001", "#")]);
    let (result, report) = run(&system);
    assert_eq!(report.method, "iterated");
    assert!(report.reason.unwrap().contains("(gain 31.00)"));
    let error = largest_error(&result, "first.position", |t| pair.reference(t)[0]);
    // Ten times the tolerance of 1e-4 against 0.1 m.
    assert!(error <= 1e-4, "{error:e}");

    let pendulum =
        problems::double_pendulum("hermite").with(&[("kind = \"jacobi\"", "#"), ("step = 0.001", "#")]);
    let (result, report) = run(&pendulum);
    assert_eq!(report.method, "iterated");
    let error = largest_error(&result, "upper.angle", |t| DoublePendulum::reference(t)[0]);
    // The same against some radians.
    assert!(error <= 3e-3, "{error:e}");
}

/// What drives another is read wrongly, too, where steps are long.
#[test]
fn chains_follow_a_tolerance() {
    let system = Variant::text(
        "[system]\nstop = 1.0\n[components.source]\nmodel = \"sine\"\n[components.mass]\nmodel = \"mass\"\n\
         [[connections]]\nfrom = \"source.y\"\nto = \"mass.force\"\n",
    );
    let (_, report) = run(&system);
    assert_eq!(report.method, "adaptive");
    // A step of a thousandth of the run is far shorter than a sine with a period of the run asks for.
    assert!(report.steps < 1000, "{}", report.steps);
    assert_eq!(report.warnings, []);
}

/// A step that is given is a word.
#[test]
fn a_step_that_is_given_is_kept() {
    let (_, report) = run(&two_mass("step = 1e-3", "1e4"));
    assert_eq!((report.method.as_str(), report.steps), ("gauss-seidel", 5000));
}

/// On the command line a tolerance takes the place of the description's step.
#[test]
fn a_tolerance_replaces_a_step() {
    let system = two_mass("step = 1e-3", "1e4");
    for (method, expected) in [(None, "adaptive"), (Some("iterated"), "iterated")] {
        let (mut simulation, _handle) = system.open(Overrides {
            tolerance: Some(1e-4),
            method: method.map(Into::into),
            ..Overrides::default()
        });
        let report = simulation.run();
        assert_eq!(report.method, expected);
        assert!(report.steps < 2000, "{} steps", report.steps);
    }
}

/// What is measured at the start leaves no trace: the same bits as when the same is asked for by name.
#[test]
fn an_examination_leaves_no_trace() {
    let (open, _) = run(&two_mass("tolerance = 1e-5", "1e4"));
    let (named, _) = run(&two_mass("kind = \"adaptive\"\ntolerance = 1e-5", "1e4"));
    assert_eq!(open.times, named.times);
    assert_eq!(
        support::reals(&open, "two.position"),
        support::reals(&named, "two.position")
    );
}
