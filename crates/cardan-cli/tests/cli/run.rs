//! Runs that go well.

use crate::bench::{Bench, last};
use serde_json::Value;

#[test]
fn hello_runs_and_its_results_read_back() {
    let bench = Bench::new();
    let answer = bench.cardan(&["run", &Bench::hello()]).expect(0);
    assert!(answer.out.contains("hello: done"), "{}", answer.out);
    assert!(answer.out.contains("1000 steps"), "{}", answer.out);
    assert!(answer.out.contains("cardan plot hello.csv"), "{}", answer.out);
    assert_eq!(answer.err, "");
    assert_eq!(bench.files(), ["hello.csv"]);

    let table = bench.table("hello.csv");
    assert_eq!((table.rows(), table.span()), (1001, Some((0.0, 10.0))));
    let names: Vec<&str> = table.schema.columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["left.position", "right.position"]);
    // The numbers of its README, against the exact answer.
    let wave = |sign: f64| 0.05 * (10.0 * 10f64.sqrt()).cos() + sign * 0.05 * (10.0 * 14f64.sqrt()).cos();
    assert!((last(&table, "left.position") - wave(1.0)).abs() < 3e-6);
    assert!((last(&table, "right.position") - wave(-1.0)).abs() < 3e-6);
}

#[test]
fn json_is_exactly_one_object_with_all_fields() {
    let bench = Bench::new();
    let answer = bench.cardan(&["run", &Bench::hello(), "--json", "-v"]).expect(0);
    let report = answer.json();
    for field in [
        "system",
        "status",
        "method",
        "time",
        "steps",
        "rejected",
        "iterations",
        "evaluations",
        "setup_s",
        "run_s",
        "cpu_s",
        "real_time_factor",
        "results",
        "components",
        "warnings",
    ] {
        assert!(report.get(field).is_some(), "{field} is missing");
    }
    assert_eq!(report["system"], "hello");
    assert_eq!(report["status"], "ok");
    assert_eq!(report["method"], "gauss-seidel");
    assert_eq!(report["time"], 10.0);
    assert_eq!(report["steps"], 1000);
    assert_eq!(report["results"], "hello.csv");
    assert_eq!(report.get("error"), None);
    for field in ["steps", "rhs", "wall_s", "wait_s"] {
        assert!(
            report["components"]["left"][field].is_number(),
            "{field} is missing"
        );
    }
}

#[test]
fn the_command_line_changes_the_system() {
    let bench = Bench::new();
    let hello = Bench::hello();
    let run = |arguments: &[&str]| {
        let mut call = vec!["run", &hello, "--json"];
        call.extend(arguments);
        bench.cardan(&call).expect(0).json()
    };
    let report = run(&["--stop", "2", "--every", "0.5", "--out", "short.csv"]);
    assert_eq!(
        (&report["time"], &report["steps"]),
        (&Value::from(2.0), &Value::from(200))
    );
    assert_eq!(bench.table("short.csv").times, [0.0, 0.5, 1.0, 1.5, 2.0]);

    run(&["--set", "left.position=0.2", "--out", "far.csv"]);
    run(&["--out", "near.csv"]);
    let (far, near) = (bench.table("far.csv"), bench.table("near.csv"));
    let ratio = last(&far, "left.position") / last(&near, "left.position");
    assert!((ratio - 2.0).abs() < 1e-4, "the system is linear: {ratio}");

    let report = run(&["--method", "jacobi", "--step", "0.1", "--out", "coarse.csv"]);
    assert_eq!(
        (&report["method"], &report["steps"]),
        (&Value::from("jacobi"), &Value::from(100))
    );
}

#[test]
fn threads_do_not_change_a_bit() {
    let bench = Bench::new();
    for threads in ["1", "2"] {
        let out = format!("{threads}.csv");
        let hello = Bench::hello();
        let arguments = [
            "run",
            &hello,
            "--method",
            "jacobi",
            "--threads",
            threads,
            "--out",
            &out,
        ];
        bench.cardan(&arguments).expect(0);
    }
    assert_eq!(bench.read("1.csv"), bench.read("2.csv"));
}

#[test]
fn every_format_is_written_and_holds_the_same() {
    let bench = Bench::new();
    for out in ["a.csv", "a.parquet", "a.mat"] {
        bench
            .cardan(&["run", &Bench::hello(), "--out", out, "-q"])
            .expect(0);
    }
    let csv = bench.table("a.csv");
    for other in ["a.parquet", "a.mat"] {
        let table = bench.table(other);
        assert_eq!(
            (&table.times, &table.columns),
            (&csv.times, &csv.columns),
            "{other}"
        );
    }
    assert_eq!(
        bench.table("a.parquet").schema.columns[0].unit.as_deref(),
        Some("m")
    );
}

#[test]
fn quiet_says_nothing_and_verbose_tells_of_each_component() {
    let bench = Bench::new();
    let quiet = bench.cardan(&["run", &Bench::hello(), "-q"]).expect(0);
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
    let verbose = bench.cardan(&["run", &Bench::hello(), "-v"]).expect(0);
    assert!(verbose.out.contains("rhs"), "{}", verbose.out);
}

#[test]
fn a_log_file_has_the_details() {
    let bench = Bench::new();
    bench
        .cardan(&["run", &Bench::hello(), "--log-file", "run.log"])
        .expect(0);
    assert!(bench.read("run.log").contains("DEBUG"));
}

#[test]
fn the_reason_for_a_method_is_told_where_the_user_left_it_open() {
    let bench = Bench::new();
    bench.write(
        "open.toml",
        "[system]\nstop = 1\n[components.a]\nmodel = \"mass-spring-damper\"\n",
    );
    let answer = bench.cardan(&["run", "open.toml"]).expect(0);
    assert!(answer.out.contains("because"), "{}", answer.out);
    assert_eq!(bench.files(), ["open.csv", "open.toml"]);
}

#[test]
fn warnings_about_the_description_do_not_stop_a_run() {
    let bench = Bench::new();
    let answer = bench
        .cardan(&["run", &Bench::hello(), "--tolerance", "1e-6", "--json"])
        .expect(0);
    assert!(answer.err.contains("does not use `tolerance`"), "{}", answer.err);
    assert_eq!(answer.json()["diagnostics"][0]["severity"], "warning");
}

#[test]
fn outputs_that_depend_on_each_other_are_solved_and_the_residual_is_told() {
    let bench = Bench::new();
    // y = 2 (1 − y): without a solver, fixed-point iteration runs away from 2/3.
    bench.write(
        "system.toml",
        "[system]\nstop = 1.0\n[components.one]\nmodel = \"constant\"\nparameters = { value = 1.0 }\n\
         [components.sum]\nmodel = \"sum\"\nparameters = { gains = [1.0, -1.0] }\n\
         [components.double]\nmodel = \"gain\"\nparameters = { k = 2.0 }\n\
         [[connections]]\nfrom = \"one.y\"\nto = \"sum.u1\"\n\
         [[connections]]\nfrom = \"double.y\"\nto = \"sum.u2\"\n\
         [[connections]]\nfrom = \"sum.y\"\nto = \"double.u\"\n\
         [method]\nkind = \"jacobi\"\nstep = 0.1\n",
    );
    let check = bench.cardan(&["check", "system.toml"]).expect(0);
    assert!(check.out.contains("sum.y, double.y"), "{}", check.out);
    let report = bench
        .cardan(&["run", "system.toml", "--json", "--out", "loop.csv"])
        .expect(0)
        .json();
    let solved = &report["loops"][0];
    assert_eq!(solved["outputs"], serde_json::json!(["sum.y", "double.y"]));
    assert!(solved["residual"].as_f64().is_some_and(|r| r <= 1e-12));
    let table = bench.table("loop.csv");
    assert!((last(&table, "double.y") - 2.0 / 3.0).abs() < 1e-12);
}

#[test]
fn results_do_not_overwrite_the_inputs() {
    let bench = Bench::new();
    bench.write(
        "system.toml",
        "[system]\nstop = 1.0\n[components.double]\nmodel = \"gain\"\nparameters = { k = 2.0 }\n[method]\nstep = 0.1\n",
    );
    bench.write("in.csv", "time,u\n0,1\n1,1\n");
    let answer = bench
        .cardan(&["run", "system.toml", "--input", "in.csv", "--out", "in.csv"])
        .expect(2);
    assert!(answer.err.contains("--input"), "{}", answer.err);
    assert_eq!(bench.read("in.csv"), "time,u\n0,1\n1,1\n");
    // A single component needs no name.
    bench
        .cardan(&[
            "run",
            "system.toml",
            "--input",
            "in.csv",
            "--set",
            "k=3",
            "--out",
            "x.csv",
        ])
        .expect(0);
    assert_eq!(last(&bench.table("x.csv"), "double.y"), 3.0);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_description() {
    let bench = Bench::new();
    let made = std::process::Command::new("mkfifo")
        .arg(bench.path("system.toml"))
        .status();
    assert!(made.is_ok_and(|status| status.success()));
    let answer = bench.cardan(&["run", "system.toml"]).expect(2);
    assert!(answer.err.contains("pipe"), "{}", answer.err);
}
