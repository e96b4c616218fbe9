//! FMUs that save no state, in processes of their own: they keep all promises, and they can go back.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]
#![cfg(target_os = "linux")]

use cardan::Reporter;
use cardan_core::participant::{Participant, Settings};
use cardan_fmi::co_simulation::{CoSimulation, Options};
use cardan_fmi::{Fmu, FmuInterface};
use cardan_link::{Manner, isolate};
use cardan_testkit::fmus::{self, Fmi};
use std::path::Path;
use std::sync::Arc;

fn here(path: &Path) -> Box<dyn Participant> {
    let fmu = Fmu::open(path, &mut Reporter::default()).unwrap();
    let interface = FmuInterface::new(fmu, &Settings::default()).unwrap();
    let made = CoSimulation::new(
        Arc::new(interface),
        "here",
        Settings::default(),
        Options::default(),
    );
    Box::new(made.unwrap())
}

fn isolated(path: &Path) -> Box<dyn Participant> {
    Box::new(isolate(here(path), &Manner::default()).unwrap())
}

/// They are black boxes where they are loaded, and are not where they have a process.
#[test]
fn a_process_of_its_own_gives_rollback() {
    for path in [
        fmus::unpacked("held-mass", Fmi::V2),
        fmus::unpacked("held-mass", Fmi::V3),
        fmus::python("decay"),
    ] {
        assert!(here(&path).rollback().is_none());
        let mut isolated = isolated(&path);
        let rollback = isolated.rollback().unwrap();
        assert!(
            rollback.portable().is_none(),
            "a process cannot be put into a file"
        );
    }
}

cardan_testkit::conformance!(held_mass_fmi2, || isolated(&fmus::unpacked("held-mass", Fmi::V2)));
cardan_testkit::conformance!(held_mass_fmi3, || isolated(&fmus::unpacked("held-mass", Fmi::V3)));
// A whole interpreter is in the copy.
cardan_testkit::conformance!(python, || isolated(&fmus::python("decay")));
