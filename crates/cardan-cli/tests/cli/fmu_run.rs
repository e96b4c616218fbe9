//! FMUs in a run: what they say, and what the summary says of them.

use crate::bench::{Answer, Bench};
use cardan_testkit::fmus::{Fmi, build};

fn ball(bench: &Bench, version: Fmi, log: &str) {
    let text = format!(
        r#"[system]
name = "ball"
stop = 1.0
[components.ball]
fmu = {:?}
{log}
[method]
kind = "gauss-seidel"
step = 0.1
"#,
        build("bouncing-ball", version)
    );
    bench.write("ball.toml", &text);
}

#[test]
fn log_categories_are_heard_with_v() {
    for version in Fmi::ALL {
        let bench = Bench::new();
        let run = |options: &[&str]| {
            let call = [&["run", "ball.toml", "--json"], options].concat();
            let answer = bench.cardan(&call).expect(0);
            // Standard output is for the answer alone.
            answer.json();
            answer.err
        };
        for log in [r#"log = ["logEvents"]"#, "log = true"] {
            ball(&bench, version, log);
            let told = run(&["-v"]);
            assert!(told.contains("bounce 1 at 0.4515"), "{version}, {log}: {told}");
            assert!(told.contains("ball"), "{told}");
            assert!(!run(&[]).contains("bounce 1"), "{version}: nobody asked");
        }
        // One that was asked to be silent is. Without a word about it, an FMU is asked for trouble alone; this one does
        // not care, as many do not.
        ball(&bench, version, "log = false");
        assert!(!run(&["-v"]).contains("bounce 1"), "{version}");
    }
}

#[test]
fn a_category_that_the_fmu_does_not_have_is_a_warning() {
    let bench = Bench::new();
    ball(&bench, Fmi::V3, r#"log = ["logEvent"]"#);
    let answer = bench.cardan(&["check", "ball.toml", "--json"]).expect(0).json();
    let found = answer["diagnostics"].as_array().unwrap();
    assert_eq!(found.len(), 1, "{answer:#}");
    assert_eq!(found[0]["severity"], "warning");
    assert_eq!(found[0]["line"], 6);
    assert!(found[0]["advice"].as_str().unwrap().contains("logEvents"));
}

#[test]
fn keys_that_this_version_does_not_heed_are_told() {
    let bench = Bench::new();
    ball(&bench, Fmi::V2, "role = \"leader\"");
    let answer = bench.cardan(&["check", "ball.toml", "--json"]).expect(0).json();
    let found = answer["diagnostics"].as_array().unwrap();
    let lines: Vec<u64> = found.iter().map(|d| d["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [6], "{answer:#}");
}

#[test]
fn a_loop_of_fmus_is_told_with_its_residual() {
    let bench = Bench::new();
    let text = format!(
        r#"[system]
name = "loop"
stop = 0.5
[components.g]
fmu = {:?}
parameters = {{ a = 0.5, b = 0.2 }}
[components.c]
fmu = {:?}
[[connections]]
from = "g.y"
to = "c.u"
[[connections]]
from = "c.y"
to = "g.u"
[method]
kind = "jacobi"
step = 0.1
"#,
        build("gain", Fmi::V2),
        build("cosine", Fmi::V3)
    );
    bench.write("loop.toml", &text);
    let answer = bench.cardan(&["run", "loop.toml", "--json"]).expect(0).json();
    let told = &answer["loops"][0];
    assert_eq!(told["outputs"], serde_json::json!(["g.y", "c.y"]));
    assert!(told["residual"].as_f64().unwrap() < 1e-9, "{told}");
    // y = cos(y / 2 + 1 / 5), a contraction by one half.
    let exact = (0..60).fold(0.0_f64, |y, _| (0.5 * y + 0.2).cos());
    let found = crate::bench::last(&bench.table("loop.csv"), "c.y");
    assert!((found - exact).abs() < 1e-9, "{found} {exact}");
}

#[test]
fn threads_from_the_command_line_give_the_same_file() {
    let bench = Bench::new();
    let fmu = build("lag", Fmi::V3);
    let text = format!(
        r#"[system]
name = "twins"
stop = 1.0
[components.left]
fmu = {fmu:?}
parameters = {{ x0 = 1.0 }}
parallel = true
[components.right]
fmu = {fmu:?}
parallel = true
[[connections]]
from = "left.y"
to = "right.u"
[[connections]]
from = "right.y"
to = "left.u"
[method]
kind = "jacobi"
step = 0.01
"#
    );
    bench.write("twins.toml", &text);
    for threads in ["1", "2"] {
        let out = format!("{threads}.csv");
        bench
            .cardan(&["run", "twins.toml", "--threads", threads, "--out", &out])
            .expect(0);
    }
    assert_eq!(bench.read("1.csv"), bench.read("2.csv"));
}

#[test]
fn info_shows_systems_of_every_format() {
    let bench = Bench::new();
    let fmu = build("lag", Fmi::V2);
    std::fs::copy(&fmu, bench.path("lag.fmu")).unwrap();
    bench.write(
        "s.ssd",
        r#"<SystemStructureDescription xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription" name="s" version="1.0">
  <System name="root"><Elements><Component name="lag" source="lag.fmu"/></Elements></System>
  <DefaultExperiment startTime="0" stopTime="1"/>
</SystemStructureDescription>
"#,
    );
    bench.write(
        "o.xml",
        r#"<OspSystemStructure xmlns="http://opensimulationplatform.com/MSMI/OSPSystemStructure" version="0.1">
  <EndTime>1</EndTime><BaseStepSize>0.1</BaseStepSize>
  <Simulators><Simulator name="lag" source="lag.fmu"/></Simulators>
</OspSystemStructure>
"#,
    );
    let structure = bench.read("s.ssd");
    let binary = std::fs::read(&fmu).unwrap();
    cardan_testkit::fmus::pack(
        &bench.path("p.ssp"),
        &[
            ("SystemStructure.ssd", structure.as_bytes()),
            ("lag.fmu", &binary),
        ],
    );
    for file in ["s.ssd", "o.xml", "p.ssp"] {
        let Answer { out, .. } = bench.cardan(&["info", file]).expect(0);
        assert!(out.contains("lag"), "{file}: {out}");
    }
}

/// Neither the lines it prints nor what C's buffers hold when the process ends.
#[test]
fn what_an_fmu_prints_does_not_spoil_the_answer() {
    for version in Fmi::ALL {
        let bench = Bench::new();
        let fmu = build("careless", version);
        for command in ["run", "check"] {
            let answer = bench
                .cardan(&[command, fmu.to_str().unwrap(), "--json"])
                .expect(0);
            answer.json();
            assert!(
                answer.err.contains("{ on standard output at 0.1"),
                "{}",
                answer.err
            );
            let page = bench.cardan(&[command, fmu.to_str().unwrap()]).expect(0);
            assert!(!page.out.contains("on standard output"), "{}", page.out);
        }
    }
}

/// FMI 2: derivatives that are declared and refused are done without, which is told once.
#[test]
fn derivatives_that_are_refused_are_done_without() {
    let bench = Bench::new();
    let fmu = build("careless", Fmi::V2);
    bench.write("in.csv", "time,u\n0,0\n1,2\n");
    let call = [
        "run",
        fmu.to_str().unwrap(),
        "--input",
        "in.csv",
        "--out",
        "out.csv",
    ];
    let told = bench.cardan(&call).expect(0).err;
    for words in [
        "it interpolates inputs, but does not",
        "declares derivatives of its outputs, but does not give them",
    ] {
        assert_eq!(told.matches(words).count(), 1, "{words} in {told}");
    }
    // Means over a step are exact for the integral of a line: t².
    let y = crate::bench::last(&bench.table("out.csv"), "careless.y");
    assert!((y - 1.0).abs() < 1e-12, "{y}");
}

/// `held-mass` does not take steps of different lengths.
#[test]
fn steps_that_differ_are_foreseen() {
    let bench = Bench::new();
    let fmu = build("held-mass", Fmi::V3);
    let told = |options: &[&str]| {
        let call = [&["check", "s.toml", "--json"], options].concat();
        let answer = bench.cardan(&call).expect(0).json();
        let found = answer["diagnostics"].as_array().unwrap().clone();
        let said = found.iter().map(|d| d["message"].as_str().unwrap().to_owned());
        said.collect::<Vec<String>>().join("\n")
    };
    let text = format!("[system]\nstop = 1.0\n[components.m]\nfmu = {fmu:?}\n[method]\nstep = 0.1\n");
    bench.write("s.toml", &text);
    bench.write("on.csv", "time,force\n0,0\n0.3,0\n0.3,1\n");
    bench.write("off.csv", "time,force\n0,0\n0.3,0\n0.3,0\n0.35,0\n0.35,1\n");
    assert_eq!(told(&[]), "");
    assert_eq!(told(&["--input", "on.csv"]), "");
    assert!(told(&["--step", "0.07"]).contains("its step of 0.07 s does not divide the run of 1 s"));
    let jump = told(&["--input", "off.csv"]);
    assert!(
        jump.contains("its inputs jump at 0.35 s, between two of its steps of 0.1 s"),
        "{jump}"
    );
}

#[test]
fn an_fmu_without_categories_can_be_asked_for_all() {
    let bench = Bench::new();
    bench.changed("bouncing-ball", Fmi::V3, |text| {
        let (before, rest) = text.split_once("<LogCategories>").unwrap();
        let (_, after) = rest.split_once("</LogCategories>").unwrap();
        format!("{before}{after}")
    });
    let text = "[system]\nstop = 1.0\n[components.ball]\nfmu = \"m\"\nlog = true\n[method]\nstep = 0.1\n";
    bench.write("ball.toml", text);
    let told = bench.cardan(&["run", "ball.toml", "-v"]).expect(0).err;
    assert!(told.contains("bounce 1 at 0.4515"), "{told}");
}
