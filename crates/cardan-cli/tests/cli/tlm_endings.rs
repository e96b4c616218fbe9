//! Co-simulations that cannot come to their end, with real tools: what is said, and that nobody stays behind.
#![cfg(unix)]

use crate::bench::Bench;
use crate::tlm_manager::{lives, pair, until};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

/// What waits for five seconds takes less than this.
const SOON: Duration = Duration::from_secs(25);

#[test]
fn a_tool_that_asks_for_the_end_too_early() {
    let bench = pair("close 0.05", "good");
    let began = Instant::now();
    let answer = bench
        .cardan(&["tlm", "manager", "-p", "0", "pair.xml", "--json"])
        .expect(3);
    assert!(began.elapsed() < SOON);
    let report = answer.json();
    assert_eq!(report["error"]["participant"], "m1");
    for words in [
        "m1 asked for the end (CLOSE_REQUEST) after its samples at 0.0495 s, which is before `StopTime` (0.1 s)",
        "m2 (at 0.050",
        "waits for samples that cannot come any more",
        "set `StopTime` in the meta-model to where it ends",
    ] {
        assert!(answer.err.contains(words), "{words}: {}", answer.err);
    }
    until(|| !lives(&bench, "m1") && !lives(&bench, "m2"));
}

#[test]
fn all_may_ask_for_the_end_early() {
    let bench = pair("close 0.05", "close 0.05");
    let began = Instant::now();
    let answer = bench.cardan(&["tlm", "manager", "-p", "0", "pair.xml"]).expect(0);
    assert!(began.elapsed() < Duration::from_secs(5), "nobody is waited for");
    assert!(answer.err.contains("warning: m"), "{}", answer.err);
    assert!(answer.err.contains("before `StopTime`"), "{}", answer.err);
}

fn wrapped(script: &str) -> Bench {
    let bench = pair("good", "good");
    let tool = bench.path("tool").display().to_string();
    bench.write(
        "wrapper",
        &format!("#!/bin/sh\n{}\n", script.replace("TOOL", &tool)),
    );
    std::fs::set_permissions(bench.path("wrapper"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let text = bench.read("pair.xml").replacen("/tool\"", "/wrapper\"", 1);
    bench.write("pair.xml", &text);
    bench
}

#[test]
fn a_start_command_that_ends_without_a_tool() {
    let bench = wrapped("echo 'this machine has no licence'");
    let began = Instant::now();
    let answer = bench
        .cardan(&["tlm", "manager", "-p", "0", "pair.xml", "--json"])
        .expect(3);
    assert!(began.elapsed() < SOON, "not the 600 s of --start-timeout");
    let report = answer.json();
    assert_eq!(report["error"]["participant"], "m1");
    assert!(
        report["warnings"][0]["message"]
            .as_str()
            .unwrap()
            .contains("It left no process behind: m1 is waited for 5 s more"),
        "{report}"
    );
    for words in [
        "m1 has not registered in 5 s",
        "this machine has no licence",
        "StartCommand=\"none\"",
    ] {
        assert!(answer.err.contains(words), "{words}: {}", answer.err);
    }
    until(|| !bench.path("m2.pid").exists() || !lives(&bench, "m2"));
}

#[test]
fn a_start_command_that_leaves_its_tool_in_the_background() {
    // It comes later than a tool of which nothing is left is waited for.
    let bench = wrapped("(sleep 6; exec \"TOOL\" \"$@\") > /dev/null 2>&1 &");
    let answer = bench.cardan(&["tlm", "manager", "-p", "0", "pair.xml"]).expect(0);
    assert!(
        answer
            .err
            .contains("It left a process behind, and m1 is waited for"),
        "{}",
        answer.err
    );
    until(|| !lives(&bench, "m1"));
}

/// Two masses that Cardan runs.
fn masses(first: &str, parameter: &str) -> Bench {
    let bench = Bench::new();
    for name in ["m1", "m2"] {
        bench.write(
            &format!("{name}.toml"),
            "model = \"mass-spring-damper\"\nparameters = { mass = 1.0, stiffness = 1000.0, position = 0.01 }\n\
             [interfaces.tlm]\nflow = \"velocity\"\nposition = \"position\"\neffort = \"force\"\n",
        );
    }
    let sub_model = |name: &str, file: &str, parameter: &str| {
        format!(
            "<SubModel Name=\"{name}\" StartCommand=\"cardan\"\n ModelFile=\"{file}\">\
             <InterfacePoint Name=\"tlm\" Dimensions=\"1\"/>\n{parameter}</SubModel>"
        )
    };
    bench.write(
        "masses.xml",
        &format!(
            "<Model Name=\"masses\"><SubModels>\n{}\n{}</SubModels>\n\
             <Connections><Connection From=\"m1.tlm\" To=\"m2.tlm\" Delay=\"1e-3\" Zf=\"200\"/></Connections>\n\
             <SimulationParams StartTime=\"0\" StopTime=\"0.01\"/></Model>",
            sub_model("m1", first, parameter),
            sub_model("m2", "m2.toml", "")
        ),
    );
    bench
}

#[test]
fn a_model_file_that_is_not_there_is_told_before_anything_is_started() {
    for (file, advice) in [
        ("m1.tom", "did you mean `m1.toml`?"),
        (
            "mass-spring-dampr",
            "did you mean the built-in model `mass-spring-damper`?",
        ),
        ("quite/elsewhere.toml", "put it beside the meta-model"),
    ] {
        let bench = masses(file, "");
        for call in [
            &["tlm", "manager", "-p", "0", "masses.xml"][..],
            &["run", "masses.xml"],
        ] {
            let answer = bench.cardan(call).expect(2);
            for words in [
                format!("the model file `{file}` of `m1` is not there"),
                "masses.xml:3".to_owned(),
                advice.to_owned(),
            ] {
                assert!(answer.err.contains(&words), "{call:?}: {words}: {}", answer.err);
            }
            assert!(!answer.out.contains("Tools connect to"), "{}", answer.out);
        }
        // Nobody starts it here.
        bench
            .cardan(&["tlm", "manager", "-r", "-s", "m2", "-p", "0", "masses.xml"])
            .expect(0);
    }
}

#[test]
fn the_model_file_of_another_tool_is_its_own_affair() {
    let bench = pair("good.mo", "good");
    let text = bench
        .read("tool")
        .replace("model.partition(\" \")", "model.partition(\".\")");
    bench.write(
        "tool",
        &text.replace("at = float(at or \"inf\")", "at = float(\"inf\")"),
    );
    let answer = bench.cardan(&["tlm", "manager", "-p", "0", "pair.xml"]).expect(0);
    assert_eq!(answer.err.matches("warning").count(), 1, "{}", answer.err);
    assert!(
        answer
            .err
            .contains("the model file `good.mo` of `m1` is neither here nor beside the meta-model"),
        "{}",
        answer.err
    );
    let checked = bench.cardan(&["check", "pair.xml"]).expect(0);
    assert!(checked.err.contains("neither here nor beside"), "{}", checked.err);
}

/// Also where Cardan itself runs the component: its client asks for all parameters that its model has.
#[test]
fn a_misspelt_parameter() {
    let bench = masses("m1.toml", "<Parameter Name=\"mas\" Value=\"2\"/>");
    let answer = bench
        .cardan(&["tlm", "manager", "-p", "0", "masses.xml", "--json"])
        .expect(0);
    assert_eq!(
        answer.json()["warnings"][0]["message"],
        "masses.xml:4: m1 does not ask for the parameter `mas`, so its value changes nothing; did you mean `mass`?"
    );
    let bench = masses("m1.toml", "<Parameter Name=\"mass\" Value=\"2\"/>");
    let answer = bench
        .cardan(&["tlm", "manager", "-p", "0", "masses.xml"])
        .expect(0);
    assert_eq!(answer.err, "");
}
