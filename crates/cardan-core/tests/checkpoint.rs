//! A run that goes on from a checkpoint gives the bits of one that was never interrupted.
#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan_core::checkpoint::{Damage, Keeper, Mark, ResumeError};
use cardan_core::error::RunErrorKind;
use cardan_core::graph::{Conversion, ParticipantId};
use cardan_core::interface::{Interface, Port, PortId, Variability};
use cardan_core::line::Properties;
use cardan_core::method::{Acceleration, Estimator, Glue, Iteration, OnGrid, StepControl, Sweep, Tangent};
use cardan_core::participant::{
    Outcome, Participant, Portable, Rollback, RunWindow, Settings, Slot, StepEnd, StepRequest,
};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::record::ColumnData;
use cardan_core::run::{Run, Status};
use cardan_core::signal::Reading;
use cardan_core::time::SimTime;
use cardan_core::value::Value;
use cardan_testkit::fakes::{Accumulator, Harmonic};
use cardan_testkit::problems::Oscillator;
use proptest::prelude::*;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use support::{Bench, Rows};

fn oscillator(stiffness: f64) -> Harmonic {
    let oscillator = Oscillator {
        mass: 1.0,
        damping: 0.1,
        stiffness,
    };
    Harmonic::new(oscillator, [1.0, 0.0])
}

/// Two oscillators that push each other, each with its own step where there are two.
fn pair(method: Sweep, steps: [f64; 2], reading: Reading, push: &str) -> Bench {
    let weak = Conversion {
        factor: -0.3,
        ..Conversion::NONE
    };
    let mut bench = Bench::new(method, steps[0].max(steps[1]), 2.0)
        .add("a", oscillator(10.0))
        .step(steps[0])
        .add("b", oscillator(25.0))
        .step(steps[1])
        .wire_converted(&format!("a.{push}"), "b.force", reading, weak)
        .wire_converted(&format!("b.{push}"), "a.force", reading, weak)
        .record_all();
    bench.setup.start = cardan_core::plan::StartMode::Consistent;
    bench
}

fn adaptive(method: Sweep, estimator: Estimator) -> Bench {
    let minus = Conversion {
        factor: -1.0,
        ..Conversion::NONE
    };
    let mut bench = Bench::new(method, 0.5, 3.0)
        .add("x", Accumulator::new(1.0))
        .add("y", Accumulator::new(0.0))
        .wire("y.x", "x.u", Reading::Quadratic)
        .wire_converted("x.x", "y.u", Reading::Quadratic, minus)
        .record_all();
    bench.pace(StepControl {
        relative: 1e-5,
        absolute: 1e-8,
        min: 1e-9,
        max: 0.5,
        first: 1e-4,
        estimator,
        energy: None,
    });
    bench
}

/// A leader and a follower, each with its own steps.
fn glued(steps: [f64; 2], ahead: u32, reject: bool) -> Bench {
    let mut bench = pair(Sweep::GaussSeidel, steps, Reading::Hermite, "position");
    bench.pace(Glue {
        leader: ParticipantId(0),
        ahead,
        tangent: Tangent::Curved,
        absolute: 1e-3,
        relative: 1e-3,
        reject,
        min: 1e-6,
        max: f64::INFINITY,
    });
    bench
}

/// Every value as bits.
fn bits(rows: &Rows) -> Bits {
    let (_, blocks) = rows.blocks();
    let row = |block: &cardan_core::record::Block, row: usize| {
        let values = block.columns.iter().map(|column| match column {
            ColumnData::Reals(values) => values[row].to_bits(),
            other => panic!("{other:?}"),
        });
        std::iter::once(block.times[row].to_bits())
            .chain(values)
            .collect()
    };
    let blocks = blocks.iter();
    blocks
        .flat_map(|block| {
            (0..block.rows())
                .map(|index| row(block, index))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Steps, calls, rejected steps, and steps and evaluations of each participant.
type Counters = (u64, u64, u64, Vec<(u64, u64)>);
/// The rows of a result as bits.
type Bits = Vec<Vec<u64>>;

/// What a run has counted.
fn counters(run: &mut Run) -> Counters {
    let accounts = run.world_mut().accounts();
    let accounts = accounts.iter().map(|a| (a.steps, a.effort.evaluations));
    let accounts = accounts.collect();
    let world = run.world();
    (run.steps(), world.step_calls(), world.rejected(), accounts)
}

/// A checkpoint after so many steps, and the rows up to there.
fn cut(bench: Bench, steps: usize, threads: usize) -> (Vec<u8>, Bits) {
    let (mut run, rows) = bench.start(threads);
    for _ in 0..steps {
        run.step().unwrap();
    }
    let bytes = run.checkpoint().unwrap();
    run.finish(false).unwrap();
    (bytes, bits(&rows))
}

fn finish(mut run: Run, rows: &Rows) -> (Bits, Counters) {
    run.advance(SimTime::FUTURE).unwrap();
    run.finish(false).unwrap();
    (bits(rows), counters(&mut run))
}

/// Cuts the run at many places and lets it go on, on one thread and on two.
#[track_caller]
fn goes_on(make: impl Fn() -> Bench) {
    let (run, rows) = make().start(1);
    let (whole, counted) = finish(run, &rows);
    assert!(whole.len() > 12, "{} rows", whole.len());
    let accepted = counted.0 as usize;
    for steps in [0, 1, 2, 3, 5, accepted / 2, accepted / 2 + 1, accepted - 2] {
        for threads in [1, 2] {
            let (bytes, mut before) = cut(make(), steps, threads);
            let (run, rows) = make().resume(3 - threads, &bytes).unwrap();
            let (after, counts) = finish(run, &rows);
            before.extend(after);
            assert_eq!(before, whole, "{steps} steps, {threads} threads");
            assert_eq!(counts, counted, "{steps} steps, {threads} threads");
        }
    }
}

#[test]
fn fixed_steps_go_on() {
    for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
        for reading in [Reading::Hold, Reading::Quadratic, Reading::Hermite, Reading::Mean] {
            goes_on(|| pair(method, [0.05, 0.05], reading, "position"));
        }
    }
}

#[test]
fn steps_of_different_lengths_go_on() {
    for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
        for steps in [[0.05, 0.1], [0.1, 0.05], [0.03, 0.07]] {
            for reading in [Reading::Quadratic, Reading::Hermite] {
                goes_on(|| pair(method, steps, reading, "position"));
            }
        }
    }
}

#[test]
fn steps_of_everybody_go_on() {
    for steps in [[0.05, 0.1], [0.1, 0.05], [0.03, 0.07]] {
        goes_on(|| glued(steps, 0, false));
        goes_on(|| glued(steps, 2, false));
        goes_on(|| glued(steps, 0, true));
    }
}

/// Two oscillators on a line, each with its own step; the waves on their way go along.
fn tied(steps: [f64; 2], alpha: f64) -> Bench {
    let line = Properties {
        alpha,
        ..Properties::new(0.1, 0.2)
    };
    Bench::new(Sweep::Jacobi, steps[0], 2.0)
        .add("a", oscillator(10.0))
        .step(steps[0])
        .add("b", oscillator(25.0))
        .step(steps[1])
        .line("a.velocity/force", "b.velocity/force", line)
        .record_all()
}

#[test]
fn lines_go_on() {
    for steps in [[0.05, 0.05], [0.05, 0.02], [0.03, 0.07]] {
        for alpha in [0.0, 0.3] {
            goes_on(|| tied(steps, alpha));
        }
    }
}

#[test]
fn chosen_steps_go_on() {
    for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
        for estimator in [Estimator::Richardson, Estimator::Embedded] {
            goes_on(|| adaptive(method, estimator));
        }
    }
}

/// What circles have learnt in steps before decides how steps to come are found, to the last bit.
#[test]
fn repeated_steps_go_on() {
    let accelerations = [
        Acceleration::FixedPoint { factor: 0.7 },
        Acceleration::Aitken,
        Acceleration::Broyden,
        Acceleration::IqnIls { reuse: 3 },
        Acceleration::Newton,
    ];
    for acceleration in accelerations {
        let iteration = Iteration {
            relative: 1e-7,
            absolute: 1e-9,
            rounds: 50,
            acceleration,
        };
        for estimator in [None, Some(Estimator::Corrected), Some(Estimator::Richardson)] {
            for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
                goes_on(|| {
                    let mut bench = adaptive(method, estimator.unwrap_or_default());
                    bench.setup.step = 0.25;
                    if estimator.is_none() {
                        bench.pace(OnGrid);
                    }
                    bench.solve(iteration);
                    bench
                });
            }
        }
    }
}

/// Where steps are chosen, one with instants of its own stands behind the others in between.
#[test]
fn chosen_steps_with_samples_go_on() {
    goes_on(|| {
        let mut bench = adaptive(Sweep::GaussSeidel, Estimator::Richardson)
            .add("sampled", Accumulator::new(0.0))
            .step(0.7)
            .wire("x.x", "sampled.u", Reading::Hold);
        // What jumps by its nature is no error.
        bench.graph.nodes[2].interface.ports[1].variability = Variability::Discrete;
        bench.setup.record.clear();
        bench.record_all()
    });
}

/// Accelerations act on each other at once: at every point a loop is solved, with a matrix that is kept.
#[test]
fn loops_go_on() {
    for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
        for steps in [[0.05, 0.05], [0.05, 0.1]] {
            goes_on(|| pair(method, steps, Reading::Linear { weight: 1.0 }, "acceleration"));
        }
    }
}

/// Rows on a grid finer than steps and beside them.
#[test]
fn rows_on_a_grid_go_on() {
    for every in [0.01, 0.02, 0.13] {
        goes_on(|| {
            let mut bench = pair(Sweep::GaussSeidel, [0.05, 0.05], Reading::Quadratic, "position");
            bench.setup.every = Some(every);
            bench
        });
    }
}

/// One with long steps is ahead of what is settled: rows inside its step are written later.
#[test]
fn rows_inside_long_steps_go_on() {
    for steps in [[0.2, 0.05], [0.05, 0.2]] {
        goes_on(|| {
            let mut bench = pair(Sweep::GaussSeidel, steps, Reading::Quadratic, "position");
            bench.setup.every = Some(0.02);
            bench
        });
    }
}

/// The slope of an acceleration follows from that of the force, which is taken from the law of the last step where its
/// source has no point. It is asked for again when somebody else arrives, which may be after the cut.
#[test]
fn slopes_from_laws_go_on() {
    for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
        goes_on(|| {
            let mut bench = Bench::new(method, 0.3, 2.0)
                .add("c", oscillator(3.0))
                .step(0.3)
                .add("a", oscillator(10.0))
                .step(0.1)
                .add("b", oscillator(25.0))
                .step(0.05)
                .wire("c.position", "a.force", Reading::Quadratic)
                .wire("a.acceleration", "b.force", Reading::Hermite)
                .wire("b.acceleration", "c.force", Reading::Hermite)
                .record_all();
            bench.setup.start = cardan_core::plan::StartMode::Consistent;
            bench
        });
    }
}

/// Shows its input as it was last told, and says that it does not: only an exchange of everybody tells it anew.
struct Deaf(Interface);

impl Deaf {
    fn new() -> Self {
        let mut interface = Interface::default();
        interface.port(Port::input("u").start(Value::real(0.0)));
        interface.port(Port::output("y"));
        Deaf(interface)
    }
}

impl Participant for Deaf {
    fn interface(&self) -> &Interface {
        &self.0
    }
    fn bind(&mut self, _: &[PortId], _: &[PortId]) -> Outcome<()> {
        Ok(())
    }
    fn begin_initialization(&mut self, _: &RunWindow, _: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }
    fn step(&mut self, _: StepRequest<'_>) -> Outcome<StepEnd> {
        Ok(StepEnd::Completed)
    }
    fn outputs(&mut self, _: SimTime, inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        values.reals[0] = inputs.reals[0];
        Ok(())
    }
    fn set_parameters(&mut self, _: SimTime, _: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }
    fn rollback(&mut self) -> Option<&mut dyn Rollback> {
        Some(self)
    }
}

impl Rollback for Deaf {
    fn save(&mut self, _: Slot) -> Outcome<()> {
        Ok(())
    }
    fn restore(&mut self, _: Slot) -> Outcome<()> {
        Ok(())
    }
    fn portable(&mut self) -> Option<&mut dyn Portable> {
        Some(self)
    }
}

impl Portable for Deaf {
    fn export(&mut self, _: Slot, _: &mut Vec<u8>) -> Outcome<()> {
        Ok(())
    }
    fn import(&mut self, _: Slot, _: &[u8]) -> Outcome<()> {
        Ok(())
    }
}

#[test]
fn inputs_as_told_last_go_along() {
    let make = || {
        let bench = Bench::new(Sweep::Jacobi, 0.1, 1.0)
            .add("a", oscillator(10.0))
            .add("deaf", Deaf::new())
            .wire("a.position", "deaf.u", Reading::Hold);
        bench.record_all()
    };
    let (mut run, rows) = make().start(1);
    run.advance(SimTime::from_seconds(0.3)).unwrap();
    // Parameters are set where it stands, and everybody's inputs are exchanged for it.
    run.world_mut()
        .set_parameters(support::id(1), Settings::default())
        .unwrap();
    let bytes = run.checkpoint().unwrap();
    let (whole, _) = finish(run, &rows);
    let shown = rows.reals("deaf.y");
    assert_ne!(shown[0], shown[9], "it was told once");
    assert_eq!(shown[8], shown[9], "and not again");
    let (run, rows) = make().resume(1, &bytes).unwrap();
    let (after, _) = finish(run, &rows);
    assert_eq!(whole[whole.len() - after.len()..], after);
}

/// A checkpoint at the end is where a longer run goes on: the end was a point of the grid.
#[test]
fn a_run_is_prolonged() {
    for steps in [[0.05, 0.05], [0.05, 0.1]] {
        let make = |stop: f64| {
            let mut bench = pair(Sweep::GaussSeidel, steps, Reading::Hermite, "position");
            bench.setup.window.stop = SimTime::from_seconds(stop);
            bench
        };
        let (run, rows) = make(2.0).start(1);
        let (whole, counted) = finish(run, &rows);
        let (mut run, rows) = make(1.0).start(1);
        assert_eq!(run.advance(SimTime::FUTURE).unwrap(), Status::Finished);
        let bytes = run.checkpoint().unwrap();
        run.finish(false).unwrap();
        let mut before = bits(&rows);
        let (run, rows) = make(2.0).resume(1, &bytes).unwrap();
        let (after, counts) = finish(run, &rows);
        before.extend(after);
        assert_eq!(before, whole);
        assert_eq!(counts, counted);
        // To the same end there is nothing left to do, and to an earlier one there is no way.
        let (run, _) = make(1.0).resume(1, &bytes).unwrap();
        assert_eq!(run.status(), Status::Finished);
        let early = make(0.5).resume(1, &bytes).map(|_| ());
        assert!(
            matches!(early, Err(ResumeError::Damaged(Damage::Beyond { .. }))),
            "{early:?}"
        );
    }
}

/// Off the grid, the last step of the shorter run was a short one; the longer run still takes the points of its grid.
#[test]
fn a_run_that_ended_between_two_points_takes_up_its_grid() {
    let make = |stop: f64| {
        let mut bench = pair(Sweep::Jacobi, [0.1, 0.1], Reading::Quadratic, "position");
        bench.setup.window.stop = SimTime::from_seconds(stop);
        bench
    };
    let (mut run, _) = make(0.55).start(1);
    run.advance(SimTime::FUTURE).unwrap();
    let bytes = run.checkpoint().unwrap();
    let (mut run, rows) = make(1.0).resume(1, &bytes).unwrap();
    run.advance(SimTime::FUTURE).unwrap();
    run.finish(false).unwrap();
    assert_eq!(rows.times(), [0.6, 0.7, 0.8, 0.9, 1.0]);
}

/// A checkpoint and where it stands.
type Kept = (Mark, Vec<u8>);

/// Keeps what it is given.
#[derive(Clone, Default)]
struct Shelf(Arc<Mutex<Vec<Kept>>>);

impl Keeper for Shelf {
    fn keep(&mut self, mark: Mark, state: &[u8]) -> Result<(), String> {
        self.0.lock().unwrap().push((mark, state.to_vec()));
        Ok(())
    }
}

fn fixed() -> Bench {
    pair(Sweep::GaussSeidel, [0.05, 0.05], Reading::Hermite, "position")
}

/// A checkpoint after every step changes nothing, and from each the run goes on; from what that kept, too.
#[test]
fn checkpoints_of_resumed_runs_form_a_chain() {
    let (run, rows) = fixed().start(1);
    let (whole, counted) = finish(run, &rows);
    let shelf = Shelf::default();
    let (mut run, rows) = fixed().start(1);
    run.keep_with(Box::new(shelf.clone()), Duration::ZERO);
    // Steps are so short that the clock is looked at less and less often.
    assert_eq!(finish_kept(&mut run, &rows), whole);
    let kept = shelf.0.lock().unwrap().clone();
    assert!(kept.len() >= 4, "{}", kept.len());
    assert_eq!(kept.last().unwrap().0.at, SimTime::from_seconds(2.0));
    let (mark, bytes) = &kept[1];
    let (mut run, rows) = fixed().resume(2, bytes).unwrap();
    let shelf = Shelf::default();
    run.keep_with(Box::new(shelf.clone()), Duration::ZERO);
    let after = finish_kept(&mut run, &rows);
    assert_eq!(whole[whole.len() - after.len()..], after);
    let again = shelf.0.lock().unwrap().clone();
    let (later, bytes) = &again[1];
    assert!(later.at > mark.at && later.steps > mark.steps);
    let (run, rows) = fixed().resume(1, bytes).unwrap();
    let (after, counts) = finish(run, &rows);
    assert_eq!(whole[whole.len() - after.len()..], after);
    assert_eq!(counts, counted);
}

fn finish_kept(run: &mut Run, rows: &Rows) -> Bits {
    run.advance(SimTime::FUTURE).unwrap();
    run.finish(false).unwrap();
    bits(rows)
}

/// One that is interrupted keeps a checkpoint where it stands, however long the time between two would be.
#[test]
fn an_interrupted_run_is_kept() {
    let shelf = Shelf::default();
    let (mut run, _) = fixed().start(1);
    run.keep_with(Box::new(shelf.clone()), Duration::from_secs(3600));
    run.advance(SimTime::from_seconds(0.5)).unwrap();
    assert!(shelf.0.lock().unwrap().is_empty());
    run.control().stop();
    assert_eq!(run.advance(SimTime::FUTURE).unwrap(), Status::Interrupted);
    let kept = shelf.0.lock().unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].0.at, run.world().frontier());
    assert_eq!(kept[0].0.last_row, kept[0].0.at);
}

/// A shelf that is full does not end a run, but it is told.
#[test]
fn what_cannot_be_kept_is_noticed() {
    struct Full;
    impl Keeper for Full {
        fn keep(&mut self, _: Mark, _: &[u8]) -> Result<(), String> {
            Err("no room".into())
        }
    }
    let (mut run, _) = fixed().start(1);
    run.keep_with(Box::new(Full), Duration::ZERO);
    assert_eq!(run.advance(SimTime::FUTURE).unwrap(), Status::Finished);
    let warnings = run.world().monitor.warnings();
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].kind.name(), "checkpoint");
    assert_eq!(warnings[0].message, "no room");
    assert!(warnings[0].count > 1);
}

/// Tries bytes that may be anything: they are refused, or the run goes on somehow; nothing panics, in steps neither (a run
/// turns panics into failures).
fn try_on(make: impl Fn() -> Bench, bytes: &[u8]) -> Result<(), ResumeError> {
    let (mut run, _) = make().resume(1, bytes)?;
    // What was damaged may be a number like any other; numbers that break a run do so with an error.
    for _ in 0..3 {
        if let Err(error) = run.step() {
            // The oscillator itself takes no damping above critical.
            let engine = !error.message().contains("closed form");
            assert!(!(engine && error.message().contains("panicked")), "{error}");
            assert_ne!(error.kind(), RunErrorKind::Engine, "{error}");
            break;
        }
    }
    Ok(())
}

#[test]
fn bytes_that_end_early_or_late_are_refused() {
    for make in [fixed as fn() -> Bench, || {
        adaptive(Sweep::Jacobi, Estimator::Richardson)
    }] {
        let (bytes, _) = cut(make(), 7, 1);
        for length in 0..bytes.len() {
            assert!(try_on(make, &bytes[..length]).is_err(), "{length}");
        }
        let longer = [bytes.as_slice(), b"x"].concat();
        let refused = try_on(make, &longer);
        assert!(
            matches!(refused, Err(ResumeError::Damaged(Damage::TooLong { count: 1 }))),
            "{refused:?}"
        );
    }
}

/// A plan with other components, or of another method, has no use for them.
#[test]
fn bytes_of_another_system_are_refused() {
    let (bytes, _) = cut(fixed(), 3, 1);
    assert!(try_on(|| adaptive(Sweep::Jacobi, Estimator::Richardson), &bytes).is_err());
    let three = || fixed().add("c", oscillator(1.0));
    let refused = try_on(three, &bytes);
    assert!(
        matches!(
            refused,
            Err(ResumeError::Damaged(Damage::Unfit {
                what: "components",
                expected: 3,
                found: 2
            }))
        ),
        "{refused:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_bytes_never_panic(
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        which in 0..5_usize,
    ) {
        let make: fn() -> Bench = [
            fixed as fn() -> Bench,
            || adaptive(Sweep::GaussSeidel, Estimator::Richardson),
            || pair(Sweep::Jacobi, [0.05, 0.1], Reading::Linear { weight: 1.0 }, "acceleration"),
            || glued([0.03, 0.07], 0, true),
            || tied([0.03, 0.07], 0.3),
        ][which];
        let (mut bytes, _) = cut(make(), 7, 1);
        for (place, value) in places {
            let index = place.index(bytes.len());
            bytes[index] = value;
        }
        let _ = try_on(make, &bytes);
    }
}
