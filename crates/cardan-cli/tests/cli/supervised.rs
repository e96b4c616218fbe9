//! Models that crash, hang, exit, print or eat memory: the run ends, and everything else is as it should be.
#![cfg(target_os = "linux")]

use crate::bench::{Answer, Bench, last};
use cardan_testkit::fmus::{Fmi, build};
use serde_json::Value;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Nothing here takes this long by itself.
const PATIENCE: Duration = Duration::from_secs(60);

/// A healthy component beside the one that is under test.
fn system(fmu: &str, version: Fmi, more: &str) -> String {
    format!(
        "[system]\nname = \"pair\"\nstop = 1.0\n[components.healthy]\nfmu = {:?}\n[components.sick]\nfmu = {:?}\n{more}\n\
         [method]\nkind = \"gauss-seidel\"\nstep = 0.1\n",
        build("lag", version),
        build(fmu, version)
    )
}

/// A run with a folder for temporary files of its own.
struct Case {
    bench: Bench,
}

impl Case {
    fn new(fmu: &str, version: Fmi, more: &str) -> Self {
        let bench = Bench::new();
        bench.write("pair.toml", &system(fmu, version, more));
        fs::create_dir(bench.path("temporary")).unwrap();
        Case { bench }
    }

    fn start(&self, arguments: &[&str]) -> Child {
        let mut all = vec!["run", "pair.toml", "--out", "out.csv"];
        all.extend(arguments);
        self.bench
            .command(&all)
            .env("TMPDIR", self.bench.path("temporary"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Waits for the end, and looks whether anything was left behind at that very moment.
    #[track_caller]
    fn end(&self, mut child: Child, code: i32) -> Answer {
        let began = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if began.elapsed() > PATIENCE {
                child.kill().unwrap();
                panic!("it hangs");
            }
            sleep(Duration::from_millis(5));
        }
        let left = fs::read_dir(self.bench.path("temporary")).unwrap().count();
        assert_eq!(left, 0, "files of the FMUs are left behind");
        // Now: what is left holds the pipes, so waiting for the output would wait for its end.
        assert_eq!(self.orphans(), 0, "processes are left behind");
        Answer::from(child.wait_with_output().unwrap()).expect(code)
    }

    #[track_caller]
    fn run(&self, arguments: &[&str], code: i32) -> Answer {
        self.end(self.start(arguments), code)
    }

    /// The answer says who, which call and when; the rows up to there are on disk.
    #[track_caller]
    fn blames(&self, answer: &Answer, words: &str) {
        let report = answer.json();
        assert_eq!(report["status"], "failed");
        let error = &report["error"];
        assert_eq!(error["participant"], "sick", "{error}");
        assert_eq!(error["call"], "step");
        // The grid is 0 + k * 0.1; the step that passes 0.5 begins there.
        assert!((error["time"].as_f64().unwrap() - 0.5).abs() < 1e-12, "{error}");
        assert!(error["message"].as_str().unwrap().contains(words), "{error}");
        assert!(error["advice"].is_string());
        assert!((report["time"].as_f64().unwrap() - 0.5).abs() < 1e-12);
        assert_eq!(report["steps"], 5);
        let told = answer.err.lines().filter(|line| line.starts_with("error: "));
        let told: Vec<&str> = told.collect();
        assert_eq!(told.len(), 1, "{}", answer.err);
        assert!(told[0].contains("sick at t = 0.5 s in step"), "{}", told[0]);
        self.has_rows_up_to(0.5);
    }

    /// Processes that a model has left behind. Name and folder tell them from those of other tests.
    fn orphans(&self) -> usize {
        let folder = self.bench.path("");
        let left = processes()
            .filter(|(name, at)| name.starts_with("cardan-test-orphan") && at.starts_with(&folder));
        left.count()
    }

    #[track_caller]
    fn has_rows_up_to(&self, time: f64) {
        let table = self.bench.table("out.csv");
        let (first, reached) = table.span().unwrap();
        assert_eq!(first, 0.0);
        assert!((reached - time).abs() < 1e-12, "rows up to {reached}");
        // The output of the sick one is the time, a sum of steps.
        assert!((last(&table, "sick.y") - time).abs() < 1e-12);
    }
}

#[test]
fn crashes_are_told_by_name() {
    for version in Fmi::ALL {
        for (fmu, words) in [("null-dereference", "SIGSEGV"), ("exits", "exit(7)")] {
            for threads in ["1", "2"] {
                let case = Case::new(fmu, version, "");
                case.blames(&case.run(&["--json", "--threads", threads], 3), words);
            }
        }
    }
}

/// An FMU on trial that breaks is a finding.
#[test]
fn a_crash_on_trial_is_told() {
    for (name, words) in [
        ("null-dereference", "SIGSEGV"),
        ("exits", "exit(7)"),
        ("disaster", "SIGABRT"),
    ] {
        let bench = Bench::new();
        fs::create_dir(bench.path("temporary")).unwrap();
        let fmu = build(name, Fmi::V2);
        let mut check = bench.command(&["check", fmu.to_str().unwrap(), "--json"]);
        let output = check.env("TMPDIR", bench.path("temporary")).output().unwrap();
        let answer = Answer::from(output).expect(3);
        let message = answer.json()["diagnostics"][0]["message"].to_string();
        assert!(message.contains(words) && message.contains(name), "{message}");
        assert!(answer.err.contains("help: "), "{}", answer.err);
        assert_eq!(fs::read_dir(bench.path("temporary")).unwrap().count(), 0);
    }
}

/// In a process of its own the component alone ends, and the run ends in order.
#[test]
fn isolated_components_are_told_by_name() {
    for version in Fmi::ALL {
        for (fmu, words) in [("null-dereference", "SIGSEGV"), ("exits", "exit status 7")] {
            for threads in ["1", "2"] {
                let case = Case::new(fmu, version, "isolate = true");
                case.blames(&case.run(&["--json", "--threads", threads], 3), words);
            }
        }
    }
    for (kind, words) in [(0, "SIGABRT"), (1, "SIGFPE"), (3, "SIGABRT"), (5, "SIGKILL")] {
        let more = format!("isolate = true\nparameters = {{ kind = {kind} }}");
        let case = Case::new("disaster", Fmi::V2, &more);
        case.blames(&case.run(&["--json"], 3), words);
    }
    let case = Case::new("endless", Fmi::V2, "isolate = true\nlimits = { call = 0.5 }");
    case.blames(&case.run(&["--json"], 3), "within 0.5 s");
}

#[test]
fn a_worker_that_is_killed_from_outside_is_told_by_name() {
    let case = Case::new("endless", Fmi::V2, "isolate = true");
    let child = case.start(&["--json"]);
    until_it_hangs(&case);
    signal("-KILL", child_of(run_of(&child)));
    case.blames(&case.end(child, 3), "SIGKILL");
}

#[test]
fn isolated_or_not_the_results_are_the_same() {
    let bench = Bench::new();
    let system = |more: &str| {
        let fmu = build("oscillator-node", Fmi::V2);
        format!(
            "[system]\nname = \"pair\"\nstop = 1.0\n[components.a]\nfmu = {fmu:?}\nparameters = {{ x0 = 1.0 }}\n{more}\n\
             [components.b]\nfmu = {fmu:?}\n{more}\n[[connections]]\nfrom = \"a.position\"\nto = \"b.left\"\n\
             [[connections]]\nfrom = \"b.position\"\nto = \"a.right\"\n[method]\nkind = \"jacobi\"\nstep = 0.01\n"
        )
    };
    for (name, more) in [("here", ""), ("there", "isolate = true")] {
        bench.write(&format!("{name}.toml"), &system(more));
        let out = format!("{name}.csv");
        bench
            .cardan(&["run", &format!("{name}.toml"), "--out", &out])
            .expect(0);
    }
    assert_eq!(bench.read("here.csv"), bench.read("there.csv"));
}

/// State events of Model Exchange, and clocks that set each other off, over the wire.
#[test]
fn events_of_isolated_components_are_the_same() {
    for example in ["bouncing-ball", "clocks"] {
        let bench = Bench::new();
        bench.cardan(&["example", example]).expect(0);
        let here = bench.read(&format!("{example}/system.toml"));
        let lines = here.lines().map(|line| match line.starts_with("fmu = ") {
            true => format!("{line}\nisolate = true\n"),
            false => format!("{line}\n"),
        });
        let there: String = lines.collect();
        assert_ne!(here, there);
        bench.write(&format!("{example}/there.toml"), &there);
        for name in ["system", "there"] {
            let (system, out) = (format!("{example}/{name}.toml"), format!("{name}.csv"));
            bench.cardan(&["run", &system, "--out", &out]).expect(0);
        }
        assert_eq!(bench.read("system.csv"), bench.read("there.csv"), "{example}");
    }
}

/// Each has a process to itself, so one instance a process is no obstacle.
#[test]
fn an_fmu_that_allows_one_instance_a_process_may_be_used_twice() {
    let bench = Bench::new();
    let fmu = build("only-once", Fmi::V2);
    let system = format!(
        "[system]\nname = \"twice\"\nstop = 1.0\n[components.a]\nfmu = {fmu:?}\nisolate = true\n[components.b]\nfmu = {fmu:?}\n\
         isolate = true\n[method]\nstep = 0.1\n"
    );
    bench.write("twice.toml", &system);
    bench.cardan(&["run", "twice.toml"]).expect(0);
}

#[test]
fn every_sort_of_crash_is_told_apart() {
    for (kind, words) in [(0, "SIGABRT"), (1, "SIGFPE"), (5, "SIGKILL")] {
        let case = Case::new("disaster", Fmi::V2, &format!("parameters = {{ kind = {kind} }}"));
        case.blames(&case.run(&["--json"], 3), words);
    }
}

#[test]
fn a_call_that_does_not_return_is_ended_at_its_limit() {
    for version in Fmi::ALL {
        let case = Case::new("endless", version, "limits = { call = 0.5 }");
        case.blames(&case.run(&["--json"], 3), "within 0.5 s");
    }
    let case = Case::new("endless", Fmi::V2, "[limits]\ncall = 0.5");
    case.blames(&case.run(&["--json"], 3), "within 0.5 s");
}

#[test]
fn the_limit_of_a_component_counts_more_than_that_of_all() {
    let case = Case::new(
        "endless",
        Fmi::V2,
        "limits = { call = 0.3 }\n[limits]\ncall = inf",
    );
    case.blames(&case.run(&["--json"], 3), "within 0.3 s");
}

#[test]
fn more_memory_than_allowed_ends_the_run() {
    let more = "parameters = { kind = 2 }\n[limits]\nmemory = \"300 MB\"";
    let case = Case::new("disaster", Fmi::V2, more);
    case.blames(&case.run(&["--json"], 3), "300 MB");
}

#[test]
fn what_a_model_prints_spoils_no_answer() {
    let case = Case::new("disaster", Fmi::V2, "parameters = { at = 9 }");
    let answer = case.run(&["--json"], 0);
    assert_eq!(answer.json()["status"], "ok");
    assert!(answer.err.contains("a model"), "it goes to standard error");
    // Without the supervisor just as well.
    let answer = case.run(&["--json", "--no-supervisor"], 0);
    assert_eq!(answer.json()["status"], "ok");
}

#[test]
fn a_model_that_breaks_when_it_is_unloaded_breaks_no_result() {
    let case = Case::new("disaster", Fmi::V2, "parameters = { kind = 4 }");
    let report = case.run(&["--json"], 0).json();
    assert_eq!(report["status"], "ok");
    let warnings = report["warnings"].as_array().unwrap();
    let of_unloading = warnings.iter().find(|warning| warning["kind"] == "unloading");
    let message = of_unloading.unwrap()["message"].as_str().unwrap();
    assert!(message.contains("SIGSEGV"), "{message}");
    case.has_rows_up_to(1.0);
}

#[test]
fn processes_that_a_model_leaves_behind_are_ended() {
    let case = Case::new("disaster", Fmi::V2, "parameters = { kind = 3 }");
    case.blames(&case.run(&["--json"], 3), "SIGABRT");
}

/// The command line and the folder of all processes.
fn processes() -> impl Iterator<Item = (String, std::path::PathBuf)> {
    fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let place = entry.ok()?.path();
        let name = fs::read(place.join("cmdline")).ok()?;
        let folder = fs::read_link(place.join("cwd")).ok()?;
        Some((String::from_utf8_lossy(&name).into_owned(), folder))
    })
}

fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Waits until the run stands in its endless step, with all rows before it taken.
fn until_it_hangs(case: &Case) {
    let began = Instant::now();
    // Unpacked files say that the child is on its way; then it is in the step within no time.
    while fs::read_dir(case.bench.path("temporary")).unwrap().count() == 0 {
        assert!(began.elapsed() < PATIENCE, "it does not start");
        sleep(Duration::from_millis(5));
    }
    sleep(Duration::from_millis(500));
}

/// The run below a supervisor.
fn run_of(supervisor: &Child) -> u32 {
    child_of(supervisor.id())
}

/// The copy of itself that a process of the run has started.
fn child_of(process: u32) -> u32 {
    let threads = fs::read_dir(format!("/proc/{process}/task")).unwrap();
    let lists = threads.map(|thread| fs::read_to_string(thread.unwrap().path().join("children")).unwrap());
    let children: String = lists.collect();
    let cardan = children.split_whitespace().map(|id| id.parse().unwrap());
    let mut cardan = cardan.filter(|id: &u32| {
        let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains("pair.toml")
    });
    cardan.next().unwrap()
}

#[test]
fn a_run_that_is_killed_from_outside_keeps_its_rows() {
    let case = Case::new("endless", Fmi::V2, "");
    let child = case.start(&["--json"]);
    until_it_hangs(&case);
    signal("-KILL", run_of(&child));
    case.blames(&case.end(child, 3), "SIGKILL");
}

#[test]
fn one_ctrl_c_ends_a_call_that_does_not_return() {
    let case = Case::new("endless", Fmi::V2, "");
    let child = case.start(&["--json"]);
    until_it_hangs(&case);
    signal("-INT", child.id());
    case.blames(&case.end(child, 130), "interrupted");
}

#[test]
fn a_second_ctrl_c_does_so_at_once() {
    let case = Case::new("endless", Fmi::V2, "");
    let child = case.start(&["--json"]);
    until_it_hangs(&case);
    signal("-INT", child.id());
    sleep(Duration::from_millis(300));
    let asked = Instant::now();
    signal("-TERM", child.id());
    case.blames(&case.end(child, 130), "interrupted");
    assert!(
        asked.elapsed() < Duration::from_secs(3),
        "within the grace of the first"
    );
}

#[test]
fn the_run_ends_with_its_supervisor() {
    let case = Case::new("endless", Fmi::V2, "");
    let mut child = case.start(&[]);
    until_it_hangs(&case);
    let run = run_of(&child);
    child.kill().unwrap();
    child.wait().unwrap();
    let began = Instant::now();
    let alive = || fs::read_to_string(format!("/proc/{run}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
    while alive() {
        assert!(began.elapsed() < PATIENCE, "it outlives its supervisor");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn while_it_stands_still_no_limit_passes() {
    let case = Case::new("endless", Fmi::V2, "limits = { call = 2.0 }");
    let mut child = case.start(&["--json"]);
    until_it_hangs(&case);
    signal("-TSTP", child.id());
    let began = Instant::now();
    while [child.id(), run_of(&child)].map(state) != ['T', 'T'] {
        assert!(began.elapsed() < PATIENCE, "they do not stand still");
        sleep(Duration::from_millis(5));
    }
    sleep(Duration::from_millis(2500));
    assert!(
        child.try_wait().unwrap().is_none(),
        "the limit has passed meanwhile"
    );
    signal("-CONT", child.id());
    case.blames(&case.end(child, 3), "within 2 s");
}

/// The letter that the kernel has for what a process does.
fn state(process: u32) -> char {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    stat.rsplit(") ").next().unwrap().chars().next().unwrap()
}

#[test]
fn both_ways_of_running_give_the_same_results_and_report() {
    let bench = Bench::new();
    let hello = Bench::hello();
    let arguments = ["run", &hello, "--json", "--out"];
    let with = bench
        .cardan(&[&arguments[..], &["with.csv"]].concat())
        .expect(0)
        .json();
    let without = [&arguments[..], &["without.csv", "--no-supervisor"]].concat();
    let without = bench.cardan(&without).expect(0).json();
    assert_eq!(bench.read("with.csv"), bench.read("without.csv"));
    let timeless = |mut report: Value| {
        for name in ["setup_s", "run_s", "cpu_s", "real_time_factor", "results"] {
            report.as_object_mut().unwrap().remove(name);
        }
        for component in report["components"].as_object_mut().unwrap().values_mut() {
            component["wall_s"] = Value::Null;
        }
        report
    };
    assert_eq!(timeless(with), timeless(without));
}

#[test]
fn results_that_cannot_be_written_end_the_run() {
    let bench = Bench::new();
    let answer = bench.cardan(&["run", &Bench::hello(), "--out", "/dev/full", "--json"]);
    assert_ne!(answer.code, 0, "{}", answer.err);
    assert!(answer.err.contains("/dev/full"), "{}", answer.err);
}
