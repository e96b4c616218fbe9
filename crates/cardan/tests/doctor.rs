//! The doctor against what is known of the problems.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan::core::flight::Flight;
use cardan::doctor::{Diagnosis, Options, examine};
use cardan::{Overrides, Reporter, System};
use std::path::Path;
use std::time::Duration;
use support::Variant;

fn diagnose(path: &Path, overrides: &Overrides) -> Diagnosis {
    let mut reporter = Reporter::new();
    let system = System::load(path, overrides, false, &mut reporter);
    let mut system = system.unwrap_or_else(|| panic!("{}", reporter.render_all(false)));
    let options = Options {
        time: Duration::from_secs(60),
        flight: Flight::default(),
        progress: &mut |_, _, _| {},
    };
    examine(&mut system, options).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn show() {
    for file in ["two-mass/system.toml", "two-mass/displacement.toml"] {
        for (cc, dc) in [("1e4", "10.0"), ("1e6", "100.0")] {
            let changes = [
                ("coupling_stiffness = 1e4", format!("coupling_stiffness = {cc}")),
                ("coupling_damping = 10.0", format!("coupling_damping = {dc}")),
            ];
            let changes: Vec<(&str, &str)> = changes.iter().map(|(a, b)| (*a, b.as_str())).collect();
            let variant = Variant::of(file, &changes);
            let began = std::time::Instant::now();
            let found = diagnose(variant.path(), &Overrides::default());
            println!("{file} {cc}: {:?} {found:#?}", began.elapsed());
        }
    }
}
