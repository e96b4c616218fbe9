//! The same FMUs simulated by FMPy and by Cardan agree.
//!
//! Co-Simulation: both make the same calls, so only the rounding of instants differs. Model Exchange: FMPy uses CVode,
//! Cardan its own solver, both with a tolerance far below the bound.

#![allow(clippy::unwrap_used)]

use cardan::record::{Table, compare, read};
use cardan::{Options, Overrides, Simulation};
use cardan_testkit::fmus::{self, Fmi};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const STEP: f64 = 0.01;
const STOP: f64 = 2.0;

struct Case {
    name: &'static str,
    version: Fmi,
    exchange: bool,
    start: &'static [(&'static str, f64)],
    outputs: &'static [&'static str],
    /// A table for the inputs.
    input: Option<&'static str>,
    /// Relative to values of about one.
    tolerance: f64,
}

/// Rounding over 200 steps of a stable system.
const SAME_CALLS: f64 = 1e-12;
/// Solver tolerances of 1e-10 over a few seconds, with room for the growth of errors over bounces.
const OWN_SOLVER: f64 = 1e-7;

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for version in Fmi::ALL {
        let mut add = |name, exchange, start, outputs, input, tolerance| {
            cases.push(Case {
                name,
                version,
                exchange,
                start,
                outputs,
                input,
                tolerance,
            });
        };
        add("lag", false, &[("x0", 1.0)][..], &["y"][..], None, SAME_CALLS);
        add(
            "oscillator-node",
            false,
            &[("x0", 1.0), ("v0", 0.5)],
            &["position", "velocity"],
            None,
            SAME_CALLS,
        );
        let mass = &[("x0", 1.0), ("d", 0.1), ("k", 40.0)];
        add(
            "driven-mass",
            false,
            mass,
            &["position", "velocity"],
            None,
            SAME_CALLS,
        );
        add("counter", false, &[("first", 3.0)], &["count"], None, SAME_CALLS);
        // Bounces are found on parabolas; the times of the calls enter through differences.
        add("bouncing-ball", false, &[("e", 0.8)], &["h", "v"], None, 1e-9);
        add("lag", true, &[("x0", 1.0)], &["y"], None, OWN_SOLVER);
        add(
            "driven-mass",
            true,
            mass,
            &["position", "velocity"],
            None,
            OWN_SOLVER,
        );
        add("bouncing-ball", true, &[("e", 0.8)], &["h"], None, 1e-5);
        // Jumps on the grid of both. Slopes would show that FMPy holds inputs over a step and Cardan does not.
        let jumps = "time,force\n0,1\n0.5,1\n0.5,2\n1.5,2\n1.5,-1\n2,-1\n";
        add(
            "driven-mass",
            true,
            &[("k", 40.0)],
            &["position", "velocity"],
            Some(jumps),
            OWN_SOLVER,
        );
    }
    cases.push(Case {
        name: "arrays",
        version: Fmi::V3,
        exchange: true,
        start: &[],
        outputs: &["y"],
        input: None,
        tolerance: OWN_SOLVER,
    });
    cases
}

#[test]
fn fmpy_and_cardan_agree() {
    let folder = tempfile::tempdir().unwrap();
    let cases = cases();
    run_fmpy(&cases, folder.path());
    let mut wrong = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        let expected = read(&reference(folder.path(), index)).unwrap();
        let found = run_cardan(case, index, folder.path());
        assert_eq!(expected.rows(), found.rows(), "{} {}", case.name, case.version);
        let comparison = compare(
            &renamed(expected, "model"),
            &found,
            case.tolerance,
            case.tolerance,
        );
        if !comparison.agrees() {
            wrong.push(format!(
                "{} {} exchange {}: {comparison:?}",
                case.name, case.version, case.exchange
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn reference(folder: &Path, index: usize) -> PathBuf {
    folder.join(format!("fmpy{index}.csv"))
}

/// FMPy knows one FMU: its columns get the name of our component.
fn renamed(mut table: Table, component: &str) -> Table {
    for column in &mut table.schema.columns {
        column.name = format!("{component}.{}", column.name);
    }
    table
}

fn input(case: &Case, index: usize, folder: &Path) -> Option<PathBuf> {
    let path = folder.join(format!("input{index}.csv"));
    std::fs::write(&path, case.input?).unwrap();
    Some(path)
}

fn run_fmpy(cases: &[Case], folder: &Path) {
    let list: Vec<serde_json::Value> = cases
        .iter()
        .enumerate()
        .map(|(index, case)| {
            serde_json::json!({
                "fmu": fmus::build(case.name, case.version),
                "kind": if case.exchange { "ModelExchange" } else { "CoSimulation" },
                "stop": STOP,
                "step": STEP,
                "tolerance": 1e-10,
                "start": case.start.iter().copied().collect::<std::collections::BTreeMap<_, _>>(),
                "outputs": case.outputs,
                "input": input(case, index, folder),
                "csv": reference(folder, index),
            })
        })
        .collect();
    let mut child = Command::new(fmus::interpreter())
        .arg(fmus::folder().join("reference.py"))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let text = serde_json::to_string(&list).unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success(), "FMPy failed");
}

fn run_cardan(case: &Case, index: usize, folder: &Path) -> Table {
    let fmu = fmus::build(case.name, case.version);
    let interface = if case.exchange {
        "model-exchange"
    } else {
        "co-simulation"
    };
    let parameters: Vec<String> = case
        .start
        .iter()
        .map(|(name, value)| match *name {
            "first" => format!("{name} = {value:.0}"),
            _ => format!("{name} = {value:?}"),
        })
        .collect();
    let solver = if case.exchange {
        "solver = { kind = \"dopri5\", rtol = 1e-10, atol = 1e-12 }\n"
    } else {
        ""
    };
    let variables: Vec<String> = case.outputs.iter().map(|o| format!("\"model.{o}\"")).collect();
    let text = format!(
        "[system]\nstop = {STOP}\n[components.model]\nfmu = {:?}\ninterface = \"{interface}\"\n{solver}\
         parameters = {{ {} }}\n[method]\nkind = \"gauss-seidel\"\nstep = {STEP}\n[record]\nvariables = [{}]\n",
        fmu.display().to_string(),
        parameters.join(", "),
        variables.join(", "),
    );
    let path = folder.join(format!("system{index}.toml"));
    std::fs::write(&path, text).unwrap();
    let out = folder.join(format!("cardan{index}.csv"));
    let options = Options {
        out: Some(out.clone()),
        overrides: Overrides {
            input: input(case, index, folder),
            ..Overrides::default()
        },
        ..Options::default()
    };
    let report = Simulation::open_with(&path, options).unwrap().run();
    assert_eq!(report.status, "ok", "{}: {:?}", case.name, report.error);
    read(&out).unwrap()
}
