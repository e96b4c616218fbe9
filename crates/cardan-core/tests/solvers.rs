//! A solver of waves as somebody else would write it: the mean of two sweeps.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan_core::error::RunError;
use cardan_core::graph::{Conversion, ParticipantId};
use cardan_core::method::{
    Crossed, Estimator, Forecast, Gauge, Needs, Solver, StepControl, Stretch, Sweep, WaveSolver, once, show,
};
use cardan_core::plan::Plan;
use cardan_core::signal::Reading;
use cardan_core::time::SimTime;
use cardan_core::world::World;
use cardan_testkit::fakes::Accumulator;
use support::Bench;

const LINE: Reading = Reading::Linear { weight: 1.0 };

/// Members of a coupling loop step side by side, and once more one after the other. What they end with on the two ways is off in
/// different directions; they step a last time with the mean of it as what the others will have come to.
#[derive(Debug)]
struct MeanOfTwoSweeps;

impl Solver for MeanOfTwoSweeps {
    fn name(&self) -> Option<&'static str> {
        Some("mean")
    }

    fn needs(&self, pacing: Needs) -> Needs {
        Needs {
            meets: true,
            rollback: true,
            repeats: true,
            energy: false,
            ..pacing
        }
    }

    fn for_wave(&self, plan: &Plan, wave: usize) -> Option<Box<dyn WaveSolver>> {
        plan.repeats[wave].then(|| Box::new(Mean) as Box<dyn WaveSolver>)
    }
}

struct Mean;

impl Mean {
    fn ends(world: &World, wave: &[ParticipantId]) -> Vec<Vec<f64>> {
        let end = |who: &ParticipantId| world.history(*who).latest_reals().to_vec();
        wave.iter().map(end).collect()
    }
}

impl WaveSolver for Mean {
    fn cross(
        &mut self,
        world: &mut World,
        wave: &[ParticipantId],
        _judge: (&Gauge, &mut Forecast),
        stretch: Stretch,
    ) -> Result<Crossed, RunError> {
        world.step_blindly(wave, stretch.to)?;
        if let Err(setback) = show(world, wave, stretch)? {
            return Ok(Err(setback));
        }
        let side_by_side = Mean::ends(world, wave);
        world.repeat(wave, stretch.slot)?;
        for member in wave.chunks(1) {
            if let Err(setback) = once(world, member, stretch)? {
                return Ok(Err(setback));
            }
        }
        let one_by_one = Mean::ends(world, wave);
        world.repeat(wave, stretch.slot)?;
        for ((who, a), b) in wave.iter().zip(side_by_side).zip(one_by_one) {
            let mean: Vec<f64> = a.iter().zip(b).map(|(a, b)| 0.5 * (a + b)).collect();
            let unknown = vec![f64::NAN; mean.len()];
            world.assume(*who, stretch.to, &mean, &unknown);
        }
        world.step_blindly(wave, stretch.to)?;
        show(world, wave, stretch)
    }
}

/// x' = y, y' = -x from (1, 0), each by itself.
fn turn(step: f64) -> Bench {
    let minus = Conversion {
        factor: -1.0,
        ..Conversion::NONE
    };
    let mut bench = Bench::new(Sweep::GaussSeidel, step, std::f64::consts::TAU)
        .add("x", Accumulator::new(1.0))
        .add("y", Accumulator::new(0.0))
        .wire("y.x", "x.u", LINE)
        .wire_converted("x.x", "y.u", LINE, minus)
        .record_all();
    bench.solve(MeanOfTwoSweeps);
    bench
}

fn error(bench: Bench, threads: usize) -> (f64, Vec<u64>) {
    let (_, rows, result) = bench.run(threads);
    result.unwrap();
    let last = |name: &str| *rows.reals(name).last().unwrap();
    let bits = rows
        .reals("x.x")
        .iter()
        .chain(&rows.reals("y.x"))
        .map(|v| v.to_bits())
        .collect();
    ((last("x.x") - 1.0).hypot(last("y.x")), bits)
}

/// Inputs are lines between what was and what is assumed, so errors fall with the square of the step.
#[test]
fn a_solver_of_ones_own_crosses_steps_of_a_grid() {
    let turn_in = |steps: f64| turn(std::f64::consts::TAU / steps);
    let (coarse, _) = error(turn_in(400.0), 1);
    let (fine, bits) = error(turn_in(800.0), 1);
    let order = (coarse / fine).log2();
    assert!((order - 2.0).abs() < 0.1, "{coarse:e} {fine:e}: order {order}");
    assert_eq!(bits, error(turn_in(800.0), 2).1, "on two threads");
}

/// The same solver under steps that follow a tolerance.
#[test]
fn and_steps_by_tolerance() {
    let mut before = f64::INFINITY;
    for tolerance in [1e-3, 1e-4, 1e-5] {
        let mut bench = turn(0.5);
        bench.pace(StepControl {
            relative: tolerance,
            absolute: 0.0,
            min: 1e-9,
            max: 0.5,
            first: 1e-3,
            estimator: Estimator::Richardson,
            energy: None,
        });
        let (off, _) = error(bench, 1);
        // Shares of the tolerance add up like errors that are independent; those of a swing keep their sign for half of it.
        assert!(off < 20.0 * tolerance && off < before, "{tolerance}: {off:e}");
        before = off;
    }
}

/// What the plan says of it.
#[test]
fn it_is_named() {
    let plan = turn(0.1).plan();
    assert_eq!(plan.method.name(), "mean");
    assert!(
        plan.to_string().starts_with("mean, gauss-seidel from 0 s"),
        "{plan}"
    );
    let pace = turn(0.1).setup.pace();
    assert_eq!(pace, "mean (gauss-seidel), step 0.1 s");
    assert_eq!(plan.window.start, SimTime::default());
}
