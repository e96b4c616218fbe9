//! Elliott's oscillator in the glue: a stiff solver of variable step leads, a code that samples follows.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan::{Overrides, Report, Table};
use cardan_testkit::problems::{Elliott, Oscillator};
use support::{Variant, example, largest_error, reals};

/// How the oscillator sees the force.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Force {
    /// At any time.
    Continuous,
    /// Held from sample to sample, on which steps land.
    Held(f64),
    /// On the parabola through the last three samples, of which those before the start are known.
    Parabola(f64),
    /// The same from a cold start.
    Cold(f64),
}

struct Run {
    table: Table,
    report: Report,
}

impl Run {
    fn of(variant: &Variant) -> Self {
        let (mut simulation, handle) = variant.open(Overrides::default());
        let report = simulation.run();
        assert_eq!(report.status, "ok", "{:?}", report.error);
        Run {
            table: handle.table(),
            report,
        }
    }

    fn steps(&self) -> f64 {
        self.report.components["oscillator"].inner_steps as f64
    }

    fn evaluations(&self) -> f64 {
        self.report.components["oscillator"].rhs as f64
    }

    /// The largest errors of position, velocity and acceleration.
    fn errors(&self) -> [f64; 3] {
        let error = |name: &str, index: usize| {
            largest_error(&self.table, &format!("oscillator.{name}"), |t| {
                Elliott::steady(t)[index]
            })
        };
        [
            error("position", 0),
            error("velocity", 1),
            error("acceleration", 2),
        ]
    }
}

fn run(force: Force, tolerance: &str) -> Run {
    let solver = ("rtol = 1e-5, atol = 1e-8".to_owned(), tolerance.to_owned());
    let step = |step: f64| ("step = 0.001".to_owned(), format!("step = {step}"));
    let changes = match force {
        Force::Continuous => vec![solver, ("\nstep = 0.001".to_owned(), String::new())],
        Force::Held(period) => vec![
            solver,
            (
                "step = 0.001".to_owned(),
                format!("step = {period}\ndiscrete = true"),
            ),
        ],
        Force::Parabola(period) => vec![solver, step(period)],
        Force::Cold(period) => vec![
            solver,
            step(period),
            ("\"consistent\"".to_owned(), "\"cold\"".to_owned()),
        ],
    };
    let changes: Vec<(&str, &str)> = changes.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    Run::of(&Variant::of("elliott-glue/system.toml", &changes))
}

/// The tolerances of the problem.
const USUAL: &str = "rtol = 1e-5, atol = 1e-8";
/// So small that what is left is the error of the coupling.
const PRECISE: &str = "rtol = 1e-9, atol = 1e-12";

/// The figures asked of the problem: held samples cost ten times what parabolas cost, and those no more than 1.3 times a
/// continuous force, with its error.
#[test]
fn parabolas_cost_a_tenth_of_held_samples() {
    let (continuous, held, parabola) = (
        run(Force::Continuous, USUAL),
        run(Force::Held(0.001), USUAL),
        run(Force::Parabola(0.001), USUAL),
    );
    let counts = |run: &Run| (run.steps(), run.evaluations());
    let figures = [&continuous, &held, &parabola].map(counts);
    assert!(held.steps() >= 10.0 * parabola.steps(), "{figures:?}");
    assert!(held.evaluations() >= 10.0 * parabola.evaluations(), "{figures:?}");
    assert!(
        parabola.evaluations() <= 1.3 * continuous.evaluations(),
        "{figures:?}"
    );
    // Parabolas are off by 1e-5 in/s; all else is the solver's, and differs by its accidents.
    for (found, usual) in parabola.errors().iter().zip(continuous.errors()) {
        assert!(*found < 1.5 * usual, "{found:e} against {usual:e}");
    }
}

/// Held samples are exact jumps, so what comes out is the exact answer to a staircase, up to the tolerance of the solver:
/// position, velocity and acceleration of the problem's table.
#[test]
fn held_samples_ring_as_they_must() {
    for (period, exact) in [
        (0.02, [2.5907e-1, 1.5377e2, 9.44e4]),
        (0.002, [1.998e-3, 0.7365, 7.60e2]),
        (0.001, [1.005e-3, 0.3401, 3.80e2]),
    ] {
        for (found, exact) in run(Force::Held(period), USUAL).errors().iter().zip(exact) {
            assert!(
                (found / exact - 1.0).abs() < 0.01,
                "{period}: {found:e} for {exact:e}"
            );
        }
    }
}

/// The remainder of a parabola is of third order; close to the resonance at 50 samples a second it is worse than that.
#[test]
fn shorter_periods_converge() {
    let [coarse, middle, fine] = [0.02, 0.002, 0.001].map(|d| run(Force::Parabola(d), PRECISE).errors());
    for quantity in 0..3 {
        let (one, two, three) = (coarse[quantity], middle[quantity], fine[quantity]);
        assert!(one >= 1000.0 * two, "{one:e} {two:e}");
        assert!(two >= 8.0 * three, "{two:e} {three:e}");
    }
}

/// Two samples that are held and drawn out on a line are two blows that nobody forgets: the problem's table, in which samples come
/// into force at once. Here they do so at the end of a step of the solver, at most 0.7 ms later.
#[test]
fn a_cold_start_is_felt_to_the_end() {
    for (period, exact) in [
        (0.02, [2.03e-2, 12.5]),
        (0.002, [1.18e-3, 0.729]),
        (0.001, [3.05e-4, 0.188]),
    ] {
        for (found, exact) in run(Force::Cold(period), USUAL).errors().iter().zip(exact) {
            assert!(
                (found / exact - 1.0).abs() < 0.15,
                "{period}: {found:e} for {exact:e}"
            );
        }
    }
}

/// The code in a process of its own, and the solver in one.
#[test]
fn other_processes_give_the_same_bits() {
    let inside = Run::of(&Variant::of("elliott-glue/system.toml", &[]));
    let isolated = Variant::of(
        "elliott-glue/system.toml",
        &[("role = \"leader\"", "role = \"leader\"\nisolate = true")],
    );
    let [pipe, tcp] = ["pipe", "tcp"].map(|transport| {
        let variant = Variant::of(&format!("elliott-glue/{transport}.toml"), &[]);
        with_the_code(&variant);
        variant
    });
    for (name, variant) in [("pipe", pipe), ("TCP", tcp), ("isolated leader", isolated)] {
        let other = Run::of(&variant);
        let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&other.table.times), bits(&inside.table.times), "{name}");
        for column in ["force", "position", "velocity", "acceleration"] {
            let column = format!("oscillator.{column}");
            let (found, expected) = (reals(&other.table, &column), reals(&inside.table, &column));
            assert_eq!(bits(found), bits(expected), "{column}: {name}");
        }
    }
}

/// Braked by the code from rest, with a tolerance of 1e-6 and steps of half a sample: no worse at the end than the prototype of the problem,
/// which was off by 1.1e-4 in/s at 2 ms with 20 901 steps, and by 6.2e-6 at 1 ms with 10 945. That last one is a few times the
/// tolerance, so it is allowed twice.
#[test]
fn a_code_that_brakes_what_it_moves() {
    for (period, error, steps) in [(0.002, 1.1e-4, 20_901.0), (0.001, 1.3e-5, 10_945.0)] {
        let [smooth, held] = ["", "\ndiscrete = true"].map(|discrete| two_way(period, discrete));
        assert!(off_at_the_end(&smooth) < error, "{:e}", off_at_the_end(&smooth));
        assert!(smooth.steps() <= steps, "{}", smooth.steps());
        // A held force is late by half a sample, and brakes less or more by that part of a swing.
        assert!(off_at_the_end(&held) > 1000.0 * off_at_the_end(&smooth));
        assert!(held.steps() > 4.0 * smooth.steps());
    }
}

fn off_at_the_end(run: &Run) -> f64 {
    let last = reals(&run.table, "oscillator.velocity").last().unwrap();
    (last - braked(4.0)[1]).abs()
}

/// Position and velocity with the damper of the code, at any time.
fn braked(t: f64) -> [f64; 2] {
    let oscillator = Oscillator {
        damping: Elliott::OSCILLATOR.damping + 0.05 * Elliott::GC,
        ..Elliott::OSCILLATOR
    };
    oscillator.sine_forced([0.0, 0.0], Elliott::AMPLITUDE, Elliott::RATE, t)
}

fn two_way(period: f64, discrete: &str) -> Run {
    let most = 0.5 * period;
    let step = format!("step = {period}{discrete}");
    let solver = format!("rtol = 1e-6, atol = 1e-9, max_step = {most}");
    let variant = Variant::of(
        "elliott-glue/two-way.toml",
        &[
            ("step = 0.001", &step),
            ("rtol = 1e-5, atol = 1e-8, max_step = 0.02", &solver),
        ],
    );
    with_the_code(&variant);
    Run::of(&variant)
}

/// The program lies beside the description.
fn with_the_code(variant: &Variant) {
    for file in ["force.c", "force.sh", "cardan.c", "cardan.h"] {
        std::fs::copy(example("elliott-glue").join(file), variant.path().join(file)).unwrap();
    }
}
