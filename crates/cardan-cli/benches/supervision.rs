//! What it costs that a run is watched over.
//!
//! `cargo bench -p cardan-cli --bench supervision` runs rings of FMUs with and without `--no-supervisor`, in turns, and
//! prints the processor time of both processes together and, where valgrind is installed, their instructions. The figures
//! are those of whole runs, start and end included.

#![allow(clippy::expect_used, clippy::print_stdout, clippy::panic)] // a program that measures may stop and print

use cardan_testkit::fmus::{self, Fmi};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const ROUNDS: usize = 11;
/// FMU-steps of a run that is timed, and of one whose instructions are counted.
const TIMED: usize = 12_000_000;
const COUNTED: usize = 600_000;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let valgrind = Command::new("valgrind").arg("--version").output().is_ok();
    println!("supervised against --no-supervisor, both processes together, ring of N FMUs");
    println!(
        "{:>6} {:>8} {:>9} {:>9} {:>7} {:>14}",
        "N", "results", "CPU s", "alone", "ratio", "instructions"
    );
    for recorded in [false, true] {
        for n in [2, 10, 100, 1000] {
            measure(folder.path(), n, recorded, valgrind);
        }
    }
    if !valgrind {
        println!("instructions are counted where valgrind is installed");
    }
}

fn measure(folder: &Path, n: usize, recorded: bool, valgrind: bool) {
    // Results cost several times the run: fewer steps do.
    let share = if recorded { 4 } else { 1 };
    let timed = write(folder, n, TIMED / share / n, recorded);
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        with.push(cpu_seconds(folder, &timed, &[]));
        without.push(cpu_seconds(folder, &timed, &["--no-supervisor"]));
    }
    let (with, without) = (median(with), median(without));
    let instructions = if valgrind {
        let counted = write(folder, n, COUNTED / share / n, recorded);
        let alone = instructions(folder, &counted, &["--no-supervisor"]);
        format!("{:.4}", instructions(folder, &counted, &[]) / alone)
    } else {
        "-".into()
    };
    let results = if recorded { "csv" } else { "none" };
    println!(
        "{n:>6} {results:>8} {with:>9.3} {without:>9.3} {:>7.3} {instructions:>14}",
        with / without
    );
}

/// A ring of oscillators, and the name of its file.
fn write(folder: &Path, n: usize, steps: usize, recorded: bool) -> String {
    let fmu = fmus::build("oscillator-node", Fmi::V2);
    let mut text = format!(
        "[system]\nstop = {:?}\n[method]\nkind = \"jacobi\"\nstep = 0.001\n[record]\nvariables = [{}]\n",
        steps as f64 * 0.001,
        if recorded { "\"*.position\"" } else { "" }
    );
    for i in 0..n {
        let _ = writeln!(
            text,
            "[components.n{i}]\nfmu = {fmu:?}\nparameters = {{ x0 = {:?} }}",
            f64::from(u8::from(i == 0))
        );
        for (from, input) in [((i + n - 1) % n, "left"), ((i + 1) % n, "right")] {
            let _ = writeln!(
                text,
                "[[connections]]\nfrom = \"n{from}.position\"\nto = \"n{i}.{input}\""
            );
        }
    }
    // Connections are tables of their own, wherever they stand.
    let name = "ring.toml";
    std::fs::write(folder.join(name), text).expect("written");
    name.into()
}

fn command(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).stdout(Stdio::null());
    command
}

/// Processor seconds of a run and all its processes.
fn cpu_seconds(folder: &Path, system: &str, more: &[&str]) -> f64 {
    let before = children_cpu();
    let mut run = command(env!("CARGO_BIN_EXE_cardan"), folder);
    run.args(["run", "-q", system, "--out", "out.csv"]).args(more);
    let status = run.status().expect("a run");
    assert!(status.success());
    children_cpu() - before
}

/// Processor seconds of all processes that have ended below this one.
fn children_cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(13).take(2);
    ticks
        .map(|ticks| ticks.parse::<f64>().unwrap_or(0.0) / 100.0)
        .sum()
}

/// Instructions of a run and all copies of its process.
fn instructions(folder: &Path, system: &str, more: &[&str]) -> f64 {
    let mut run = command("valgrind", folder);
    run.args([
        "--tool=cachegrind",
        "--cache-sim=no",
        "--cachegrind-out-file=/dev/null",
    ]);
    run.arg(env!("CARGO_BIN_EXE_cardan"))
        .args(["run", "-q", system, "--out", "out.csv"])
        .args(more);
    let output = run.output().expect("valgrind runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    let counts = text.lines().filter(|line| line.contains("I   refs:"));
    let counts = counts.filter_map(|line| line.rsplit("refs:").next());
    counts
        .filter_map(|count| count.trim().replace(',', "").parse::<f64>().ok())
        .sum()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
