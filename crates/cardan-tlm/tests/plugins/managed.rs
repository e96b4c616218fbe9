//! The same components under the real manager.

use crate::drive::{bindings, here, program};
use crate::peer::line;
use crate::relay::{self, Part, start_and_await};
use crate::runs::{LEFT, Mass, RIGHT, mass};
use cardan_describe::{Reporter, tlm};
use cardan_tlm::manager::{Ending, Event, Handle, Manager, Options, Outcome, Task};
use std::fmt::Write;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A meta-model of these sub-models, each with its start command, and lines of these attributes.
fn xml(sub_models: &[(&str, &str, &str)], lines: &[(&str, &str, &str)], end: f64) -> String {
    let mut text = "<Model Name=\"test\"><SubModels>".to_owned();
    for (name, command, inside) in sub_models {
        let (attributes, inside) = inside.split_once('|').unwrap_or(("", inside));
        write!(
            text,
            "<SubModel Name=\"{name}\" StartCommand=\"{command}\" ModelFile=\"model\" {attributes}>{inside}</SubModel>"
        )
        .unwrap();
    }
    text += "</SubModels><Connections>";
    for (from, to, attributes) in lines {
        write!(text, "<Connection From=\"{from}\" To=\"{to}\" {attributes}/>").unwrap();
    }
    write!(
        text,
        "</Connections><SimulationParams StartTime=\"0\" StopTime=\"{end}\"/></Model>"
    )
    .unwrap();
    text
}

/// A manager at work in a thread of its own: the address for tools, a way to stop it, and what becomes of it.
fn manager(text: &str, task: Task) -> (String, Handle, JoinHandle<Outcome>) {
    let (address, handle, _, thread) = watched(text, task);
    (address, handle, thread)
}

/// The same, with word of the moment at which the co-simulation begins.
fn watched(text: &str, task: Task) -> (String, Handle, Receiver<()>, JoinHandle<Outcome>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.xml");
    std::fs::write(&path, text).unwrap();
    let mut reporter = Reporter::new();
    let extent = match task {
        Task::Simulate => tlm::Extent::Whole,
        Task::AskForInterfaces(_) => tlm::Extent::SubModels,
    };
    let model = tlm::load(&path, extent, &mut reporter);
    assert!(!reporter.has_errors(), "{text}");
    let options = Options {
        task,
        port: Some(0),
        ..Options::default()
    };
    let manager = Manager::new(model.unwrap(), options);
    let handle = manager.handle();
    let ((tell, addresses), (begin, begun)) = (channel(), channel());
    let thread = std::thread::spawn(move || {
        manager.run(&mut |event| {
            if let Event::Listening { components, .. } = event {
                tell.send(components.to_string()).unwrap();
            }
            if *event == Event::Begun {
                let _ = begin.send(()); // not everybody wants to know
            }
        })
    });
    let address = addresses.recv_timeout(Duration::from_secs(20)).unwrap();
    (address, handle, begun, thread)
}

fn completed(text: &str, parts: Vec<Part>, end: f64) -> Vec<String> {
    outcome(text, parts, end).0
}

fn outcome(text: &str, parts: Vec<Part>, end: f64) -> (Vec<String>, Outcome) {
    let (address, _, thread) = manager(text, Task::Simulate);
    let printed = start_and_await(parts, end, &address);
    let outcome = thread.join().unwrap();
    assert_eq!(outcome.ending, Ending::Completed);
    (printed, outcome)
}

fn one_dimension(name: &str, parameters: &[(&str, &str)]) -> String {
    let mut text = format!(
        "<InterfacePoint Name=\"{name}\" Dimensions=\"1\" Causality=\"bidirectional\" Domain=\"mechanical\"/>"
    );
    for (name, value) in parameters {
        write!(text, "<Parameter Name=\"{name}\" Value=\"{value}\"/>").unwrap();
    }
    text
}

fn masses(kinds: [Mass; 2], step: f64) -> Vec<Part> {
    let part = |name, parameters, kind| Part {
        name,
        parameters,
        command: mass(kind),
        step,
    };
    vec![part("m1", LEFT, kinds[0]), part("m2", RIGHT, kinds[1])]
}

/// Parameters come from the XML, numbers from the line, and the manager changes none of them.
#[test]
fn the_manager_hands_on_what_the_bare_relay_does() {
    let (left, right) = (one_dimension("tlm", LEFT), one_dimension("tlm", RIGHT));
    for alpha in [0.0, 0.2] {
        let attributes = format!("Delay=\"1e-3\" Zf=\"200\" alpha=\"{alpha}\"");
        let text = xml(
            &[("m1", "none", &left), ("m2", "none", &right)],
            &[("m1.tlm", "m2.tlm", &attributes)],
            0.1,
        );
        let lines = [("m1.tlm", "m2.tlm", line(1e-3, 200.0, 200.0, alpha))];
        let expected = relay::run(masses([Mass::C, Mass::C], 4e-4), &lines, 0.1, false);
        for kinds in [[Mass::C, Mass::C], [Mass::C, Mass::Python], [Mass::Cpp, Mass::C]] {
            assert_eq!(completed(&text, masses(kinds, 4e-4), 0.1), expected, "{kinds:?}");
        }
    }
}

#[test]
fn a_chain_of_three_under_the_manager_is_the_same_every_time() {
    let (left, right) = (one_dimension("tlm", LEFT), one_dimension("tlm", RIGHT));
    let middle = one_dimension("left", &[]) + &one_dimension("right", &[]);
    for alpha in [0.0, 0.2] {
        let near = format!("Delay=\"1e-3\" Zf=\"200\" alpha=\"{alpha}\"");
        let far = format!("Delay=\"1.4e-3\" Zf=\"100\" alpha=\"{alpha}\"");
        let text = xml(
            &[
                ("left", "none", &left),
                ("middle", "none", &middle),
                ("right", "none", &right),
            ],
            &[
                ("left.tlm", "middle.left", &near),
                ("middle.right", "right.tlm", &far),
            ],
            0.1,
        );
        let mut results = Vec::new();
        for _ in 0..20 {
            let part = |name, command, step| Part {
                name,
                parameters: &[],
                command,
                step,
            };
            let between = Command::new(program(&[here("middle.c")], &[]));
            let parts = vec![
                part("left", mass(Mass::C), 5e-4),
                part("middle", between, 3e-4),
                part("right", mass(Mass::C), 7e-4),
            ];
            results.push(completed(&text, parts, 0.1));
        }
        assert!(!results[0].concat().contains("nan"), "{:?}", results[0]);
        assert!(results[0][1].ends_with(" 0\n"), "extrapolated: {}", results[0][1]);
        results.sort();
        results.dedup();
        assert_eq!(results.len(), 1, "alpha {alpha}");
    }
}

/// Frames come from the XML. Adams with its tries sends what a plain client sends.
#[test]
fn three_dimensions_under_the_manager() {
    let turned = "Position=\"0.5,-0.25,2\" Angle321=\"0.3,-0.4,0.7\"|<InterfacePoint Name=\"M4\"/>";
    let attributes = "Delay=\"1e-3\" Zf=\"300\" Zfr=\"0.4\" alpha=\"0.1\"";
    let text = xml(
        &[
            ("adams", "none", turned),
            ("b", "none", "<InterfacePoint Name=\"tlm\"/>"),
        ],
        &[("adams.M4", "b.tlm", attributes)],
        0.1,
    );
    let plain = || Command::new(program(&[here("tools/plain.c")], &[here("tools")]));
    let part = |name, command| Part {
        name,
        parameters: &[],
        command,
        step: 5e-4,
    };
    let expected = completed(&text, vec![part("adams", plain()), part("b", plain())], 0.1);
    let folder = tempfile::tempdir().unwrap();
    let adams = bindings().join("adams");
    let sources = [here("tools/adams_solver.c"), adams.join("tlmadams.c")];
    let solver = program(&sources, &[here("tools"), adams.join("standins")]);
    let mut script = Command::new(bindings().join("scripts/StartTLMAdams"));
    script.env("TLM_ADAMS", solver).current_dir(folder.path());
    let (printed, outcome) = outcome(&text, vec![part("adams", script), part("b", plain())], 0.1);
    assert_eq!(
        outcome.components[0].time,
        Some(0.1),
        "the end of the last step leaves too"
    );
    assert_eq!(printed[1], expected[1]);
    let log = std::fs::read_to_string(folder.path().join("model.simlog")).unwrap();
    assert_eq!(log, expected[0]);
}

/// The manager starts the tools itself, with the arguments that all tools know.
#[test]
fn the_manager_starts_clients() {
    let program = program(&[bindings().join("examples/mass.c")], &[]);
    let command = program.to_str().unwrap();
    let (left, right) = (one_dimension("tlm", LEFT), one_dimension("tlm", RIGHT));
    let lines = [("m1.tlm", "m2.tlm", "Delay=\"2e-3\" Zf=\"200\"")];
    let text = xml(&[("m1", command, &left), ("m2", command, &right)], &lines, 0.2);
    let (_, _, thread) = manager(&text, Task::Simulate);
    let outcome = thread.join().unwrap();
    assert_eq!(outcome.ending, Ending::Completed);
    // Half the delay is the step, and a message of each leaves at every step.
    assert_eq!(outcome.messages(), 400);
}

#[test]
fn interfaces_are_asked_of_clients() {
    for kind in [Mass::C, Mass::Cpp, Mass::Python] {
        let text = xml(&[("m1", "none", ""), ("m2", "none", "")], &[], 1.0);
        let (address, _, thread) = manager(&text, Task::AskForInterfaces(None));
        start_and_await(masses([kind, kind], 1e-3), 1.0, &address);
        let outcome = thread.join().unwrap();
        assert_eq!(outcome.ending, Ending::Completed, "{kind:?}");
        let survey = outcome.survey.unwrap();
        assert_eq!(survey.interfaces.len(), 2);
        for interface in &survey.interfaces {
            assert_eq!(interface.text.name, "tlm");
            assert!(interface.located);
            assert!(
                (interface.position[0] - 0.01).abs() < 1e-4,
                "where it was after a step"
            );
        }
        assert_eq!(survey.parameters.len(), 6);
    }
}

/// A manager that goes away: its components end soon, and not as if all were well.
#[test]
fn clients_end_when_the_manager_does() {
    for kind in [Mass::C, Mass::Cpp, Mass::Python] {
        let (left, right) = (one_dimension("tlm", LEFT), one_dimension("tlm", RIGHT));
        let lines = [("m1.tlm", "m2.tlm", "Delay=\"1e-4\" Zf=\"200\"")];
        let text = xml(&[("m1", "none", &left), ("m2", "none", &right)], &lines, 1e4);
        let (address, handle, begun, thread) = watched(&text, Task::Simulate);
        let mut children: Vec<_> = masses([kind, kind], 5e-5)
            .into_iter()
            .map(|mut part| {
                let command = part
                    .command
                    .arg(part.name)
                    .args(["0", "1e4", "5e-5", &address, "model"]);
                command
                    .stderr(Stdio::piped())
                    .stdout(Stdio::null())
                    .spawn()
                    .unwrap()
            })
            .collect();
        begun.recv_timeout(Duration::from_secs(20)).unwrap();
        std::thread::sleep(Duration::from_millis(100));
        handle.stop();
        assert_eq!(thread.join().unwrap().ending, Ending::Interrupted);
        let begin = Instant::now();
        for child in &mut children {
            while child.try_wait().unwrap().is_none() {
                if begin.elapsed() > Duration::from_secs(20) {
                    child.kill().unwrap();
                    panic!("{kind:?} does not end");
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        for child in children {
            let done = child.wait_with_output().unwrap();
            let words = String::from_utf8_lossy(&done.stderr);
            assert_eq!(done.status.code(), Some(1), "{kind:?}: {words}");
            assert!(
                words.contains("lost") || words.contains("ended the run"),
                "{words}"
            );
        }
    }
}
