//! `cardan check` on FMUs.

use crate::bench::{Answer, Bench};
use cardan_testkit::fmus::{Fmi, build, unpacked};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;

fn check(name: &str, version: Fmi) -> Answer {
    let bench = Bench::new();
    let path = build(name, version);
    bench.cardan(&["check", path.to_str().unwrap()])
}

fn check_json(name: &str, version: Fmi, code: i32) -> Value {
    let bench = Bench::new();
    let path = build(name, version);
    let answer = bench.cardan(&["check", path.to_str().unwrap(), "--json"]);
    answer.expect(code).json()
}

/// The one diagnostic there is.
#[track_caller]
fn only(answer: &Value) -> &Value {
    let diagnostics = answer["diagnostics"].as_array().unwrap();
    assert_eq!(diagnostics.len(), 1, "{answer:#}");
    &diagnostics[0]
}

#[track_caller]
fn says(text: &Value, words: &str) {
    let text = text.as_str().unwrap();
    assert!(text.contains(words), "{words} in {text}");
}

#[test]
fn the_checklist_of_a_good_one() {
    let answer = check("driven-mass", Fmi::V3).expect(0);
    let page = answer.out.replace(Fmi::V3.platform(), "PLATFORM");
    let (_, page) = page.split_once("driven-mass.fmu").unwrap();
    insta::assert_snapshot!(page);
    assert!(answer.err.starts_with("note: the binary of"), "{}", answer.err);
}

#[test]
fn good_ones_are_clean() {
    let good = [
        "lag",
        "oscillator-node",
        "bouncing-ball",
        "feedthrough",
        "counter",
        "held-mass",
        "gain",
        "cosine",
        "only-once",
        "source-only",
        "relay",
        "heated",
        "told",
    ];
    let both = good
        .into_iter()
        .flat_map(|name| Fmi::ALL.map(|version| (name, version)));
    let clocked = ["ticker", "follower", "alarm"].map(|name| (name, Fmi::V3));
    for (name, version) in both.chain(clocked) {
        let answer = check_json(name, version, 0);
        assert_eq!(answer["status"], "ok", "{name}, {version}: {answer:#}");
        assert_eq!(answer["diagnostics"], serde_json::json!([]), "{name}, {version}");
    }
}

#[test]
fn a_false_feedthrough_is_named() {
    for version in Fmi::ALL {
        let answer = check_json("liar", version, 0);
        let found = only(&answer);
        assert_eq!(found["severity"], "warning");
        says(
            &found["message"],
            "output `y` is declared to depend on `u` but does not react",
        );
        assert!(found["line"].is_number(), "{found}");
        let checks = answer["checks"].as_array().unwrap();
        let check = checks
            .iter()
            .find(|check| check["name"] == "feedthrough")
            .unwrap();
        assert_eq!(check["status"], "warning");
    }
}

#[test]
fn a_feedthrough_that_is_not_declared_is_named() {
    let bench = Bench::new();
    changed(
        &bench,
        "gain",
        Fmi::V3,
        &[(
            r#"<Output valueReference="4" dependencies="1""#,
            r#"<Output valueReference="4" dependencies="""#,
        )],
    );
    let answer = bench.cardan(&["check", "fmu", "--json"]).expect(0).json();
    let messages = answer["diagnostics"].to_string();
    assert!(
        messages.contains("reacts at once to") && messages.contains("does not declare"),
        "{messages}"
    );
}

#[test]
fn a_false_rollback_is_named() {
    for version in Fmi::ALL {
        let answer = check_json("bad-rollback", version, 2);
        let found = only(&answer);
        assert_eq!(found["severity"], "error");
        says(&found["message"], "forgets a part of its state");
    }
}

#[test]
fn binaries_that_cannot_be_used_are_named() {
    for (name, version, words) in [
        ("missing-symbol", Fmi::V2, "lacks the functions fmi2DoStep"),
        ("missing-symbol", Fmi::V3, "lacks the functions fmi3DoStep"),
        ("wrong-version", Fmi::V3, "2.7-odd"),
        ("foreign", Fmi::V2, "only for win64"),
        ("foreign", Fmi::V3, "only for x86_64-windows"),
    ] {
        let answer = check_json(name, version, 2);
        assert_eq!(answer["status"], "failed");
        says(&only(&answer)["message"], words);
        assert!(only(&answer)["advice"].is_string());
    }
}

#[test]
fn a_tool_that_must_be_there_is_a_warning() {
    for version in Fmi::ALL {
        let answer = check_json("needs-tool", version, 0);
        says(&only(&answer)["message"], "needs Cardan tests on this machine");
    }
}

/// An unpacked FMU in the folder `fmu`, with some words of its description replaced.
#[track_caller]
fn changed(bench: &Bench, name: &str, version: Fmi, changes: &[(&str, &str)]) {
    copy(&unpacked(name, version), &bench.path("fmu"));
    let mut text = bench.read("fmu/modelDescription.xml");
    for (from, to) in changes {
        assert!(text.contains(from), "{from} in\n{text}");
        text = text.replace(from, to);
    }
    bench.write("fmu/modelDescription.xml", &text);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let place = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), place).unwrap();
        }
    }
}

#[test]
fn bad_answers_to_steps_are_told() {
    for (parameter, code, words) in [
        ("error_at", 2, "fmi3DoStep answered with status error"),
        ("discard_at", 0, "was discarded"),
        ("fatal_at", 2, "fmi3DoStep answered with status fatal"),
    ] {
        let bench = Bench::new();
        let variable = format!(r#"name="{parameter}""#);
        changed(&bench, "bad-status", Fmi::V3, &[]);
        let text = bench.read("fmu/modelDescription.xml");
        let lines = text.lines().map(|line| match line.contains(&variable) {
            true => line.replace(r#"start="-1""#, r#"start="0.25""#),
            false => line.to_owned(),
        });
        let text: Vec<String> = lines.collect();
        bench.write("fmu/modelDescription.xml", &text.join("\n"));
        let answer = bench.cardan(&["check", "fmu"]).expect(code);
        assert!(answer.out.contains(words), "{}\n{}", answer.out, answer.err);
    }
}

#[test]
fn outputs_that_are_no_numbers_are_told() {
    let bench = Bench::new();
    changed(
        &bench,
        "liar",
        Fmi::V2,
        &[(r#"start="1000000""#, r#"start="0.35""#)],
    );
    let answer = bench.cardan(&["check", "fmu"]).expect(2);
    assert!(
        answer.out.contains("not a finite number at 0.4 s: `y`"),
        "{}",
        answer.out
    );
}

#[test]
fn mistakes_in_the_description_have_their_lines() {
    let bench = Bench::new();
    changed(
        &bench,
        "lag",
        Fmi::V2,
        &[(r#"fmiVersion="2.0""#, r#"fmiVersion="1.0""#)],
    );
    let answer = bench.cardan(&["check", "fmu"]).expect(2);
    assert!(
        answer.err.contains("fmu/modelDescription.xml:2"),
        "{}",
        answer.err
    );
    assert!(answer.out.contains("✗ reading"), "{}", answer.out);
}

#[test]
fn hostile_archives_are_refused_with_one_message() {
    let bench = Bench::new();
    archive(
        &bench,
        "outside.fmu",
        &[("modelDescription.xml", "<a/>"), ("../evil", "x")],
    );
    archive(
        &bench,
        "twice.fmu",
        &[("modelDescription.xml", "<a/>"), ("MODELDescription.xml", "<a/>")],
    );
    archive(&bench, "other.fmu", &[("readme.txt", "hello")]);
    archive(&bench, "notxml.fmu", &[("modelDescription.xml", "hello")]);
    bench.write("text.fmu", "hello");
    let good = fs::read(build("lag", Fmi::V2)).unwrap();
    fs::write(bench.path("half.fmu"), &good[..good.len() / 2]).unwrap();
    for (file, words) in [
        ("outside.fmu", "leads out of the archive"),
        ("twice.fmu", "upper and lower case"),
        ("other.fmu", "there is no modelDescription.xml inside"),
        ("notxml.fmu", "modelDescription.xml"),
        ("text.fmu", "not a zip archive"),
        ("half.fmu", "half.fmu"),
    ] {
        let answer = bench.cardan(&["check", file, "--json"]).expect(2);
        let answer = answer.json();
        assert_eq!(answer["status"], "failed");
        let found = only(&answer);
        let told = format!("{} {}", found["file"], found["message"]);
        assert!(told.contains(words), "{told}");
    }
    assert!(!bench.path("../evil").exists());
}

fn archive(bench: &Bench, name: &str, entries: &[(&str, &str)]) {
    let mut zip = zip::ZipWriter::new(fs::File::create(bench.path(name)).unwrap());
    for (name, text) in entries {
        zip.start_file(*name, zip::write::SimpleFileOptions::default())
            .unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
}

#[test]
fn derivatives_by_time_are_tried() {
    let answer = check_json("careless", Fmi::V2, 0);
    let found = answer["diagnostics"].as_array().unwrap();
    let of = |words: &str| {
        found
            .iter()
            .filter(|d| d["message"].as_str().unwrap().contains(words))
            .count()
    };
    assert_eq!(
        of("claimed, but: fmi2SetRealInputDerivatives answered with status error"),
        1,
        "{answer:#}"
    );
    assert_eq!(
        of("claimed, but: fmi2GetRealOutputDerivatives answered with status error"),
        1,
        "{answer:#}"
    );
    let good = check_json("driven-mass", Fmi::V2, 0);
    let checks = good["checks"].as_array().unwrap();
    for name in ["input slopes", "output slopes"] {
        let check = checks.iter().find(|check| check["name"] == name).unwrap();
        assert_eq!(check["status"], "passed", "{check}");
    }
}

#[test]
fn all_warnings_are_counted() {
    let bench = Bench::new();
    bench.changed("careless", Fmi::V2, |text| {
        text.replace("stepSize=\"0.1\"", "stepSize=\"-1\"")
            .replace("<Real start=\"1\"/>", "<Real start=\"1\" max=\"0\"/>")
    });
    let answer = bench.cardan(&["check", "m"]).expect(0);
    assert!(
        answer.err.contains("`stepSize` must be greater than 0, found -1"),
        "{}",
        answer.err
    );
    assert!(answer.out.contains("2 warnings, shown above"), "{}", answer.out);
    // Two of the description, two of the trial, and what the FMU said of them.
    assert!(
        answer.out.contains("It can be used; 4 warnings above."),
        "{}",
        answer.out
    );
}
