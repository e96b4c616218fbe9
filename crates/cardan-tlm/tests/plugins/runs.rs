//! Whole runs: components in several languages, each a process, the same numbers every time.

use crate::drive::{bindings, here, program};
use crate::peer::line;
use crate::relay::{Part, run};
use std::process::Command;

pub(crate) const LEFT: &[(&str, &str)] = &[("m", "1"), ("k", "1000"), ("x0", "0.01")];
pub(crate) const RIGHT: &[(&str, &str)] = &[("m", "2"), ("k", "4000"), ("x0", "0.01")];

#[derive(Clone, Copy, Debug)]
pub(crate) enum Mass {
    C,
    Cpp,
    Python,
}

pub(crate) fn mass(kind: Mass) -> Command {
    match kind {
        Mass::C => Command::new(program(&[bindings().join("examples/mass.c")], &[])),
        Mass::Cpp => Command::new(program(&[bindings().join("examples/mass.cpp")], &[])),
        Mass::Python => {
            let mut python = Command::new("python3");
            python.arg("-B").arg(bindings().join("examples/mass.py"));
            python.env("PYTHONPATH", bindings().join("python"));
            python
        }
    }
}

/// Last position and speed of both masses, as printed.
fn two_masses(
    kinds: [Mass; 2],
    line: [f64; 29],
    step: f64,
    end: f64,
    big: bool,
    settings: &[(&str, &str)],
) -> Vec<String> {
    let part = |name, parameters, kind| {
        let mut command = mass(kind);
        command.envs(settings.iter().copied());
        Part {
            name,
            parameters,
            command,
            step,
        }
    };
    let parts = vec![part("m1", LEFT, kinds[0]), part("m2", RIGHT, kinds[1])];
    run(parts, &[("m1.tlm", "m2.tlm", line)], end, big)
}

fn position(printed: &str) -> f64 {
    printed.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Problem 11a, with what clients of this protocol do differently and how much of it is seen after a second.
///
/// The start: before the delay T no load acts, where the problem has -Z v, and the waves sent are Z v, not 2 Z v. The masses
/// begin with a = 10 and 20 m/s², so impulses of Z a T²/2 = 4e-5 and 8e-5 N s are missing, come back from the other side, and
/// go on so every 2 T. On the average the masses lose 6e-5 N s, which is 2e-5 m/s in the slow mode of w = 40.55 / s, and the
/// line keeps a load of (8e-5 - 4e-5) N s / 2 T = 0.1 N, a gap of 1e-7 m at Z / T = 1e6 N/m. It sets in at once, so the fast mode,
/// of 194.37 Hz, swings through twice the gap, two thirds of it at the light mass.
///
/// The waves: a stage in the middle of a step of h = T/16 reads them on the line between two samples, smaller by (w h)²/8,
/// the step as a whole by (w h)²/12 = e. At each mass that is a damper of Z e, which takes Z e / 3 kg of the slow mode's
/// amplitude in a second; and of the fast mode, with 6.44 N / (2/3 kg w²) = 6.5e-6 m, it slows the pace by e/2.
#[test]
fn problem_11a_through_clients() {
    let delay = 2e-4;
    let run = |parts: f64, settings: &[(&str, &str)]| {
        let line = line(delay, 200.0, 0.0, 0.0);
        let printed = two_masses([Mass::C, Mass::C], line, delay / parts, 1.0, false, settings);
        [position(&printed[0]), position(&printed[1])]
    };
    let (slow, fast) = (40.55_f64, 2.0 * std::f64::consts::PI * 194.37);
    let start = 2e-5 / slow * slow.sin().abs() + 2.0 * 1e-7 * 2.0 / 3.0;
    let e = |w: f64| (w * delay / 16.0).powi(2) / 12.0;
    let swing = 6.44 / (2.0 / 3.0 * fast * fast);
    let waves = 200.0 * e(slow) / 3.0 * 0.01 + fast * e(fast) / 2.0 * swing * 2.0 / 3.0;
    let (linear, cubic) = (
        run(16.0, &[]),
        run(16.0, &[("CARDAN_TLM_INTERPOLATION", "cubic")]),
    );
    for (k, known) in [-0.009_591_705_2, -0.009_589_693_3].into_iter().enumerate() {
        let (to_problem, to_cubic) = ((linear[k] - known).abs(), (linear[k] - cubic[k]).abs());
        println!(
            "x{}: {to_problem:.2e} of {:.2e}, {to_cubic:.2e} of {waves:.2e}",
            k + 1,
            start + waves
        );
        assert!(to_problem < start + waves);
        assert!(to_cubic < waves);
        assert!(to_cubic > 0.01 * waves, "linear and cubic waves are not the same");
    }
}

/// Whoever is at the other end, in whatever byte order it speaks: the same bits.
#[test]
fn clients_of_all_languages_give_the_same_bits() {
    for alpha in [0.0, 0.2] {
        let line = line(1e-3, 200.0, 0.0, alpha);
        let run = |kinds, big| two_masses(kinds, line, 4e-4, 0.1, big, &[]);
        let first = run([Mass::C, Mass::C], false);
        for kinds in [
            [Mass::C, Mass::Python],
            [Mass::Python, Mass::C],
            [Mass::Cpp, Mass::C],
            [Mass::Python, Mass::Cpp],
        ] {
            assert_eq!(run(kinds, false), first, "{kinds:?}");
        }
        assert_eq!(run([Mass::C, Mass::Python], true), first);
        assert_eq!(run([Mass::Cpp, Mass::C], true), first);
    }
}

/// Three masses; the one in the middle has two interfaces and another step. Twenty runs, one result.
#[test]
fn a_chain_of_three_is_the_same_every_time() {
    for alpha in [0.0, 0.2] {
        let lines = [
            ("left.tlm", "middle.left", line(1e-3, 200.0, 0.0, alpha)),
            ("middle.right", "right.tlm", line(1.4e-3, 100.0, 0.0, alpha)),
        ];
        let part = |name, command, step| Part {
            name,
            parameters: if name == "right" { RIGHT } else { LEFT },
            command,
            step,
        };
        let mut results: Vec<Vec<String>> = Vec::new();
        for _ in 0..20 {
            let middle = Command::new(program(&[here("middle.c")], &[]));
            let parts = vec![
                part("left", mass(Mass::C), 5e-4),
                part("middle", middle, 3e-4),
                part("right", mass(Mass::C), 7e-4),
            ];
            results.push(run(parts, &lines, 0.1, false));
        }
        assert!(
            results[0].iter().all(|words| !words.contains("nan")),
            "{:?}",
            results[0]
        );
        assert!(position(&results[0][1]).abs() > 1e-4, "the middle has moved");
        results.sort();
        results.dedup();
        assert_eq!(results.len(), 1, "alpha {alpha}");
    }
}

/// The client in the README is complete, compiles without a warning, and runs.
#[test]
fn the_client_of_the_readme_runs() {
    let text = std::fs::read_to_string(bindings().join("README.md")).unwrap();
    let source = text.split("```c\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("client.c");
    std::fs::write(&file, source).unwrap();
    let part = |name| Part {
        name,
        parameters: &[],
        command: Command::new(program(std::slice::from_ref(&file), &[])),
        step: 5e-4,
    };
    let lines = [("a.tlm", "b.tlm", line(1e-3, 200.0, 0.0, 0.0))];
    run(vec![part("a"), part("b")], &lines, 1.0, false);
}
