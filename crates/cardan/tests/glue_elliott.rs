//! Elliott's oscillator in the glue: a stiff solver of variable step leads, a code that samples follows.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan::{Overrides, Report, Table};
use cardan_testkit::problems::Elliott;
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
        ["position", "velocity", "acceleration"].map(|name| {
            let index = ["position", "velocity", "acceleration"].iter().position(|n| *n == name);
            largest_error(&self.table, &format!("oscillator.{name}"), |t| {
                Elliott::steady(t)[index.unwrap()]
            })
        })
    }
}

fn run(force: Force, tolerance: &str) -> Run {
    let solver = ("rtol = 1e-5, atol = 1e-8".to_owned(), tolerance.to_owned());
    let step = |step: f64| ("step = 0.001".to_owned(), format!("step = {step}"));
    let changes = match force {
        Force::Continuous => vec![solver, ("\nstep = 0.001".to_owned(), String::new())],
        Force::Held(period) => vec![
            solver,
            ("step = 0.001".to_owned(), format!("step = {period}\ndiscrete = true")),
        ],
        Force::Parabola(period) => vec![solver, step(period)],
        Force::Cold(period) => vec![solver, step(period), ("\"consistent\"".to_owned(), "\"cold\"".to_owned())],
    };
    let changes: Vec<(&str, &str)> = changes.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    Run::of(&Variant::of("elliott-glue/system.toml", &changes))
}

/// The tolerances of the problem.
const USUAL: &str = "rtol = 1e-5, atol = 1e-8";

#[test]
fn table() {
    for tolerance in [USUAL, "rtol = 1e-7, atol = 1e-10", "rtol = 1e-9, atol = 1e-12"] {
        println!("{tolerance}");
        for force in [Force::Continuous, Force::Held(0.02), Force::Held(0.002), Force::Held(0.001), Force::Parabola(0.02), Force::Parabola(0.002), Force::Parabola(0.001), Force::Cold(0.02), Force::Cold(0.002), Force::Cold(0.001)] {
            let run = run(force, tolerance);
            println!("  {force:?} {} {} {:?} {}", run.steps(), run.evaluations(), run.errors(), run.report.run_s);
        }
    }
    for (period, half) in [(0.002, 0.001), (0.001, 0.0005)] {
        for (discrete, kind) in [("", "quad"), ("\ndiscrete = true", "hold")] {
            let run = two_way(period, half, discrete);
            let last = run.table.times.len() - 1;
            let v = reals(&run.table, "oscillator.velocity")[last] - braked(4.0)[1];
            println!("two-way {kind} {period} {} {} {v:e}", run.steps(), run.evaluations());
        }
    }
}

fn braked(t: f64) -> [f64; 2] {
    let oscillator = cardan_testkit::problems::Oscillator {
        damping: Elliott::OSCILLATOR.damping + 0.05 * Elliott::GC,
        ..Elliott::OSCILLATOR
    };
    oscillator.sine_forced([0.0, 0.0], Elliott::AMPLITUDE, Elliott::RATE, t)
}

fn two_way(period: f64, most: f64, discrete: &str) -> Run {
    let step = format!("step = {period}{discrete}");
    let solver = format!("rtol = 1e-6, atol = 1e-9, max_step = {most}");
    let variant = Variant::of(
        "elliott-glue/two-way.toml",
        &[("step = 0.001", &step), ("rtol = 1e-5, atol = 1e-8, max_step = 0.02", &solver)],
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
