//! Transmission lines: who goes how far, what is conserved, what repeats.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan_core::line::{Filter, Interpolation, Properties};
use cardan_core::method::Sweep;
use cardan_core::monitor::WarningKind;
use cardan_core::time::SimTime;
use std::collections::BTreeMap;
use support::{Bench, Log, Masses};

/// Two masses of one, the first one moving, on a line; each at its own steps.
fn pair(log: &Log, steps: [f64; 2], properties: Properties, stop: f64) -> Bench {
    Bench::new(Sweep::Jacobi, steps[0], stop)
        .add("a", Masses::logged("a", log, 1.0))
        .step(steps[0])
        .add("b", Masses::logged("b", log, 0.0))
        .step(steps[1])
        .line("a.left/left_force", "b.left/left_force", properties)
        .record_all()
}

#[test]
fn everybody_is_ahead_by_the_delay_at_most_and_uses_it() {
    for steps in [[0.5, 0.5], [1.0, 0.25], [0.3, 0.7], [1.0, 1.0]] {
        let log = Log::default();
        let (_, _, result) = pair(&log, steps, Properties::new(1.0, 0.1), 10.0).run(1);
        result.unwrap();
        let mut stands: BTreeMap<&str, f64> = [("a", 0.0), ("b", 0.0)].into();
        let mut most = 0.0_f64;
        for &(name, from, to) in log.lock().unwrap().iter() {
            let other = if name == "a" { "b" } else { "a" };
            assert!((stands[name] - from).abs() < 1e-12);
            most = most.max(to - stands[other]);
            assert!(
                to <= stands[other] + 1.0 + 1e-9,
                "{steps:?}: {name} to {to}, {other} at {}",
                stands[other]
            );
            stands.insert(name, to);
        }
        assert!(stands.values().all(|at| (at - 10.0).abs() < 1e-12));
        // In a round both begin before either has come, so one of the two may seem a step further than it was.
        let longest = steps[0].max(steps[1]);
        assert!(
            most >= longest - steps[0].min(steps[1]) - 1e-12,
            "{steps:?}: {most}"
        );
    }
}

/// What a line takes from one mass it gives to the other, or holds: momentum `∫ (s1 + s2) / 2` over what is on its way is
/// not recorded, so it is looked at when a whole number of bounces has brought all of it back to rest: at the mean.
#[test]
fn both_masses_move_alike_in_the_mean() {
    let log = Log::default();
    let line = Properties::new(0.01, 0.5);
    let (_, rows, result) = pair(&log, [0.005, 0.005], line, 40.0).run(1);
    result.unwrap();
    // Total momentum 1 on masses 1 + 1 and Z T of the line.
    let together = 1.0 / (2.0 + line.inertia_of(0));
    for name in ["a.left", "b.left"] {
        let values = rows.reals(name);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        // The mean over a span of 40 s of swings with a period of 0.6 s: what is left of the last one.
        assert!(
            (mean - together).abs() < 0.5 * 0.6 / 40.0,
            "{name} {mean} {together}"
        );
    }
}

#[test]
fn the_energy_of_masses_and_line_stays() {
    let log = Log::default();
    let line = Properties::new(0.01, 0.5);
    let (_, rows, result) = pair(&log, [0.005, 0.0025], line, 5.0).run(1);
    result.unwrap();
    let (a, b, stored) = (
        rows.reals("a.left"),
        rows.reals("b.left"),
        rows.reals("line0.energy"),
    );
    let total = |i: usize| 0.5 * (a[i] * a[i] + b[i] * b[i]) + stored[i];
    // Waves jump where the line begins with ends that move differently, and jumps are thrown back as jumps. What is left: these
    // masses do not feel the line, and just behind a jump of their acceleration by Z v / m = 0.5 they go on along parabolas through points before
    // it: wrong by 0.5 h in velocity for one step, so by Z · 0.5 h · h in momentum, at each of the 500 bounces, with either sign.
    let bounce = 0.5 * 0.5 * 0.005 * 0.005;
    for i in 0..a.len() {
        assert!(
            (total(i) - total(0)).abs() < 500.0 * bounce,
            "{i} {} {}",
            total(i),
            total(0)
        );
    }
    // The line itself moves along with its ends when the run begins: (Z v)² / 4 Z over its delay.
    assert!(
        (stored[0] - 0.5 * 0.5 / 2.0 * 0.01).abs() < 1e-12,
        "{}",
        stored[0]
    );
}

#[test]
fn a_run_gives_the_same_bits_on_any_number_of_threads() {
    for alpha in [0.0, 0.3] {
        for filter in [Filter::Lengthening, Filter::Unit] {
            let line = Properties {
                alpha,
                filter,
                ..Properties::new(0.01, 0.5)
            };
            // The middle one has two interfaces.
            let rows = |threads: usize| {
                let log = Log::default();
                let (_, rows, result) = pair(&log, [0.003, 0.005], line, 2.0)
                    .add("c", Masses::logged("c", &log, 0.5))
                    .step(0.002)
                    .line("b.right/right_force", "c.left/left_force", line)
                    .record_all()
                    .run(threads);
                result.unwrap();
                let names = ["a.left", "b.left", "b.right", "c.left"];
                names.map(|name| rows.reals(name).iter().map(|v| v.to_bits()).collect::<Vec<u64>>())
            };
            let first = rows(1);
            assert!(first[3].iter().any(|bits| f64::from_bits(*bits) != 0.0));
            for threads in [1, 2, 3] {
                assert!(rows(threads) == first, "{threads}");
            }
        }
    }
}

/// Halving the steps divides the error of the waves by four with chords. Cubics are better by far.
#[test]
fn waves_converge_with_the_points_they_have() {
    let end = |step: f64, interpolation| {
        let line = Properties {
            interpolation,
            ..Properties::new(0.1, 0.5)
        };
        let log = Log::default();
        let (_, rows, result) = pair(&log, [step, step], line, 3.0).run(1);
        result.unwrap();
        *rows.reals("b.left").last().unwrap()
    };
    let exact = end(0.1 / 512.0, Interpolation::Cubic);
    let errors = |rule| [16.0, 32.0, 64.0].map(|parts| (end(0.1 / parts, rule) - exact).abs());
    let (chords, cubics) = (errors(Interpolation::Linear), errors(Interpolation::Cubic));
    // Jumps are thrown back as jumps, so what lies between them is smooth: chords are of second order.
    for pair in chords.windows(2) {
        assert!((3.5..4.5).contains(&(pair[0] / pair[1])), "{chords:?}");
    }
    for (chord, cubic) in chords.iter().zip(&cubics) {
        assert!(cubic < &(0.1 * chord), "{chords:?} {cubics:?}");
    }
}

#[test]
fn a_line_of_which_a_filter_keeps_a_part_comes_to_rest() {
    for (filter, alpha) in [
        (Filter::Lengthening, 0.2),
        (Filter::Unit, 0.2),
        (Filter::Unit, 0.5),
        (Filter::Unit, 0.9),
    ] {
        let line = Properties {
            alpha,
            filter,
            ..Properties::new(0.01, 0.5)
        };
        let log = Log::default();
        let (_, rows, result) = pair(&log, [0.005, 0.005], line, 60.0).run(1);
        result.unwrap();
        let (a, b) = (rows.reals("a.left"), rows.reals("b.left"));
        let largest = a.iter().chain(&b).fold(0.0_f64, |most, v| most.max(v.abs()));
        assert!(largest <= 1.0 + 1e-12, "{filter:?} {alpha}: {largest}");
        let apart = |at: usize| (a[at] - b[at]).abs();
        let late = (a.len() - 200..a.len()).map(apart).fold(0.0, f64::max);
        assert!(late < 0.9, "{filter:?} {alpha}: {late}");
    }
}

#[test]
fn whoever_has_no_line_goes_along() {
    let log = Log::default();
    let (_, rows, result) = pair(&log, [0.5, 0.5], Properties::new(1.0, 0.1), 4.0)
        .add("reader", cardan_testkit::fakes::Accumulator::new(0.0))
        .step(0.25)
        .wire("a.left", "reader.u", cardan_core::signal::Reading::Hold)
        .record_all()
        .run(1);
    result.unwrap();
    // Jacobi: it sums up what was known at the beginning of each of its steps. Nothing acts on `a` before a wave has gone
    // forth and back, but its own: v' = -0.1 v up to t = 1.
    let (times, sums, moved) = (rows.times(), rows.reals("reader.x"), rows.reals("a.left"));
    let at = |time: f64| times.iter().position(|t| (t - time).abs() < 1e-9).unwrap();
    let expected = 0.5 * (moved[at(0.0)] + moved[at(0.5)]);
    assert!(
        (sums[at(1.0)] - expected).abs() < 1e-12,
        "{} {expected}",
        sums[at(1.0)]
    );
    assert_eq!(SimTime::from_seconds(4.0).seconds(), *times.last().unwrap());
}

/// Those who have nothing to do with each other do not part for ever: what is ahead of the others has to be kept.
#[test]
fn nobody_runs_ahead_of_strangers_by_more_than_the_longest_delay() {
    let log = Log::default();
    let (delay, short) = (1.0, 0.25);
    let (_, _, result) = pair(&log, [0.5, 0.5], Properties::new(delay, 0.1), 20.0)
        .add("c", Masses::logged("c", &log, 1.0))
        .step(short)
        .add("d", Masses::logged("d", &log, 0.0))
        .step(2.0 * short)
        .line(
            "c.left/left_force",
            "d.left/left_force",
            Properties::new(0.5, 0.1),
        )
        // Without any line nothing else keeps it.
        .add("free", Masses::logged("free", &log, 0.0))
        .step(short)
        .record_all()
        .run(1);
    result.unwrap();
    let mut stands: BTreeMap<&str, f64> = ["a", "b", "c", "d", "free"].map(|name| (name, 0.0)).into();
    for &(name, from, to) in log.lock().unwrap().iter() {
        let behind = stands.values().copied().fold(f64::INFINITY, f64::min);
        // Whoever is furthest behind may always go.
        assert!(
            to <= behind + delay + 1e-9 || from <= behind + 1e-9,
            "{name} to {to}, others at {behind}"
        );
        stands.insert(name, to);
    }
    assert!(stands.values().all(|at| (at - 20.0).abs() < 1e-12));
}

/// Masses of one that are told the load go on along parabolas, so their steps are those of the third-order method of Adams and
/// Bashforth, which is stable up to Z h / m = 6 / 11.
#[test]
fn a_step_too_long_for_a_told_load_is_noticed() {
    let warnings = |times_limit: f64, delay: f64, alpha: f64, stop: f64| {
        let step = 0.5 * delay;
        let line = Properties {
            alpha,
            ..Properties::new(delay, times_limit * 6.0 / 11.0 / step)
        };
        let (run, rows, result) = pair(&Log::default(), [step, step], line, stop).run(1);
        let largest = rows
            .reals("b.left")
            .iter()
            .fold(0.0_f64, |most, v| most.max(v.abs()));
        let warnings = run.world().monitor.warnings();
        let unstable = warnings.iter().filter(|w| w.kind == WarningKind::Unstable);
        let unstable: Vec<_> = unstable.cloned().collect();
        (unstable, largest, result)
    };
    for times in [1.1, 1.5, 3.0, 30.0, 3000.0] {
        let (unstable, largest, _) = warnings(times, 0.1, 0.0, 40.0);
        assert!(!unstable.is_empty(), "{times}: up to {largest:e} without a word");
        assert!(
            ["line0: a", "line0: b"].contains(&unstable[0].place.as_str()),
            "{unstable:?}"
        );
        assert!(
            unstable[0].message.contains("choose a smaller `step`"),
            "{unstable:?}"
        );
    }
    // Stable: a jump goes to and fro, and is thrown back at each end by half of the steps or all of them.
    for times in [0.01, 0.1, 0.5, 0.8, 0.9] {
        for alpha in [0.0, 0.2] {
            let (unstable, largest, result) = warnings(times, 0.1, alpha, 400.0);
            result.unwrap();
            assert!(
                unstable.is_empty(),
                "{times} {alpha}: up to {largest:e}: {unstable:?}"
            );
        }
    }
}
