//! Event mode and clocks, as one FMU sees them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod support;

use cardan_core::inputs::{HeldInputs, Inputs};
use cardan_core::participant::{EventMode, Participant, StepEnd};
use cardan_core::planes::Planes;
use cardan_core::signal::Segment;
use cardan_core::value::Value;
use cardan_fmi::co_simulation::Options;
use cardan_testkit::fmus::Fmi;
use support::{Bench, at, with};

fn bench(name: &str) -> Bench {
    Bench::all(with(name, Fmi::V3, &[], Options::default()).unwrap()).initialize()
}

fn events(bench: &mut Bench) -> &mut dyn EventMode {
    bench.participant.events().unwrap()
}

#[test]
fn clocks_tick_at_their_exact_instants() {
    let mut bench = bench("ticker");
    assert!(events(&mut bench).pending());
    let mut stops = Vec::new();
    for k in 1..=10_u32 {
        let to = 0.07 * f64::from(k);
        while bench.now < at(to) {
            let held = [Segment::constant(f64::from(k), at(to))];
            if let StepEnd::Early { at } = bench.step(to, &held) {
                assert!(events(&mut bench).pending());
                stops.push(at.seconds());
            }
        }
    }
    assert_eq!(stops, [0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6]);
    // The ticks at 0.7, where the last step ended, still wait.
    assert!(events(&mut bench).pending());
    let values = bench.look().clone();
    assert_eq!(values.integers, [7, 3]);
}

#[test]
fn rounds_let_clocks_be_seen_and_heard() {
    let slow = [("slow_interval", Value::real(10.0))];
    let mut bench = Bench::all(with("ticker", Fmi::V3, &slow, Options::default()).unwrap()).initialize();
    // Ticks at 0, 0.1, 0.2, 0.3, of which every third is passed on.
    let mut passed_on = Vec::new();
    for k in 0..4_u32 {
        let now = bench.now;
        events(&mut bench).enter(now).unwrap();
        bench.inputs.reals[0] = f64::from(k);
        let seen = bench.look().clone();
        passed_on.push(seen.booleans[0]);
        assert_eq!(seen.reals[0], f64::from(k));
        assert!(!events(&mut bench).update(now).unwrap());
        events(&mut bench).leave(now).unwrap();
        assert!(!events(&mut bench).pending());
        let next = bench.participant.next_instant().unwrap();
        let end = bench.step(next.seconds(), &[Segment::constant(0.0, next)]);
        assert_eq!(end, StepEnd::Completed);
        assert!(!bench.look().booleans[0], "outside of a round nothing ticks");
    }
    assert_eq!(passed_on, [false, false, true, false]);
}

#[test]
fn a_triggered_clock_lets_its_inputs_be_set() {
    let mut bench = bench("follower");
    let now = bench.now;
    for (tick, value, sum) in [(true, 2.0, 2.0), (false, 5.0, 2.0), (true, 7.0, 9.0)] {
        events(&mut bench).enter(now).unwrap();
        bench.inputs.booleans[0] = tick;
        bench.inputs.reals[0] = value;
        assert_eq!(bench.look().reals[0], sum);
        events(&mut bench).update(now).unwrap();
        // Ticks last one round.
        bench.inputs.booleans[0] = false;
        assert_eq!(bench.look().reals[0], sum);
        events(&mut bench).update(now).unwrap();
        events(&mut bench).leave(now).unwrap();
    }
    assert_eq!(bench.look().integers, [2]);
}

#[test]
fn a_countdown_runs_from_when_it_is_told() {
    let mut bench = bench("alarm");
    let armed = |until: f64| {
        [HeldInputs {
            until: at(until),
            values: Planes {
                booleans: vec![true],
                ..Planes::default()
            },
        }]
    };
    assert_eq!(bench.participant.next_instant(), None);
    let idle = [HeldInputs {
        until: at(0.125),
        values: Planes {
            booleans: vec![false],
            ..Planes::default()
        },
    }];
    bench.try_step(0.125, Inputs::new(&[], &[], &idle)).unwrap();
    // The input goes true where this step begins, and that is an event.
    let held = armed(1.0);
    let end = bench.try_step(1.0, Inputs::new(&[], &[], &held)).unwrap();
    assert_eq!(end, StepEnd::Early { at: at(0.375) });
    assert!(events(&mut bench).pending());
    let end = bench.try_step(1.0, Inputs::new(&[], &[], &held)).unwrap();
    assert_eq!(end, StepEnd::Completed);
    let values = bench.look();
    assert_eq!((values.reals[0], values.integers[0]), (0.375, 1));
}
