//! What manager and monitor say before and beside a run.
#![cfg(unix)]

use crate::bench::{Answer, Bench};
use crate::tlm_manager::{pair, stand_in, start};
use std::io::{BufRead, BufReader, Read};
use std::process::Command;

const MASS: &str = "model = \"mass-spring-damper\"\nparameters = { mass = 1.0, stiffness = 1000.0, position = 0.01 }\n\
                    [interfaces.tlm]\nflow = \"velocity\"\nposition = \"position\"\neffort = \"force\"\n";

/// Two masses that Cardan runs, the left one moved by the meta-model.
fn masses() -> Bench {
    let bench = Bench::new();
    bench.write("mass.toml", MASS);
    let sub_model = |name: &str, parameters: &str| {
        format!(
            "<SubModel Name=\"{name}\" StartCommand=\"cardan\" ModelFile=\"mass.toml\">\
             <InterfacePoint Name=\"tlm\" Dimensions=\"1\"/>{parameters}</SubModel>\n"
        )
    };
    let xml = format!(
        "<Model Name=\"masses\"><SubModels>{}{}</SubModels>\n<Connections><Connection From=\"left.tlm\" To=\"right.tlm\" \
         Delay=\"1e-3\" Zf=\"200\"/></Connections>\n<SimulationParams StartTime=\"0\" StopTime=\"0.02\"/></Model>",
        sub_model("left", "<Parameter Name=\"position\" Value=\"0.7\"/>"),
        sub_model("right", "")
    );
    bench.write("masses.xml", &xml);
    bench
}

fn monitor(bench: &Bench, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tlmmonitor"));
    command.args(arguments).current_dir(bench.path("."));
    command
}

#[test]
fn parameters_count_where_interface_points_are_asked_for() {
    let bench = masses();
    let answer = bench
        .cardan(&["tlm", "manager", "-r", "-p", "0", "masses.xml"])
        .expect(0);
    // The place at the start, to the last digit.
    for place in ["left.tlm:\nR  : ( 0.7 0 0 )", "right.tlm:\nR  : ( 0.01 0 0 )"] {
        assert!(answer.out.contains(place), "{}", answer.out);
    }
    assert!(
        answer.out.contains("they are asked where") && !answer.out.contains("co-simulation runs"),
        "{}",
        answer.out
    );
    let file = bench.read("interfaceData.xml");
    assert!(
        file.contains(r#"<Parameter model="left" Name="position" DefaultValue="0.01"/>"#),
        "{file}"
    );
}

#[test]
fn what_is_only_done_in_one_process_is_told() {
    let bench = masses();
    let xml = bench
        .read("masses.xml")
        .replace("Zf=\"200\"", "Zf=\"200\" Compensate=\"1\"");
    bench.write("masses.xml", &xml);
    let answer = bench
        .cardan(&["tlm", "manager", "-p", "0", "masses.xml"])
        .expect(0);
    assert!(
        answer.err.contains("`Compensate` is ignored between processes")
            && answer.err.contains("masses.xml:4:")
            && answer.err.contains("`cardan run` does it"),
        "{}",
        answer.err
    );
    let run = bench.cardan(&["run", "masses.xml"]).expect(0);
    assert!(!run.err.contains("is ignored"), "{}", run.err);
}

#[test]
fn mistakes_in_component_files_are_found_before_anything_starts() {
    let bench = pair("good", "good");
    let xml = bench.read("pair.xml");
    let second = xml.rfind("StartCommand=").unwrap();
    let tool = format!(
        "StartCommand=\"{}\" ModelFile=\"good\"",
        bench.path("tool").display()
    );
    let (head, tail) = xml.split_at(second);
    bench.write(
        "mixed.xml",
        &(head.to_owned() + &tail.replacen(&tool, "StartCommand=\"cardan\" ModelFile=\"mass.toml\"", 1)),
    );
    bench.write("mass.toml", MASS);
    bench.cardan(&["check", "mixed.xml"]).expect(0);
    bench
        .cardan(&["tlm", "manager", "-p", "0", "mixed.xml"])
        .expect(0);
    std::fs::remove_file(bench.path("m1.pid")).unwrap();
    for (what, with, message) in [
        ("\"velocity\"", "\"velocty\"", "velocty"),
        ("mass = 1.0", "mass = -3.0", "mass"),
        ("mass = 1.0", "mas = 1.0", "mas"),
        (
            "model = \"mass-spring-damper\"",
            "fmu = \"none.fmu\"",
            "there is no FMU `none.fmu`",
        ),
    ] {
        assert!(MASS.contains(what), "{what}");
        bench.write("mass.toml", &MASS.replacen(what, with, 1));
        for call in [
            &["check", "mixed.xml"][..],
            &["tlm", "manager", "-p", "0", "mixed.xml"],
        ] {
            let answer = bench.cardan(call).expect(2);
            assert!(
                answer.err.contains(message) && answer.err.contains("mass.toml:"),
                "{with}: {}",
                answer.err
            );
            assert!(!bench.path("m1.pid").exists(), "{with}");
        }
    }
    // Values that the meta-model gives are values too.
    bench.write("mass.toml", MASS);
    let heavy = "ModelFile=\"mass.toml\"><Parameter Name=\"mass\" Value=\"-3\"/>";
    let xml = bench
        .read("mixed.xml")
        .replacen("ModelFile=\"mass.toml\">", heavy, 1);
    bench.write("mixed.xml", &xml);
    let answer = bench.cardan(&["check", "mixed.xml"]).expect(2);
    assert!(
        answer
            .err
            .contains("the parameter `mass` is `-3`, which does not fit"),
        "{}",
        answer.err
    );
}

#[test]
fn calls_of_the_other_names() {
    let bench = pair("good", "good");
    let version = Answer::from(stand_in(&bench, &["--version"]).output().unwrap()).expect(0);
    assert!(version.out.starts_with("tlmmanager "), "{}", version.out);
    let version = Answer::from(monitor(&bench, &["--version"]).output().unwrap()).expect(0);
    assert!(version.out.starts_with("tlmmonitor "), "{}", version.out);
    let ignored = Answer::from(
        stand_in(&bench, &["-s", "m2", "-p", "0", "pair.xml"])
            .output()
            .unwrap(),
    )
    .expect(0);
    assert!(ignored.err.contains("-s is ignored"), "{}", ignored.err);
    let bare = Answer::from(monitor(&bench, &[]).output().unwrap()).expect(1);
    assert!(
        bare.err.contains("--compatible") && bare.err.contains("Usage: tlmmonitor"),
        "{}",
        bare.err
    );
    for address in ["localhost", "localhost:", "localhost:many", ":11112"] {
        let wrong = Answer::from(monitor(&bench, &[address, "pair.xml"]).output().unwrap()).expect(1);
        assert!(
            wrong.err.contains("write host:port") && !wrong.err.contains("arrived"),
            "{}",
            wrong.err
        );
    }
    let wrong = bench
        .cardan(&["tlm", "monitor", "localhost", "pair.xml"])
        .expect(2);
    assert!(wrong.err.contains("write host:port"), "{}", wrong.err);
}

#[test]
fn a_monitor_without_a_manager_says_so_and_claims_nothing() {
    let bench = pair("good", "good");
    bench.write("pair.csv", "\"time\"\n0\n");
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap().to_string();
    drop(free);
    let mut child = start(monitor(&bench, &[&address, "pair.xml"]));
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert_eq!(
        line,
        format!("There is no manager at {address} yet; trying for 30 s.\n")
    );
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
    let mut rest = String::new();
    errors.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(
        rest.contains("nothing had arrived") && !rest.contains("pair.csv"),
        "{rest}"
    );
    assert_eq!(bench.read("pair.csv"), "\"time\"\n0\n");
}

#[test]
fn a_start_command_that_is_not_there() {
    let bench = pair("good", "good");
    let tool = bench.path("tool").display().to_string();
    let xml = bench.read("pair.xml").replacen(&tool, "./no/such", 1);
    bench.write("pair.xml", &xml);
    let answer = bench.cardan(&["tlm", "manager", "-p", "0", "pair.xml"]).expect(3);
    assert!(
        answer.err.contains("one with a slash from the current folder"),
        "{}",
        answer.err
    );
}
