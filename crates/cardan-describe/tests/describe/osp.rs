//! Systems of the Open Simulation Platform.

use super::ssp::finish;
use cardan_describe::spec::MethodKind;
use cardan_describe::{Reporter, Source, SystemSpec, osp, xml};
use insta::assert_snapshot;
use std::path::Path;

const CRANE: &str = include_str!("osp/OspSystemStructure.xml");

fn parse(text: &str) -> (Option<SystemSpec>, Reporter) {
    let mut reporter = Reporter::new();
    let folder = xml::Folder::open("tests/describe/osp");
    let spec = osp::parse(Source::new("crane/system.xml", text), &folder, &mut reporter);
    (spec, reporter)
}

#[test]
fn functions_and_groups() {
    let mut reporter = Reporter::new();
    let spec = osp::load(Path::new("tests/describe/osp"), &mut reporter).unwrap();
    assert_eq!(spec.name, "osp");
    assert_eq!((spec.start_time(), spec.stop.unwrap().value), (0.0, 10.0));
    assert_eq!(spec.method.kind.unwrap().value, MethodKind::Jacobi);
    assert_eq!(spec.method.step.unwrap().value, 0.01);
    assert_eq!(spec.component("crane").unwrap().step.unwrap().value, 0.02);
    let resolved = finish(spec, &mut reporter);
    assert_eq!(reporter.render_all(false), "");
    assert_snapshot!(resolved.graph.unwrap().to_string());
    assert_snapshot!(resolved.settings);
}

#[test]
fn mistakes_are_all_reported_at_once() {
    let text = CRANE
        .replace("<StartTime>0.0", "<StartTime>soon")
        .replace("fixedStep", "ecco")
        .replace("<Real value=\"1200\"/>", "<Real value=\"heavy\"/>")
        .replace("source=\"vessel.fmu\"", "source=\"boat.fmu\" stepSize=\"-1\"")
        .replace("inputCount=\"2\"/>", "inputCount=\"two\"/>")
        .replace("name=\"deck\"", "name=\"dock\"")
        .replace(
            "simulator=\"crane\" name=\"heading_in\"",
            "simulator=\"crone\" name=\"heading_in\"",
        )
        .replace("toDegrees\" name=\"in\"", "toDegrees\" name=\"input\"")
        .replace("name=\"in[1]\"", "name=\"in[2]\"")
        .replace("name=\"total\"/>", "/>");
    let (_, reporter) = parse(&text);
    assert_snapshot!(reporter.render_all(false));
}

#[test]
fn groups_of_different_sizes() {
    let text = CRANE.replace(
        "simulator=\"crane\" name=\"base\"",
        "simulator=\"crane\" name=\"reaction\"",
    );
    let (_, reporter) = parse(&text);
    assert_snapshot!(reporter.render_all(false));
}

#[test]
fn not_a_system_structure() {
    for text in [
        "",
        "<a/>",
        "<OspSystemStructure/>",
        "<OspSystemStructure><Connections><X/></Connections></OspSystemStructure>",
    ] {
        let (_, reporter) = parse(text);
        assert!(reporter.has_errors(), "{text}");
    }
}
