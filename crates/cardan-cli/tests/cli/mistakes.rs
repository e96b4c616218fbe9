//! Whatever is wrong before the run: exit code 2, a message with a place, and nothing touched.

use crate::bench::Bench;

const GOOD: &str = r#"[system]
name = "old"
stop = 1.0

[components.a]
model = "mass-spring-damper"
"#;

/// A mistake, the line it is on, and words that must be told.
const MISTAKES: &[(&str, usize, &str)] = &[
    ("[system]\nstop = 1.0\n[components.a\n", 3, "]"),
    (
        "[system]\nstop = \"soon\"\n[components.a]\nmodel = \"mass\"\n",
        2,
        "stop",
    ),
    (
        "[system]\nstop = -1.0\n[components.a]\nmodel = \"mass-spring-damper\"\n",
        2,
        "after the start",
    ),
    (
        "[system]\nstop = 1.0\nstpo = 2.0\n[components.a]\nmodel = \"mass-spring-damper\"\n",
        3,
        "stop",
    ),
    (
        "[system]\nstop = 1.0\n[components.a]\nmodel = \"mess\"\n",
        4,
        "did you mean `mass`",
    ),
    (
        "[system]\nstop = 1.0\n[components.a]\nmodel = \"mass\"\n",
        3,
        "force",
    ),
    (
        "[system]\nstop = 1.0\n[components.a]\nmodel = \"mass-spring-damper\"\nparameters = { mass = 0 }\n",
        5,
        "greater than 0",
    ),
    (
        "[system]\nstop = 1.0\n[components.a]\nmodel = \"mass-spring-damper\"\n[[connections]]\nfrom = \"a.positin\"\nto = \"a.force\"\n",
        6,
        "a.position",
    ),
    (
        "[system]\nstop = 1.0\n[components.a]\nmodel = \"mass-spring-damper\"\n[[connections]]\nfrom = \"a.acceleration\"\nto = \"a.force\"\n",
        7,
        "`m/s2` cannot be converted to `N`",
    ),
    (
        "[system]\nstop = 1.0\n[components.a]\nmodel = \"mass-spring-damper\"\n[method]\nkind = \"gauss-seidel\"\n",
        6,
        "needs a step",
    ),
    (
        "[system]\nstop = 1.0\n[components.a]\nfmu = \"a.fmu\"\n",
        4,
        "fmu",
    ),
];

#[test]
fn mistakes_in_a_description_have_a_place_and_touch_nothing() {
    for (text, line, words) in MISTAKES {
        let bench = Bench::new();
        bench.write("system.toml", text);
        bench.write("results.csv", "precious");
        let call = ["run", "system.toml", "--out", "results.csv"];
        let answer = bench.cardan(&call).expect(2);
        let place = format!("system.toml:{line}:");
        assert!(answer.err.contains(&place), "{place} in\n{}", answer.err);
        assert!(answer.err.contains(words), "{words} in\n{}", answer.err);
        assert_eq!(answer.out, "");
        assert_eq!(bench.read("results.csv"), "precious");
        assert_eq!(bench.files(), ["results.csv", "system.toml"]);
    }
}

#[test]
fn check_and_run_find_the_same_mistakes() {
    for (text, line, _) in MISTAKES {
        let bench = Bench::new();
        bench.write("system.toml", text);
        let run = bench.cardan(&["run", "system.toml", "--json"]).expect(2).json();
        let check = bench.cardan(&["check", "system.toml", "--json"]).expect(2).json();
        assert_eq!(run["status"], "failed");
        assert_eq!(run["diagnostics"], check["diagnostics"]);
        let first = &run["diagnostics"][0];
        assert_eq!(first["line"], *line);
        for field in ["file", "line", "column", "severity", "message", "advice"] {
            assert!(first.get(field).is_some(), "{field} is missing in {first}");
        }
    }
}

#[test]
fn all_mistakes_are_told_at_once() {
    let bench = Bench::new();
    bench.write(
        "system.toml",
        r#"[system]
name = "train"
stop = 5.0

[components.wagon]
model = "mass-spring-dampr"

[components.engine]
model = "coupled-mass"
parameters = { mass = -1.0, stifness = 3 }

[method]
kind = "gauss-siedel"
"#,
    );
    let answer = bench.cardan(&["run", "system.toml"]).expect(2);
    insta::assert_snapshot!(answer.err);
}

#[test]
fn files_that_are_not_there_or_not_descriptions_are_refused() {
    let bench = Bench::new();
    bench.write("empty.toml", "");
    bench.write("bytes.toml", "\0\0");
    for (path, words) in [
        ("nowhere.toml", "no such file"),
        (".", "system.toml"),
        ("empty.toml", "empty"),
        ("bytes.toml", "UTF-8"),
    ] {
        let answer = bench.cardan(&["run", path]).expect(2);
        assert!(answer.err.contains(words), "{words} in\n{}", answer.err);
    }
    assert_eq!(bench.files(), ["bytes.toml", "empty.toml"]);
}

#[test]
fn mistakes_on_the_command_line_are_refused() {
    let bench = Bench::new();
    let hello = Bench::hello();
    for (arguments, words) in [
        (&["--set", "left.maas=1"][..], "maas"),
        (&["--set", "lft.mass=1"], "did you mean `left`"),
        (&["--set", "left.mass"], "component.parameter=value"),
        (&["--set", "left.mass=heavy"], "heavy"),
        (&["--stop", "-1"], "after the start"),
        (&["--stop", "nan"], "finite"),
        (&["--step", "0"], "greater than 0"),
        (&["--method", "gauss"], "gauss-seidel"),
        (&["--method", "waveform"], "there is no method `waveform`"),
        (&["--threads", "0"], "at least 1"),
        (&["--threads", "two"], "at least 1"),
        (&["--stop", "soon"], "soon"),
        (&["--nonsense"], "--nonsense"),
        (&["--out", "results.txt"], ".csv"),
        (&["--out", "nowhere/results.csv"], "nowhere"),
        (&["--out", "."], "extension"),
        (&["--log-file", "nowhere/run.log"], "nowhere"),
    ] {
        let mut call = vec!["run", &hello];
        call.extend(arguments);
        let answer = bench.cardan(&call).expect(2);
        assert!(answer.err.contains(words), "{words} in\n{}", answer.err);
        assert_eq!(answer.out, "");
        assert_eq!(bench.files(), [""; 0], "{arguments:?}");
        if arguments[0] != "--log-file" {
            call.push("--json");
            let json = bench.cardan(&call).expect(2).json();
            assert_eq!(json["status"], "failed");
            assert!(json["diagnostics"][0]["message"].is_string());
        }
    }
}

#[test]
fn results_do_not_replace_what_the_system_reads() {
    let bench = Bench::new();
    let road = "time,height\n0,0\n1,0.1\n";
    bench.write("road.csv", road);
    bench.write(
        "system.toml",
        "[system]\nname = \"road\"\nstop = 1\n[components.bump]\nmodel = \"table\"\nparameters = { file = \"road.csv\" }\n",
    );
    let answer = bench.cardan(&["run", "."]).expect(2);
    assert!(answer.err.contains("read by `bump`"), "{}", answer.err);
    assert_eq!(bench.read("road.csv"), road);
    bench.cardan(&["run", ".", "--out", "wheel.csv"]).expect(0);
}

#[test]
fn an_older_result_is_replaced_whole() {
    let bench = Bench::new();
    bench.write("system.toml", GOOD);
    bench.write("old.csv", "precious");
    bench.cardan(&["run", "system.toml"]).expect(0);
    assert_eq!(bench.table("old.csv").span(), Some((0.0, 1.0)));
}
