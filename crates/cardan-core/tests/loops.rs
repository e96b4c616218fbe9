//! Outputs that depend on each other at one instant are found together.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use cardan_core::error::RunErrorKind;
use cardan_core::graph::Conversion;
use cardan_core::interface::{Interface, Port, PortId};
use cardan_core::method::Sweep;
use cardan_core::participant::{
    Derivatives, Outcome, Participant, RunWindow, Settings, StepEnd, StepRequest,
};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::signal::Reading;
use cardan_core::time::SimTime;
use cardan_core::value::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use support::Bench;

/// `y = f(t, u)`, at once.
struct Function {
    interface: Interface,
    law: fn(f64, f64) -> f64,
    slope: Option<fn(f64) -> f64>,
    asked_for_slopes: Arc<AtomicU64>,
    initialized: bool,
    /// The value of `y` before the initialisation ends, as a function of `u`; `law` from then on.
    early: Option<fn(f64) -> f64>,
}

impl Function {
    fn new(law: fn(f64, f64) -> f64) -> Self {
        let mut interface = Interface::default();
        let u = interface.port(Port::input("u").start(Value::real(0.0)));
        let y = interface.port(Port::output("y"));
        interface.feeds_through(y, u);
        Function {
            interface,
            law,
            slope: None,
            asked_for_slopes: Arc::default(),
            initialized: false,
            early: None,
        }
    }

    fn with_slope(mut self, slope: fn(f64) -> f64) -> Self {
        self.slope = Some(slope);
        self
    }

    /// Depends on its input while it initialises, and only then.
    fn early(law: fn(f64) -> f64) -> Self {
        let mut function = Function::new(|_, _| 7.0);
        function.interface.initial_feedthrough = Some(function.interface.feedthrough.clone());
        function.interface.feedthrough.clear();
        function.early = Some(law);
        function
    }
}

impl Participant for Function {
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
        self.initialized = true;
        Ok(())
    }
    fn step(&mut self, _request: StepRequest<'_>) -> Outcome<StepEnd> {
        Ok(StepEnd::Completed)
    }
    fn outputs(&mut self, at: SimTime, inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        let u = inputs.reals.first().copied().unwrap_or(0.0);
        values.reals[0] = match self.early {
            Some(early) if !self.initialized => early(u),
            _ => (self.law)(at.seconds(), u),
        };
        Ok(())
    }
    fn set_parameters(&mut self, _at: SimTime, _changes: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }
    fn derivatives(&mut self) -> Option<&mut dyn Derivatives> {
        self.slope.is_some().then_some(self)
    }
}

impl Derivatives for Function {
    fn directional(
        &mut self,
        _at: SimTime,
        inputs: &Planes,
        direction: &[f64],
        change: &mut [f64],
    ) -> Outcome<()> {
        self.asked_for_slopes.fetch_add(1, Ordering::SeqCst);
        change[0] = self.slope.map_or(0.0, |slope| slope(inputs.reals[0])) * direction[0];
        Ok(())
    }
}

/// Two functions in a circle.
fn circle(method: Sweep, a: Function, b: Function) -> Bench {
    Bench::new(method, 0.25, 1.0)
        .add("a", a)
        .add("b", b)
        .wire("a.y", "b.u", Reading::Hold)
        .wire("b.y", "a.u", Reading::Hold)
        .record_all()
}

/// Rounding of a well-conditioned system of two.
fn close(found: f64, exact: f64) {
    assert!(
        (found - exact).abs() <= 1e-12 * exact.abs().max(1.0),
        "{found} instead of {exact}"
    );
}

#[test]
fn a_linear_loop_is_solved_at_every_point() {
    // y = 3 (y) + t: fixed-point iteration runs away from the solution −t / 2.
    for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
        for threads in 1..=2 {
            let (run, rows, result) =
                circle(method, Function::new(|t, u| 3.0 * u + t), Function::new(|_, u| u)).run(threads);
            result.unwrap();
            for (t, y) in rows.times().iter().zip(rows.reals("a.y")) {
                close(y, -t / 2.0);
            }
            let account = &run.world().monitor.loops()[0];
            assert_eq!(account.outputs, ["a.y", "b.y"]);
            assert!(account.residual <= 1e-12, "{account:?}");
        }
    }
}

#[test]
fn conversions_are_part_of_the_loop() {
    // a = 2 (100 b + 1), b = −a / 400: a = 2 − a / 2.
    let (_, rows, result) = Bench::new(Sweep::Jacobi, 0.5, 1.0)
        .add("a", Function::new(|_, u| 2.0 * u))
        .add("b", Function::new(|_, u| -u / 400.0))
        .wire("a.y", "b.u", Reading::Hold)
        .wire_converted(
            "b.y",
            "a.u",
            Reading::Hold,
            Conversion {
                factor: 100.0,
                offset: 1.0,
            },
        )
        .record_all()
        .run(1);
    result.unwrap();
    rows.reals("a.y").into_iter().for_each(|y| close(y, 4.0 / 3.0));
}

#[test]
fn derivatives_are_used_where_they_are_offered() {
    let a = Function::new(|_, u| u.cos()).with_slope(|u| -u.sin());
    let b = Function::new(|_, u| u).with_slope(|_| 1.0);
    let asked = Arc::clone(&a.asked_for_slopes);
    let (_, rows, result) = circle(Sweep::Jacobi, a, b).run(1);
    result.unwrap();
    // The fixed point of the cosine.
    rows.reals("a.y")
        .into_iter()
        .for_each(|y| close(y, 0.739_085_133_215_160_6));
    let asked = asked.load(Ordering::SeqCst);
    assert!((1..40).contains(&asked), "{asked}");
}

#[test]
fn a_loop_without_solution_is_named() {
    let (run, result) = {
        let bench = circle(
            Sweep::Jacobi,
            Function::new(|_, u| u + 1.0),
            Function::new(|_, u| u),
        );
        let plan = Arc::new(bench.plan());
        let participants: Vec<Box<dyn Participant>> = vec![
            Box::new(Function::new(|_, u| u + 1.0)),
            Box::new(Function::new(|_, u| u)),
        ];
        let mut run = cardan_core::run::Run::new(plan, participants, 1, None).unwrap();
        let result = run.initialize(vec![Settings::default(); 2]);
        (run, result)
    };
    let error = result.unwrap_err();
    assert_eq!(error.kind(), RunErrorKind::Numbers);
    assert!(error.message().contains("a.y, b.y"), "{error}");
    drop(run);
}

#[test]
fn a_loop_of_the_initialisation_is_gone_afterwards() {
    let bench = circle(
        Sweep::Jacobi,
        Function::early(|u| 0.5 * u + 1.0),
        Function::new(|_, u| u),
    );
    let plan = bench.plan();
    assert_eq!((plan.initial.loops.len(), plan.exchange.loops.len()), (1, 0));
    let (run, rows, result) = bench.run(1);
    result.unwrap();
    assert_eq!(run.world().monitor.loops().len(), 1);
    assert!(rows.reals("b.y").iter().all(|y| *y == 7.0));
}

#[test]
fn members_with_steps_of_their_own_are_solved_where_they_meet() {
    let (_, rows, result) = Bench::new(Sweep::Jacobi, 0.25, 1.0)
        .add("a", Function::new(|t, u| 3.0 * u + t))
        .add("b", Function::new(|_, u| u))
        .step(0.5)
        .wire("a.y", "b.u", Reading::Hold)
        .wire("b.y", "a.u", Reading::Hold)
        .record_all()
        .run(1);
    result.unwrap();
    let (times, values) = (rows.times(), rows.reals("a.y"));
    for (t, y) in times.iter().zip(values).filter(|(t, _)| *t % 0.5 == 0.0) {
        close(y, -t / 2.0);
    }
}

/// Two oscillators, each pushed by a part of the other's acceleration: their accelerations depend on each other at once,
/// and so do the slopes of them, by the same two equations one derivative later.
#[test]
fn slopes_of_a_loop_fit_each_other() {
    use cardan_testkit::fakes::Harmonic;
    use cardan_testkit::problems::Oscillator;
    for gain in [-0.3, 0.9, -5.0] {
        let factor = Conversion {
            factor: gain,
            ..Conversion::NONE
        };
        let oscillator = |stiffness| Oscillator {
            mass: 1.0,
            damping: 0.2,
            stiffness,
        };
        let (a, b) = (oscillator(10.0), oscillator(25.0));
        let (mut run, _) = Bench::new(Sweep::Jacobi, 0.01, 1.0)
            .add("a", Harmonic::new(a, [1.0, 0.5]))
            .add("b", Harmonic::new(b, [-0.4, 2.0]))
            .wire_converted("a.acceleration", "b.force", Reading::Hermite, factor)
            .wire_converted("b.acceleration", "a.force", Reading::Hermite, factor)
            .record_all()
            .start(1);
        for _ in 0..3 {
            let point = |index| {
                let history = run.world().history(support::id(index));
                (history.latest_reals().to_vec(), history.latest_slopes().to_vec())
            };
            let ((y, dy), (z, dz)) = (point(0), point(1));
            // Jerks j, k of j = a(v, a, gain k), k = b(v, a, gain j), masses one: by elimination.
            let own = |o: &Oscillator, y: &[f64]| -o.stiffness * y[1] - o.damping * y[2];
            let (j0, k0) = (own(&a, &y), own(&b, &z));
            let jerks = [
                (j0 + gain * k0) / (1.0 - gain * gain),
                (k0 + gain * j0) / (1.0 - gain * gain),
            ];
            for (found, known) in [(dy[2], jerks[0]), (dz[2], jerks[1]), (dy[0], y[1]), (dz[1], z[2])] {
                assert!(
                    (found - known).abs() <= 1e-8 * known.abs().max(1.0),
                    "{gain}: {found} {known}"
                );
            }
            run.step().unwrap();
        }
    }
}
