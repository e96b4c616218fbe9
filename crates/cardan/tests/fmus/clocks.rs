//! Clocks and the events that they set off.

use crate::workplace::{Workplace, last};
use cardan::Table;
use cardan::core::record::ColumnData;

fn system(step: f64, follower: &str) -> Workplace {
    Workplace::system(&format!(
        r#"
[system]
stop = 1.0
[components.ramp]
model = "ramp"
[components.ticker]
fmu = {{@ticker-fmi3}}
[[connections]]
from = "ramp.y"
to = "ticker.u"
reading = "linear"
{follower}
[method]
kind = "gauss-seidel"
step = {step}
"#
    ))
}

#[track_caller]
fn count(table: &Table, name: &str) -> i64 {
    match table.column(name) {
        Some(ColumnData::Integers(values)) => *values.last().unwrap(),
        other => panic!("{name}: {other:?}"),
    }
}

/// Ticks at 0, 0.1, … 1 and at 0, 0.25, … 1, whatever the communication step.
#[test]
fn clocks_by_time_tick_at_their_own_instants() {
    for step in [0.1, 0.3, 1.0] {
        let table = system(step, "").run();
        assert_eq!(count(&table, "ticker.ticks"), 11, "{step}");
        assert_eq!(count(&table, "ticker.slow_ticks"), 5, "{step}");
        // What it samples is the time of the tick, to the last bits of a line through rounded points.
        let sample = last(&table, "ticker.sample");
        assert!((sample - 1.0).abs() < 1e-14, "{step}: {sample}");
    }
}

/// Every third tick, at 0.2, 0.5 and 0.8, calls in the follower, which adds up what it gets there.
#[test]
fn a_tick_of_one_fmu_sets_off_another_at_the_same_instant() {
    let follower = r#"
[components.follower]
fmu = {@follower-fmi3}
[[connections]]
from = "ticker.every_third"
to = "follower.clock"
[[connections]]
from = "ticker.sample"
to = "follower.value"
"#;
    for step in [0.1, 0.25, 1.0] {
        let table = system(step, follower).run();
        assert_eq!(count(&table, "follower.ticks"), 3, "{step}");
        assert!((last(&table, "follower.sum") - 1.5).abs() < 1e-14, "{step}");
        assert!(
            (last(&table, "follower.last_tick_time") - 0.8).abs() < 1e-14,
            "{step}"
        );
    }
}
