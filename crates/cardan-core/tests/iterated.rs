//! Steps that are repeated until values fit together.
//!
//! Two participants that integrate exactly and read each other's lines are the trapezoidal rule as soon as their values fit
//! together; with held values they are the implicit Euler rule. So what comes out is known in closed form.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan_core::error::RunErrorKind;
use cardan_core::graph::Conversion;
use cardan_core::interface::{Interface, Port, PortId};
use cardan_core::method::{Acceleration, Estimator, Iteration, StepControl, Sweep};
use cardan_core::participant::{
    Outcome, Participant, Rollback, RunWindow, Settings, Slot, StepEnd, StepRequest,
};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::signal::Reading;
use cardan_core::time::SimTime;
use cardan_testkit::fakes::{Accumulator, Relay, Script};
use support::{Bench, OneWay, id};

const LINE: Reading = Reading::Linear { weight: 1.0 };
const ALL: [Acceleration; 5] = [
    Acceleration::FixedPoint { factor: 1.0 },
    Acceleration::Aitken,
    Acceleration::Broyden,
    Acceleration::IqnIls { reuse: 8 },
    Acceleration::Newton,
];
/// Residuals of values of the size of one.
const TOLERANCE: f64 = 1e-10;

fn iteration(acceleration: Acceleration) -> Iteration {
    Iteration {
        relative: TOLERANCE,
        absolute: 0.0,
        rounds: 50,
        acceleration,
    }
}

fn bench(method: Sweep, step: f64, stop: f64, acceleration: Acceleration) -> Bench {
    let mut bench = Bench::new(method, step, stop);
    bench.solve(iteration(acceleration));
    bench
}

/// x' = rate y, y' = -rate x from (1, 0), each by itself.
fn circle(bench: Bench, rate: f64, reading: Reading) -> Bench {
    let times = |factor: f64| Conversion {
        factor,
        ..Conversion::NONE
    };
    bench
        .add("x", Accumulator::new(1.0))
        .add("y", Accumulator::new(0.0))
        .wire_converted("y.x", "x.u", reading, times(rate))
        .wire_converted("x.x", "y.u", reading, times(-rate))
        .record_all()
}

/// The rows of both, and the repeats per step.
fn orbit(bench: Bench, threads: usize) -> (Vec<(f64, f64)>, f64) {
    let (run, rows, result) = bench.run(threads);
    result.unwrap();
    let points = rows.reals("x.x").into_iter().zip(rows.reals("y.x")).collect();
    (points, run.world().iterations() as f64 / run.steps() as f64)
}

/// The trapezoidal rule turns by 2 atan(rate h / 2) and keeps the radius; what residuals leave adds up over the steps.
#[test]
fn lines_make_the_trapezoidal_rule() {
    for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
        for acceleration in ALL {
            for h in [0.05, 0.5] {
                let bench = circle(bench(method, h, 10.0, acceleration), 1.0, LINE);
                let (points, _) = orbit(bench, 1);
                let turn = 2.0 * (0.5 * h).atan();
                for (n, (x, y)) in points.into_iter().enumerate() {
                    let angle = turn * n as f64;
                    let error = (x - angle.cos()).hypot(y + angle.sin());
                    let allowed = 2.0 * TOLERANCE * (n + 1) as f64;
                    assert!(
                        error <= allowed,
                        "{method} {acceleration} {h} s: {error:e} after {n}"
                    );
                }
            }
        }
    }
}

/// The implicit Euler rule shrinks the radius by √(1 + h²) a step and turns by atan h.
#[test]
fn held_values_make_the_implicit_euler_rule() {
    let h = 0.1;
    let bench = circle(
        bench(Sweep::Jacobi, h, 2.0, Acceleration::Broyden),
        1.0,
        Reading::Hold,
    );
    let (points, _) = orbit(bench, 1);
    for (n, (x, y)) in points.into_iter().enumerate() {
        let (angle, radius) = (h.atan() * n as f64, h.hypot(1.0).powi(-(n as i32)));
        let error = (x - radius * angle.cos()).hypot(y + radius * angle.sin());
        assert!(error <= 2.0 * TOLERANCE * (n + 1) as f64, "{error:e} after {n}");
    }
}

/// One round multiplies what was assumed wrongly by -(rate h / 2)² where one steps after the other: beyond two, passing
/// values on diverges. By nine a round it is ten thousand times as wrong in the sixth, which is enough. A secant is exact for one unknown that reacts linearly: no step takes more than two repeats.
#[test]
fn stiff_circles_need_more_than_passing_values_on() {
    let stiff = |acceleration| circle(bench(Sweep::GaussSeidel, 0.1, 10.0, acceleration), 60.0, LINE);
    let (_, _, result) = stiff(Acceleration::FixedPoint { factor: 1.0 }).run(1);
    let error = result.unwrap_err();
    assert_eq!(error.kind(), RunErrorKind::Numbers);
    let text = error.to_string();
    for piece in [
        "does not converge",
        "after 6 rounds",
        "y.x",
        "residuals",
        "in the circle of x, y",
    ] {
        assert!(text.contains(piece), "{piece}: {text}");
    }
    assert!(
        error.advice().unwrap().contains("iqn-ils"),
        "{:?}",
        error.advice()
    );
    for acceleration in &ALL[1..] {
        let (points, repeats) = orbit(stiff(*acceleration), 1);
        let radius = points.last().map(|(x, y)| x.hypot(*y)).unwrap();
        assert!((radius - 1.0).abs() < 2e-8, "{acceleration}: {radius}");
        assert!(repeats <= 2.0, "{acceleration}: {repeats} repeats per step");
    }
    // Relaxed by less than 2 / (1 + 9) it creeps there.
    let (_, repeats) = orbit(stiff(Acceleration::FixedPoint { factor: 0.15 }), 1);
    assert!(repeats > 10.0, "{repeats}");
}

#[test]
fn threads_change_no_bit() {
    let run = |threads| {
        let bench = bench(Sweep::Jacobi, 0.1, 10.0, Acceleration::IqnIls { reuse: 4 });
        orbit(circle(bench, 3.0, Reading::Quadratic), threads)
    };
    assert_eq!(run(2), run(1));
}

/// Who is alone and who reads of the circle takes part once in each step, when its turn has come.
#[test]
fn only_circles_are_repeated() {
    let (alone, after) = (Relay::held(1), Relay::direct(1));
    let (alone_calls, reader) = (alone.calls(), after.calls());
    let bench = bench(Sweep::GaussSeidel, 0.1, 1.0, Acceleration::Broyden);
    let bench =
        circle(bench.add("after", after).add("alone", alone), 5.0, LINE).wire("x.x", "after.in1", LINE);
    let plan = bench.plan().to_string();
    assert!(plan.contains("(x, y) until they agree → alone, after"), "{plan}");
    let (run, rows, result) = bench.run(1);
    result.unwrap();
    assert!(run.world().iterations() >= 10);
    assert_eq!((alone_calls.steps(), reader.steps()), (10, 10));
    assert_eq!(rows.reals("after.out1"), rows.reals("x.x"));
}

/// Who cannot go back steps last, once, and sees what the others have agreed on; they go on from what it showed before.
#[test]
fn who_cannot_go_back_follows() {
    let mut bench = bench(Sweep::GaussSeidel, 0.1, 1.0, Acceleration::Broyden);
    bench = circle(bench, 5.0, LINE)
        .add("z", OneWay(Accumulator::new(0.0)))
        .wire("x.x", "z.u", LINE)
        .record_all();
    bench.setup.one_way = vec![id(2)];
    let plan = bench.plan().to_string();
    assert!(plan.contains("(x, y) until they agree → z"), "{plan}");
    let (run, rows, result) = bench.run(1);
    result.unwrap();
    assert!(run.world().iterations() >= 10);
    let (x, z) = (rows.reals("x.x"), rows.reals("z.x"));
    let mut sum = 0.0;
    for (pair, z) in x.windows(2).zip(&z[1..]) {
        sum += 0.05 * (pair[0] + pair[1]);
        assert!((sum - z).abs() < 1e-12, "{sum} {z}");
    }
}

/// Where nobody can go back, nothing is repeated, and lengths follow how far off the readings were all the same.
#[test]
fn steps_of_those_who_cannot_go_back_follow_their_error() {
    let mut before = f64::INFINITY;
    for tolerance in [1e-3, 1e-4, 1e-5] {
        let turn = std::f64::consts::TAU;
        let mut bench = Bench::new(Sweep::GaussSeidel, 0.5, turn);
        bench.pace(StepControl {
            relative: tolerance,
            absolute: 0.0,
            min: 1e-9,
            max: 0.5,
            first: 1e-4,
            estimator: Estimator::Corrected,
            energy: None,
        });
        bench.solve(iteration(Acceleration::Broyden));
        bench.setup.one_way = vec![id(0), id(1)];
        let minus = Conversion {
            factor: -1.0,
            ..Conversion::NONE
        };
        let (run, rows, result) = bench
            .add("x", OneWay(Accumulator::new(1.0)))
            .add("y", OneWay(Accumulator::new(0.0)))
            .wire("y.x", "x.u", LINE)
            .wire_converted("x.x", "y.u", LINE, minus)
            .record_all()
            .run(1);
        result.unwrap();
        assert_eq!((run.world().iterations(), run.world().rejected()), (0, 0));
        let last = |name: &str| *rows.reals(name).last().unwrap();
        let error = (last("x.x") - 1.0).hypot(last("y.x"));
        // Defects of the size of the tolerance in every input, over a turn.
        assert!(error < 10.0 * turn * tolerance, "{tolerance}: {error:e}");
        assert!(error < 0.5 * before, "{tolerance}: {error:e} after {before:e}");
        before = error;
    }
}

/// An event in one that cannot go back: the others come to it, and nothing is told late.
#[test]
fn others_come_to_the_event_of_one_that_cannot_go_back() {
    let mut bench = circle(
        bench(Sweep::GaussSeidel, 0.1, 1.0, Acceleration::Broyden),
        1.0,
        LINE,
    )
    .add("script", OneWay(Script::new().early(0.234).early(0.5671)))
    .record_all();
    bench.setup.one_way = vec![id(2)];
    let (run, rows, result) = bench.run(1);
    result.unwrap();
    for event in [0.234, 0.5671] {
        assert!(rows.times().contains(&event), "{:?}", rows.times());
    }
    assert_eq!(run.world().monitor.warnings(), []);
}

#[test]
fn steps_end_where_somebody_has_an_event() {
    let bench = circle(
        bench(Sweep::GaussSeidel, 0.1, 1.0, Acceleration::Broyden),
        1.0,
        LINE,
    )
    .add("script", Script::new().early(0.013).early(0.4321))
    .add("reader", Accumulator::new(0.0))
    .wire("script.time", "reader.u", LINE)
    .record_all();
    let (_, rows, result) = bench.run(1);
    result.unwrap();
    for instant in [0.013, 0.1, 0.4321, 0.5, 1.0] {
        assert!(
            rows.times().iter().any(|t| (t - instant).abs() < 1e-12),
            "{instant}: {:?}",
            rows.times()
        );
    }
}

/// With a tolerance instead of a step: the error of a turn is that of lines, and follows the tolerance.
#[test]
fn steps_are_chosen_by_what_repeating_made_of_them() {
    let turn = std::f64::consts::TAU;
    let mut before = f64::INFINITY;
    for tolerance in [1e-3, 1e-4, 1e-5, 1e-6] {
        let mut bench = Bench::new(Sweep::GaussSeidel, 0.5, turn);
        bench.pace(StepControl {
            relative: tolerance,
            absolute: 0.0,
            min: 1e-9,
            max: 0.5,
            first: 1e-4,
            estimator: Estimator::Corrected,
            energy: None,
        });
        bench.solve(Iteration {
            relative: tolerance,
            ..iteration(Acceleration::Broyden)
        });
        let (run, rows, result) = circle(bench, 1.0, LINE).run(1);
        result.unwrap();
        let last = |name: &str| *rows.reals(name).last().unwrap();
        let error = (last("x.x") - 1.0).hypot(last("y.x"));
        // All errors of the trapezoidal rule have the same sign, so they add up to √n times the tolerance.
        let bound = (2.0 * run.steps() as f64).sqrt() * tolerance;
        assert!(error < bound, "{tolerance}: {error:e} in {} steps", run.steps());
        assert!(error < 0.5 * before, "{tolerance}: {error:e} after {before:e}");
        before = error;
    }
}

/// y = u² as long as u is small, and no number beyond.
struct Touchy {
    interface: Interface,
    u: f64,
}

impl Touchy {
    fn new() -> Self {
        let mut interface = Interface::default();
        interface.port(Port::input("u"));
        interface.port(Port::output("y"));
        Touchy { interface, u: 0.0 }
    }
}

impl Participant for Touchy {
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
        self.u = request.inputs.real(0, request.to);
        Ok(StepEnd::Completed)
    }
    fn outputs(&mut self, _at: SimTime, _inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        values.reals[0] = if self.u > 0.7 { f64::NAN } else { self.u * self.u };
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

impl Rollback for Touchy {
    fn save(&mut self, _slot: Slot) -> Outcome<()> {
        Ok(())
    }
    fn restore(&mut self, _slot: Slot) -> Outcome<()> {
        Ok(())
    }
}

/// u = 1.1 - 2 u² has its root at 0.5325. Passing 1.1 on leaves where `Touchy` has numbers; half the way back does not.
#[test]
fn what_is_no_number_in_a_round_is_retreated_from() {
    let turned = Conversion {
        factor: -2.0,
        offset: 1.1,
    };
    let mut bench = bench(Sweep::GaussSeidel, 1.0, 2.0, Acceleration::IqnIls { reuse: 1 })
        .add("touchy", Touchy::new())
        .add("relay", Relay::held(1))
        .wire_converted("touchy.y", "relay.in1", Reading::Hold, turned)
        .wire("relay.out1", "touchy.u", Reading::Hold)
        .record_all();
    bench.solve(Iteration {
        absolute: 1e-10,
        ..iteration(Acceleration::IqnIls { reuse: 1 })
    });
    let (_, rows, result) = bench.run(1);
    result.unwrap();
    let root = (-1.0 + (1.0_f64 + 4.0 * 2.0 * 1.1).sqrt()) / 4.0;
    let last = *rows.reals("relay.out1").last().unwrap();
    assert!((last - root).abs() < 1e-8, "{last} {root}");
}
