//! TLM meta-models whose sub-models Cardan runs itself.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan::{MemoryRecorder, Options, Simulation, Table};
use std::fs;
use std::path::Path;
use support::{Variant, reals};

/// A mass of the reference problem as a file of its own.
fn mass(mass: f64, stiffness: f64) -> String {
    format!(
        "model = \"mass-spring-damper\"\nparameters = {{ mass = {mass:?}, stiffness = {stiffness:?}, position = 0.01 }}\n\
         solver = {{ kind = \"rk4\", step = 2.5e-5 }}\n\
         [interfaces.tlm]\nflow = \"velocity\"\neffort = \"force\"\nposition = \"position\"\n"
    )
}

fn meta_model(folder: &Path, first: &str, connection: &str) -> std::path::PathBuf {
    fs::write(folder.join("one.toml"), mass(1.0, 1000.0)).unwrap();
    fs::write(folder.join("two.toml"), mass(1.0, 4000.0)).unwrap();
    let text = format!(
        r#"<?xml version="1.0" encoding="ISO-8859-1"?>
<Model Name="pair">
  <SubModels>
    <SubModel Name="one" {first} ModelFile="one.toml"><InterfacePoint Name="tlm" Dimensions="1"/></SubModel>
    <SubModel Name="two" StartCommand="Cardan" ModelFile="two.toml">
      <Parameter Name="mass" Value="2"/>
      <InterfacePoint Name="tlm" Dimensions="1"/>
    </SubModel>
  </SubModels>
  <Connections><Connection From="one.tlm" To="two.tlm" Delay="2e-4" Zf="200" alpha="0.2" {connection}/></Connections>
  <SimulationParams StartTime="0" StopTime="0.05" WriteTimeStep="0.001"/>
</Model>"#
    );
    let file = folder.join("pair.xml");
    fs::write(&file, text).unwrap();
    file
}

fn run(file: &Path) -> Table {
    let (recorder, handle) = MemoryRecorder::new();
    let options = Options {
        recorder: Some(Box::new(recorder)),
        ..Options::default()
    };
    let mut simulation = Simulation::open_with(file, options).unwrap_or_else(|e| panic!("{e}"));
    let report = simulation.run();
    assert_eq!(report.status, "ok", "{:?}", report.error);
    handle.table()
}

#[test]
fn a_meta_model_is_the_same_system_as_one_with_lines() {
    let folder = tempfile::tempdir().unwrap();
    let found = run(&meta_model(
        folder.path(),
        "StartCommand=\"cardan\"",
        "Compensate=\"inertia\" Start=\"consistent\"",
    ));
    let expected = Variant::text(
        r#"
[system]
stop = 0.05
[components.one]
model = "mass-spring-damper"
parameters = { mass = 1.0, stiffness = 1000.0, position = 0.01 }
solver = { kind = "rk4", step = 2.5e-5 }
[components.two]
model = "mass-spring-damper"
parameters = { mass = 2.0, stiffness = 4000.0, position = 0.01 }
solver = { kind = "rk4", step = 2.5e-5 }
[[lines]]
from = { flow = "one.velocity", effort = "one.force", position = "one.position" }
to = { flow = "two.velocity", effort = "two.force", position = "two.position" }
delay = 2e-4
Zf = 200.0
alpha = 0.2
compensate = "inertia"
start = "consistent"
[record]
every = 1e-3
"#,
    )
    .run(cardan::Overrides::default());
    for name in ["one.position", "two.velocity", "one-two.energy"] {
        assert_eq!(reals(&found, name), reals(&expected, name), "{name}");
    }
}

#[test]
fn what_only_a_manager_can_start_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        (
            "StartCommand=\"StartTLMAdams\"",
            "",
            "`one` is started by `StartTLMAdams`",
        ),
        ("StartCommand=\"none\"", "", "`one` is started by somebody else"),
        (
            "StartCommand=\"cardan\"",
            "Filter=\"strong\"",
            "Filter cannot be `strong`",
        ),
        (
            "StartCommand=\"cardan\"",
            "Compensate=\"yes\"",
            "Compensate cannot be `yes`",
        ),
    ];
    for (first, connection, expected) in cases {
        let file = meta_model(folder.path(), first, connection);
        match Simulation::open(&file) {
            Ok(_) => panic!("{expected}: it opens"),
            Err(error) => assert!(error.to_string().contains(expected), "{error}"),
        }
    }
}
