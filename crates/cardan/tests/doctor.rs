//! The doctor against what is known of the problems.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan::core::flight::Flight;
use cardan::core::method::Sweep;
use cardan::doctor::{self, Diagnosis, Figures, Kind, Limit, Options, Unmeasured};
use cardan::{Overrides, Reporter, System};
use cardan_testkit::problems::RigidPair;
use std::time::Duration;
use support::problems::{double_pendulum, rigid_pair};
use support::{Variant, reals, step};

/// The system and what was found, within so many seconds.
fn within(variant: &Variant, overrides: &Overrides, seconds: f64) -> (System, Diagnosis) {
    let mut reporter = Reporter::new();
    let system = System::load(variant.path(), overrides, false, &mut reporter);
    let mut system = system.unwrap_or_else(|| panic!("{}", reporter.render_all(false)));
    let options = Options {
        time: Duration::from_secs_f64(seconds),
        flight: Flight::default(),
        progress: &mut |_, _, _| {},
    };
    let found = doctor::examine(&mut system, options).unwrap_or_else(|error| panic!("{error}"));
    (system, found)
}

fn diagnose(variant: &Variant) -> (System, Diagnosis) {
    within(variant, &Overrides::default(), 60.0)
}

fn figures(diagnosis: &Diagnosis) -> &Figures {
    let group = &diagnosis.groups[0];
    group
        .figures
        .as_ref()
        .unwrap_or_else(|| panic!("{:?}", group.unmeasured))
}

fn names(system: &System, ids: &[cardan::core::graph::ParticipantId]) -> Vec<String> {
    ids.iter().map(|id| system.graph.node(*id).name.clone()).collect()
}

fn two_mass(file: &str, stiff: bool) -> Variant {
    let changes: &[(&str, &str)] = match stiff {
        false => &[],
        true => &[
            ("coupling_stiffness = 1e4", "coupling_stiffness = 1e6"),
            ("coupling_damping = 10.0", "coupling_damping = 100.0"),
        ],
    };
    Variant::of(file, changes)
}

const FORCE: &str = "two-mass/system.toml";
const DISPLACEMENT: &str = "two-mass/displacement.toml";

/// The tables of the problem, from macro-step matrices with exact halves: hold, line, parabola. Infinite: no limit.
const LIMITS: [(&str, bool, Sweep, [f64; 3]); 8] = [
    (FORCE, false, Sweep::Jacobi, [2.2673e-3, 6.3496e-3, 7.8527e-3]),
    (
        FORCE,
        false,
        Sweep::GaussSeidel,
        [5.9563e-5, 7.0930e-3, 9.6580e-3],
    ),
    (
        DISPLACEMENT,
        false,
        Sweep::Jacobi,
        [4.5598e-3, 8.1475e-3, 6.2083e-3],
    ),
    (
        DISPLACEMENT,
        false,
        Sweep::GaussSeidel,
        [f64::INFINITY, 1.2068e-2, 8.1314e-3],
    ),
    (FORCE, true, Sweep::Jacobi, [2.251e-4, 6.351e-4, 9.069e-4]),
    (FORCE, true, Sweep::GaussSeidel, [6.0e-7, 7.091e-4, 9.675e-4]),
    (DISPLACEMENT, true, Sweep::Jacobi, [4.542e-4, 8.155e-4, 1.062e-3]),
    (
        DISPLACEMENT,
        true,
        Sweep::GaussSeidel,
        [f64::INFINITY, 1.207e-3, 1.279e-3],
    ),
];

/// Growth of a thousandth over the run is let pass, which moves the limits that a slow mode sets by some per mille; the
/// tables have four digits.
#[test]
fn stable_steps_are_those_of_the_reference() {
    for (file, stiff, method, expected) in LIMITS {
        let (_, found) = diagnose(&two_mass(file, stiff));
        let limits = figures(&found).limits_of(method).unwrap();
        for (limit, expected) in limits.limits.iter().zip(expected) {
            let seconds = limit.seconds();
            let right = match expected.is_infinite() {
                true => *limit == Limit::None,
                false => (seconds / expected - 1.0).abs() < 0.01,
            };
            assert!(
                right,
                "{file} stiff {stiff} {method}: {limit:?} instead of {expected:e}"
            );
        }
    }
}
/// What is found does not depend on the step that somebody has described: samples as long as that would show the swing of
/// 195 Hz as another one.
#[test]
fn a_long_step_hides_no_swing() {
    let limits = |step: &str| {
        let stiff = two_mass(FORCE, false).with(&[
            ("coupling_stiffness = 1e4", "coupling_stiffness = 1e6"),
            ("step = 0.001 ", &format!("step = {step} #")),
        ]);
        let (_, found) = diagnose(&stiff);
        let limits = figures(&found).limits_of(Sweep::GaussSeidel).unwrap();
        [0, 1].map(|place| Limit::seconds(limits.limits[place]))
    };
    let known = limits("1e-4");
    for step in ["0.01", "0.05"] {
        for (found, known) in limits(step).into_iter().zip(known) {
            assert!((found / known - 1.0).abs() < 0.02, "{step}: {found:e} {known:e}");
        }
    }
}

#[test]
fn modes_are_those_of_the_reference() {
    let known = [
        (false, [(-7.5499, 122.7863), (-0.0501, 12.9041)]),
        (true, [(-75.05, 1222.498), (-0.05, 12.9098)]),
    ];
    for (stiff, known) in known {
        for file in [FORCE, DISPLACEMENT] {
            let (_, found) = diagnose(&two_mass(file, stiff));
            let modes = &figures(&found).modes;
            assert_eq!(modes.len(), 2);
            for (mode, (growth, rate)) in modes.iter().zip(known) {
                // The digits that are given.
                assert!((mode.growth - growth).abs() < 2e-4, "{file}: {mode:?}");
                assert!((mode.rate - rate).abs() < 1e-3, "{file}: {mode:?}");
            }
        }
    }
}

/// The gain is the ratio of the masses; over a millisecond the springs add less than a per mille.
#[test]
fn the_gain_of_a_rigid_pair_is_the_ratio_of_its_masses() {
    for alpha in [0.6, 2.0, 31.0] {
        let pair = RigidPair { alpha };
        let (system, found) = diagnose(&rigid_pair(pair, "hold"));
        let (group, figures) = (&found.groups[0], figures(&found));
        let gain = group.alpha.unwrap();
        assert!((gain / alpha - 1.0).abs() < 1e-6, "{gain}");
        assert!(
            (figures.loop_gain / alpha - 1.0).abs() < 2e-3,
            "{}",
            figures.loop_gain
        );
        let order = names(&system, &group.order);
        let place = |name: &str| order.iter().position(|n| n == name);
        let reversed = alpha > 1.0;
        assert_eq!(group.reversed, reversed);
        assert_eq!(place("second") < place("first"), reversed, "{order:?}");
        let joined = pair.joined();
        let rate = (joined.stiffness / joined.mass - (joined.damping / joined.mass / 2.0).powi(2)).sqrt();
        assert!(
            (figures.modes[0].rate / rate - 1.0).abs() < 1e-6,
            "{:?} {rate}",
            figures.modes
        );
        let advice = doctor::advise(&system, &found).words;
        assert_eq!(advice.contains("owning the constraint"), reversed, "{advice}");
    }
}

/// Three lags of 1, 0.5 and 0.1 s in a circle with a gain of -2, one after the other in `order`.
fn circle(order: [&str; 3], lags: [f64; 3]) -> Variant {
    let [a, b, c] = lags;
    Variant::text(&format!(
        r#"
[system]
stop = 10.0
[components.a]
model = "state-space"
parameters = {{ a = [{:?}], b = [{:?}], c = [1.0], x0 = [1.0] }}
[components.b]
model = "transfer-function"
parameters = {{ numerator = [1.0], denominator = [{b:?}, 1.0] }}
[components.c]
model = "transfer-function"
parameters = {{ numerator = [1.0], denominator = [{c:?}, 1.0] }}
[[connections]]
from = "a.y"
to = "b.u"
[[connections]]
from = "b.y"
to = "c.u"
[[connections]]
from = "c.y"
to = "a.u"
[method]
kind = "gauss-seidel"
step = 0.01
reading = "linear"
order = {order:?}
"#,
        -1.0 / a,
        -2.0 / a
    ))
}

/// A coupling against the flow of signals has a limit inside what is looked at; the engine agrees with it: just below,
/// what was there at the start dies out, just above it grows.
#[test]
fn the_engine_blows_up_where_the_doctor_says() {
    let variant = circle(["a", "c", "b"], [1.0, 0.5, 0.1]);
    let (_, found) = diagnose(&variant);
    let Limit::Step(limit) = figures(&found).limits_of(Sweep::GaussSeidel).unwrap().limits[1] else {
        panic!("no limit: {found:?}");
    };
    let largest = |h: f64| {
        let overrides = Overrides {
            stop: Some(4000.0 * h),
            ..step(h)
        };
        let table = variant.run(overrides);
        let end = &reals(&table, "a.y")[3900..];
        end.iter().fold(0.0_f64, |most, y| most.max(y.abs()))
    };
    // Two per cent away from the limit a mode changes by about two per cent per step: thousands of steps tell.
    let (below, above) = (largest(0.98 * limit), largest(1.02 * limit));
    assert!(
        below < 1e-6 && above > 1e6,
        "{below:e} below and {above:e} above {limit} s"
    );
}

/// The poles are the roots of (1 + s)(1 + 1e-6 s)(1 + 0.1 s) + 2: near s = -1e6, and s² + 11 s + 30 = 0 for the slow ones.
#[test]
fn fast_and_slow_members_are_both_seen() {
    let (_, found) = diagnose(&circle(["a", "b", "c"], [1.0, 1e-6, 0.1]));
    let modes = &figures(&found).modes;
    let roots = [-1e6, -6.0, -5.0];
    assert_eq!(modes.len(), roots.len(), "{modes:?}");
    for (mode, root) in modes.iter().zip(roots) {
        // The fast lag changes the slow roots, which lie close together, by 1e-6 · 30 / 1 of themselves.
        assert!((mode.growth / root - 1.0).abs() < 1e-3, "{mode:?} is not {root}");
    }
}

/// A member that has both by itself: 1/(s + 1) and 1e6/(s + 1e6).
#[test]
fn fast_and_slow_states_in_one_member() {
    let variant = Variant::text(
        r#"
[system]
stop = 10.0
[components.a]
model = "state-space"
parameters = { a = [-1.0, 0.0, 0.0, -1e6], b = [1.0, 1e6], c = [0.5, 0.5] }
[components.b]
model = "gain"
parameters = { k = -1.0 }
[[connections]]
from = "a.y"
to = "b.u"
[[connections]]
from = "b.y"
to = "a.u"
[method]
kind = "jacobi"
step = 0.01
"#,
    );
    let (_, found) = diagnose(&variant);
    let modes: Vec<f64> = figures(&found).modes.iter().map(|mode| mode.growth).collect();
    // s² + (1.5e6 + 1.5) s + 2e6 = 0, but for parts of 1e-6.
    assert_eq!(modes.len(), 2, "{modes:?}");
    assert!((modes[0] / -1.5e6 - 1.0).abs() < 1e-5, "{modes:?}");
    // Samples are 2.4 µs apart. The slow state answers with 2.4e-6 of what the fast one does, and fades by 8e-5 of that
    // while it is looked at: 2e-10, of which the solver leaves two digits.
    assert!((modes[1] / (-2e6 / 1.5e6) - 1.0).abs() < 2e-2, "{modes:?}");
}

/// Two free masses on a spring drift together for ever, which is no instability: their double eigenvalue of one, which
/// rounding moves by the root of its last digit, says nothing against a step at which the engine comes to rest.
#[test]
fn free_bodies_are_not_unstable() {
    let variant = Variant::text(
        r#"
[system]
stop = 1000.0
[components.a]
model = "mass"
parameters = { mass = 1.0, position = 0.1 }
[components.b]
model = "mass"
parameters = { mass = 2.0 }
[components.spring]
model = "spring-damper"
parameters = { stiffness = 100.0, damping = 5.0 }
[[connections]]
from = "a.position"
to = "spring.position_a"
[[connections]]
from = "a.velocity"
to = "spring.velocity_a"
[[connections]]
from = "b.position"
to = "spring.position_b"
[[connections]]
from = "b.velocity"
to = "spring.velocity_b"
[[connections]]
from = "spring.force_a"
to = "a.force"
[[connections]]
from = "spring.force_b"
to = "b.force"
[method]
kind = "gauss-seidel"
step = 0.1
reading = "linear"
order = ["a", "spring", "b"]
"#,
    );
    let table = variant.run(Overrides::default());
    let end = |name: &str| *reals(&table, name).last().unwrap();
    assert!(
        (end("a.position") - end("b.position")).abs() < 1e-6,
        "the engine comes to rest"
    );
    let (_, found) = diagnose(&variant);
    let figures = figures(&found);
    // Against each other they swing with (c / m)^½, m = 2/3 kg.
    let swing = figures.fastest_swing().unwrap();
    assert!((swing.size() / 150.0_f64.sqrt() - 1.0).abs() < 1e-6, "{swing:?}");
    let limit = figures.limits_of(Sweep::GaussSeidel).unwrap().limits[1];
    assert!(limit.allows(0.1), "{limit:?}");
}

/// A double pendulum that starts level and at rest: at first a force along its rod does nothing to it, and then
/// something, which no linear model can say. How its members react at once is known all the same.
#[test]
fn a_member_without_a_linear_model_is_named() {
    let (system, found) = diagnose(&double_pendulum("hold"));
    let group = &found.groups[0];
    let [(who, Unmeasured::Unfit)] = &group.unmeasured[..] else {
        panic!("{:?}", group.unmeasured);
    };
    assert_eq!(system.graph.node(*who).name, "upper");
    assert!(group.alpha.is_some_and(|alpha| alpha > 0.0), "{:?}", group.alpha);
    let remarks = doctor::remarks(&system, &found, group);
    assert!(remarks.iter().any(|r| r.kind == "nonlinear"), "{remarks:?}");
}

const CONTROLLED: &str = r#"
[system]
stop = 10.0
[components.controller]
model = "pid"
parameters = { kp = 40.0, ki = 5.0, kd = 8.0 }
step = 2.0
[components.plant]
model = "mass-spring-damper"
parameters = { mass = 1.0, stiffness = 10.0, damping = 0.5, position = 0.1 }
[[connections]]
from = "plant.position"
to = "controller.measurement"
[[connections]]
from = "controller.y"
to = "plant.force"
[method]
kind = "gauss-seidel"
step = 0.001
"#;

/// The loop swings about once a second; a controller that looks every two seconds cannot know.
#[test]
fn a_controller_that_looks_too_rarely_is_told() {
    let rates = |text: &str| -> Vec<String> {
        let (system, found) = diagnose(&Variant::text(text));
        let remarks = doctor::remarks(&system, &found, &found.groups[0]).into_iter();
        remarks.filter(|r| r.kind == "rate").map(|r| r.message).collect()
    };
    let slow = rates(CONTROLLED);
    assert!(
        slow.iter().any(|r| r.contains("less than two points of a swing")),
        "{slow:?}"
    );
    let quick = rates(&CONTROLLED.replace("step = 2.0\n", "step = 0.01\n"));
    assert!(!quick.iter().any(|r| r.contains("of a swing")), "{quick:?}");
}

#[test]
fn units_that_one_end_lacks_are_named() {
    let (system, found) = diagnose(&Variant::text(CONTROLLED));
    let remarks = doctor::remarks(&system, &found, &found.groups[0]);
    let units = remarks.iter().find(|r| r.kind == "units").unwrap();
    assert!(
        units
            .message
            .contains("plant.position is in m, controller.measurement has no unit")
    );
}

/// Where a coupling is unstable as described, the advice leads to one that is not.
#[test]
fn advice_leads_out_of_trouble() {
    let variant = two_mass(FORCE, true);
    let (system, found) = diagnose(&variant);
    let present = figures(&found);
    assert!(present.growth > 1.0, "1 ms is above 0.9069 ms");
    let advice = doctor::advise(&system, &found);
    assert!(
        !advice.keep && advice.words.contains("unstable"),
        "{}",
        advice.words
    );
    let choice = found.recommendation().unwrap();
    assert_eq!(choice.kind, Kind::Adaptive);
    let limits = present.limits_of(choice.method).unwrap().limits;
    let place = doctor::READINGS
        .iter()
        .position(|reading| *reading == choice.reading)
        .unwrap();
    assert!(limits[place].allows(choice.step), "{choice:?} {limits:?}");
    let stable = two_mass(FORCE, false);
    let (system, found) = diagnose(&stable);
    let advice = doctor::advise(&system, &found);
    assert!(
        advice.keep && advice.method == "jacobi" && advice.step == 0.001,
        "{advice:?}"
    );
}

/// A simulation that was examined runs to the same bits.
#[test]
fn an_examination_leaves_no_trace() {
    let variant = Variant::of(FORCE, &[]);
    let plain = variant.run(Overrides::default());
    let (mut simulation, handle) = variant.open(Overrides::default());
    let found = simulation
        .examine(Duration::from_secs(60))
        .unwrap_or_else(|e| panic!("{e}"));
    assert!(found.groups[0].figures.is_some());
    assert_eq!(simulation.run().status, "ok");
    let examined = handle.table();
    for name in ["one.position", "one.velocity", "two.position", "two.force"] {
        assert_eq!(reals(&plain, name), reals(&examined, name), "{name}");
    }
}

#[test]
fn time_runs_out() {
    let (system, found) = within(&two_mass(FORCE, false), &Overrides::default(), 1e-9);
    let group = &found.groups[0];
    assert!(group.figures.is_none());
    assert!(group.unmeasured.iter().all(|(_, why)| *why == Unmeasured::Late));
    assert!(found.recommendation().is_none());
    assert!(
        doctor::advise(&system, &found)
            .words
            .contains("could be measured")
    );
}
