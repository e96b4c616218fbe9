//! Systems in SSP, as users call them.

use crate::bench::{Answer, Bench, last};
use cardan_testkit::fmus::{Fmi, build, pack_folder};
use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A structure full of mistakes, in the folder `bad`.
fn mistakes() -> Bench {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("bad/resources")).unwrap();
    bench.write("bad/SystemStructure.ssd", include_str!("ssp/mistakes.ssd"));
    bench.write("bad/resources/first.ssv", include_str!("ssp/first.ssv"));
    bench.write("bad/resources/second.ssv", include_str!("ssp/second.ssv"));
    for (name, version, file) in [
        ("lag", Fmi::V2, "lag.fmu"),
        ("driven-mass", Fmi::V3, "mass.fmu"),
        ("feedthrough", Fmi::V3, "types.fmu"),
    ] {
        fs::copy(build(name, version), bench.path("bad/resources").join(file)).unwrap();
    }
    bench
}

#[test]
fn all_mistakes_are_told_at_once_with_their_places() {
    let bench = mistakes();
    let answer = bench.cardan(&["check", "bad/SystemStructure.ssd"]).expect(2);
    insta::assert_snapshot!(answer.err);
    // Whoever runs it hears the same.
    let run = bench.cardan(&["run", "bad/SystemStructure.ssd"]).expect(2);
    assert_eq!(run.err, answer.err);
}

/// The places inside an archive begin with the archive, which the user knows, not with where it was unpacked.
#[test]
fn places_in_an_archive_are_told_below_its_name() {
    let bench = mistakes();
    pack_folder(&bench.path("bad"), &bench.path("bad.ssp"));
    let plain = bench.cardan(&["check", "bad"]).expect(2);
    let packed = bench.cardan(&["check", "bad.ssp"]).expect(2);
    assert!(
        packed.err.contains("--> bad.ssp/SystemStructure.ssd:11:"),
        "{}",
        packed.err
    );
    assert!(
        packed.err.contains("::: bad.ssp/resources/first.ssv:4:"),
        "{}",
        packed.err
    );
    let named = plain
        .err
        .replace(" bad/", " bad.ssp/")
        .replace("`bad`", "`bad.ssp`")
        .replace("error: bad has", "error: bad.ssp has");
    assert_eq!(packed.err, named);
    let answer = bench.cardan(&["check", "bad.ssp", "--json"]).expect(2).json();
    assert_eq!(answer["system"], "mistakes");
    let found = answer["diagnostics"].as_array().unwrap();
    assert_eq!(found.len(), 12);
    for diagnostic in found {
        let file = diagnostic["file"].as_str().unwrap();
        assert!(file.starts_with("bad.ssp/"), "{file}");
        assert!(diagnostic["line"].is_number() && diagnostic["column"].is_number());
    }
}

/// Also what is wrong inside an FMU inside the archive.
#[test]
fn a_broken_fmu_in_an_archive_is_told_by_its_place_in_there() {
    let bench = Bench::new();
    chain(&bench, 1, "one");
    fs::write(bench.path("one/resources/lag.fmu"), "no archive").unwrap();
    pack_folder(&bench.path("one"), &bench.path("one.ssp"));
    let answer = bench.cardan(&["check", "one.ssp", "--json"]).expect(2).json();
    let found = answer["diagnostics"].as_array().unwrap();
    assert_eq!(found.len(), 1, "{answer:#}");
    let told = format!("{} {}", found[0]["file"], found[0]["message"]);
    assert!(told.contains("one.ssp/resources/lag.fmu"), "{told}");
    assert!(!told.contains("/cardan-"), "{told}");
}

const MANY: usize = 1000;

/// A chain of lags of one FMU.
fn chain(bench: &Bench, count: usize, name: &str) {
    let folder = bench.path(name);
    fs::create_dir_all(folder.join("resources")).unwrap();
    fs::copy(build("lag", Fmi::V3), folder.join("resources/lag.fmu")).unwrap();
    let component = |k| format!(r#"<ssd:Component name="c{k}" source="resources/lag.fmu"/>"#);
    let connection = |k: usize| {
        format!(
            r#"<ssd:Connection startElement="c{k}" startConnector="y" endElement="c{}" endConnector="u"/>"#,
            k + 1
        )
    };
    let components: Vec<String> = (1..=count).map(component).collect();
    let connections: Vec<String> = (1..count).map(connection).collect();
    let text = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" name="{name}" version="1.0">
  <ssd:System name="root">
    <ssd:Elements>{}</ssd:Elements>
    <ssd:Connections>{}</ssd:Connections>
  </ssd:System>
  <ssd:DefaultExperiment startTime="0" stopTime="0.05">
    <ssd:Annotations>
      <ssc:Annotation type="org.cardan.method"><method kind="jacobi" step="0.01"/></ssc:Annotation>
      <ssc:Annotation type="org.cardan.record"><record variables="*.y"/></ssc:Annotation>
    </ssd:Annotations>
  </ssd:DefaultExperiment>
</ssd:SystemStructureDescription>
"#,
        components.join("\n"),
        connections.join("\n")
    );
    fs::write(folder.join("SystemStructure.ssd"), text).unwrap();
    pack_folder(&folder, &bench.path(&format!("{name}.ssp")));
}

#[test]
fn a_thousand_instances_of_one_fmu_step_as_they_should() {
    let bench = Bench::new();
    chain(&bench, MANY, "chain");
    let call = [
        "run",
        "chain.ssp",
        "--set",
        "c1.u=1.0",
        "--out",
        "out.csv",
        "--json",
    ];
    let report = bench.cardan(&call).expect(0).json();
    assert_eq!(report["components"].as_object().unwrap().len(), MANY);
    // As many calls as there are components times steps, no more.
    assert_eq!(report["evaluations"], 5 * MANY);
    let table = bench.table("out.csv");
    assert_eq!(table.schema.columns.len(), MANY);
    // In Jacobi each step carries the drive one component further.
    let mut x = [0.0_f64; MANY];
    for _ in 0..5 {
        let before = x;
        x[0] += 0.01 * (1.0 - before[0]);
        for k in 1..MANY {
            x[k] += 0.01 * (before[k - 1] - before[k]);
        }
    }
    for (k, expected) in x.iter().enumerate() {
        let found = last(&table, &format!("c{}.y", k + 1));
        // Rounding over five steps.
        assert!(
            (found - expected).abs() <= 1e-15,
            "c{}: {found} {expected}",
            k + 1
        );
    }
}

/// While a system is open: folders with unpacked files, and memory in use in kilobytes.
fn while_open(bench: &Bench, archive: &str) -> (usize, u64) {
    let temporary = bench.path(&format!("{archive}.tmp"));
    fs::create_dir(&temporary).unwrap();
    let child = bench
        .command(&[
            "run",
            archive,
            "--stop",
            "1e9",
            "--every",
            "1e6",
            "--out",
            "endless.csv",
            "--json",
            "-v",
        ])
        .env("TMPDIR", &temporary)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Rows are written to a hidden file from the start of the run on.
    let began = Instant::now();
    let running = || {
        let files = bench.files();
        files.iter().any(|name| name.starts_with(".endless.csv"))
    };
    while !running() && began.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(20));
    }
    // Initialising is still to come, with every instance made.
    sleep(Duration::from_millis(700));
    let folders = fs::read_dir(&temporary).unwrap().count();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let resident = resident.and_then(|text| text.trim().strip_suffix(" kB")?.trim().parse().ok());
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
    Answer::from(child.wait_with_output().unwrap()).expect(130);
    assert_eq!(
        fs::read_dir(&temporary).unwrap().count(),
        0,
        "nothing is left behind"
    );
    (folders, resident.unwrap_or(0))
}

#[test]
#[cfg(unix)]
fn an_fmu_is_unpacked_once_however_many_use_it() {
    let bench = Bench::new();
    for (count, name) in [(250, "some"), (500, "more"), (MANY, "many")] {
        chain(&bench, count, name);
    }
    let [some, more, many] = ["some.ssp", "more.ssp", "many.ssp"].map(|name| while_open(&bench, name));
    // One for the archive of the system, one for the FMU in it.
    assert_eq!([some.0, more.0, many.0], [2, 2, 2]);
    // Twice as many more take twice as much more; were it squares, it would be four times.
    let (first, second) = (more.1.saturating_sub(some.1), many.1.saturating_sub(more.1));
    // Below a megabyte the figures are about pages, not about us.
    assert!(second <= 3 * first.max(1024), "{some:?} {more:?} {many:?}");
}

/// Two FMUs, one of them in a system of its own, with a connector of the wrong type between them.
fn small(bindings: &str, extra: &str) -> Bench {
    let bench = Bench::new();
    let types = build("feedthrough", Fmi::V3);
    fs::create_dir_all(bench.path("s/resources")).unwrap();
    fs::copy(types, bench.path("s/resources/types.fmu")).unwrap();
    let text = format!(
        r#"<SystemStructureDescription name="s" version="1.0">
<System name="root">{bindings}{extra}
<Elements>
<System name="inner">
<Connectors><Connector name="gear" kind="input"><Real/></Connector></Connectors>
<Elements><Component name="a" source="resources/types.fmu"/></Elements>
<Connections><Connection startConnector="gear" endElement="a" endConnector="enumeration_in"/></Connections>
</System>
<Component name="b" source="resources/types.fmu"/>
</Elements>
<Connections><Connection startElement="b" startConnector="enumeration_out" endElement="inner" endConnector="gear"/></Connections>
</System>
<DefaultExperiment startTime="0" stopTime="1"/>
</SystemStructureDescription>"#
    );
    bench.write("s/SystemStructure.ssd", &text);
    bench
}

fn mapping(target: &str) -> String {
    format!(
        r#"<ParameterBindings><ParameterBinding><ParameterValues><ParameterSet version="1.0" name="p"><Parameters>
<Parameter name="height"><Real value="2"/></Parameter></Parameters></ParameterSet></ParameterValues>
<ParameterMapping><MappingEntry source="height" target="{target}"/></ParameterMapping>
</ParameterBinding></ParameterBindings>"#
    )
}

#[test]
fn a_mapping_must_hit() {
    let good = small(&mapping("inner.a.float64_parameter"), "");
    good.cardan(&["check", "s"]).expect(0);
    let bad = small(&mapping("inner.a.float64_parametre"), "")
        .cardan(&["check", "s"])
        .expect(2);
    assert!(
        bad.err
            .contains("component `inner.a` has no parameter `float64_parametre`"),
        "{}",
        bad.err
    );
    assert!(
        bad.err.contains("did you mean `float64_parameter`?"),
        "{}",
        bad.err
    );
}

#[test]
fn what_the_user_sets_must_be_there() {
    let bench = small("", "");
    let missing = bench
        .cardan(&["check", "s", "--set", "inner.a.nothing=9"])
        .expect(2);
    assert!(
        missing
            .err
            .contains("component `inner.a` has no parameter `nothing`"),
        "{}",
        missing.err
    );
    let elsewhere = bench.cardan(&["check", "s", "--set", "a.tunable=9"]).expect(2);
    assert!(
        elsewhere.err.contains("did you mean `inner.a`?"),
        "{}",
        elsewhere.err
    );
}

#[test]
fn what_means_nothing_is_told() {
    let answer = small("", "<Elementz/>").cardan(&["check", "s"]).expect(0);
    assert!(
        answer.err.contains("<Elementz> means nothing in a <System>"),
        "{}",
        answer.err
    );
    assert!(answer.err.contains("did you mean `Elements`?"), "{}", answer.err);
    assert!(
        answer
            .err
            .contains("is declared as real, but carries enumeration"),
        "{}",
        answer.err
    );
}
