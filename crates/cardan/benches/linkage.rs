//! What a multibody model costs as it grows, and what it costs to have it in another process.
//!
//! `cargo bench -p cardan --bench linkage` turns chains of four-bar linkages once (0.22 s at 30 rad/s, trapezoidal rule, steps of
//! 1 ms) and prints per size: variables, wall time per step, its growth against the size before (one is linear), Newton
//! corrections per step, the change of energy, how far cranks are out of line, and how much faster than real time it went.
//! After that the engine turns the linkage for a second, exchanging each millisecond, with the linkage in the same process, in one
//! of its own over shared memory, a pipe and TCP: wall times as ratios to the first. Rounds alternate; the quickest counts.

#![allow(clippy::expect_used, clippy::print_stdout, clippy::panic)] // a program that measures may stop and print

use cardan::core::inputs::Inputs;
use cardan::core::interface::{Causality, ParameterId, PortId};
use cardan::core::participant::{Participant, RunWindow, Settings, StepRequest, Watch};
use cardan::core::planes::Planes;
use cardan::core::time::SimTime;
use cardan::core::value::Value;
use cardan::{MemoryRecorder, Options, Simulation};
use cardan_models::find;
use cardan_ode::{Method, SolverSettings};
use std::time::Instant;

const SIZES: [usize; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const ROUNDS: usize = 5;
const STEP: f64 = 1e-3;
const STEPS: usize = 220;

/// With these arguments this program is the linkage, in a process of its own.
const SERVE: &str = "serve-linkage";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|word| word == SERVE) {
        let loops = arguments
            .get(at + 1)
            .and_then(|word| word.parse().ok())
            .expect("a number of loops");
        let mut linkage = linkage(loops, 3.18);
        return cardan_link::serve::serve_here(&mut *linkage, "linkage").expect("the run is served");
    }
    growth();
    transports();
}

fn linkage(loops: usize, damping: f64) -> Box<dyn Participant> {
    let info = find("four-bar").expect("a built-in model");
    let parameters = (info.parameters)();
    let id = |name: &str| {
        let index = parameters.iter().position(|parameter| parameter.name == name);
        ParameterId(u32::try_from(index.expect("a parameter")).expect("few parameters"))
    };
    let values = [("loops", loops as f64), ("speed", 30.0), ("damping", damping)];
    let settings = Settings(
        values
            .map(|(name, value)| (id(name), Value::real(value)))
            .to_vec(),
    );
    let solver = SolverSettings {
        step: Some(STEP),
        ..SolverSettings::of(Method::Trapezoidal)
    };
    info.build(&settings, &solver).expect("the linkage is built")
}

struct Turn {
    seconds: f64,
    corrections: f64,
    energy: f64,
    residual: f64,
}

/// One turn of the linkage alone, called as a library.
fn turn(loops: usize) -> Turn {
    let mut linkage = linkage(loops, 0.0);
    let seen: Vec<PortId> = ["energy", "residual"]
        .map(|name| linkage.interface().find_port(name).expect("a port"))
        .to_vec();
    assert!(linkage.interface().ports_of(Causality::Input).count() == 1);
    linkage.bind(&[], &seen).expect("binds");
    let at = |step: usize| SimTime::from_seconds(step as f64 * STEP);
    let run = RunWindow {
        start: at(0),
        stop: at(STEPS),
        tolerance: None,
    };
    linkage
        .begin_initialization(&run, &Settings::default())
        .expect("begins");
    linkage.finish_initialization().expect("begins");
    let (given, mut values) = (
        Planes::default(),
        Planes {
            reals: vec![0.0; 2],
            ..Planes::default()
        },
    );
    linkage
        .outputs(at(0), &given, values.view_mut())
        .expect("is seen");
    let start = values.reals[0];
    let (mut energy, mut residual, mut seconds) = (0.0_f64, 0.0_f64, 0.0);
    for step in 0..STEPS {
        let began = Instant::now();
        let request = StepRequest {
            from: at(step),
            to: at(step + 1),
            inputs: Inputs::single(&[]),
            watch: Watch::Nothing,
        };
        linkage.step(request).expect("steps");
        seconds += began.elapsed().as_secs_f64();
        linkage
            .outputs(at(step + 1), &given, values.view_mut())
            .expect("is seen");
        energy = energy.max((values.reals[0] / start - 1.0).abs());
        residual = residual.max(values.reals[1]);
    }
    // One evaluation of forces at the start, one for each correction.
    let corrections = (linkage.effort().evaluations - 1) as f64 / STEPS as f64;
    Turn {
        seconds,
        corrections,
        energy,
        residual,
    }
}

fn growth() {
    let mut turns: Vec<Option<Turn>> = SIZES.iter().map(|_| None).collect();
    for _ in 0..ROUNDS {
        for (loops, best) in SIZES.iter().zip(&mut turns) {
            let next = turn(*loops);
            if best.as_ref().is_none_or(|best| next.seconds < best.seconds) {
                *best = Some(next);
            }
        }
    }
    println!(
        "{:>6} {:>10} {:>10} {:>8} {:>12} {:>10} {:>10} {:>12}",
        "loops", "variables", "µs / step", "growth", "corrections", "energy", "residual", "x real time"
    );
    let mut before: Option<(usize, f64)> = None;
    for (loops, turn) in SIZES.iter().zip(turns.into_iter().flatten()) {
        let (variables, each) = (2 * (loops + 1), turn.seconds / STEPS as f64);
        let growth = before.map_or(1.0, |(fewer, less)| {
            (each / less) / (variables as f64 / fewer as f64)
        });
        println!(
            "{loops:>6} {variables:>10} {:>10.2} {growth:>8.2} {:>12.3} {:>10.1e} {:>10.1e} {:>12.1}",
            1e6 * each,
            turn.corrections,
            turn.energy,
            turn.residual,
            STEP / each
        );
        before = Some((variables, each));
    }
}

fn transports() {
    let program = std::env::current_exe().expect("this program has a path");
    let program = program.to_str().expect("a path in UTF-8");
    println!();
    println!("engine and linkage, a second at 1 ms: wall time against a library call");
    println!(
        "{:>6} {:>12} {:>10} {:>15} {:>8} {:>8}",
        "loops", "library [ms]", "isolated", "shared memory", "pipe", "TCP"
    );
    for loops in [1, 10, 100] {
        let own = |transport: &str| {
            format!(
                "process = {{ command = [{program:?}, \"{SERVE}\", \"{loops}\"], transport = \"{transport}\" }}"
            )
        };
        let here = format!(
            "model = \"four-bar\"\nparameters = {{ loops = {loops}, speed = 30.0, damping = 3.18 }}\n\
             solver = {{ kind = \"trapezoidal\", step = {STEP} }}"
        );
        let ways = [
            here.clone(),
            format!("{here}\nisolate = true"),
            own("shared-memory"),
            own("pipe"),
            own("tcp"),
        ];
        let mut best = [f64::INFINITY; 5];
        for _ in 0..ROUNDS {
            for (way, best) in ways.iter().zip(&mut best) {
                *best = best.min(coupled(way));
            }
        }
        println!(
            "{loops:>6} {:>12.2} {:>10.2} {:>15.2} {:>8.2} {:>8.2}",
            1e3 * best[0],
            best[1] / best[0],
            best[2] / best[0],
            best[3] / best[0],
            best[4] / best[0]
        );
    }
}

/// Wall time of the stepping, with the linkage made in this way.
fn coupled(linkage: &str) -> f64 {
    let text = format!(
        "[system]\nname = \"engine-linkage\"\nstop = 1.0\n\
         [components.engine]\nmodel = \"spark-ignition-engine\"\nparameters = {{ gear = 7.0 }}\n\
         solver = {{ kind = \"rk4\", step = 1e-3 }}\n\
         [components.linkage]\n{linkage}\n\
         [[connections]]\nfrom = \"linkage.angle_speed\"\nto = \"engine.speed\"\n\
         [[connections]]\nfrom = \"engine.torque\"\nto = \"linkage.torque\"\n\
         [method]\nkind = \"gauss-seidel\"\nstep = 0.001\nreading = \"quadratic\"\n"
    );
    let folder = tempfile::tempdir().expect("a folder for the description");
    std::fs::write(folder.path().join("system.toml"), text).expect("the description can be written");
    let (recorder, _rows) = MemoryRecorder::new();
    let options = Options {
        recorder: Some(Box::new(recorder)),
        ..Options::default()
    };
    let mut simulation = Simulation::open_with(folder.path(), options).expect("the system opens");
    let report = simulation.run();
    assert_eq!(report.status, "ok", "{:?}", report.error);
    report.run_s
}
