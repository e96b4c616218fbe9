//! Asynchronous coupling of a multibody and a finite-element code, as `examples/mbs-fe` and `examples/impact` describe it:
//! errors, stability and energy against reference values.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan::{Overrides, Report, Table};
use support::exact::ElasticImpact;
use support::fine::MassOnMount;
use support::{Variant, largest_error, reals};

const SMOOTH: &str = "mbs-fe/system.toml";
const IMPACT: &str = "impact/system.toml";

/// A run that may fail: what an unstable coupling does is to be seen in the report.
fn run(variant: &Variant) -> (Table, Report) {
    let (mut simulation, handle) = variant.open(Overrides::default());
    let report = simulation.run();
    (handle.table(), report)
}

fn finished(variant: &Variant) -> (Table, Report) {
    let (table, report) = run(variant);
    assert_eq!(report.status, "ok", "{:?}", report.error);
    (table, report)
}

fn warnings(report: &Report, kind: &str) -> usize {
    report.warnings.iter().filter(|w| w.kind == kind).count()
}

/// Mass and mount with other steps, another tangent and another reading of the force.
fn smooth(steps: (f64, f64), tangent: &str, reading: &str) -> Variant {
    let (mbs, fe) = steps;
    Variant::of(
        SMOOTH,
        &[
            ("step = 0.0015", &format!("step = {fe:?}")),
            ("step = 0.001\n", &format!("step = {mbs:?}\n")),
            // Ten steps of the solver in each.
            ("step = 1e-4", &format!("step = {:?}", mbs / 10.0)),
            ("tangent = \"curved\"", &format!("tangent = \"{tangent}\"")),
            (
                "to = \"mbs.force\"\nreading = \"quadratic\"",
                &format!("to = \"mbs.force\"\nreading = {reading}"),
            ),
        ],
    )
}

fn position_error(table: &Table) -> f64 {
    largest_error(table, "mbs.position", |t| MassOnMount::at(t)[0])
}

/// The reference agrees with one that was computed apart from this project, with another method of order eight.
#[test]
fn the_reference_is_the_solution() {
    let [position, velocity] = MassOnMount::at(1.0);
    assert!((position - 0.002556477348).abs() < 1e-12, "{position}");
    assert!((velocity + 0.895996528561).abs() < 1e-10, "{velocity}");
    let impact = ElasticImpact { stiffness: 1e6 };
    assert!((ElasticImpact::touched() - 0.045152364).abs() < 5e-10);
    assert!((impact.contact() - 3.185879883e-3).abs() < 5e-13);
    // Deepest where the velocity passes zero, after a quarter of a swing and a little.
    let deepest = (0..1000)
        .map(|k| impact.at(ElasticImpact::touched() + 1.5e-3 + 2e-7 * f64::from(k))[0])
        .fold(f64::INFINITY, f64::min);
    // Sampled within 0.1 µs of it, where 453 m/s² leave 2e-12 m.
    assert!((deepest + 4.528633107e-4).abs() < 4e-12, "{deepest}");
    let [_, rebound] = impact.at(ElasticImpact::touched() + impact.contact());
    assert!((rebound - 0.442944692).abs() < 5e-10);
}

const READINGS: [&str; 5] = [
    "\"quadratic\"",
    "\"linear\"\nweight = 0.788",
    "\"hold\"",
    "\"least-squares\"",
    "\"mean\"",
];

/// Largest errors of the position in metres for the five readings, at steps of mass and mount, with the force carried on
/// in time and with the tangent. Infinite is what the reference calls unstable: more than ten amplitudes.
const ERRORS: [((f64, f64), &str, [f64; 5]); 10] = {
    const NO: f64 = f64::INFINITY;
    [
        ((1e-3, 1e-3), "none", [7.4e-3, 1.45e-2, NO, 1.8e-2, NO]),
        ((1e-3, 1e-3), "linear", [2.9e-3, 2.9e-3, 2.9e-3, 3.9e-3, NO]),
        ((1e-3, 7e-4), "none", [8.3e-3, 1.75e-2, NO, 1.85e-2, NO]),
        ((1e-3, 7e-4), "linear", [7.3e-3, 1.2e-3, NO, 7.3e-3, NO]),
        ((1e-3, 1.5e-3), "none", [1.6e-2, 2.3e-2, NO, NO, NO]),
        ((1e-3, 1.5e-3), "linear", [1.5e-2, 1.8e-2, NO, 2.1e-2, NO]),
        ((5e-4, 5e-4), "none", [1.05e-3, 2.3e-3, NO, 4.3e-3, NO]),
        ((5e-4, 5e-4), "linear", [5.2e-4, 5.2e-4, 5.2e-4, 4.5e-4, NO]),
        ((2e-4, 2e-4), "none", [6.9e-5, 2.2e-4, 3.2e-2, 3.9e-4, NO]),
        ((2e-4, 2e-4), "linear", [6.2e-5, 6.2e-5, 6.2e-5, 2.5e-5, NO]),
    ]
};

/// Each stable one within 20 % or better, each unstable one reported as such, and no stable one.
#[test]
fn readings_err_and_fail_as_the_reference_says() {
    let mut wrong = Vec::new();
    for (steps, tangent, expected) in ERRORS {
        for (reading, expected) in READINGS.into_iter().zip(expected) {
            let variant = smooth(steps, tangent, reading);
            let (table, report) = run(&variant);
            let error = position_error(&table);
            let unstable = warnings(&report, "unstable") > 0;
            let as_expected = match expected.is_finite() {
                true => report.status == "ok" && error <= 1.2 * expected && !unstable,
                false => unstable,
            };
            if !as_expected {
                wrong.push(format!(
                    "{steps:?} {tangent} {reading}: {error:e} instead of {expected:e}, {}, unstable: {unstable}",
                    report.status
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The force is carried on in time, or felt along the tangent: the same figures as those of the reference for what was
/// predicted against what was computed, which are given with two digits.
#[test]
fn predictions_are_off_as_the_reference_says() {
    for (tangent, expected) in [("none", 7.5), ("linear", 2.0)] {
        let (_, report) = finished(&smooth((1e-3, 1e-3), tangent, "\"quadratic\""));
        let [prediction] = &report.predictions[..] else {
            panic!("{:?}", report.predictions)
        };
        let largest = prediction.largest;
        assert!((largest / expected - 1.0).abs() < 0.02, "{tangent}: {largest}");
        assert!(prediction.exceeded > 0);
        assert_eq!(warnings(&report, "prediction"), 1);
    }
}

/// In step with each other, the reading makes no difference where it is read at the newest point.
#[test]
fn in_step_the_tangent_makes_readings_equal() {
    let position = |reading: &str| {
        let (table, _) = finished(&smooth((1e-3, 1e-3), "linear", reading));
        reals(&table, "mbs.position").to_vec()
    };
    let parabola = position("\"quadratic\"");
    for reading in ["\"linear\"\nweight = 0.788", "\"hold\""] {
        let other = position(reading);
        assert_eq!(parabola.len(), other.len());
        for (a, b) in parabola.iter().zip(&other) {
            // Reading a polynomial at one of its points rounds.
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
    }
}

/// The example as it is: a hundredth of an amplitude would be 1e-4 m.
#[test]
fn a_law_that_bends_keeps_a_stiffening_mount_within_a_hundredth() {
    let (table, report) = finished(&Variant::of(SMOOTH, &[]));
    let error = position_error(&table);
    assert!(error <= 1e-4, "{error:e}");
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
}

/// A cubic law is its own Hermite polynomial, so what is left comes from the start, when only one point is known, and from
/// turning points. It does not matter how the force is read.
#[test]
fn a_law_that_bends_beats_the_tangent_at_all_steps() {
    for steps in [
        (1e-3, 1e-3),
        (1e-3, 7e-4),
        (1e-3, 1.5e-3),
        (1e-3, 2.5e-3),
        (5e-4, 5e-4),
        (2e-4, 2e-4),
    ] {
        let error = |tangent: &str, reading: &str| {
            let (table, _) = finished(&smooth(steps, tangent, reading));
            position_error(&table)
        };
        let bent = error("curved", "\"quadratic\"");
        let straight = error("linear", "\"quadratic\"");
        assert!(bent < 0.1 * straight, "{steps:?}: {bent:e} against {straight:e}");
        assert_eq!(bent, error("curved", "\"mean\""), "{steps:?}");
    }
}

/// A velocity that is connected but does not matter does not disturb the law, and a damper in the mount is felt.
#[test]
fn motions_count_by_the_force_they_make() {
    let connected =
        "[[connections]]\nfrom = \"mbs.velocity\"\nto = \"fe.velocity\"\nreading = \"quadratic\"\n\n[method]";
    let position = smooth((1e-3, 1.5e-3), "curved", "\"quadratic\"");
    let (alone, _) = finished(&position);
    let (both, _) = finished(&position.with(&[("[method]", connected)]));
    let pairs = reals(&alone, "mbs.position")
        .iter()
        .zip(reals(&both, "mbs.position"));
    let apart = pairs.fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(apart < 1e-12, "{apart:e}");

    let rows = MassOnMount { damping: 5.0 }.rows();
    let damped = [
        ("[method]", connected),
        ("cubic_stiffness = 1e8", "cubic_stiffness = 1e8, damping = 5.0"),
    ];
    let error = |tangent: &str| {
        let variant = smooth((1e-3, 1.5e-3), tangent, "\"quadratic\"").with(&damped);
        let (table, _) = finished(&variant);
        largest_error(&table, "mbs.position", |t| MassOnMount::state(&rows, t)[0])
    };
    let (bent, straight) = (error("curved"), error("linear"));
    assert!(bent < 0.1 * straight, "{bent:e} against {straight:e}");
}

/// Kinetic energy, weight and what is stored in the floor, against what the weight was at the start.
fn energy_ratio(table: &Table) -> f64 {
    let last = |name: &str| *reals(table, name).last().unwrap();
    let (position, velocity) = (last("ball.position"), last("ball.velocity"));
    let weight = ElasticImpact::GRAVITY;
    let energy = 0.5 * velocity * velocity + weight * position + last("floor.energy");
    energy / (weight * ElasticImpact::DROP)
}

fn velocity_after(table: &Table) -> f64 {
    *reals(table, "ball.velocity").last().unwrap()
}

/// The example as it is.
#[test]
fn an_impact_keeps_its_energy_in_few_steps() {
    let (table, report) = finished(&Variant::of(IMPACT, &[]));
    let ratio = energy_ratio(&table);
    assert!((ratio - 1.0).abs() <= 1e-3, "{ratio}");
    let tried = report.steps + report.rejected;
    assert!(tried <= 120, "{} and {} rejected", report.steps, report.rejected);
    assert!(report.rejected > 0);
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    let stop = *table.times.last().unwrap();
    let [_, velocity] = ElasticImpact { stiffness: 1e6 }.at(stop);
    // A thousandth of the energy is half of that of the velocity.
    assert!((velocity_after(&table) / velocity - 1.0).abs() < 5e-4);
}

/// The energy would not tell of a contact that was left after two swings instead of half of one: the velocity at an instant
/// does. The hardest floor lets go after a third of the longest step.
#[test]
fn no_floor_is_so_hard_that_its_contact_is_missed() {
    for stiffness in [1e5, 3e5, 3e6, 1e7, 3e7, 1e8] {
        let variant = Variant::of(
            IMPACT,
            &[
                ("stiffness = 1e6", &format!("stiffness = {stiffness:?}")),
                // The solver must see the hardest floor as well: a tenth of a radian in each of its steps.
                ("step = 1e-4", "step = 1e-5"),
            ],
        );
        let (table, report) = finished(&variant);
        let stop = *table.times.last().unwrap();
        let [_, velocity] = ElasticImpact { stiffness }.at(stop);
        let found = velocity_after(&table);
        assert!(
            (found / velocity - 1.0).abs() < 5e-4,
            "{stiffness}: {found} instead of {velocity}"
        );
        assert!((energy_ratio(&table) - 1.0).abs() <= 1e-3, "{stiffness}");
        // The flight takes 55 steps. Behind each end of the contact, steps double from the time in which the force changes by
        // the one newton that is allowed to the longest one; some tries are on top.
        let change = 1e-3 * stiffness * ElasticImpact::GRAVITY * ElasticImpact::touched();
        let expected = 55.0 + 2.0 * change.log2() + 20.0;
        let tried = report.steps + report.rejected;
        assert!((tried as f64) < expected, "{stiffness}: {tried}, not {expected}");
    }
}

/// Without rejection the energy is wrong, by the figures of the reference, and the run says that predictions were off. It is a
/// blow, not an instability.
#[test]
fn without_rejection_an_impact_gains_energy() {
    for (step, expected) in [(1e-3, 1.298), (5e-4, 1.096), (2e-4, 0.9985), (2e-5, 1.0001)] {
        let variant = Variant::of(
            IMPACT,
            &[
                ("reject = true ", "reject = false"),
                ("kind = \"glue\"", "kind = \"glue\"\ntangent = \"linear\""),
                ("step = 0.001 ", &format!("step = {step:?} ")),
                ("step = 1e-4", &format!("step = {:?}", step / 10.0)),
            ],
        );
        let (table, report) = finished(&variant);
        let ratio = energy_ratio(&table);
        assert!(
            (ratio - expected).abs() < 6e-4,
            "{step}: {ratio} instead of {expected}"
        );
        assert!(warnings(&report, "prediction") > 0, "{step}");
        assert_eq!(warnings(&report, "unstable"), 0, "{step}");
        assert_eq!(report.rejected, 0);
    }
}

/// Where steps may be taken back, a floor with steps of its own computes at the end of each of the ball's as well: else
/// nobody could tell where the ball touches it.
#[test]
fn a_floor_with_steps_of_its_own_is_met_as_well() {
    let own = ("stiffness = 1e6 }", "stiffness = 1e6 }\nstep = 0.0007");
    let (table, report) = finished(&Variant::of(IMPACT, &[own]));
    assert_eq!(warnings(&report, "prediction"), 0);
    assert!((energy_ratio(&table) - 1.0).abs() <= 1e-3);
    let tried = report.steps + report.rejected;
    assert!(tried <= 120, "{tried}");
}

/// The script that lies beside the description is the same system, to the bit.
#[test]
fn the_script_is_the_same_system() {
    let described = support::run(SMOOTH, Overrides::default());
    let scripted = support::run("mbs-fe/mbs-fe.cosim", Overrides::default());
    for name in ["mbs.position", "mbs.velocity"] {
        assert_eq!(reals(&described, name), reals(&scripted, name), "{name}");
    }
    assert_eq!(described.times, scripted.times);
}
