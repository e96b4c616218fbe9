//! The right-hand side of a double pendulum, called in every way there is: in this process, in a shared library, and in
//! another process over each transport and in each language. The states are those of a simulation of ten seconds, and
//! every way must come to the same bits.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    unsafe_code,
    reason = "a benchmark that cannot be set up has failed; it prints; it calls into a library"
)]

use cardan_core::interface::PortId;
use cardan_core::participant::{Participant, RunWindow, Settings};
use cardan_core::planes::Planes;
use cardan_core::time::SimTime;
use cardan_link::launch::{Launch, Way, launch};
use cardan_link::transport::Waiting;
use cardan_link::{Manner, Remote};
use std::ffi::CString;
use std::hint::black_box;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

type State = [f64; 4];
type Accelerations = [f64; 2];

/// One evaluation for each step of a millisecond, as in the table that this is compared with.
const EVALUATIONS: usize = 10_000;
const ROUNDS: usize = 9;
const BATCH: usize = 50;
/// A slow way is compared, and then measured, for this long at most.
const LIMIT: Duration = Duration::from_secs(4);

/// What F. González, M. González and A. Mikkola measured in "Combined use of MATLAB/Simulink and multibody simulation
/// software based on C++", table 1: seconds for 10 000 iterations of their solver, and the ratio as they give it.
const PUBLISHED: [(&str, f64, f64); 4] = [
    ("C++ alone", 0.05, 1.0),
    ("MEX functions", 0.79, 15.75),
    ("MATLAB Compiler", 5.56, 110.70),
    ("MATLAB Engine", 18.48, 368.16),
];

/// `pendulum.c` once more.
#[inline(never)]
fn pendulum(&[a, b, u, v]: &State) -> Accelerations {
    let g = 9.81;
    let (s, c, d) = ((a - b).sin(), (a - b).cos(), 3.0 - (2.0 * (a - b)).cos());
    [
        (-3.0 * g * a.sin() - g * (a - 2.0 * b).sin() - 2.0 * s * (v * v + u * u * c)) / d,
        2.0 * s * (2.0 * u * u + 2.0 * g * a.cos() + v * v * c) / d,
    ]
}

/// The states of ten seconds from rest, both rods horizontal, by the classical method of Runge and Kutta.
fn states() -> Vec<State> {
    let quarter = std::f64::consts::FRAC_PI_2;
    let mut state = [quarter, quarter, 0.0, 0.0];
    let slope = |state: &State| {
        let [p, q] = pendulum(state);
        [state[2], state[3], p, q]
    };
    let along = |state: &State, slope: &State, h: f64| std::array::from_fn(|i| state[i] + h * slope[i]);
    let h = 0.001;
    let mut states = Vec::with_capacity(EVALUATIONS);
    for _ in 0..EVALUATIONS {
        states.push(state);
        let first = slope(&state);
        let second = slope(&along(&state, &first, 0.5 * h));
        let third = slope(&along(&state, &second, 0.5 * h));
        let fourth = slope(&along(&state, &third, h));
        state = std::array::from_fn(|i| {
            state[i] + h / 6.0 * (first[i] + 2.0 * second[i] + 2.0 * third[i] + fourth[i])
        });
    }
    states
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let library = compile(folder.path(), "pendulum.so", true);
    let program = compile(folder.path(), "pendulum", false);
    let (states, library) = (states(), load(&library));
    println!(
        "the right-hand side of a double pendulum, 4 numbers in, 2 out: {EVALUATIONS} states of a simulation of 10 s"
    );
    println!("medians of batches of {BATCH}; each way gives the same bits as the first\n");
    println!(
        "{:<36} {:>14} {:>9} {:>10}",
        "way", "ns/evaluation", "ratio", "compared"
    );
    let here = measured(&states, &mut pendulum);
    report("in process: Rust", here, here);
    report(
        "shared library: C",
        measured(&states, &mut |state| library(state)),
        here,
    );
    let program = program.to_str().unwrap();
    for (name, way) in [
        ("shared memory, spinning: C", Way::SharedMemory(Waiting::Spin)),
        ("shared memory, sleeping: C", Way::SharedMemory(Waiting::Sleep)),
        ("pipe: C", Way::Pipe),
        ("Unix socket: C", Way::Unix),
        ("TCP: C", Way::Tcp),
    ] {
        report(name, remote(&states, &[program], way), here);
    }
    let script = |name: &str| beside(&format!("benches/function_call/{name}"));
    let python = script("pendulum.py");
    report(
        "pipe: Python",
        remote(&states, &["python3", python.to_str().unwrap()], Way::Pipe),
        here,
    );
    match Command::new("octave-cli").arg("--version").output() {
        Ok(answer) if answer.status.success() => {
            let line = format!(
                "exec octave-cli --quiet --no-init-file --no-history --eval \"addpath ('{}'); cardan_serve ('{}')\" \
                 3>&1 1>&2 4<&0 </dev/null",
                beside("../../bindings/octave").display(),
                script("pendulum.m").display()
            );
            let times = remote(&states, &["sh", "-c", &line], Way::Pipe);
            report("pipe: Octave", times, here);
        }
        _ => println!("pipe: Octave: left out, octave-cli is not installed (testing/tools installs it)"),
    }
    println!(
        "\npublished: one iteration of a solver, whose dynamic terms come from there (AMD Athlon 64 3000+)"
    );
    for (name, seconds, ratio) in PUBLISHED {
        let each = 1e9 * seconds / EVALUATIONS as f64;
        println!("{name:<36} {each:>14.0} {ratio:>9.1}");
    }
}

/// What a way takes for one evaluation, and how many of them were compared.
type Measured = (f64, usize);

fn report(name: &str, (each, compared): Measured, (base, _): Measured) {
    println!("{name:<36} {each:>14.0} {:>9.1} {compared:>10}", each / base);
}

/// First compares, then takes the time.
fn measured(states: &[State], evaluate: &mut dyn FnMut(&State) -> Accelerations) -> Measured {
    let begun = Instant::now();
    let mut compared = 0;
    for state in states.iter().take_while(|_| begun.elapsed() < LIMIT) {
        let (expected, found) = (pendulum(state), evaluate(state));
        assert_eq!(
            found.map(f64::to_bits),
            expected.map(f64::to_bits),
            "at {state:?}"
        );
        compared += 1;
    }
    // Batches are short, so that what others do on this machine spoils few of them, and long against a look at the clock.
    let begun = Instant::now();
    let batches = std::iter::repeat_n(states, ROUNDS).flat_map(|states| states.chunks_exact(BATCH));
    let mut times: Vec<f64> = batches
        .take_while(|_| begun.elapsed() < LIMIT)
        .map(|batch| {
            let begun = Instant::now();
            for state in batch {
                black_box(evaluate(black_box(state)));
            }
            1e9 * begun.elapsed().as_secs_f64() / BATCH as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], compared)
}

fn remote(states: &[State], command: &[&str], way: Way) -> Measured {
    let order = Launch {
        command: command.iter().map(|&word| word.to_owned()).collect(),
        environment: vec![(
            "PYTHONPATH".to_owned(),
            beside("../../bindings/python").display().to_string(),
        )],
        way,
        grace: Duration::from_secs(5),
        ..Launch::default()
    };
    let manner = Manner {
        component: "pendulum".into(),
        start: Some(Duration::from_secs(60)),
        // A limit for each call, as in a run.
        call: Some(Duration::from_secs(20)),
        ..Manner::default()
    };
    let mut remote = launch(&order, &manner).unwrap();
    begin(&mut remote);
    let planes = |count| Planes {
        reals: vec![0.0; count],
        ..Planes::default()
    };
    let (mut inputs, mut values) = (planes(4), planes(2));
    let times = measured(states, &mut |state| {
        inputs.reals.copy_from_slice(state);
        remote
            .outputs(SimTime::from_seconds(0.0), &inputs, values.view_mut())
            .unwrap();
        [values.reals[0], values.reals[1]]
    });
    remote.terminate().unwrap();
    times
}

fn begin(remote: &mut Remote) {
    let ids = |range: std::ops::Range<u32>| range.map(PortId).collect::<Vec<_>>();
    remote.bind(&ids(0..4), &ids(4..6)).unwrap();
    let window = RunWindow {
        start: SimTime::from_seconds(0.0),
        stop: SimTime::from_seconds(10.0),
        tolerance: None,
    };
    remote
        .begin_initialization(&window, &Settings::default())
        .unwrap();
    remote.finish_initialization().unwrap();
}

fn beside(path: &str) -> PathBuf {
    std::path::absolute(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn compile(folder: &Path, name: &str, library: bool) -> PathBuf {
    let (target, client) = (folder.join(name), beside("../../bindings/c"));
    let mut command = Command::new("cc");
    // Products and sums are rounded one by one, as everywhere else.
    command.args(["-O2", "-ffp-contract=off", "-o"]).arg(&target);
    command.arg(beside("benches/function_call/pendulum.c"));
    match library {
        true => command.args(["-DLIBRARY", "-shared", "-fPIC"]),
        false => command
            .arg(format!("-I{}", client.display()))
            .arg(client.join("cardan.c")),
    };
    assert!(command.arg("-lm").status().unwrap().success());
    target
}

/// The function of a library that stays loaded.
fn load(path: &Path) -> impl Fn(&State) -> Accelerations + use<> {
    let path = CString::new(path.as_os_str().as_bytes()).unwrap();
    // SAFETY: the library was just compiled from `pendulum.c` and does nothing when it is loaded.
    let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
    assert!(!library.is_null());
    // SAFETY: the handle is that of the library, and the name is a text of C.
    let function = unsafe { libc::dlsym(library, c"pendulum".as_ptr()) };
    assert!(!function.is_null());
    type Function = unsafe extern "C" fn(*const f64, *mut f64);
    // SAFETY: this is the type that `pendulum.c` gives it.
    let function: Function = unsafe { std::mem::transmute(function) };
    move |state| {
        let mut accelerations = [0.0; 2];
        // SAFETY: it reads four numbers and writes two.
        unsafe { function(state.as_ptr(), accelerations.as_mut_ptr()) };
        accelerations
    }
}
