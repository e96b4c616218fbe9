//! FMUs that fail, alone and as a part of a system: the code says how, one message says who, where and what to do.

use crate::bench::{Answer, Bench, last};
use cardan_testkit::fmus::{Fmi, build};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Beside the FMU under test stands a healthy one.
fn system(fmu: &Path, parameters: &str) -> String {
    format!(
        r#"[system]
name = "pair"
stop = 1.0
[components.healthy]
fmu = {:?}
[components.sick]
fmu = {fmu:?}
parameters = {{ {parameters} }}
[method]
kind = "gauss-seidel"
step = 0.1
"#,
        build("lag", Fmi::V3)
    )
}

/// A failed call, with and without `--json`.
struct Failed {
    err: String,
    json: Value,
}

impl Failed {
    #[track_caller]
    fn of(bench: &Bench, arguments: &[&str], code: i32) -> Self {
        let spoken = bench.cardan(arguments).expect(code);
        let mut arguments = arguments.to_vec();
        arguments.push("--json");
        let answer = bench.cardan(&arguments).expect(code);
        let failed = Failed {
            json: answer.json(),
            err: spoken.err,
        };
        assert_eq!(failed.json["status"], "failed");
        assert_eq!(failed.messages().len(), 1, "{}", failed.err);
        failed
    }

    /// The messages about errors; what the FMU itself logs is none of them.
    fn messages(&self) -> Vec<&str> {
        let lines = self.err.lines();
        lines.filter(|line| line.starts_with("error: ")).collect()
    }

    #[track_caller]
    fn says(&self, words: &[&str]) -> &Self {
        for words in words {
            assert!(self.messages()[0].contains(words), "{words} in\n{}", self.err);
        }
        assert!(self.err.contains("help: "), "no advice in\n{}", self.err);
        self
    }

    /// The fields of an error at run time.
    #[track_caller]
    fn error(&self, participant: &str, call: &str, time: f64) -> &Value {
        let error = &self.json["error"];
        assert_eq!(error["participant"], participant);
        assert_eq!(error["call"], call);
        // Times are those of the grid, 0 + k * 0.1.
        assert!((error["time"].as_f64().unwrap() - time).abs() < 1e-12, "{error}");
        assert!(
            error["message"].is_string() && error["advice"].is_string(),
            "{error}"
        );
        error
    }

    /// The one mistake of a description that nothing was run of.
    #[track_caller]
    fn mistake(&self) -> &Value {
        let found = self.json["diagnostics"].as_array().unwrap();
        let errors: Vec<&Value> = found.iter().filter(|d| d["severity"] == "error").collect();
        assert_eq!(errors.len(), 1, "{:#}", self.json);
        assert!(errors[0]["file"].is_string() && errors[0]["line"].is_number());
        errors[0]
    }
}

/// Runs an FMU by itself and in a system, and gives what was said with the name of the component in it.
#[track_caller]
fn both_ways(
    name: &str,
    version: Fmi,
    parameters: &[(&str, f64)],
    code: i32,
) -> Vec<(String, Failed, Bench)> {
    let fmu = build(name, version);
    let alone = Bench::new();
    let mut call = vec!["run".to_owned(), fmu.to_str().unwrap().to_owned()];
    call.extend(["--out".to_owned(), "out.csv".to_owned()]);
    for (parameter, value) in parameters {
        call.extend(["--set".to_owned(), format!("{name}.{parameter}={value}")]);
    }
    let call: Vec<&str> = call.iter().map(String::as_str).collect();
    let first = Failed::of(&alone, &call, code);
    let together = Bench::new();
    let list: Vec<String> = parameters
        .iter()
        .map(|(p, value)| format!("{p} = {value:?}"))
        .collect();
    together.write("pair.toml", &system(&fmu, &list.join(", ")));
    let second = Failed::of(&together, &["run", "pair.toml", "--out", "out.csv"], code);
    vec![
        (name.to_owned(), first, alone),
        ("sick".to_owned(), second, together),
    ]
}

#[test]
fn a_bad_status_ends_the_run_and_keeps_the_rows() {
    for version in Fmi::ALL {
        for (parameter, status) in [("error_at", "error"), ("fatal_at", "fatal")] {
            for (who, failed, bench) in both_ways("bad-status", version, &[(parameter, 0.25)], 3) {
                let call = format!("{version}DoStep answered with status {status}");
                // Both the FMU's words and our own are in the one message.
                failed.says(&[&who, "t = 0.2", &call, "as asked, at 0.25"]);
                failed.error(&who, "step", 0.2);
                let table = bench.table("out.csv");
                assert_eq!(table.times.len(), 3, "rows at 0, 0.1, 0.2");
                // The integral of one, to the last bits of two additions.
                let y = last(&table, &format!("{who}.y"));
                assert!((y - 0.2).abs() < 1e-15, "{y}");
                assert_eq!(failed.json["time"].as_f64(), table.times.last().copied());
            }
        }
    }
}

#[test]
fn a_discarded_step_cannot_be_repeated_with_a_fixed_one() {
    for version in Fmi::ALL {
        for (who, failed, bench) in both_ways("bad-status", version, &[("discard_at", 0.25)], 4) {
            failed.says(&[&who, "t = 0.2", "rejected the step from 0.2 s to 0.3 s"]);
            failed.error(&who, "step", 0.2);
            assert_eq!(bench.table("out.csv").times.len(), 3, "rows at 0, 0.1, 0.2");
        }
    }
}

#[test]
fn a_smaller_step_is_the_way_past_a_discarded_one() {
    let bench = Bench::new();
    let fmu = build("bad-status", Fmi::V3);
    let call = [
        "run",
        fmu.to_str().unwrap(),
        "--set",
        "bad-status.discard_at=0.25",
    ];
    // A step that ends there is taken.
    let call = [&call[..], &["--step", "0.05", "--out", "out.csv"]].concat();
    bench.cardan(&call).expect(0);
    let y = last(&bench.table("out.csv"), "bad-status.y");
    assert!((y - 1.0).abs() < 1e-14, "{y}");
}

#[test]
fn numbers_that_are_none_are_told_with_their_name() {
    for version in Fmi::ALL {
        for (who, failed, bench) in both_ways("liar", version, &[("nan_at", 0.35)], 4) {
            failed.says(&[&who, "t = 0.4", &format!("{who}.y became NaN")]);
            failed.error(&who, "outputs", 0.4);
            let table = bench.table("out.csv");
            assert_eq!(table.times.len(), 4, "rows up to 0.3");
            assert!(last(&table, &format!("{who}.y")).is_finite());
        }
    }
}

#[test]
fn a_binary_that_cannot_be_used_is_told_before_the_first_row() {
    for (name, version, words) in [
        ("missing-symbol", Fmi::V2, "lacks the functions fmi2DoStep"),
        ("missing-symbol", Fmi::V3, "lacks the functions fmi3DoStep"),
        ("wrong-version", Fmi::V2, "says that it follows FMI 2.7-odd"),
        ("wrong-version", Fmi::V3, "says that it follows FMI 2.7-odd"),
    ] {
        for (who, failed, bench) in both_ways(name, version, &[], 3) {
            failed.says(&[&who, words, "t = 0 s"]);
            failed.error(&who, "begin_initialization", 0.0);
            assert!(!bench.path("out.csv").exists(), "{who}");
        }
    }
}

#[test]
fn an_fmu_for_another_system_is_a_mistake_of_the_description() {
    for (version, words) in [(Fmi::V2, "only for win64"), (Fmi::V3, "only for x86_64-windows")] {
        for (who, failed, bench) in both_ways("foreign", version, &[], 2) {
            failed.says(&[&who, words]);
            let mistake = failed.mistake();
            assert!(mistake["message"].as_str().unwrap().contains(words));
            assert!(
                mistake["advice"]
                    .as_str()
                    .unwrap()
                    .starts_with("export the FMU for "),
                "{mistake}"
            );
            assert!(!bench.path("out.csv").exists());
        }
    }
}

#[test]
fn an_fmu_that_allows_one_instance_is_refused_twice() {
    for version in Fmi::ALL {
        let fmu = build("only-once", version);
        let bench = Bench::new();
        let text = system(&fmu, "").replace(&format!("{:?}", build("lag", Fmi::V3)), &format!("{fmu:?}"));
        bench.write("pair.toml", &text);
        let answer = bench.cardan(&["run", "pair.toml", "--json"]).expect(2);
        // With both places.
        assert!(answer.err.contains("--> pair.toml:7:"), "{}", answer.err);
        assert!(answer.err.contains("used here first"), "{}", answer.err);
        let errors = answer.err.lines().filter(|line| line.starts_with("error: "));
        assert_eq!(errors.count(), 1, "{}", answer.err);
        assert!(answer.err.contains("sick"), "{}", answer.err);
        assert!(answer.err.contains("only once per process"), "{}", answer.err);
        assert!(answer.err.contains("help: "), "{}", answer.err);
        // Once it runs.
        bench.cardan(&["run", fmu.to_str().unwrap()]).expect(0);
    }
}

#[test]
fn an_fmu_that_needs_its_tool_is_tried_with_a_warning() {
    for version in Fmi::ALL {
        let bench = Bench::new();
        let fmu = build("needs-tool", version);
        bench.write("pair.toml", &system(&fmu, ""));
        for path in [fmu.to_str().unwrap(), "pair.toml"] {
            let answer = bench.cardan(&["run", path, "--json"]).expect(0);
            let told = answer.json()["diagnostics"].to_string();
            assert!(told.contains("needs Cardan tests"), "{told}");
            assert!(answer.err.contains("warning: "), "{}", answer.err);
        }
    }
}

#[test]
fn sources_are_compiled_once_and_kept() {
    for version in Fmi::ALL {
        let bench = Bench::new();
        let fmu = build("source-only", version);
        fs::create_dir(bench.path("cache")).unwrap();
        bench.write("pair.toml", &system(&fmu, ""));
        let run = |path: &str, output: &str| {
            let mut command = bench.command(&["run", path, "--out", "out.csv"]);
            command.env("CARDAN_CACHE", bench.path("cache"));
            Answer::from(command.output().unwrap()).expect(0);
            let y = last(&bench.table("out.csv"), output);
            // The integral of one over ten steps.
            assert!((y - 1.0).abs() < 1e-14, "{y}");
            libraries(&bench.path("cache"))
        };
        let first = run(fmu.to_str().unwrap(), "source-only.y");
        assert_eq!(first.len(), 1, "{first:?}");
        let second = run("pair.toml", "sick.y");
        assert_eq!(second, first, "the second run takes what the first made");
    }
}

/// The libraries below a folder, with the time they were made.
fn libraries(folder: &Path) -> Vec<(std::path::PathBuf, std::time::SystemTime)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(libraries(&path));
        } else if path.extension().is_some_and(|extension| extension == "so") {
            let made = fs::metadata(&path).unwrap().modified().unwrap();
            found.push((path, made));
        }
    }
    found
}

/// These take the process with them. What must not happen: that it hangs, or that unpacked files stay behind.
#[test]
fn a_crash_leaves_nothing_behind() {
    for version in Fmi::ALL {
        for name in ["exits", "null-dereference"] {
            let bench = Bench::new();
            let fmu = build(name, version);
            fs::create_dir(bench.path("temporary")).unwrap();
            let mut child = bench
                .command(&["run", fmu.to_str().unwrap(), "--out", "out.csv"])
                .env("TMPDIR", bench.path("temporary"))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let ended = within(Duration::from_secs(20), || child.try_wait().unwrap().is_some());
            if !ended {
                child.kill().unwrap();
            }
            assert!(ended, "{name} hangs");
            assert!(!child.wait().unwrap().success(), "{name}");
            let left = || fs::read_dir(bench.path("temporary")).unwrap().count();
            let tidy = within(Duration::from_secs(10), || left() == 0);
            assert!(tidy, "{name}: {} folders left", left());
        }
    }
}

fn within(limit: Duration, mut happens: impl FnMut() -> bool) -> bool {
    let began = Instant::now();
    while began.elapsed() < limit {
        if happens() {
            return true;
        }
        sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn nan_of_an_fmu_by_itself_is_not_blamed_on_a_coupling() {
    let bench = Bench::new();
    let fmu = build("liar", Fmi::V3);
    let call = ["run", fmu.to_str().unwrap(), "--set", "nan_at=0.35"];
    let failed = bench.cardan(&call).expect(4);
    assert!(
        failed.err.contains("help: nothing is coupled to it"),
        "{}",
        failed.err
    );
}
