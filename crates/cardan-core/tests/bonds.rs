//! Bonds: the energy that crosses them, what is left over, and inputs that make it good.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan_core::graph::{Bond, Conversion, Endpoint};
use cardan_core::interface::{Interface, Port, PortId};
use cardan_core::method::Sweep;
use cardan_core::monitor::BondAccount;
use cardan_core::participant::{Outcome, Participant, RunWindow, Settings, StepEnd, StepRequest};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::run::Run;
use cardan_core::signal::Reading;
use cardan_core::time::SimTime;
use cardan_testkit::fakes::Accumulator;
use support::{Bench, Rows};

/// x' = -y and y' = x: a mass with the velocity x and a spring with the force y, neither with losses. Their energies are
/// x² / 2 and y² / 2. The effort is y, the flow x, and their product flows into the spring.
fn oscillator(method: Sweep, step: f64, stop: f64, reading: Reading) -> Bench {
    let minus = Conversion {
        factor: -1.0,
        offset: 0.0,
    };
    let mut bench = Bench::new(method, step, stop)
        .add("x", Accumulator::new(1.0))
        .add("y", Accumulator::new(0.5))
        .wire_converted("y.x", "x.u", reading, minus)
        .wire("x.x", "y.u", reading)
        .record_all();
    let end = |bench: &Bench, name: &str| {
        let participant = bench.graph.find(name).unwrap();
        Endpoint {
            participant,
            port: Accumulator::OUTPUT,
            element: None,
        }
    };
    let bond = Bond {
        name: "spring".into(),
        effort: end(&bench, "y"),
        flow: end(&bench, "x"),
        effort_to_si: Conversion::NONE,
        flow_to_si: Conversion::NONE,
        into_effort: true,
    };
    bench.graph.bonds.push(bond);
    bench
}

fn done((run, rows, result): (Run, Rows, Result<(), cardan_core::error::RunError>)) -> (BondAccount, Rows) {
    result.unwrap();
    (run.world().bonds()[0].clone(), rows)
}

fn energies(rows: &Rows) -> Vec<f64> {
    let (x, y) = (rows.reals("x.x"), rows.reals("y.x"));
    x.iter().zip(&y).map(|(x, y)| 0.5 * (x * x + y * y)).collect()
}

/// Neither component loses anything, so what the sum of their energies gains is what the coupling made: for every
/// reading, in every method, in all and step by step.
#[test]
fn residuals_are_the_drift_of_the_total_energy() {
    for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
        for reading in [
            Reading::Hold,
            Reading::Linear { weight: 1.0 },
            Reading::Linear { weight: 0.7 },
            Reading::Mean,
        ] {
            let (bond, rows) = done(oscillator(method, 0.05, 10.0, reading).run(1));
            let energies = energies(&rows);
            let drift = energies.last().unwrap() - energies[0];
            // An accumulator integrates lines exactly, and inside a step it moves on a parabola: the chord between its
            // ends, which is all that is known without slopes, is wrong by a twelfth of the third power of the step times
            // the slopes of its input, here below 1, which act on what is read, below 2, in 200 steps. Held inputs have no
            // slopes.
            let chord = match reading {
                Reading::Hold | Reading::Mean => 0.0,
                _ => 200.0 * 2.0 * 2.0 * 0.05_f64.powi(3) / 12.0,
            };
            assert!(
                (bond.residual - drift).abs() < chord + 1e-12,
                "{method} {reading}: {bond:?} {drift}"
            );
            let changes: Vec<f64> = energies
                .windows(2)
                .map(|pair| (pair[1] - pair[0]).abs())
                .collect();
            let absolute: f64 = changes.iter().sum();
            assert!(
                (bond.absolute - absolute).abs() < chord + 1e-12,
                "{method} {reading}"
            );
            if chord == 0.0 {
                let largest = changes.iter().copied().fold(0.0, f64::max);
                assert!((bond.largest - largest).abs() < 1e-12);
                let at = changes.iter().position(|c| (c - largest).abs() < 1e-12).unwrap();
                assert!((bond.time.seconds() - rows.times()[at + 1]).abs() < 1e-9);
            }
        }
    }
}

/// The other way round, the sign changes and nothing else.
#[test]
fn the_direction_of_a_bond_is_its_sign() {
    let forth = done(oscillator(Sweep::Jacobi, 0.05, 10.0, Reading::Hold).run(1)).0;
    let mut bench = oscillator(Sweep::Jacobi, 0.05, 10.0, Reading::Hold);
    bench.graph.bonds[0].into_effort = false;
    let back = done(bench.run(1)).0;
    assert!(forth.residual > 0.0);
    assert_eq!(back.residual, -forth.residual);
    assert_eq!(back.absolute, forth.absolute);
}

/// Measured in other units the energy is the same: the units of the ports count, not what connections do to values.
#[test]
fn units_of_the_ports_count() {
    let plain = done(oscillator(Sweep::Jacobi, 0.05, 10.0, Reading::Hold).run(1)).0;
    let mut bench = oscillator(Sweep::Jacobi, 0.05, 10.0, Reading::Hold);
    bench.graph.bonds[0].effort_to_si.factor = 1000.0;
    let kilo = done(bench.run(1)).0;
    assert!((kilo.residual / plain.residual / 1000.0 - 1.0).abs() < 1e-12);
}

/// Signals that do not move are read right, and what crosses is all there is.
#[test]
fn nothing_is_left_over_where_nothing_is_read_wrong() {
    // x.u is open, so x and then y's slope stay what they are: y grows on a line, which nobody reads.
    let bench = Bench::new(Sweep::Jacobi, 0.1, 2.0)
        .add("x", Accumulator::new(3.0))
        .add("y", Accumulator::new(0.0))
        .wire("x.x", "y.u", Reading::Hold);
    let (run, _, result) = bench.run(1);
    result.unwrap();
    let coupling = run.world().coupling();
    assert_eq!((coupling[0].largest, coupling[0].mean), (0.0, 0.0));
    assert_eq!(coupling[0].looks, 20);
}

#[test]
fn threads_and_steps_of_their_own_change_nothing_in_the_books() {
    let alone = done(oscillator(Sweep::Jacobi, 0.05, 10.0, Reading::Hold).run(1)).0;
    let two = done(oscillator(Sweep::Jacobi, 0.05, 10.0, Reading::Hold).run(2)).0;
    assert_eq!(alone, two);
    // y at a quarter of the step of x: books are closed when both are at the same instant.
    let mut bench = oscillator(Sweep::Jacobi, 0.05, 10.0, Reading::Hold);
    bench.graph.nodes[1].step = Some(0.0125);
    let (bond, rows) = done(bench.run(1));
    let energies = energies(&rows);
    let drift = energies.last().unwrap() - energies[0];
    assert!((bond.residual - drift).abs() < 1e-12, "{bond:?} {drift}");
}

/// How far the oscillator is from its place after ten seconds, and its energy.
fn error(method: Sweep, step: f64, reading: Reading, correction: bool) -> f64 {
    let mut bench = oscillator(method, step, 10.0, reading);
    bench.setup.correction = correction;
    let (_, rows) = done(bench.run(1));
    let last = |name: &str| *rows.reals(name).last().unwrap();
    let (sin, cos) = 10_f64.sin_cos();
    (last("x.x") - (cos - 0.5 * sin)).hypot(last("y.x") - (sin + 0.5 * cos))
}

/// What was missed in a step is made good in the next: the coupling is of one order more.
#[test]
fn corrections_raise_the_order_by_one() {
    for (reading, order) in [(Reading::Hold, 1.0), (Reading::Linear { weight: 1.0 }, 2.0)] {
        for (correction, more) in [(false, 0.0), (true, 1.0)] {
            let error = |step| error(Sweep::Jacobi, step, reading, correction);
            let seen = (error(0.01) / error(0.005)).log2();
            // The next power of the step adds a part of its size, some percent, to the ratio.
            assert!(
                (seen - order - more).abs() < 0.15,
                "{reading} {correction}: {seen}"
            );
        }
    }
}

/// At a signal that turns in each step a shift would be the wrong way round and build up, so there is none.
#[test]
fn corrections_do_not_build_up_where_a_signal_swings() {
    // y becomes -0.9 y in each step and dies out. With a shift of half the last change, about y, it would become -1.8 y.
    let minus = Conversion {
        factor: -0.9,
        offset: 0.0,
    };
    let mut bench = Bench::new(Sweep::Jacobi, 0.1, 20.0)
        .add("a", Memory::new(1.0))
        .wire_converted("a.y", "a.u", Reading::Hold, minus)
        .record_all();
    bench.setup.correction = true;
    let (_, rows, result) = bench.run(1);
    result.unwrap();
    let values = rows.reals("a.y");
    // The first changes are corrected: it takes two turns to see a swing.
    assert!(values.iter().all(|y| y.abs() < 1.9_f64.powi(2)));
    assert!(values.last().unwrap().abs() < 1.9_f64.powi(2) * 0.9_f64.powi(190));
}

/// Gives what its input was at the end of its step.
struct Memory(Interface, f64);

impl Memory {
    fn new(value: f64) -> Self {
        let mut interface = Interface::default();
        interface.port(Port::input("u"));
        interface.port(Port::output("y"));
        Memory(interface, value)
    }
}

impl Participant for Memory {
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
    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        self.1 = request.inputs.real(0, request.to);
        Ok(StepEnd::Completed)
    }
    fn outputs(&mut self, _: SimTime, _: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        values.reals[0] = self.1;
        Ok(())
    }
    fn set_parameters(&mut self, _: SimTime, _: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }
}
