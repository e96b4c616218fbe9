//! The wrappers for tools, under solvers that call them as the tools do, through the start scripts.

use crate::drive::{bindings, here, program};
use crate::peer::line;
use crate::relay::{Part, run};
use std::path::{Path, PathBuf};
use std::process::Command;

const STEP: f64 = 5e-4;

/// Where the two bodies are in the global frame: the one turned, the other not.
fn tie() -> [f64; 29] {
    let mut all = line(2.0 * STEP, 300.0, 0.4, 0.1);
    all[4..7].copy_from_slice(&[0.5, -0.25, 2.0]);
    let (s, c) = 0.7_f64.sin_cos();
    all[7..16].copy_from_slice(&[c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0]);
    all
}

fn plain() -> Command {
    Command::new(program(&[here("tools/plain.c")], &[here("tools")]))
}

/// Lets a first component meet a plain body; what both printed.
fn with_plain(name: &'static str, interface: &str, command: Command) -> Vec<String> {
    let part = |name, command| Part {
        name,
        parameters: &[],
        command,
        step: STEP,
    };
    let end = format!("{name}.{interface}");
    run(
        vec![part(name, command), part("b", plain())],
        &[(&end, "b.tlm", tie())],
        0.1,
        false,
    )
}

/// A wrapper and the solver that stands in for its tool.
fn tool(name: &str, wrapper: &str) -> PathBuf {
    let folder = bindings().join(name);
    let sources = [
        here("tools").join(format!("{name}_solver.c")),
        folder.join(wrapper),
    ];
    program(&sources, &[here("tools"), folder.join("standins"), folder])
}

/// A start script of a tool that is our solver.
fn script(name: &str, variable: &str, solver: &Path, folder: &Path) -> Command {
    let mut command = Command::new(bindings().join("scripts").join(name));
    command.env(variable, solver).current_dir(folder);
    command
}

/// What the tool printed, which the start script keeps in a file; and what the other end printed.
fn through_script(
    name: &'static str,
    interface: &str,
    start: &str,
    variable: &str,
    solver: &Path,
    settings: &[(&str, &str)],
) -> [String; 2] {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join(name)).unwrap();
    let mut command = script(start, variable, solver, folder.path());
    command.envs(settings.iter().copied());
    let printed = with_plain(name, interface, command);
    let files = std::fs::read_dir(folder.path().join(name)).unwrap();
    let log = files
        .map(|file| file.unwrap().path())
        .find(|path| path.extension().is_some_and(|e| e == "simlog"));
    [std::fs::read_to_string(log.unwrap()).unwrap(), printed[1].clone()]
}

fn numbers(printed: &str) -> Vec<f64> {
    printed
        .split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect()
}

#[test]
fn simulink_gives_the_bits_of_a_plain_client() {
    let expected = with_plain("a", "tlm", plain());
    assert!(numbers(&expected[0]).iter().all(|n| n.is_finite()));
    let solver = tool("simulink", "tlmforce.c");
    let got = through_script("a", "tlm", "StartTLMSimulink", "TLM_MATLAB", &solver, &[]);
    assert_eq!(got.to_vec(), expected);
}

#[test]
fn modelica_gives_the_bits_of_a_plain_client() {
    let expected = with_plain("a", "tlm", plain());
    let solver = tool("modelica", "tlmforce.c");
    for start in ["StartTLMOpenModelica", "StartTLMModelica"] {
        let got = through_script("a", "tlm", start, "TLM_OMC", &solver, &[]);
        assert_eq!(got.to_vec(), expected);
    }
}

/// Motion of steps that Adams throws away never leaves: the other end would not get the same bits.
#[test]
fn adams_gives_the_bits_of_a_plain_client_though_it_throws_steps_away() {
    let expected = with_plain("adams", "M4", plain());
    let solver = tool("adams", "tlmadams.c");
    let got = through_script("adams", "M4", "StartTLMAdams", "TLM_ADAMS", &solver, &[]);
    assert_eq!(got.to_vec(), expected);
    // In millimetres the numbers are the same up to rounding, which the line, being stable, does not amplify.
    let millimetres = through_script(
        "adams",
        "M4",
        "StartTLMAdams",
        "TLM_ADAMS",
        &solver,
        &[("ADAMS_LENGTH", "0.001")],
    );
    for (got, expected) in millimetres.iter().zip(&expected) {
        for (a, b) in numbers(got).iter().zip(numbers(expected)) {
            assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{got}\n{expected}");
        }
    }
}

/// Each script says what it needs, checks what it is given, and leaves a file for the plugin.
#[test]
fn start_scripts_check_their_arguments() {
    let scripts = [
        ("StartTLMSimulink", "TLM_MATLAB"),
        ("StartTLMAdams", "TLM_ADAMS"),
        ("StartTLMOpenModelica", "TLM_OMC"),
        ("StartTLMModelica", "TLM_OMC"),
        ("StartTLMDymola", "TLM_DYMOLA"),
        ("StartTLMWSM", "TLM_WSM"),
        ("StartTLMBeast", "TLM_BEAST"),
    ];
    let good = ["shaft", "0", "1.5", "1e-4", "localhost:11111", "model"];
    for (name, variable) in scripts {
        let folder = tempfile::tempdir().unwrap();
        let call = |words: &[&str], solver: &str| {
            let done = script(name, variable, Path::new(solver), folder.path())
                .args(words)
                .output()
                .unwrap();
            (
                done.status.code().unwrap(),
                String::from_utf8_lossy(&done.stderr).into_owned(),
            )
        };
        let with = |at: usize, word: &'static str| {
            let mut words = good;
            words[at] = word;
            call(&words, "true")
        };
        for ((code, said), words) in [
            (call(&good[..5], "true"), "6"),
            (call(&[], "true"), "modelfile"),
            (with(1, "now"), "start time"),
            (with(2, "1..5"), "end time"),
            (with(3, "$(touch x)"), "largest step"),
            (with(4, "localhost"), "host:port"),
            (with(5, "my model"), "blanks"),
            (with(0, ""), "empty"),
            (call(&good, "no-such-tool"), variable),
        ] {
            assert_eq!(code, 2, "{name}: {said}");
            assert!(said.contains(words), "{name}: {said}");
        }
        assert_eq!(call(&good, "true").0, 0, "{name}");
        let file = if name == "StartTLMBeast" {
            "model.tlm"
        } else {
            "tlm.config"
        };
        let config = std::fs::read_to_string(folder.path().join(file)).unwrap();
        assert_eq!(config, "shaft\nlocalhost:11111\n0\n1.5\n1e-4\n");
    }
}

/// There is no Modelica tool here; but that TLM.mo and the header speak of the same functions can be seen.
#[test]
fn the_modelica_library_calls_what_the_header_declares() {
    let read = |name: &str| std::fs::read_to_string(bindings().join("modelica").join(name)).unwrap();
    let (library, header) = (read("TLM.mo"), read("tlmforce.h"));
    let mut declared: Vec<(String, usize)> = Vec::new();
    for text in header
        .lines()
        .filter(|text| text.contains('(') && text.contains(");"))
    {
        let (front, arguments) = text.split_once('(').unwrap();
        let name = front.rsplit([' ', '*']).next().unwrap();
        declared.push((name.to_owned(), arguments.split(',').count()));
    }
    let mut called: Vec<(String, usize)> = Vec::new();
    for text in library.split("external \"C\"").skip(1) {
        let call = text.split(')').next().unwrap();
        let (front, arguments) = call.split_once('(').unwrap();
        let name = front.rsplit([' ', '=']).next().unwrap();
        called.push((name.to_owned(), arguments.split(',').count()));
    }
    declared.sort();
    called.sort();
    assert_eq!(declared, called);
    assert_eq!(declared.len(), 10);
    // Each `end` closes what was opened by that name.
    for kind in ["model", "function", "package", "class"] {
        for text in library
            .lines()
            .map(str::trim)
            .filter(|text| text.starts_with(&format!("{kind} ")))
        {
            let name = text.split_whitespace().nth(1).unwrap();
            assert!(library.contains(&format!("end {name};")), "{name}");
        }
    }
}
