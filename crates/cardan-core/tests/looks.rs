//! What a run tells of its readings: how far off they were, where and when.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan_core::graph::Conversion;
use cardan_core::method::Sweep;
use cardan_core::monitor::{ConnectionAccount, WarningKind};
use cardan_core::signal::Reading;
use cardan_testkit::fakes::{Accumulator, Harmonic};
use cardan_testkit::problems::Oscillator;
use support::Bench;

/// 2 cos(3 t) read by somebody who does not answer.
fn wave(step: f64, reading: Reading, factor: f64) -> Bench {
    let oscillator = Oscillator {
        mass: 1.0,
        damping: 0.0,
        stiffness: 9.0,
    };
    let conversion = Conversion { factor, offset: 5.0 };
    Bench::new(Sweep::Jacobi, step, 10.0)
        .add("wave", Harmonic::new(oscillator, [2.0, 0.0]))
        .add("sum", Accumulator::new(0.0))
        .wire_converted("wave.position", "sum.u", reading, conversion)
}

fn account(bench: Bench) -> ConnectionAccount {
    let (run, _, result) = bench.run(1);
    result.unwrap();
    run.world().coupling()[0].clone()
}

/// A sine that is held is off by ω H times its amplitude at most, where it is steepest; extrapolated by polynomials of
/// degree k by (ω H) to the power k + 1. On average it is the same part of the motion.
#[test]
fn defects_of_a_sine() {
    let h = 0.01;
    for (reading, power) in [
        (Reading::Hold, 1),
        (Reading::Linear { weight: 1.0 }, 2),
        (Reading::Quadratic, 3),
    ] {
        let account = account(wave(h, reading, 1.0));
        let part = (3.0 * h).powi(power);
        // Without a history the first steps of higher readings are held or on a line, so only the mean of held ones and
        // the largest of them are exact. Differences of a sine over H are those of its slope up to (ω H)² / 24.
        if reading == Reading::Hold {
            assert!((account.largest * account.size - 2.0 * part).abs() < 2.0 * part * 1e-3);
            // The run is no whole number of periods: some percent.
            assert!((account.mean / part - 1.0).abs() < 0.05, "{account:?}");
            // It is steepest at quarters of a period: π/6, π/2 …
            let quarter = account.time.seconds() / (std::f64::consts::PI / 6.0);
            assert!((quarter.rem_euclid(2.0) - 1.0).abs() < 2.0 * h / (std::f64::consts::PI / 6.0));
        } else {
            // The first step, held, is off by (ω H)² / 2 of the amplitude, one in a thousand.
            let start = 0.5 * (3.0 * h).powi(2) / 1000_f64.sqrt();
            assert!(account.mean < 1.1 * part + 2.0 * start, "{reading}: {account:?}");
        }
        assert!((account.size - 4.0).abs() < 1e-3);
        assert_eq!(account.looks, 1000);
        assert_eq!(
            (account.from.as_str(), account.to.as_str()),
            ("wave.position", "sum.u")
        );
    }
}

/// What a connection does to values changes no part of them.
#[test]
fn parts_do_not_depend_on_units() {
    let plain = account(wave(0.01, Reading::Hold, 1.0));
    assert_eq!(account(wave(0.01, Reading::Hold, -1000.0)), plain);
}

/// Who sees the new step foretells nothing.
#[test]
fn inputs_that_see_the_new_step_have_no_defect() {
    let mut bench = wave(0.01, Reading::Hold, 1.0);
    bench.setup.method.sweep = Sweep::GaussSeidel;
    let (run, _, result) = bench.run(1);
    result.unwrap();
    assert_eq!(run.world().coupling(), []);
}

/// A reader with longer steps than its source foretells further.
#[test]
fn longer_steps_of_the_reader_count() {
    let short = account(wave(0.01, Reading::Hold, 1.0));
    let mut bench = wave(0.01, Reading::Hold, 1.0);
    bench.graph.nodes[1].step = Some(0.05);
    let long = account(bench);
    // A sine over five steps against one: less than five by the bend of the sine, (0.15)² / 24.
    assert!(
        (long.largest / short.largest / 5.0 - 1.0).abs() < 2e-3,
        "{long:?}"
    );
}

/// After the first few thousand a reading is looked at now and then, and the figures stay what they are.
#[test]
fn long_runs_are_looked_at_now_and_then() {
    let account = account(wave(2e-4, Reading::Hold, 1.0));
    assert!((4096..5000).contains(&account.looks), "{}", account.looks);
    let part = 3.0 * 2e-4;
    assert!(
        (account.largest * account.size / 2.0 / part - 1.0).abs() < 1e-3,
        "{account:?}"
    );
    // Looks stand for the steps between them; the run is no whole number of periods.
    assert!((account.mean / part - 1.0).abs() < 0.05, "{account:?}");
}

/// x' = -k x with a hold is stable for k H < 2, and for k H above 1 it swings: x becomes (1 - k H) x. That is told, with
/// the place and the time of the fourth large turn.
#[test]
fn swings_are_told_with_place_and_time() {
    let swinging = |factor: f64| {
        let conversion = Conversion { factor, offset: 0.0 };
        let bench = Bench::new(Sweep::Jacobi, 0.1, 5.0)
            .add("x", Accumulator::new(1.0))
            .wire_converted("x.x", "x.u", Reading::Hold, conversion);
        let (run, _, result) = bench.run(1);
        result.unwrap();
        run.world().monitor.warnings().to_vec()
    };
    let warnings = swinging(-19.9);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0].kind, WarningKind::CouplingDefect);
    assert_eq!(warnings[0].place, "x.x → x.u");
    // Four points make two turns, so the first look that sees a swing is at the third step.
    assert!(
        (warnings[0].time.seconds() - 0.6).abs() < 1e-9,
        "{}",
        warnings[0].time
    );
    assert!(
        warnings[0].message.contains("smaller step"),
        "{}",
        warnings[0].message
    );
    // A decay without swings is nobody's fault, and neither is one that is read well.
    assert_eq!(swinging(-1.0), []);
}
