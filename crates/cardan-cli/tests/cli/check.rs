//! `cardan check` on systems without mistakes.

use crate::bench::{Answer, Bench};
use cardan_testkit::tools;

#[test]
fn hello_is_shown_as_it_will_run() {
    let bench = Bench::new();
    let answer = bench.cardan(&["check", &Bench::hello()]).expect(0);
    assert_eq!(answer.err, "");
    insta::assert_snapshot!(answer.out);
}

#[test]
fn the_answer_for_machines_has_all_fields() {
    let bench = Bench::new();
    let check = bench
        .cardan(&["check", &Bench::hello(), "--json"])
        .expect(0)
        .json();
    assert_eq!(check["system"], "hello");
    assert_eq!(check["diagnostics"].as_array().unwrap().len(), 0);
    assert_eq!(check["order"].as_array().unwrap().len(), 2);
    assert_eq!(check["recommended"]["method"], "gauss-seidel");
    assert_eq!(check["recommended"]["step"], 0.01);
    let group = &check["groups"][0];
    assert_eq!(group["members"], serde_json::json!(["left", "right"]));
    for field in ["alpha", "loop_gain", "spectral_radius", "order", "stable_step"] {
        assert!(group.get(field).is_some(), "{field} is missing");
    }
    assert_eq!(bench.files(), [""; 0], "nothing is run");
}

#[test]
fn warnings_are_shown_and_are_no_mistakes() {
    let bench = Bench::new();
    let answer = bench
        .cardan(&["check", &Bench::hello(), "--tolerance", "1e-6"])
        .expect(0);
    assert!(answer.err.contains("warning"), "{}", answer.err);
    assert!(answer.out.contains("hello: no mistakes"), "{}", answer.out);
}

#[test]
fn every_example_of_the_repository_is_right() {
    check_examples(|tool| tool.is_none());
}

#[test]
#[ignore = "needs all tools: ./test --tools"]
fn every_example_with_a_tool_is_right() {
    check_examples(|tool| tool.is_some_and(tools::has));
}

/// Checks the examples whose tool is wanted.
fn check_examples(wanted: impl Fn(Option<&str>) -> bool) {
    let bench = Bench::new();
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for entry in std::fs::read_dir(examples).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && wanted(tools::of_example(name)) {
            let mut command = bench.command(&["check", path.to_str().unwrap()]);
            if tools::of_example(name) == Some("mujoco") {
                command.env("PATH", tools::path());
            }
            Answer::from(command.output().unwrap()).expect(0);
        }
    }
}
