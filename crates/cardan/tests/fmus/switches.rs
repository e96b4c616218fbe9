//! Switches of each type between FMUs: a relay that heats a room.

use crate::workplace::{Workplace, last};
use cardan::core::record::ColumnData;
use cardan::{MemoryRecorder, Options, Simulation, Table};
use std::time::Duration;

const TYPES: [&str; 4] = ["on", "level", "number", "share"];
const INTERFACES: [&str; 2] = ["model-exchange", "co-simulation"];

/// A relay that heats a room through a switch of a type. `more` ends the description.
fn heating(version: &str, interface: &str, switch: &str, more: &str) -> Workplace {
    Workplace::system(&format!(
        r#"
[system]
stop = 60.0
[components.relay]
fmu = {{@relay-{version}}}
interface = "{interface}"
[components.room]
fmu = {{@heated-{version}}}
interface = "{interface}"
[[connections]]
from = "room.T"
to = "relay.T"
[[connections]]
from = "relay.{switch}"
to = "room.{switch}"
{more}
"#
    ))
}

/// As `cardan run` does it: what is not recorded is not there, slopes of states that jump with a switch among them.
#[track_caller]
fn run(place: &Workplace) -> Table {
    let (recorder, rows) = MemoryRecorder::new();
    let options = Options {
        recorder: Some(Box::new(recorder)),
        recorded_only: true,
        ..Options::default()
    };
    let mut simulation = match Simulation::open_with(place.path(), options) {
        Ok(simulation) => simulation,
        Err(error) => panic!("{error}"),
    };
    let report = simulation.run();
    assert_eq!(report.status, "ok", "{:?}", report.error);
    rows.table()
}

/// From 20 degrees it falls to 19 within 13.8 s, and is heated from then on.
#[track_caller]
fn is_heated(table: &Table, what: &str) {
    let Some(ColumnData::Booleans(on)) = table.column("relay.on") else {
        panic!("{what}: the relay shows nothing");
    };
    assert!(!on[0] && on[on.len() - 1], "{what}: {on:?}");
    let end = last(table, "room.T");
    assert!((19.9..20.3).contains(&end), "{what}: {end}");
}

/// Events at the start ask for slopes, so these are wanted before anything has stepped.
#[test]
fn switches_of_each_type_are_connected_whatever_the_readings_want() {
    for version in ["fmi2", "fmi3"] {
        for interface in INTERFACES {
            for switch in TYPES {
                let place = heating(version, interface, switch, "");
                is_heated(&run(&place), &format!("{version}, {interface}, {switch}"));
            }
        }
    }
}

#[test]
fn all_methods_take_switches() {
    let methods = [
        "kind = \"jacobi\"\nstep = 0.1",
        "kind = \"gauss-seidel\"\nstep = 0.1",
        "kind = \"iterated\"\nstep = 0.1",
        "kind = \"adaptive\"\ntolerance = 1e-5",
        "kind = \"iterated\"\ntolerance = 1e-5",
    ];
    for method in methods {
        for interface in INTERFACES {
            for switch in ["on", "level"] {
                let place = heating("fmi3", interface, switch, &format!("[method]\n{method}"));
                is_heated(&run(&place), &format!("{method}, {interface}, {switch}"));
            }
        }
    }
}

#[test]
fn switches_cross_into_another_process() {
    for interface in INTERFACES {
        let place = heating("fmi3", interface, "level", "");
        let path = place.path().join("system.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        let key = format!("interface = \"{interface}\"");
        place.write(
            "system.toml",
            &text.replace(&key, &format!("{key}\nisolate = true")),
        );
        is_heated(&run(&place), interface);
    }
}

/// What is no real cannot be pulsed: the doctor says so and does not break.
#[test]
fn a_coupling_by_switches_can_be_examined() {
    for interface in INTERFACES {
        for switch in TYPES {
            let place = heating("fmi2", interface, switch, "");
            let mut simulation = match Simulation::open_with(place.path(), Options::default()) {
                Ok(simulation) => simulation,
                Err(error) => panic!("{error}"),
            };
            let found = simulation.examine(Duration::from_secs(5)).unwrap();
            assert_eq!(found.groups.len(), 1, "{interface}, {switch}");
        }
    }
}
