//! One step with eight inputs and eight outputs, participant in C, against a bare ping-pong of as many bytes over the
//! same transport: what the protocol and its two ends add to what the system takes anyway.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    unsafe_code,
    reason = "a benchmark that cannot be set up has failed; it prints; its bare half maps memory"
)]

use cardan_core::inputs::Inputs;
use cardan_core::interface::PortId;
use cardan_core::participant::{Participant, RunWindow, Settings, StepRequest, Watch};
use cardan_core::planes::Planes;
use cardan_core::signal::Segment;
use cardan_core::time::SimTime;
use cardan_link::Manner;
use cardan_link::launch::{Launch, Way, launch};
use cardan_link::transport::Waiting;
use cardan_link::wire::{Flags, Message, write_step};
use rustix::thread::futex;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;
const TRIPS: usize = 4000;
/// Header, standing, end of the step, eight reals.
const REPLY: usize = 16 + 24 + 24 + 64;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let (eight, echo) = (compile(folder.path(), "eight"), compile(folder.path(), "echo"));
    println!(
        "one step, 8 inputs and 8 outputs: {} bytes there, {REPLY} back; medians of {ROUNDS} x {TRIPS}",
        request()
    );
    println!(
        "{:<22} {:>9} {:>9} {:>7}   by round",
        "transport", "bare µs", "step µs", "ratio"
    );
    for (name, way) in [
        ("shared memory, spin", Way::SharedMemory(Waiting::Spin)),
        ("shared memory, futex", Way::SharedMemory(Waiting::Sleep)),
        ("pipe", Way::Pipe),
        ("unix socket", Way::Unix),
        ("tcp", Way::Tcp),
    ] {
        // `cargo bench … -- spin` measures that one alone.
        let wanted: Vec<String> = std::env::args()
            .skip(1)
            .filter(|word| !word.starts_with("--"))
            .collect();
        if !wanted.is_empty() && !wanted.iter().any(|word| name.contains(word)) {
            continue;
        }
        let (mut bare, mut step, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let (a, b) = (ping_pong(&echo, way, folder.path()), steps(&eight, way));
            ratios.push(median(&b) / median(&a));
            bare.extend(a);
            step.extend(b);
        }
        ratios.sort_by(f64::total_cmp);
        let (a, b) = (median(&bare), median(&step));
        let spread = format!("{:.2} … {:.2}", ratios[0], ratios[ROUNDS - 1]);
        println!(
            "{name:<22} {:>9.2} {:>9.2} {:>7.2}   {spread}",
            1e6 * a,
            1e6 * b,
            b / a
        );
    }
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn compile(folder: &Path, name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (program, client) = (folder.join(name), root.join("../../bindings/c"));
    let mut command = Command::new("cc");
    command.arg("-O2").arg("-o").arg(&program);
    command
        .arg(root.join(format!("benches/{name}.c")))
        .arg(format!("-I{}", client.display()));
    if name == "eight" {
        command.arg(client.join("cardan.c"));
    }
    assert!(command.arg("-lm").status().unwrap().success());
    program
}

/// Times of single round trips, after some to warm up.
fn timed(mut trip: impl FnMut(usize)) -> Vec<f64> {
    (0..TRIPS / 4).for_each(&mut trip);
    let once = |k: usize| {
        let begun = Instant::now();
        trip(TRIPS / 4 + k);
        begun.elapsed().as_secs_f64()
    };
    (0..TRIPS).map(once).collect()
}

fn at(k: usize) -> SimTime {
    SimTime::from_seconds(0.001 * k as f64)
}

fn segments(k: usize) -> [Segment; 8] {
    [Segment::polynomial([k as f64, 0.5, 0.25, 0.0], at(k), at(k + 1)); 8]
}

fn step(k: usize, segments: &[Segment]) -> StepRequest<'_> {
    StepRequest {
        from: at(k),
        to: at(k + 1),
        inputs: Inputs::single(segments),
        watch: Watch::Nothing,
    }
}

/// The size of a request to step.
fn request() -> usize {
    let mut message = Message::default();
    write_step(&mut message, 1, &step(0, &segments(0)), None, Flags::OUTPUTS);
    message.frame().len()
}

fn steps(program: &Path, way: Way) -> Vec<f64> {
    let order = Launch {
        command: vec![program.to_str().unwrap().to_owned()],
        way,
        grace: Duration::from_secs(5),
        ..Launch::default()
    };
    let manner = Manner {
        component: "eight".into(),
        start: Some(Duration::from_secs(20)),
        // A deadline for each call, as in a run with limits.
        call: Some(Duration::from_secs(20)),
        ..Manner::default()
    };
    let mut remote = launch(&order, &manner).unwrap();
    let ids = |from: u32| (from..from + 8).map(PortId).collect::<Vec<_>>();
    remote.bind(&ids(0), &ids(8)).unwrap();
    let window = RunWindow {
        start: at(0),
        stop: at(2 * TRIPS),
        tolerance: None,
    };
    remote
        .begin_initialization(&window, &Settings::default())
        .unwrap();
    remote.finish_initialization().unwrap();
    let inputs = Planes {
        reals: vec![0.0; 8],
        ..Planes::default()
    };
    let mut values = inputs.clone();
    let times = timed(|k| {
        remote.step(step(k, &segments(k))).unwrap();
        remote.outputs(at(k + 1), &inputs, values.view_mut()).unwrap();
        remote.accepted(at(k + 1));
    });
    remote.terminate().unwrap();
    times
}

/// The bare half: blocking reads and writes, or a counter in memory, without frames, deadlines or care.
fn ping_pong(program: &Path, way: Way, folder: &Path) -> Vec<f64> {
    let mut command = Command::new(program);
    command.args([request().to_string(), REPLY.to_string()]);
    match way {
        Way::Pipe => {
            command.arg("stdio").stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().unwrap();
            let (input, output) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
            over_streams(child, input, output)
        }
        Way::Unix => {
            let path = folder.join("socket");
            let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
            let child = command.arg("unix").arg(&path).spawn().unwrap();
            let (stream, _) = listener.accept().unwrap();
            std::fs::remove_file(&path).unwrap();
            over_streams(child, stream.try_clone().unwrap(), stream)
        }
        Way::Tcp => {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let port = listener.local_addr().unwrap().port();
            let child = command.arg("tcp").arg(port.to_string()).spawn().unwrap();
            let (stream, _) = listener.accept().unwrap();
            stream.set_nodelay(true).unwrap();
            over_streams(child, stream.try_clone().unwrap(), stream)
        }
        Way::SharedMemory(waiting) => over_memory(command, waiting),
    }
}

fn over_streams(mut child: Child, mut input: impl Read, mut output: impl Write) -> Vec<f64> {
    let (sent, mut got) = (vec![1_u8; request()], [0_u8; REPLY]);
    let times = timed(|_| {
        output.write_all(&sent).unwrap();
        input.read_exact(&mut got).unwrap();
    });
    drop((input, output));
    child.wait().unwrap();
    times
}

fn over_memory(mut command: Command, waiting: Waiting) -> Vec<f64> {
    let file = tempfile::Builder::new().tempfile_in("/dev/shm").unwrap();
    file.as_file().set_len(16384).unwrap();
    let map = memmap2::MmapRaw::map_raw(file.as_file()).unwrap();
    let spin = waiting == Waiting::Spin;
    let mut child = command
        .arg(if spin { "spin" } else { "futex" })
        .arg(file.path())
        .spawn()
        .unwrap();
    // SAFETY: the words lie inside the map, are aligned, and are touched by atomic operations only.
    let word = |at: usize| unsafe { AtomicU32::from_ptr(map.as_mut_ptr().add(at).cast()) };
    let (asked, given) = (word(0), word(64));
    let (sent, mut got) = (vec![1_u8; request()], [0_u8; REPLY]);
    let mut turn = 0;
    let times = timed(|_| {
        turn += 1;
        // SAFETY: both places lie inside the map, and the other side touches them only in its turn.
        unsafe { std::ptr::copy_nonoverlapping(sent.as_ptr(), map.as_mut_ptr().add(4096), sent.len()) };
        asked.store(turn, Ordering::SeqCst);
        if !spin {
            futex::wake(asked, futex::Flags::empty(), 1).unwrap();
        }
        while given.load(Ordering::SeqCst) != turn {
            if !spin {
                let _ = futex::wait(given, futex::Flags::empty(), turn - 1, None);
            }
        }
        // SAFETY: as above.
        unsafe { std::ptr::copy_nonoverlapping(map.as_ptr().add(8192), got.as_mut_ptr(), got.len()) };
    });
    asked.store(u32::MAX, Ordering::SeqCst);
    let _ = futex::wake(asked, futex::Flags::empty(), 1);
    child.wait().unwrap();
    times
}
