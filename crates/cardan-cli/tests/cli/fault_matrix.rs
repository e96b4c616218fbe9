//! Every fault, in every place where a model can live: the right exit code, the right name, the rows up to there, and
//! nothing left.
//!
//! The rows of the table are faults, its columns are places. What a fault means where there is no connection: a model that
//! meddles with descriptors that are not its own.
#![cfg(target_os = "linux")]

use crate::bench::{Answer, Bench};
use cardan_testkit::fmus::{Fmi, build};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// No case takes this long by itself.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where the sick model lives.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Place {
    /// In the process of the run, under its supervisor.
    Supervised,
    /// In a worker.
    Isolated,
    /// In a program, over its standard streams.
    Pipe,
    /// In a program, over TCP.
    Tcp,
}

/// How a run ends.
#[derive(Clone, Copy, Debug)]
enum End {
    /// Well.
    Fine,
    /// Before it began, with these words.
    Refused(&'static str),
    /// In the first step of the second half: who, when, these words, and the rows up to there.
    Broken(&'static str),
    /// In its initialisation, with these words.
    Unborn(&'static str),
    /// After its last step, with all rows, and nobody can know who is to blame.
    Nameless(&'static str),
}

use End::{Broken, Fine, Nameless, Refused, Unborn};

/// What becomes of a fault in each of the four places, in their order.
type Fate = [End; 4];

/// One fate in a process that has Cardan in it, another in a program that has not.
const fn twice(model: End, program: End) -> Fate {
    [model, model, program, program]
}

const LATE: &str = "did not return within 2 s";

/// The fault as programs know it, its number in the FMU `disaster`, and what becomes of it.
const FAULTS: [(&str, u8, Fate); 13] = [
    ("segfault", 6, [Broken("SIGSEGV"); 4]),
    // The signal was sent, no memory was touched.
    ("raised", 14, [Broken("SIGSEGV"); 4]),
    ("abort", 0, [Broken("SIGABRT"); 4]),
    (
        "exit",
        7,
        [
            Broken("exit(7)"),
            Broken("exit status 7"),
            Broken("exit status 7"),
            Broken("exit status 7"),
        ],
    ),
    ("endless", 8, [Broken(LATE); 4]),
    ("killed", 5, [Broken("SIGKILL"); 4]),
    (
        "closed",
        9,
        [
            Nameless("the process of the run ended"),
            Broken("The process "),
            Broken("The process closed its connection but did not end."),
            Broken("The process closed its connection but did not end."),
        ],
    ),
    (
        "half",
        10,
        [
            Broken("exit(0)"),
            Broken("exit status 0"),
            Broken("exit status 0"),
            Broken("exit status 0"),
        ],
    ),
    (
        "garbage",
        11,
        [
            Fine,
            Broken("What arrived is not the protocol"),
            Broken("What arrived is not the protocol"),
            Broken("What arrived is not the protocol"),
        ],
    ),
    ("version", 0, twice(Unborn("FMI 2.7-odd"), Refused("version 99"))),
    // There is no secret where there is no connection.
    ("secret", 0, twice(Fine, Refused("secret"))),
    ("slow", 12, [Fine; 4]),
    ("never", 13, twice(Unborn(LATE), Refused("within 1 s"))),
];

const PROGRAM: &str = r#"
import os, struct, subprocess, sys, time, cardan

how = sys.argv[1]

class Sick(cardan.Participant):
    y = cardan.Output()
    time = 0.0

    def raw(self, data):
        self._link.sink.write(data)
        self._link.sink.flush()

    def step(self, t, dt):
        print("this would harm")
        if t <= 0.5 < t + dt:
            self.disaster()
        self.time += dt
        self.y = self.time

    def disaster(self):
        if how in ("segfault", "raised"):
            os.kill(os.getpid(), 11)
        elif how == "abort":
            os.abort()
        elif how == "exit":
            os._exit(7)
        elif how == "endless":
            while True: pass
        elif how == "killed":
            subprocess.run(["kill", "-9", str(os.getpid())])
        elif how == "closed":
            for line in {self._link.sink.fileno(), self._link.source.fileno()}:
                os.close(line)
            time.sleep(60)
        elif how == "half":
            self.raw(struct.pack("<IHHQ", 500, 0x8013, 0, 0) + b"half")
            os._exit(0)
        elif how == "garbage":
            self.raw(b"this is certainly no message of anybody's protocol")
            time.sleep(60)

if how == "version":
    cardan.VERSION = 99
elif how == "secret":
    os.environ["CARDAN_SECRET"] = "open, barley"
elif how == "slow":
    time.sleep(0.6)
elif how == "never":
    time.sleep(60)
cardan.run(Sick)
"#;

fn description(fault: &str, number: u8, place: Place) -> String {
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/python");
    let sick = match place {
        Place::Supervised | Place::Isolated => {
            let fmu = match fault {
                "version" => "wrong-version",
                "secret" => "lag",
                _ => "disaster",
            };
            let parameters = match fmu {
                "disaster" => format!("parameters = {{ kind = {number} }}\n"),
                _ => String::new(),
            };
            let isolate = place == Place::Isolated;
            format!(
                "fmu = {:?}\nisolate = {isolate}\n{parameters}",
                build(fmu, Fmi::V2)
            )
        }
        Place::Pipe | Place::Tcp => {
            let transport = if place == Place::Tcp { "tcp" } else { "pipe" };
            let start = if fault == "never" { 1.0 } else { 20.0 };
            // Over TCP there is a secret anyway.
            let secret = match (fault, place) {
                ("secret", Place::Pipe) => ", secret = \"SESAME\"",
                _ => "",
            };
            format!(
                "process = {{ command = [\"python3\", \"sick.py\", \"{fault}\"], transport = \"{transport}\", environment = \
                 {{ PYTHONPATH = {client:?} }} }}\nlink = {{ start = {start:.1}, stop = 0.5{secret} }}\n"
            )
        }
    };
    format!(
        "[system]\nname = \"pair\"\nstop = 1.0\n[limits]\ncall = 2.0\n[components.healthy]\nfmu = {:?}\n[components.sick]\n{sick}\n\
         [method]\nstep = 0.1\n",
        build("lag", Fmi::V2)
    )
}

/// Runs it, and looks at the very end of the run whether anything is left.
fn run(bench: &Bench, case: &str) -> Answer {
    fs::create_dir(bench.path("temporary")).unwrap();
    let mut child = bench
        .command(&["run", "pair.toml", "--out", "out.csv", "--json"])
        .env("TMPDIR", bench.path("temporary"))
        .env("SESAME", "open, sesame")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{case} hangs");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let left = living_in(&bench.path(""));
    assert_eq!(left, [] as [String; 0], "{case} left processes behind");
    let left = fs::read_dir(bench.path("temporary")).unwrap().count();
    assert_eq!(left, 0, "{case} left files behind");
    Answer::from(child.wait_with_output().unwrap())
}

/// Processes whose working folder that is: all that a run starts, unless they go elsewhere.
fn living_in(folder: &Path) -> Vec<String> {
    let folder = fs::canonicalize(folder).unwrap();
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let there = processes.filter(|process| {
        let at = fs::read_link(process.path().join("cwd"));
        at.is_ok_and(|at| at.starts_with(&folder))
    });
    there
        .map(|process| process.file_name().to_string_lossy().into_owned())
        .collect()
}

fn check(place: Place) {
    for (fault, number, fate) in FAULTS {
        let case = format!("{fault} in {place:?}");
        let bench = Bench::new();
        bench.write("sick.py", PROGRAM);
        bench.write("pair.toml", &description(fault, number, place));
        let answer = run(&bench, &case);
        let said = format!("{case}: {}\n{}", answer.out, answer.err);
        let report = answer.json();
        let error = &report["error"];
        let message = error["message"].as_str().unwrap_or_default();
        let rows = || bench.table("out.csv").times.len();
        match fate[place as usize] {
            Fine => {
                assert_eq!(answer.code, 0, "{said}");
                assert_eq!(rows(), 11, "{said}");
            }
            Refused(words) => {
                assert_eq!(answer.code, 2, "{said}");
                assert!(said.contains(words) && said.contains("sick"), "{said}");
                assert!(!bench.path("out.csv").exists(), "{said}");
            }
            Broken(words) => {
                assert_eq!(answer.code, 3, "{said}");
                assert!(message.contains(words), "{said}");
                assert_eq!(error["participant"], "sick", "{said}");
                assert_eq!(error["call"], "step", "{said}");
                assert!((error["time"].as_f64().unwrap() - 0.5).abs() < 1e-12, "{said}");
                assert!(error["advice"].is_string(), "{said}");
                assert_eq!(rows(), 6, "{said}");
            }
            Nameless(words) => {
                assert_eq!(answer.code, 3, "{said}");
                assert!(message.contains(words), "{said}");
                assert_eq!(rows(), 11, "{said}");
            }
            Unborn(words) => {
                assert_eq!(answer.code, 3, "{said}");
                assert!(message.contains(words), "{said}");
                assert_eq!(error["participant"], "sick", "{said}");
                assert_eq!(error["time"], 0.0, "{said}");
            }
        }
        let told = answer
            .err
            .lines()
            .filter(|line| line.starts_with("error: "))
            .count();
        assert_eq!(told, usize::from(!matches!(fate[place as usize], Fine)), "{said}");
    }
}

#[test]
fn in_the_supervised_run() {
    check(Place::Supervised);
}

#[test]
fn in_a_worker() {
    check(Place::Isolated);
}

#[test]
fn over_a_pipe() {
    check(Place::Pipe);
}

#[test]
fn over_tcp() {
    check(Place::Tcp);
}
