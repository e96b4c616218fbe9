//! The start of a run: participants that tell no slopes but can go back show how their outputs change.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan_core::graph::Conversion;
use cardan_core::method::Sweep;
use cardan_core::plan::StartMode;
use cardan_core::signal::Reading;
use cardan_testkit::fakes::{Accumulator, Relay};
use cardan_testkit::observed_order;
use support::{Bench, OneWay, id};

/// x' = y, y' = -x from (1, 0), read by parabolas: the largest difference of what is known before the start from the
/// circle that leads there, one and two steps before.
fn past(start: StartMode, h: f64, one_way: bool) -> f64 {
    let minus = Conversion {
        factor: -1.0,
        ..Conversion::NONE
    };
    let mut bench = Bench::new(Sweep::Jacobi, h, 1.0);
    bench = match one_way {
        false => bench
            .add("x", Accumulator::new(1.0))
            .add("y", Accumulator::new(0.0)),
        true => bench
            .add("x", OneWay(Accumulator::new(1.0)))
            .add("y", OneWay(Accumulator::new(0.0))),
    };
    bench = bench
        .wire("y.x", "x.u", Reading::Quadratic)
        .wire_converted("x.x", "y.u", Reading::Quadratic, minus)
        .record_all();
    bench.setup.start = start;
    let (run, _) = bench.start(1);
    let (x, y) = (run.world().history(id(0)), run.world().history(id(1)));
    let off = (0..x.len()).map(|index| {
        let t = x.time(index).seconds();
        let point = [x.row(index).reals[0], y.row(index).reals[0]];
        (point[0] - t.cos()).hypot(point[1] + t.sin())
    });
    off.fold(0.0, f64::max)
}

/// What is tried out is a parabola, wrong by the third power of the distance: of two steps, (2h)³ / 6 at most of each.
#[test]
fn what_was_before_the_start_is_tried_out() {
    let points = [0.04, 0.02, 0.01].map(|h| (h, past(StartMode::Consistent, h, false)));
    assert!(observed_order(&points) > 2.8, "{points:?}");
    for (h, off) in points {
        // And a little for the trial's own steps, which reach a quarter of a step ahead.
        assert!(off < 2.0 * (2.25 * h).powi(3) / 6.0, "{h}: {off:e}");
    }
}

/// Who cannot go back is not tried; its signals begin flat.
#[test]
fn who_cannot_go_back_is_not_tried() {
    let flat = past(StartMode::Flat, 0.02, false);
    assert_eq!(past(StartMode::Consistent, 0.02, true), flat);
}

/// Where nobody looks back, nobody is bothered; else everybody is back in its state before the first step.
#[test]
fn a_trial_is_taken_back_and_only_made_where_it_serves() {
    // A second trial knows what the first one found of others.
    for (reading, saves) in [(Reading::Hold, 0), (Reading::Quadratic, 2)] {
        let relay = Relay::held(1);
        let calls = relay.calls();
        let mut bench = Bench::new(Sweep::Jacobi, 0.1, 1.0)
            .add("relay", relay)
            .add("x", Accumulator::new(0.0))
            .wire("relay.out1", "x.u", reading)
            .record_all();
        bench.setup.start = StartMode::Consistent;
        let (run, _) = bench.start(1);
        assert_eq!((calls.saves(), calls.restores()), (saves, saves));
        assert_eq!(run.world().step_calls(), 0);
    }
}
