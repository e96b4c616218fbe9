//! Meta-models that took the public manager down, or that it ran as if they were right.
#![cfg(unix)]

use crate::bench::Bench;
use crate::tlm_manager::{lives, pair, stand_in, until};

/// What must not start: what is replaced by what, and what is said.
const WRONG: [(&str, &str, &str); 27] = [
    ("Name=\"m1\"", "", "<SubModel> has no attribute `Name`"),
    (
        "StartCommand=\"TOOL\"",
        "",
        "<SubModel> has no attribute `StartCommand`",
    ),
    (
        "ModelFile=\"good\"",
        "",
        "<SubModel> has no attribute `ModelFile`",
    ),
    (
        "<InterfacePoint Name=\"tlm\"",
        "<InterfacePoint",
        "<InterfacePoint> has no attribute `Name`",
    ),
    (
        "<Parameter Name=\"p\"",
        "<Parameter",
        "<Parameter> has no attribute `Name`",
    ),
    ("Value=\"1\"", "", "<Parameter> has no attribute `Value`"),
    ("From=\"m1.tlm\"", "", "<Connection> has no attribute `From`"),
    ("To=\"m2.tlm\"", "", "<Connection> has no attribute `To`"),
    ("Delay=\"1e-3\"", "", "<Connection> has no attribute `Delay`"),
    ("Zf=\"200\"", "", "<Connection> has no attribute `Zf`"),
    (
        "StartTime=\"0\"",
        "",
        "<SimulationParams> has no attribute `StartTime`",
    ),
    (
        "StopTime=\"0.1\"",
        "",
        "<SimulationParams> has no attribute `StopTime`",
    ),
    (
        "<SimulationParams",
        "<Params",
        "the meta-model has no <SimulationParams>",
    ),
    ("<SubModels>", "<SubModels", ""),
    ("</Model>", "", ""),
    (
        "Position=\"0,1,2\"",
        "Position=\"0,1\"",
        "`Position` of <InterfacePoint> must be three numbers, found `0,1`",
    ),
    (
        "Position=\"0,1,2\"",
        "Position=\"0 1 2\"",
        "must be three numbers",
    ),
    (
        "To=\"m2.tlm\"",
        "To=\"m2.tml\"",
        "sub-model `m2` has no interface point `tml`",
    ),
    ("To=\"m2.tlm\"", "To=\"m3.tlm\"", "there is no sub-model `m3`"),
    (
        "StopTime=\"0.1\"",
        "StopTime=\"0\"",
        "`StopTime` (0) must be after `StartTime` (0)",
    ),
    (
        "StopTime=\"0.1\"",
        "StopTime=\"-1\"",
        "`StopTime` (-1) must be after `StartTime` (0)",
    ),
    (
        "Causality=\"bidirectional\"",
        "Causality=\"input\"",
        "does not fit",
    ),
    (
        "</Connections>",
        "<Connection From=\"m1.tlm\" To=\"m2.tlm\" Delay=\"1e-3\" Zf=\"200\"/></Connections>",
        "`m1.tlm` is connected twice",
    ),
    (
        "Delay=\"1e-3\"",
        "Delay=\"0\"",
        "`Delay` must be above 0, found 0",
    ),
    ("Dimensions=\"1\"", "", "degrees of freedom"),
    (
        "Dimensions=\"1\"",
        "Dimensions=\"4\"",
        "`Dimensions` must be 1 or 6, found `4`",
    ),
    ("<SubModel ", "<Part ", ""),
];

/// The pair with something of everything.
fn rich() -> Bench {
    let bench = pair("good", "good");
    let text = bench.read("pair.xml").replacen(
        "<InterfacePoint Name=\"tlm\" Dimensions=\"1\"/>",
        "<InterfacePoint Name=\"tlm\" Dimensions=\"1\" Causality=\"bidirectional\" Domain=\"mechanical\" \
         Position=\"0,1,2\"/>\n<Parameter Name=\"p\" Value=\"1\"/>\n",
        1,
    );
    bench.write("rich.xml", &text);
    bench
}

#[test]
fn every_mistake_is_told_and_nothing_is_started() {
    let bench = rich();
    let right = bench.read("rich.xml");
    let tool = bench.path("tool").display().to_string();
    for (what, with, message) in WRONG {
        let what = what.replace("TOOL", &tool);
        assert!(right.contains(&what), "{what}");
        bench.write("wrong.xml", &right.replacen(&what, with, 1));
        let answer = bench
            .cardan(&["tlm", "manager", "-p", "0", "wrong.xml"])
            .expect(2);
        assert!(
            answer.err.contains("error") && answer.err.contains("wrong.xml:") && answer.err.contains(message),
            "{what} -> {with}: {}",
            answer.err
        );
        assert!(!answer.err.contains("panicked"), "{}", answer.err);
        assert!(
            !bench.path("m1.pid").exists() && !bench.path("m2.pid").exists(),
            "{what}"
        );
    }
    // The other name says the same.
    bench.write("wrong.xml", &right.replacen("Zf=\"200\"", "", 1));
    let output = stand_in(&bench, &["-p", "0", "wrong.xml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no attribute `Zf`"));
}

#[test]
fn what_is_doubtful_runs_with_a_word() {
    for (what, with, message) in [
        (
            "Domain=\"mechanical\"",
            "Domain=\"electric\"",
            "`m1.tlm` is electric and `m2.tlm` is mechanical",
        ),
        (
            "Position=\"0,1,2\"",
            "Position=\"0,1,2,3\"",
            "`Position` has 4 elements; only the first three count",
        ),
        (
            "Dimensions=\"1\"",
            "Dimensions=\"3\"",
            "`Dimensions` is 3 and counts as 6",
        ),
        ("Connection ", "Annotation ", "nothing is connected"),
    ] {
        let bench = rich();
        let text = match what {
            // Both ends, or they do not fit.
            "Dimensions=\"1\"" => bench.read("rich.xml").replace(what, with),
            _ => bench.read("rich.xml").replacen(what, with, 1),
        };
        bench.write("odd.xml", &text);
        let answer = bench.cardan(&["tlm", "manager", "-p", "0", "odd.xml"]).expect(0);
        assert!(
            answer.err.contains("warning") && answer.err.contains(message) && answer.err.contains("odd.xml:"),
            "{what} -> {with}: {}",
            answer.err
        );
        until(|| !lives(&bench, "m1") && !lives(&bench, "m2"));
    }
}

#[test]
fn a_file_that_is_not_there() {
    let bench = Bench::new();
    let answer = bench.cardan(&["tlm", "manager", "no.xml"]).expect(2);
    assert!(
        answer.err.contains("the meta-model cannot be read"),
        "{}",
        answer.err
    );
}
