//! What coupling FMUs costs, against the cheapest master there can be.
//!
//! `cargo bench -p cardan --bench fmus` builds two test FMUs (FMI 2) and a loop written by hand in C for just these FMUs
//! and wirings (`testing/bench/loop.c`), and prints the processor time per FMU and step of both, and their ratio: for
//! pairs of lags and rings of oscillators, without results and with a CSV of one output per FMU (the C loop prints
//! `%.17g`). Both make the same calls of the FMUs and must come to the same bits. Rounds alternate between both.
//! After that: how long it takes to open an SSP with many instances of one FMU, and how much memory it needs.

#![allow(clippy::expect_used, clippy::print_stdout, clippy::panic)] // a program that measures may stop and print

use cardan::{Options, Simulation, Value};
use cardan_testkit::fmus::{self, Fmi};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const ROUNDS: usize = 7;
const FMU_STEPS: usize = 2_000_000;
const RECORDED_FMU_STEPS: usize = 400_000;
const PER_SECOND: usize = 1000;
const SIZES: [usize; 4] = [2, 10, 100, 1000];

#[derive(Clone, Copy)]
enum Wiring {
    Pair,
    Ring,
}

impl Wiring {
    fn name(self) -> &'static str {
        match self {
            Wiring::Pair => "pair",
            Wiring::Ring => "ring",
        }
    }

    fn fmu(self) -> &'static str {
        match self {
            Wiring::Pair => "lag",
            Wiring::Ring => "oscillator-node",
        }
    }

    fn output(self) -> &'static str {
        match self {
            Wiring::Pair => "y",
            Wiring::Ring => "position",
        }
    }

    /// Pairs of (output's owner, reader, input).
    fn wires(self, n: usize) -> Vec<(usize, usize, &'static str)> {
        match self {
            Wiring::Pair => (0..n).map(|i| ((i ^ 1) % n, i, "u")).collect(),
            Wiring::Ring => (0..n)
                .flat_map(|i| [((i + n - 1) % n, i, "left"), ((i + 1) % n, i, "right")])
                .collect(),
        }
    }
}

fn main() {
    // With a number as its argument it is a child that opens the SSP and tells its memory.
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, mode, path] = arguments.as_slice()
        && mode == "open"
    {
        return open_once(Path::new(path));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let bench = Bench {
        master: compile_loop(folder.path()),
        folder: folder.path().to_owned(),
    };
    println!("CPU ns per FMU and step (median of {ROUNDS} alternating rounds)");
    println!(
        "{:>6} {:>5} {:>8} {:>9} {:>9} {:>7}",
        "N", "FMUs", "results", "C loop", "Cardan", "ratio"
    );
    // `-- pair 1000` measures just that, without results.
    if let [_, wiring, n, ..] = arguments.as_slice()
        && let Ok(n) = n.parse()
    {
        let wiring = if wiring == "ring" {
            Wiring::Ring
        } else {
            Wiring::Pair
        };
        return bench.compare(wiring, n, false);
    }
    for wiring in [Wiring::Pair, Wiring::Ring] {
        for recorded in [false, true] {
            for n in SIZES {
                bench.compare(wiring, n, recorded);
            }
        }
    }
    println!("\nOpening an SSP with N instances of one FMU, in a process of its own");
    println!("{:>6} {:>10} {:>12}", "N", "wall ms", "peak RSS MB");
    for n in [1, 10, 100, 1000, 4000] {
        bench.open(n);
    }
}

struct Bench {
    folder: PathBuf,
    master: PathBuf,
}

impl Bench {
    fn compare(&self, wiring: Wiring, n: usize, recorded: bool) {
        let total = if recorded { RECORDED_FMU_STEPS } else { FMU_STEPS };
        let steps = total / n;
        let (mut loops, mut runs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let (by_hand, expected) = self.by_hand(wiring, n, steps, recorded);
            let (by_cardan, found) = self.by_cardan(wiring, n, steps, recorded);
            assert!(
                expected.to_bits() == found.to_bits(),
                "the loop came to {expected}, Cardan to {found}"
            );
            loops.push(by_hand);
            runs.push(by_cardan);
        }
        let (by_hand, by_cardan) = (median(loops), median(runs));
        let results = if recorded { "csv" } else { "none" };
        println!(
            "{n:>6} {:>5} {results:>8} {by_hand:>9.1} {by_cardan:>9.1} {:>7.2}",
            wiring.name(),
            by_cardan / by_hand
        );
    }

    /// Nanoseconds of the loop in C, and the sum of the last outputs.
    fn by_hand(&self, wiring: Wiring, n: usize, steps: usize, recorded: bool) -> (f64, f64) {
        let name = wiring.fmu();
        let binary = fmus::unpacked(name, Fmi::V2)
            .join("binaries")
            .join(Fmi::V2.platform())
            .join(format!("{}.so", name.replace('-', "_")));
        let mut command = Command::new(&self.master);
        command.arg(binary).arg(format!("{name}-fmi2")).arg(wiring.name());
        command.args([n.to_string(), steps.to_string(), PER_SECOND.to_string()]);
        if recorded {
            command.arg(self.folder.join("loop.csv"));
        }
        let output = command.output().expect("the loop runs");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut numbers = text.split_whitespace().map(|n| n.parse().expect("a number"));
        let mut next = || numbers.next().expect("two numbers");
        (next(), next())
    }

    /// The same by Cardan.
    fn by_cardan(&self, wiring: Wiring, n: usize, steps: usize, recorded: bool) -> (f64, f64) {
        let path = self.folder.join("system.toml");
        std::fs::write(&path, self.toml(wiring, n, steps, recorded)).expect("written");
        let options = Options {
            out: recorded.then(|| self.folder.join("cardan.csv")),
            recorded_only: true,
            ..Options::default()
        };
        let mut simulation = Simulation::open_with(&path, options).expect("opened");
        // With results the whole process counts, for they are written by a thread of their own.
        let before = process_cpu();
        let report = simulation.run();
        let whole = process_cpu() - before;
        assert_eq!(report.status, "ok", "{:?}", report.error);
        let took = if recorded { whole } else { report.cpu_s };
        let mut sum = 0.0;
        for i in 0..n {
            let value = simulation.value(&format!("n{i}.{}", wiring.output()));
            match value.expect("an output") {
                Value::Reals(v) => sum += v[0],
                other => panic!("{other}"),
            }
        }
        (1e9 * took / (n as f64 * steps as f64), sum)
    }

    fn toml(&self, wiring: Wiring, n: usize, steps: usize, recorded: bool) -> String {
        let fmu = fmus::build(wiring.fmu(), Fmi::V2);
        let mut text = format!(
            "[system]\nstop = {:?}\n[method]\nkind = \"jacobi\"\nstep = {:?}\n[record]\nvariables = [{}]\n",
            steps as f64 / PER_SECOND as f64,
            1.0 / PER_SECOND as f64,
            if recorded {
                format!("\"*.{}\"", wiring.output())
            } else {
                String::new()
            }
        );
        for i in 0..n {
            let start = u8::from(i == 0);
            let _ = writeln!(
                text,
                "[components.n{i}]\nfmu = {:?}\nparameters = {{ x0 = {start}.0 }}",
                fmu.display().to_string()
            );
        }
        for (from, to, input) in wiring.wires(n) {
            let output = wiring.output();
            let _ = writeln!(
                text,
                "[[connections]]\nfrom = \"n{from}.{output}\"\nto = \"n{to}.{input}\""
            );
        }
        text
    }

    /// Opens a ring from an SSP in a child, and prints what it says.
    fn open(&self, n: usize) {
        let path = self.folder.join(format!("ring{n}.ssp"));
        write_ssp(&path, n);
        let this = std::env::current_exe().expect("this program");
        let (mut walls, mut memories) = (Vec::new(), Vec::new());
        for _ in 0..5 {
            let output = Command::new(&this)
                .arg("open")
                .arg(&path)
                .output()
                .expect("a child");
            assert!(
                output.status.success(),
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let mut numbers = text
                .split_whitespace()
                .map(|n| n.parse::<f64>().expect("a number"));
            walls.push(numbers.next().expect("two numbers"));
            memories.push(numbers.next().expect("two numbers"));
        }
        println!("{n:>6} {:>10.1} {:>12.1}", median(walls), median(memories));
    }
}

/// Opens and initialises the system, and prints wall milliseconds and the peak of memory in megabytes.
fn open_once(path: &Path) {
    let began = Instant::now();
    let options = Options {
        recorded_only: true,
        ..Options::default()
    };
    let simulation = Simulation::open_with(path, options);
    let took = began.elapsed().as_secs_f64() * 1e3;
    let simulation = simulation.unwrap_or_else(|error| panic!("{error}"));
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    println!("{took} {}", kilobytes.unwrap_or(f64::NAN) / 1e3);
    drop(simulation);
}

/// A ring of oscillators as an SSP archive with its one FMU.
fn write_ssp(path: &Path, n: usize) {
    let mut ssd = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ssd:SystemStructureDescription version=\"1.0\" name=\"ring\"\n  \
         xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\"\n  \
         xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\">\n  \
         <ssd:System name=\"ring\">\n    <ssd:Elements>\n",
    );
    for i in 0..n {
        let _ = writeln!(
            ssd,
            "      <ssd:Component name=\"n{i}\" type=\"application/x-fmu-sharedlibrary\" \
             source=\"resources/node.fmu\">\n        <ssd:Connectors>\n          \
             <ssd:Connector name=\"left\" kind=\"input\"><ssc:Real/></ssd:Connector>\n          \
             <ssd:Connector name=\"right\" kind=\"input\"><ssc:Real/></ssd:Connector>\n          \
             <ssd:Connector name=\"position\" kind=\"output\"><ssc:Real/></ssd:Connector>\n        \
             </ssd:Connectors>\n      </ssd:Component>"
        );
    }
    ssd.push_str("    </ssd:Elements>\n    <ssd:Connections>\n");
    for (from, to, input) in Wiring::Ring.wires(n) {
        let _ = writeln!(
            ssd,
            "      <ssd:Connection startElement=\"n{from}\" startConnector=\"position\" endElement=\"n{to}\" \
             endConnector=\"{input}\"/>"
        );
    }
    ssd.push_str(
        "    </ssd:Connections>\n  </ssd:System>\n  <ssd:DefaultExperiment startTime=\"0\" stopTime=\"1\"/>\n\
         </ssd:SystemStructureDescription>\n",
    );
    let fmu = std::fs::read(fmus::build("oscillator-node", Fmi::V2)).expect("the FMU");
    fmus::pack(
        path,
        &[
            ("SystemStructure.ssd", ssd.as_bytes()),
            ("resources/node.fmu", &fmu),
        ],
    );
}

fn compile_loop(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testing/bench/loop.c");
    let program = folder.join("loop");
    let status = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".into()))
        .args(["-O2", "-o"])
        .arg(&program)
        .arg(source)
        .arg("-ldl")
        .status();
    assert!(status.is_ok_and(|s| s.success()), "the loop cannot be compiled");
    program
}

/// Processor seconds of this process, all threads.
fn process_cpu() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
