//! What the pages of the examples with FMUs promise beyond their own step: exact instants, and orders of accuracy.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan::core::record::ColumnData;
use cardan::{Overrides, Table};
use support::exact::{BouncingBall, HeatedRoom, SampledMotor};
use support::{largest_error, reals, run, step};

fn booleans<'a>(table: &'a Table, name: &str) -> &'a [bool] {
    match table.column(name) {
        Some(ColumnData::Booleans(values)) => values,
        other => panic!("{name}: {other:?}"),
    }
}

fn integers<'a>(table: &'a Table, name: &str) -> &'a [i64] {
    match table.column(name) {
        Some(ColumnData::Integers(values)) => values,
        other => panic!("{name}: {other:?}"),
    }
}

/// Steps that divide the period, that do not, and that are longer.
const STEPS: [f64; 4] = [0.01, 0.03, 0.07, 0.25];

#[test]
fn clocks_tick_at_their_instants_whatever_the_step() {
    for h in STEPS {
        let result = run("clocks", step(h));
        let rows = result.times.iter().zip(booleans(&result, "sampler.tick"));
        let ticks: Vec<f64> = rows.filter(|(_, ticks)| **ticks).map(|(t, _)| *t).collect();
        let expected: Vec<f64> = (0..=30).map(|k| f64::from(k) / 10.0).collect();
        assert_eq!(ticks, expected, "step {h} s");
    }
}

#[test]
fn samples_are_the_speed_at_the_tick() {
    for h in STEPS {
        let result = run("clocks", step(h));
        let [sample, voltage, speed] =
            ["sampler.sample", "controller.voltage", "motor.speed"].map(|name| reals(&result, name));
        for (row, ticks) in booleans(&result, "sampler.tick").iter().enumerate() {
            if *ticks {
                assert_eq!(sample[row], speed[row], "step {h} s, row {row}");
            } else {
                // Between ticks nothing discrete moves.
                assert_eq!((sample[row], voltage[row]), (sample[row - 1], voltage[row - 1]));
            }
        }
    }
}

/// The motor's own solution is exact while the voltage stays, so all that is left is rounding: some 300 steps of a
/// few units in the last place of 100 rad/s.
#[test]
fn the_sampled_loop_is_the_exact_recurrence() {
    for h in STEPS {
        let result = run("clocks", step(h));
        for (column, name) in ["sampler.sample", "controller.voltage", "motor.speed"]
            .iter()
            .enumerate()
        {
            let error = largest_error(&result, name, |t| SampledMotor::at(t)[column]);
            assert!(error < 1e-11, "{name} at {h} s: {error:e}");
        }
    }
}

/// Free flight is a parabola, which the solver follows but for rounding; what is left is how finely a sign change is
/// located.
#[test]
fn bounces_are_where_the_closed_form_has_them() {
    let bounces = BouncingBall::bounces();
    assert_eq!(bounces.len(), 11);
    for h in [0.01, 0.03, 0.5] {
        let result = run(
            "bouncing-ball",
            Overrides {
                every: Some(0.01),
                ..step(h)
            },
        );
        let mut found: Vec<f64> = reals(&result, "ball.last_bounce").to_vec();
        found.dedup();
        assert_eq!(found[0], 0.0, "not yet");
        assert_eq!(found.len() - 1, bounces.len(), "step {h} s");
        for (found, (at, _)) in found[1..].iter().zip(&bounces) {
            assert!((found - at).abs() < 1e-10, "step {h} s: {found} is not {at}");
        }
        assert_eq!(integers(&result, "ball.bounces").last(), Some(&11));
        assert_eq!(reals(&result, "ball.height").last(), Some(&0.0), "it rests");
    }
}

/// Lines between the points are of second order.
#[test]
fn half_the_step_is_a_quarter_of_the_error() {
    let errors = [20.0, 10.0, 5.0, 2.5].map(|h| {
        let result = run("two-fmus", step(h));
        largest_error(&result, "room.temperature", |t| HeatedRoom::at(t)[1])
    });
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((3.5..5.0).contains(&ratio), "{errors:?}");
    }
}

/// Units and the offset of the thermostat, in every row.
#[test]
fn connections_convert() {
    let result = run("two-fmus", Overrides::default());
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs().max(b.abs());
    let [felt, power, heating, temperature] = [
        "heater.temperature",
        "heater.power",
        "room.heating",
        "room.temperature",
    ]
    .map(|name| reals(&result, name));
    for row in 0..result.times.len() {
        assert!(close(felt[row] + 273.15 + 0.5, temperature[row]), "{row}");
        assert!(close(heating[row], 1000.0 * power[row]), "{row}");
    }
}
