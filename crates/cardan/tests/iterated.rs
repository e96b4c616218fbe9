//! Steps that are repeated until values fit together: real problems, with the steps counted.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan::{Overrides, Report, Table};
use cardan_testkit::problems::{DoublePendulum, QuarterCar, TwoMass};
use support::{Variant, largest_error, problems, reals};

fn run(system: &Variant, overrides: Overrides) -> (Table, Report) {
    let (mut simulation, handle) = system.open(overrides);
    let report = simulation.run();
    assert_eq!(report.status, "ok", "{:?}", report.error);
    (handle.table(), report)
}

#[test]
fn explore_two_mass() {
    for kind in ["adaptive", "iterated"] {
        for tol in [1e-3, 1e-4, 1e-5, 1e-6] {
            let system = Variant::of(
                "two-mass/system.toml",
                &[
                    ("kind = \"jacobi\"", &format!("kind = \"{kind}\"")),
                    ("step = 0.001 ", &format!("tolerance = {tol}")),
                    ("reading = \"quadratic\"", "# reading"),
                    ("start = \"flat\"", "# start"),
                ],
            );
            let (result, report) = run(&system, Overrides::default());
            let e = largest_error(&result, "one.position", |t| TwoMass::reference(t)[0]) / 0.2;
            println!("{kind} {tol:e}: {e:.2e} steps {} rejected {} its {} calls {:?}", report.steps, report.rejected, report.iterations, report.components["one"].steps);
        }
    }
    for k in ["linear", "quadratic", "hermite"] {
        for h in [1e-2, 5e-3, 2e-3, 1e-3] {
            for acc in ["fixed-point", "aitken", "broyden", "iqn-ils", "newton"] {
            let system = Variant::of(
                "two-mass/system.toml",
                &[
                    ("kind = \"jacobi\"", &format!("kind = \"iterated\"\naccelerator = \"{acc}\"")),
                    ("step = 0.001 ", &format!("step = {h}\ntolerance=1e-8")),
                    ("reading = \"quadratic\"", &format!("reading = \"{k}\"")),
                    ("start = \"flat\"", "# start"),
                ],
            );
            let (mut simulation, handle) = system.open(Overrides::default());
            let report = simulation.run();
            if report.status != "ok" { println!("{k} {h} {acc}: {:?}", report.error.unwrap().message); continue; }
            let result = handle.table();
            let e = largest_error(&result, "one.position", |t| TwoMass::reference(t)[0]);
            println!("{k} {h:e} {acc}: {e:.2e} steps {} its {} per step {:.2}", report.steps, report.iterations, report.iterations as f64/report.steps as f64);
            }
        }
    }
}

#[test]
fn explore_quarter_car() {
    for kind in ["adaptive", "iterated"] {
        for tol in [1e-3, 1e-4, 1e-5, 1e-6] {
            let system = Variant::of(
                "quarter-car/system.toml",
                &[
                    ("kind = \"jacobi\"", &format!("kind = \"{kind}\"")),
                    ("step = 0.001", &format!("tolerance = {tol}")),
                    ("reading = \"hold\"", "# reading"),
                ],
            );
            let (result, report) = run(&system, Overrides::default());
            let c = largest_error(&result, "chassis.position", |t| QuarterCar::reference(t)[0]);
            let w = largest_error(&result, "wheel.position", |t| QuarterCar::reference(t)[2]);
            println!("{kind} {tol:e}: {c:.2e} {w:.2e} steps {} rejected {} its {} calls {:?}", report.steps, report.rejected, report.iterations, report.components["wheel"].steps);
        }
    }
}

#[test]
fn explore_pendulum() {
    let env = |n: &str, d: &str| std::env::var(n).unwrap_or(d.to_owned());
    for kind in env("XK", "adaptive,iterated").split(',') {
        for tol in env("XT", "1e-4,1e-5,1e-6,1e-7").split(',').map(|t| t.parse::<f64>().unwrap()) {
            for min in [3e-9] {
            let system = problems::double_pendulum("hermite");
            let system = system.with(&[("kind = \"jacobi\"", &format!("kind = \"{kind}\"\nmin_step = {min}")), ("step = 0.001", &format!("tolerance = {tol}"))]);
            let (mut simulation, handle) = system.open(Overrides::default());
            let report = simulation.run();
            if report.status != "ok" { println!("{kind} {tol}: {:?}", report.error.unwrap().message); continue; }
            let result = handle.table();
            let error =
                |name: &str, state: usize| largest_error(&result, name, |t| DoublePendulum::reference(t)[state]);
            let (u, l) = (error("upper.angle", 0), error("lower.angle", 2));
            println!("{kind} {tol:e} {min:e}: {u:.2e} {l:.2e} steps {} rejected {} its {} calls {} {:?}", report.steps, report.rejected, report.iterations, report.components["upper"].steps, report.warnings.len());
            let _ = reals(&result, "upper.angle");
            }
        }
    }
}
