//! `cardan info` on FMUs.

use crate::bench::Bench;
use cardan_testkit::fmus::{Fmi, build, unpacked};
use std::fmt::Write;

/// The page about a test FMU, on a bench where it has a short name.
fn page(name: &str, version: Fmi) -> String {
    let bench = Bench::new();
    let file = format!("{name}.fmu");
    std::fs::copy(build(name, version), bench.path(&file)).unwrap();
    let answer = bench.cardan(&["info", &file]).expect(0);
    assert_eq!(answer.err, "");
    // The same page on any machine the tests run on.
    answer.out.replace(version.platform(), "PLATFORM")
}

#[test]
fn an_fmu_that_can_do_everything() {
    insta::assert_snapshot!(page("driven-mass", Fmi::V3));
}

#[test]
fn every_type_of_fmi_2() {
    insta::assert_snapshot!(page("feedthrough", Fmi::V2));
}

#[test]
fn arrays_show_their_dimensions() {
    insta::assert_snapshot!(page("arrays", Fmi::V3));
}

#[test]
fn states_and_events_are_counted() {
    let page = page("bouncing-ball", Fmi::V2);
    assert!(page.contains("2 continuous states"), "{page}");
    assert!(page.contains("1 event indicator"), "{page}");
}

#[test]
fn platforms_are_told_from_this_machine() {
    let foreign = page("foreign", Fmi::V3);
    let words = "x86_64-windows, not for this machine and without sources";
    assert!(foreign.contains(words), "{foreign}");
    let sources = page("source-only", Fmi::V2);
    assert!(sources.contains("to be compiled for this machine"), "{sources}");
}

#[test]
fn machines_get_everything_and_folders_do() {
    let bench = Bench::new();
    let folder = unpacked("driven-mass", Fmi::V3);
    let info = bench.cardan(&["info", folder.to_str().unwrap(), "--json"]);
    let info = info.expect(0).json();
    assert_eq!(info["kind"], "fmu");
    assert_eq!(info["co_simulation"]["usage"]["saves_state"], true);
    assert_eq!(info["platforms"][0]["this_machine"], true);
    assert_eq!(info["variables"].as_array().unwrap().len(), 11);
    assert_eq!(info["outputs"][2]["variable"], "acceleration");
    assert_eq!(
        info["outputs"][2]["dependencies"],
        serde_json::json!(["force", "position", "velocity"])
    );
    assert_eq!(info["terminals"][0]["name"], "flange");
    assert_eq!(info["diagnostics"].as_array().unwrap().len(), 0);
}

/// An unpacked FMU with that many local variables, and one mistake that does no harm.
fn large(bench: &Bench, locals: usize) {
    let mut variables = String::new();
    for number in 0..locals {
        writeln!(
            variables,
            r#"<ScalarVariable name="inner.x{number}" valueReference="{number}"><Real unit="furlong"/></ScalarVariable>"#
        )
        .unwrap();
    }
    std::fs::create_dir(bench.path("large")).unwrap();
    let text = format!(
        r#"<?xml version="1.0"?>
<fmiModelDescription fmiVersion="2.0" modelName="large" guid="1">
<CoSimulation modelIdentifier="large"/>
<UnitDefinitions><Unit name="m"><BaseUnit m="1"/></Unit></UnitDefinitions>
<ModelVariables>
{variables}</ModelVariables>
<ModelStructure/>
</fmiModelDescription>"#
    );
    bench.write("large/modelDescription.xml", &text);
}

#[test]
fn thousands_of_locals_are_counted_and_listed_on_request() {
    let bench = Bench::new();
    large(&bench, 5000);
    let short = bench.cardan(&["info", "large"]).expect(0);
    assert!(
        short.out.contains("Locals (5000, listed with --all)"),
        "{}",
        short.out
    );
    assert!(short.out.lines().count() < 20, "{}", short.out);
    assert!(
        short.err.contains("large/modelDescription.xml:6"),
        "the warning has its place: {}",
        short.err
    );
    let long = bench.cardan(&["info", "large", "--all"]).expect(0);
    assert!(long.out.contains("inner.x4999"));
}

#[test]
fn what_is_no_fmu_is_refused() {
    let bench = Bench::new();
    bench.write("text.fmu", "hello");
    bench.write("empty.fmu", "");
    for (file, words) in [
        ("text.fmu", "not a zip archive"),
        ("empty.fmu", "not a zip archive"),
    ] {
        let answer = bench.cardan(&["info", file]).expect(2);
        assert!(answer.err.contains(words), "{}", answer.err);
        assert_eq!(answer.err.matches("error").count(), 1, "{}", answer.err);
        let json = bench.cardan(&["info", file, "--json"]).expect(2).json();
        assert_eq!(json["status"], "failed");
    }
}

#[test]
fn clocks_show_when_they_tick() {
    let page = page("ticker", Fmi::V3);
    for words in [
        "constant interval, every 0.1 s",
        "fixed interval",
        "ticks when it is triggered",
    ] {
        assert!(page.contains(words), "{words} in {page}");
    }
}
