//! The fakes do what tests of the engine will rely on.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use cardan_core::inputs::Inputs;
use cardan_core::participant::{Outcome, Participant, RunWindow, Settings, StepEnd, StepRequest, Watch};
use cardan_core::planes::{Extent, Planes};
use cardan_core::signal::Segment;
use cardan_core::time::{Grid, SimTime};
use cardan_testkit::fakes::{Harmonic, Relay, Script};
use cardan_testkit::problems::Oscillator;

fn at(seconds: f64) -> SimTime {
    SimTime::from_seconds(seconds)
}

fn initialized<P: Participant>(mut participant: P) -> P {
    let run = RunWindow {
        start: at(0.0),
        stop: at(1.0),
        tolerance: None,
    };
    participant
        .begin_initialization(&run, &Settings::default())
        .unwrap();
    participant.finish_initialization().unwrap();
    participant
}

fn step(participant: &mut dyn Participant, from: f64, to: f64) -> Outcome<StepEnd> {
    participant.step(StepRequest {
        from: at(from),
        to: at(to),
        inputs: Inputs::default(),
        watch: Watch::Nothing,
    })
}

#[test]
fn a_script_plays_its_acts_in_order() {
    let script = Script::new().terminate_at(0.8).early(0.3).announced();
    let mut script = initialized(script);
    assert_eq!(script.next_instant(), Some(at(0.3)));
    assert_eq!(step(&mut script, 0.0, 0.5), Ok(StepEnd::Early { at: at(0.3) }));
    assert_eq!(script.next_instant(), None);
    assert_eq!(step(&mut script, 0.3, 0.5), Ok(StepEnd::Completed));
    assert_eq!(
        step(&mut script, 0.5, 1.0),
        Ok(StepEnd::Terminate { at: at(0.8) })
    );
}

#[test]
fn a_rejection_passes_after_a_restore_with_the_advised_step() {
    let mut script = initialized(Script::new().reject(0.25, 0.1));
    script.rollback().unwrap().save(0).unwrap();
    let rejected = StepEnd::Rejected {
        reached: at(0.25),
        advice: Some(0.1),
    };
    assert_eq!(step(&mut script, 0.2, 0.4), Ok(rejected));
    assert!(step(&mut script, 0.2, 0.3).is_err());
    script.rollback().unwrap().restore(0).unwrap();
    assert_eq!(step(&mut script, 0.2, 0.3), Ok(StepEnd::Completed));
    assert_eq!(step(&mut script, 0.3, 0.9), Ok(StepEnd::Completed));
}

#[test]
fn a_script_fails_in_its_own_words() {
    let mut script = initialized(Script::new().fail(0.5, "The pump ran dry."));
    assert_eq!(step(&mut script, 0.0, 0.4), Ok(StepEnd::Completed));
    assert_eq!(
        step(&mut script, 0.4, 0.5).unwrap_err().message,
        "The pump ran dry."
    );
}

#[test]
#[should_panic(expected = "the script says to panic at 0.5 s")]
fn a_script_panics_when_told() {
    let _ = step(&mut initialized(Script::new().panic(0.5)), 0.0, 1.0);
}

#[test]
fn a_relay_counts_its_calls() {
    let mut relay = initialized(Relay::held(1));
    let calls = relay.calls();
    for k in 0..3 {
        relay.rollback().unwrap().save(0).unwrap();
        step(&mut relay, f64::from(k), f64::from(k + 1)).unwrap();
        relay.rollback().unwrap().restore(0).unwrap();
        step(&mut relay, f64::from(k), f64::from(k + 1)).unwrap();
        relay.accepted(at(f64::from(k + 1)));
    }
    let counts = [
        calls.steps(),
        calls.outputs(),
        calls.accepted(),
        calls.saves(),
        calls.restores(),
    ];
    assert_eq!(counts, [6, 0, 3, 3, 3]);
}

#[test]
fn a_harmonic_has_no_error_of_its_own_under_a_constant_force() {
    let oscillator = Oscillator {
        mass: 2.0,
        damping: 0.4,
        stiffness: 500.0,
    };
    let mut harmonic = Harmonic::new(oscillator, [0.3, -1.0]);
    harmonic.bind(&[Harmonic::FORCE], &[Harmonic::POSITION]).unwrap();
    let mut harmonic = initialized(harmonic);
    let (grid, segments) = (Grid::new(at(0.0), 0.01), [Segment::constant(7.0, at(1.0))]);
    for k in 0..100 {
        let request = StepRequest {
            from: grid.at(k),
            to: grid.at(k + 1),
            inputs: Inputs::single(&segments),
            watch: Watch::Nothing,
        };
        assert_eq!(harmonic.step(request), Ok(StepEnd::Completed));
    }
    let inputs = Planes::new(Extent {
        reals: 1,
        ..Extent::default()
    });
    let mut values = inputs.clone();
    harmonic.outputs(at(1.0), &inputs, values.view_mut()).unwrap();
    let [exact, _] = oscillator.held([0.3, -1.0], 7.0, 1.0);
    // A hundred steps, each rounded a few times at a size of 0.3.
    assert!(
        (values.reals[0] - exact).abs() < 1e-14,
        "{} {exact}",
        values.reals[0]
    );
}
