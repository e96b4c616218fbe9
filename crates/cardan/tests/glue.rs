//! The glue as users describe it: who leads, what is wrong, frames, sources, samples.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan::{Overrides, Report, Simulation, Table};
use support::{Variant, largest_error, reals};

/// A mass on a spring, pushed by a code that is driven by its motion. `mass`, `code` and `method` are further keys.
fn pushed(mass: &str, code: &str, method: &str) -> Variant {
    Variant::text(&format!(
        r#"
[system]
stop = 0.2
[components.mass]
model = "mass-spring-damper"
parameters = {{ mass = 1.0, stiffness = 100.0, position = 0.01 }}
{mass}
[components.code]
model = "nonlinear-spring"
parameters = {{ stiffness = 1e3 }}
{code}
[[connections]]
from = "mass.position"
to = "code.position"
[[connections]]
name = "seat"
from = "code.force"
to = "mass.force"
[method]
kind = "glue"
{method}
"#
    ))
}

fn mistakes(variant: &Variant) -> String {
    match Simulation::open(variant.path()) {
        Ok(_) => panic!("it opens"),
        Err(error) => error.to_string(),
    }
}

fn run(variant: &Variant) -> (Table, Report) {
    let (mut simulation, handle) = variant.open(Overrides::default());
    let report = simulation.run();
    assert_eq!(report.status, "ok", "{:?}", report.error);
    (handle.table(), report)
}

/// Both springs pull: 1100 rad²/s².
fn swing(t: f64) -> f64 {
    0.01 * (1100.0_f64.sqrt() * t).cos()
}

#[test]
fn who_gives_motion_and_receives_force_leads() {
    let (table, report) = run(&pushed("", "", ""));
    assert_eq!(
        report.reason.as_deref(),
        Some("mass leads, because it gives motion and receives force")
    );
    assert_eq!(report.method, "glue");
    // Along the tangent of a linear spring nothing is left but the solver's error, at its tolerance of 1e-9 of the
    // amplitude a step.
    let error = largest_error(&table, "mass.position", swing);
    assert!(error < 1e-9, "{error}");
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    assert_eq!(report.predictions[0].interaction, "seat");
    assert_eq!(report.predictions[0].component, "force");
    assert_eq!(
        report.components["mass"].waited_for.keys().collect::<Vec<_>>(),
        ["code"]
    );
}

#[test]
fn whoever_is_told_to_leads() {
    let (_, report) = run(&pushed("role = \"leader\"", "role = \"follower\"", ""));
    assert_eq!(report.reason, None);
    let stateless = mistakes(&pushed("", "role = \"leader\"", ""));
    assert!(
        stateless.contains("`code` leads, and has no steps of its own"),
        "{stateless}"
    );
    let (_, report) = run(&pushed("", "role = \"leader\"\nstep = 1e-4", ""));
    assert_eq!(report.steps, 2000);
}

#[test]
fn two_leaders_are_one_too_many() {
    let text = mistakes(&pushed("role = \"leader\"", "role = \"leader\"\nstep = 1e-3", ""));
    assert!(text.contains("`mass` leads already"), "{text}");
    assert!(text.contains("system.toml:11"), "the place of the second: {text}");
}

#[test]
fn a_role_has_a_name() {
    let text = mistakes(&pushed("role = \"boss\"", "", ""));
    assert!(
        text.contains("`role` cannot be `boss`") && text.contains("leader or follower"),
        "{text}"
    );
}

#[test]
fn somebody_must_be_able_to_lead() {
    let sources =
        Variant::text("[system]\nstop = 1.0\n[components.a]\nmodel = \"sine\"\n[method]\nkind = \"glue\"\n");
    assert!(mistakes(&sources).contains("nobody can lead"));
    let nobody = mistakes(&pushed("role = \"follower\"", "role = \"follower\"", ""));
    assert!(nobody.contains("nobody can lead"), "{nobody}");
    let several = Variant::text(
        r#"
[system]
stop = 1.0
[components.a]
model = "gain"
step = 0.1
[components.b]
model = "gain"
step = 0.1
[[connections]]
from = "a.y"
to = "b.u"
[[connections]]
from = "b.y"
to = "a.u"
[method]
kind = "glue"
"#,
    );
    let text = mistakes(&several);
    assert!(text.contains("it is not clear who leads: a, b could"), "{text}");
}

#[test]
fn a_discrete_process_acts_at_instants() {
    let text = mistakes(&pushed("", "discrete = true", ""));
    assert!(
        text.contains("`code` is discrete, and nobody says when it acts"),
        "{text}"
    );
    // With a period its force is held, and the mass lands on its instants.
    let (table, report) = run(&pushed("", "discrete = true\nstep = 0.01", ""));
    let forces = reals(&table, "code.force");
    let mut levels: Vec<f64> = forces.to_vec();
    levels.dedup();
    assert!(levels.len() <= 21, "{} levels", levels.len());
    let positions = reals(&table, "mass.position");
    for (row, t) in table.times.iter().enumerate() {
        let sample = (t / 0.01 + 1e-9).floor();
        if (t - 0.01 * sample).abs() < 1e-12 {
            assert_eq!(forces[row], -1e3 * positions[row], "at {t}");
        }
    }
    assert!(report.predictions.is_empty(), "what is held is not predicted");
}

/// All mistakes at once.
#[test]
fn mistakes_come_together() {
    let text = mistakes(&pushed(
        "role = \"chief\"",
        "discrete = true",
        "ahead = -1\nforce_relative_error = -0.5\ntangent = \"bent\"",
    ));
    for part in [
        "`ahead` must be a whole number from 0",
        "`force_relative_error` must not be below 0",
        "`tangent` cannot be `bent`",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = mistakes(&pushed("role = \"chief\"", "discrete = true", ""));
    assert!(
        text.contains("`chief`") && text.contains("nobody says when"),
        "{text}"
    );
}

#[test]
fn keys_of_other_methods_are_idle() {
    let variant = pushed("", "", "step = 0.001\ntolerance = 1e-3");
    let (simulation, _) = variant.open(Overrides::default());
    let text: Vec<String> = simulation.warnings().iter().map(|w| w.message.clone()).collect();
    assert!(
        text.iter().any(|w| w.contains("the glue does not use `step`")),
        "{text:?}"
    );
    assert!(
        text.iter()
            .any(|w| w.contains("the glue does not use `tolerance`")),
        "{text:?}"
    );
    let other =
        pushed("role = \"leader\"", "", "reject = true").with(&[("\"glue\"", "\"jacobi\"\nstep = 0.001")]);
    let (simulation, _) = other.open(Overrides::default());
    let text: Vec<String> = simulation.warnings().iter().map(|w| w.message.clone()).collect();
    for key in ["role", "reject"] {
        assert!(text.contains(&format!("only the glue uses `{key}`")), "{text:?}");
    }
}

/// Sources without steps are known at every instant: what is left is the solver's error.
#[test]
fn sources_are_read_where_they_are_known() {
    let forced = |code: &str| {
        let text = format!(
            r#"
[system]
stop = 2.0
[components.mass]
model = "mass-spring-damper"
parameters = {{ mass = 1.0, stiffness = 100.0, position = 0.0, velocity = 0.010101010101010102 }}
[components.code]
model = "sine"
parameters = {{ amplitude = 1.0, frequency = 0.15915494309189535 }}
{code}
[[connections]]
from = "code.y"
to = "mass.force"
[method]
kind = "glue"
"#
        );
        // x'' + 100 x = sin t has the solution sin t / 99 from these values on.
        let (table, _) = run(&Variant::text(&text));
        largest_error(&table, "mass.position", |t| t.sin() / 99.0)
    };
    let known = forced("");
    let sampled = forced("step = 0.05");
    // Cubics between points at most twice the solver's step apart, against parabolas beyond points 50 ms apart:
    // (0.05)³ of 10 mm where it acts as a force on the spring of 100 N/m.
    assert!(known < 1e-8, "{known}");
    assert!(sampled > 10.0 * known && sampled < 0.05_f64.powi(3), "{sampled}");
}

/// A body in space on a bushing, turned and shifted: along each axis and about one it is a harmonic of its own, and the law
/// that the body feels inside its steps has six directions.
fn hung(placed: &str, tangent: &str) -> Variant {
    Variant::text(&format!(
        r#"
[system]
stop = 1.0
[components.body]
model = "rigid-body"
parameters = {{ mass = 2.0, inertia = [0.1, 0.2, 0.3], position = [0.01, -0.02, 0.03], orientation = [0.3, 0.0, 0.0] }}
[components.mount]
model = "bushing"
parameters = {{ stiffness = [200.0, 800.0, 1800.0, 30.0, 40.0, 50.0] }}
{placed}
[[connections]]
from = "body.frame"
to = "mount.frame"
[[connections]]
from = "mount.load"
to = "body.load"
[method]
kind = "glue"
tangent = "{tangent}"
"#
    ))
}

#[test]
fn bodies_feel_six_directions() {
    let errors = |variant: Variant| {
        let (table, report) = run(&variant);
        let x = largest_error(&table, "body.frame.x", |t| 0.01 * (10.0 * t).cos());
        let z = largest_error(&table, "body.frame.z", |t| 0.03 * (30.0 * t).cos());
        // About z: 50 N.m/rad on 0.3 kg.m², and half the angle in the quaternion.
        let rate = (50.0_f64 / 0.3).sqrt();
        let turn = largest_error(&table, "body.frame.qz", |t| (0.15 * (rate * t).cos()).sin());
        (x.max(z).max(turn), report)
    };
    let (error, report) = errors(hung("", "curved"));
    // The law is linear but for the turn, whose vector is exact about one axis: the solver's error is left.
    assert!(error < 1e-7, "{error}");
    let names: Vec<&str> = report.predictions.iter().map(|p| p.component.as_str()).collect();
    assert_eq!(
        names,
        ["load.fx", "load.fy", "load.fz", "load.mx", "load.my", "load.mz"]
    );
    assert_eq!(report.components["body"].steps, report.steps);
}

/// A force that sets in at 0.1 s is not felt before, not by one that interpolates the leader either.
#[test]
fn nothing_is_read_across_a_kink() {
    let text = r#"
[system]
stop = 0.2
[components.push]
model = "step"
parameters = { after = 10.0, time = 0.1 }
[components.mass]
model = "mass"
solver = { kind = "bdf", rtol = 1e-6 }
[components.watch]
model = "gain"
step = 0.01
[[connections]]
from = "push.y"
to = "mass.force"
[[connections]]
from = "mass.velocity"
to = "watch.u"
[method]
kind = "glue"
[record]
every = 0.01
"#;
    let (table, _) = run(&Variant::text(text));
    let seen = reals(&table, "watch.y");
    for (t, value) in table.times.iter().zip(seen) {
        // 10 m/s², which the solver finds exactly but for its tolerance, and before that nothing at all.
        let expected = 10.0 * (t - 0.1).max(0.0);
        let allowed = if *t < 0.1 { 1e-12 } else { 1e-6 };
        assert!((value - expected).abs() < allowed, "{value} at {t}");
    }
}

/// Until a follower has come to where the leader stands, what the leader felt counts. A signal whose points lie 10 µs apart
/// tells nothing about a time 2 ms ahead.
#[test]
fn followers_may_have_much_shorter_steps() {
    let (table, report) = run(&pushed("step = 0.002", "step = 1e-5", "").with(&[
        (
            "parameters = { stiffness = 1e3 }",
            "parameters = { stiffness = 1e3, damping = 1.0 }",
        ),
        (
            "to = \"code.position\"",
            "to = \"code.position\"\n[[connections]]\nfrom = \"mass.velocity\"\nto = \"code.velocity\"",
        ),
        ("stop = 0.2", "stop = 2.0"),
    ]));
    // Damped by 1 N s/m on 1 kg: the fading harmonic of 1100 rad²/s².
    let rate = (1100.0_f64 - 0.25).sqrt();
    let exact = |t: f64| 0.01 * (-0.5 * t).exp() * ((rate * t).cos() + 0.5 / rate * (rate * t).sin());
    let error = largest_error(&table, "mass.position", exact);
    // The law is linear in both motions, so that the solver's error is left.
    assert!(error < 1e-9, "{error}");
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
}

/// What those assumed who are ahead is compared when the leader comes there.
#[test]
fn those_who_are_ahead_are_compared() {
    let (_, report) = run(&pushed("step = 0.001", "step = 0.003", "ahead = 3"));
    // One point of the follower every 3 ms of 0.2 s.
    assert!(report.predictions[0].compared >= 60, "{:?}", report.predictions);
    let both = mistakes(&pushed("", "", "ahead = 1\nreject = true"));
    assert!(both.contains("followers that are ahead"), "{both}");
}
