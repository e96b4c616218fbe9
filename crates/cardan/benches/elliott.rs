//! What it costs a stiff solver of variable step to be driven by a code that samples.
//!
//! `cargo bench -p cardan --bench elliott` runs `examples/elliott-glue` with the force at any time, held from sample to sample, and on the
//! parabola through the last samples, and prints the solver's steps, evaluations and time, and the ratio of held to parabola.
//! Rounds alternate between all of them, and the quickest of each counts.

#![allow(clippy::expect_used, clippy::print_stdout, clippy::panic)] // a program that measures may stop and print

use cardan::{MemoryRecorder, Options, Simulation};
use std::path::Path;

const ROUNDS: usize = 7;
const PERIODS: [f64; 3] = [0.02, 0.002, 0.001];

/// Steps, evaluations and the time of a run in seconds.
type Cost = [f64; 3];

fn main() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/elliott-glue/system.toml");
    let text = std::fs::read_to_string(file).expect("the example is there");
    let mut variants = vec![("at any time".to_owned(), with(&text, ""))];
    for period in PERIODS {
        let held = with(&text, &format!("\nstep = {period}\ndiscrete = true"));
        let held = held.replace("reading = \"quadratic\"", "reading = \"hold\"");
        variants.push((format!("held, {} ms", 1e3 * period), held));
        let parabola = with(&text, &format!("\nstep = {period}"));
        variants.push((format!("parabola, {} ms", 1e3 * period), parabola));
    }
    let mut costs = vec![[0.0, 0.0, f64::INFINITY]; variants.len()];
    for _ in 0..ROUNDS {
        for ((_, text), cost) in variants.iter().zip(&mut costs) {
            let [steps, evaluations, seconds] = run(text);
            *cost = [steps, evaluations, seconds.min(cost[2])];
        }
    }
    println!(
        "{:<16} {:>8} {:>12} {:>10}",
        "force", "steps", "evaluations", "time [ms]"
    );
    for ((name, _), [steps, evaluations, seconds]) in variants.iter().zip(&costs) {
        println!("{name:<16} {steps:>8} {evaluations:>12} {:>10.2}", 1e3 * seconds);
    }
    println!();
    for (period, pair) in PERIODS.iter().zip(costs[1..].chunks_exact(2)) {
        let ratio = |index: usize| pair[0][index] / pair[1][index];
        println!(
            "held / parabola at {} ms: {:.2} in steps, {:.2} in evaluations, {:.2} in time; parabola / at any time: {:.2} in evaluations",
            1e3 * period,
            ratio(0),
            ratio(1),
            ratio(2),
            pair[1][1] / costs[0][1],
        );
    }
}

/// The example with something else in the place of the code's step.
fn with(text: &str, step: &str) -> String {
    assert!(text.contains("\nstep = 0.001"), "the example has another step");
    text.replace("\nstep = 0.001", step)
}

fn run(text: &str) -> Cost {
    let folder = tempfile::tempdir().expect("a folder for the description");
    std::fs::write(folder.path().join("system.toml"), text).expect("the description can be written");
    let (recorder, _rows) = MemoryRecorder::new();
    let options = Options {
        recorder: Some(Box::new(recorder)),
        ..Options::default()
    };
    let mut simulation =
        Simulation::open_with(folder.path(), options).unwrap_or_else(|error| panic!("{error}"));
    let report = simulation.run();
    assert_eq!(report.status, "ok", "{:?}", report.error);
    let oscillator = &report.components["oscillator"];
    [oscillator.inner_steps as f64, oscillator.rhs as f64, report.run_s]
}
