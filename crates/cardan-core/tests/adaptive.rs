//! Steps chosen by their error: kept, taken back, and never taken back where somebody cannot go back.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan_core::error::RunErrorKind;
use cardan_core::graph::Conversion;
use cardan_core::interface::{Interface, Port, PortId};
use cardan_core::method::{Estimator, StepControl, Sweep};
use cardan_core::participant::{
    Outcome, Participant, Rollback, RunWindow, Settings, Slot, StepEnd, StepRequest,
};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::signal::Reading;
use cardan_core::time::SimTime;
use cardan_testkit::fakes::{Accumulator, Script};
use support::{Bench, OneWay};

/// One turn of the circle below.
const TURN: f64 = std::f64::consts::TAU;

fn control(tolerance: f64) -> StepControl {
    StepControl {
        relative: tolerance,
        absolute: 1e-3 * tolerance,
        min: 1e-9,
        max: 0.5,
        first: 1e-4,
        estimator: Estimator::Richardson,
        energy: None,
    }
}

fn bench(method: Sweep, stop: f64, control: StepControl) -> Bench {
    let mut bench = Bench::new(method, control.max, stop);
    bench.pace(control);
    bench
}

/// x' = y, y' = -x from (1, 0), each by itself: a circle.
fn circle(bench: Bench, one_way: bool) -> Bench {
    let minus = Conversion {
        factor: -1.0,
        ..Conversion::NONE
    };
    let bench = match one_way {
        false => bench.add("x", Accumulator::new(1.0)),
        true => bench.add("x", OneWay(Accumulator::new(1.0))),
    };
    bench
        .add("y", Accumulator::new(0.0))
        .wire("y.x", "x.u", Reading::Quadratic)
        .wire_converted("x.x", "y.u", Reading::Quadratic, minus)
        .record_all()
}

/// How far from the start the run ends after a turn, and the number of steps.
fn after_a_turn(method: Sweep, tolerance: f64, threads: usize) -> (f64, u64) {
    let bench = circle(bench(method, TURN, control(tolerance)), false);
    let (run, rows, result) = bench.run(threads);
    result.unwrap();
    let last = |name: &str| *rows.reals(name).last().unwrap();
    ((last("x.x") - 1.0).hypot(last("y.x")), run.steps())
}

/// A turn carries errors along and neither shrinks nor grows them, so they add up to no more than all steps together are
/// allowed, each the tolerance against the radius over the root of their number, for each of the two.
#[test]
fn errors_add_up_to_what_the_steps_are_allowed() {
    for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
        let mut before = f64::INFINITY;
        for tolerance in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
            let (error, steps) = after_a_turn(method, tolerance, 1);
            // Steps differ in length, by Cauchy's inequality the sum of their shares is at most the root of their number.
            let bound = (2.0 * steps as f64).sqrt() * tolerance;
            assert!(error < bound, "{method} {tolerance}: {error} in {steps} steps");
            // The error of a turn shrinks with some power below one of the tolerance: not by ten, but by much.
            assert!(
                error < 0.5 * before,
                "{method} {tolerance}: {error} after {before}"
            );
            before = error;
        }
    }
}

#[test]
fn threads_change_no_bit() {
    let alone = after_a_turn(Sweep::Jacobi, 1e-5, 1);
    assert_eq!(after_a_turn(Sweep::Jacobi, 1e-5, 2), alone);
}

#[test]
fn rejected_steps_leave_nothing_behind() {
    // A first step that is far too long.
    let mut control = control(1e-6);
    control.first = 0.5;
    let (run, rows, result) = circle(bench(Sweep::GaussSeidel, TURN, control), false).run(1);
    result.unwrap();
    assert!(run.world().rejected() > 0);
    let times = rows.times();
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
    // The first step that was kept has the error it may have. Without a history signals are held in it, of first order
    // where the estimate counts on third: the difference of whole and halves is divided by 7 where it should be by 1.
    let allowed = 1e-6 * (times[1] / TURN).sqrt();
    let error = (rows.reals("x.x")[1] - times[1].cos()).hypot(rows.reals("y.x")[1] + times[1].sin());
    assert!(error < 2_f64.sqrt() * 7.0 * allowed, "{error:e} with {allowed:e}");
    for (t, x) in times.iter().zip(rows.reals("x.x")) {
        assert!((x - t.cos()).abs() < 1e-3, "{x} at {t}");
    }
}

/// Nothing is repeated, and the steps follow the error all the same.
#[test]
fn where_somebody_cannot_go_back_nothing_is_repeated() {
    let mut before = f64::INFINITY;
    for tolerance in [1e-3, 1e-4, 1e-5] {
        let bench = circle(bench(Sweep::Jacobi, TURN, control(tolerance)), true);
        let (run, rows, result) = bench.run(1);
        result.unwrap();
        assert_eq!(run.world().rejected(), 0);
        assert_eq!(run.world().step_calls(), 2 * run.steps());
        let last = |name: &str| *rows.reals(name).last().unwrap();
        let error = (last("x.x") - 1.0).hypot(last("y.x"));
        assert!(error < 0.5 * before, "{tolerance}: {error} after {before}");
        before = error;
    }
}

/// An event that is announced, and one that is not: everybody has a point there.
#[test]
fn steps_end_where_somebody_has_an_event() {
    for script in [
        Script::new().early(0.013).early(0.4321),
        Script::new().early(0.013).early(0.4321).announced(),
    ] {
        let bench = circle(bench(Sweep::GaussSeidel, 1.0, control(1e-4)), false)
            .add("script", script)
            .add("reader", Accumulator::new(0.0))
            .wire("script.time", "reader.u", Reading::Quadratic)
            .record_all();
        let (run, rows, result) = bench.run(1);
        result.unwrap();
        for event in [0.013, 0.4321] {
            assert!(rows.times().contains(&event), "{:?}", rows.times());
        }
        assert_eq!(run.world().monitor.warnings(), []);
    }
}

/// One that cannot pass 0.5 s with steps above 1 ms; a terminating one ends the run where it wants.
#[test]
fn refused_steps_are_tried_shorter_and_the_end_is_exact() {
    let bench = bench(Sweep::Jacobi, 1.0, control(1e-4))
        .add("script", Script::new().reject(0.5, 1e-3).terminate_at(0.75))
        .record_all();
    let (run, rows, result) = bench.run(1);
    result.unwrap();
    assert!(run.world().rejected() > 0);
    let times = rows.times();
    assert_eq!(times.last(), Some(&0.75));
    let across = times.windows(2).find(|pair| pair[1] >= 0.5).unwrap();
    // The step as a whole is tried as well.
    assert!(across[1] - across[0] <= 1e-3 * (1.0 + 1e-9), "{across:?}");
}

/// Gives nonsense after long steps: not a number, or a number that nobody can make smaller.
struct Moody {
    interface: Interface,
    /// Steps longer than this give no number.
    patience: f64,
    /// Counts calls, also those that were taken back.
    calls: f64,
    counts: bool,
    value: f64,
    saved: f64,
}

impl Moody {
    fn new(patience: f64, counts: bool) -> Self {
        let mut interface = Interface::default();
        interface.port(Port::output("y"));
        Moody {
            interface,
            patience,
            calls: 0.0,
            counts,
            value: 0.0,
            saved: 0.0,
        }
    }
}

impl Participant for Moody {
    fn interface(&self) -> &Interface {
        &self.interface
    }
    fn bind(&mut self, _inputs: &[PortId], _outputs: &[PortId]) -> Outcome<()> {
        Ok(())
    }
    fn begin_initialization(&mut self, _run: &RunWindow, _settings: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }
    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        self.calls += 1.0;
        let length = request.to.since(request.from);
        self.value = match (length > self.patience, self.counts) {
            (true, _) => f64::NAN,
            (false, true) => self.calls,
            (false, false) => request.to.seconds(),
        };
        Ok(StepEnd::Completed)
    }
    fn outputs(&mut self, _at: SimTime, _inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        values.reals[0] = self.value;
        Ok(())
    }
    fn set_parameters(&mut self, _at: SimTime, _changes: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }
    fn rollback(&mut self) -> Option<&mut dyn Rollback> {
        Some(self)
    }
}

impl Rollback for Moody {
    fn save(&mut self, _slot: Slot) -> Outcome<()> {
        self.saved = self.value;
        Ok(())
    }
    fn restore(&mut self, _slot: Slot) -> Outcome<()> {
        self.value = self.saved;
        Ok(())
    }
}

#[test]
fn what_is_no_number_is_taken_back() {
    let mut control = control(1e-4);
    control.first = 0.3;
    let bench = bench(Sweep::Jacobi, 1.0, control).add("moody", Moody::new(0.02, false));
    let (run, rows, result) = bench.record_all().run(1);
    result.unwrap();
    assert!(run.world().rejected() > 0);
    assert!(rows.reals("moody.y").iter().all(|y| y.is_finite()));
}

#[test]
fn a_tolerance_that_cannot_be_met_is_told() {
    let bench = bench(Sweep::Jacobi, 1.0, control(1e-6)).add("moody", Moody::new(1.0, true));
    let (_, _, result) = bench.record_all().run(1);
    let error = result.unwrap_err();
    assert_eq!(error.kind(), RunErrorKind::Numbers);
    let text = error.to_string();
    assert!(
        text.contains("the tolerance cannot be met") && text.contains("moody.y"),
        "{text}"
    );
}
