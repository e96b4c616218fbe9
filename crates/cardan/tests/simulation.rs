//! The library as its users use it: opened, looked at, advanced step by step, changed on the way.

mod support;

use cardan::{Overrides, Status, Value};
use support::{Variant, reals, step};

const SPRING: &str = r#"
[system]
stop = 2.0

[components.push]
model = "constant"
parameters = { value = 10.0 }

[components.mass]
model = "mass-spring-damper"
parameters = { mass = 1.0, stiffness = 100.0, damping = 20.0 }

[[connections]]
from = "push.y"
to = "mass.force"

[method]
kind = "gauss-seidel"
step = 0.01
"#;

#[test]
fn steps_land_on_the_grid_and_on_the_end() {
    let (mut simulation, handle) = Variant::text(SPRING).open(Overrides {
        stop: Some(0.995),
        ..step(0.1)
    });
    assert_eq!(simulation.time(), 0.0);
    for k in 1..=9 {
        assert_eq!(simulation.step().unwrap(), Status::Running);
        assert_eq!(simulation.time(), f64::from(k) / 10.0);
    }
    assert_eq!(simulation.step().unwrap(), Status::Finished);
    assert_eq!(simulation.time(), 0.995);
    assert_eq!(simulation.step().unwrap(), Status::Finished);
    let report = simulation.finish();
    assert_eq!((&*report.status, report.steps), ("ok", 10));
    assert_eq!(handle.table().times.last(), Some(&0.995));
}

#[test]
fn tunable_parameters_change_between_steps() {
    let (mut simulation, _) = Variant::text(SPRING).open(Overrides::default());
    simulation.advance_to(1.0).unwrap();
    // Critically damped with ω = 10/s: after one second e^-10 (1 + 10) = 5e-4 of the way is left.
    let settled = simulation.value("mass.position").unwrap().as_real().unwrap();
    assert!((settled - 0.1).abs() < 1e-4);
    assert_eq!(simulation.value("mass.force").unwrap(), Value::real(10.0));
    simulation.set("push.value", Value::real(0.0)).unwrap();
    assert_eq!(simulation.value("mass.force").unwrap(), Value::real(0.0));
    simulation.advance_to(2.0).unwrap();
    assert!(
        simulation
            .value("mass.position")
            .unwrap()
            .as_real()
            .unwrap()
            .abs()
            < 1e-4
    );
}

/// A critically damped mass with ω = 10/s: two seconds after each change 2e-9 of the way is left.
#[test]
fn inputs_that_nothing_is_connected_to_are_set_between_steps() {
    let longer = SPRING.replace("stop = 2.0", "stop = 5.0");
    let alone = longer.split("[[connections]]").next().unwrap();
    for method in [
        "[method]\nkind = \"gauss-seidel\"\nstep = 0.01\n",
        "[method]\nkind = \"adaptive\"\ntolerance = 1e-6\n",
    ] {
        let (mut simulation, _) = Variant::text(&format!("{alone}{method}")).open(Overrides::default());
        let position = |simulation: &cardan::Simulation| {
            let value = simulation.value("mass.position").unwrap();
            value.as_real().unwrap()
        };
        for (force, until) in [(20.0, 2.0), (-5.0, 4.0)] {
            simulation.set("mass.force", Value::real(force)).unwrap();
            assert_eq!(simulation.value("mass.force").unwrap(), Value::real(force));
            simulation.advance_to(until).unwrap();
            assert_eq!(simulation.time(), until);
            let expected = force / 100.0;
            let reached = position(&simulation);
            assert!(
                (reached - expected).abs() < 1e-5,
                "{method}: {reached} for {expected}"
            );
        }
        let refused = simulation.set("mass.position", Value::boolean(true)).unwrap_err();
        assert!(refused.to_string().starts_with("`mass.position`"), "{refused}");
    }
}

#[test]
fn what_cannot_be_changed_or_seen_is_said_so() {
    let (mut simulation, _) = Variant::text(SPRING).open(Overrides::default());
    let message = |result: Result<(), cardan::Error>| result.unwrap_err().to_string();
    assert_eq!(
        message(simulation.set("mass.position", Value::real(1.0))),
        "`mass.position` cannot change during a run"
    );
    assert_eq!(
        message(simulation.set("mass.colour", Value::real(1.0))),
        "there is no parameter and no input `mass.colour`"
    );
    assert_eq!(
        message(simulation.set("mass.mass", Value::real(-1.0))),
        "`mass.mass`: must be greater than 0, found -1"
    );
    let unknown = simulation.value("mass.colour").unwrap_err().to_string();
    assert_eq!(unknown, "there is no variable `mass.colour`");
}

#[test]
fn a_run_can_be_stopped_from_another_thread_and_keeps_its_rows() {
    let (mut simulation, handle) = Variant::text(SPRING).open(Overrides {
        stop: Some(1e6),
        ..step(1e-3)
    });
    let control = simulation.control();
    let stopper = std::thread::spawn(move || {
        while control.steps() < 100 {
            std::thread::yield_now();
        }
        control.stop();
    });
    let report = simulation.run();
    stopper.join().unwrap();
    assert_eq!((&*report.status, report.exit_code), ("failed", 130));
    let table = handle.table();
    assert_eq!(table.rows() as u64, report.steps + 1);
    assert_eq!(table.times.last(), Some(&report.time));
}

#[test]
fn values_that_are_not_finite_stop_the_run_and_are_named() {
    // x' = 10 x leaves the range of numbers at t = ln(1.8e308) / 10 = 71 s.
    let text = r#"
[system]
stop = 100.0
[components.zero]
model = "constant"
parameters = { value = 0.0 }
[components.runaway]
model = "state-space"
parameters = { a = [10.0], b = [1.0], c = [1.0], x0 = [1.0] }
[[connections]]
from = "zero.y"
to = "runaway.u"
[method]
kind = "jacobi"
step = 0.1
"#;
    let (mut simulation, handle) = Variant::text(text).open(Overrides::default());
    let report = simulation.run();
    assert_eq!((&*report.status, report.exit_code), ("failed", 4), "{report:?}");
    let error = report.error.unwrap();
    assert_eq!(error.participant.as_deref(), Some("runaway"));
    assert!((70.0..=71.0).contains(&error.time.unwrap()), "{error:?}");
    assert!(error.advice.is_some());
    let table = handle.table();
    assert!(table.rows() > 700);
    assert!(reals(&table, "runaway.y").iter().all(|y| y.is_finite()));
}

fn refusal(text: &str) -> String {
    let variant = Variant::text(text);
    match cardan::Simulation::open(variant.path()) {
        Ok(_) => "nothing is wrong".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn runs_that_cannot_end_well_are_refused() {
    let rows = SPRING.replace("step = 0.01", "step = 0.01\n[record]\nevery = 1e-15");
    assert!(
        refusal(&rows).contains("`every` asks for 2e15 rows"),
        "{}",
        refusal(&rows)
    );
    let steps = SPRING.replace("step = 0.01", "step = 1e-300");
    assert!(refusal(&steps).contains("steps"), "{}", refusal(&steps));
}

#[test]
fn a_table_says_which_cell_is_no_number() {
    let text = SPRING.replace(
        "model = \"constant\"\nparameters = { value = 10.0 }",
        "model = \"table\"\nparameters = { file = \"in.csv\" }",
    );
    let table = |content: &str| {
        let variant = Variant::text(&text);
        std::fs::write(variant.path().join("in.csv"), content).unwrap();
        match cardan::Simulation::open(variant.path()) {
            Ok(_) => "nothing is wrong".to_owned(),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(table("time,y\n0,1\n2,3\n"), "nothing is wrong");
    let typo = table("time,y\n0,1\n1,O2\n2,3\n");
    assert!(
        typo.contains("row 2 of column `y` is no number: `O2`") && typo.contains("line 3"),
        "{typo}"
    );
    let nan = table("time,y\n0,1\n1,nan\n2,3\n");
    assert!(nan.contains("row 2 of column `y` is no number: NaN"), "{nan}");
    assert!(table("time,y\n").contains("has no rows"));
}

#[test]
fn a_component_that_exchanges_beside_its_samples_is_warned_of() {
    let text = SPRING.replace(
        "model = \"constant\"\nparameters = { value = 10.0 }",
        "model = \"sine\"\nstep = 0.003\nparameters = { period = 0.002 }",
    );
    let (simulation, _) = Variant::text(&text).open(Overrides::default());
    let warnings: Vec<&str> = simulation.warnings().iter().map(|w| w.message.as_str()).collect();
    assert!(
        warnings.is_empty() || warnings[0].contains("samples every"),
        "{warnings:?}"
    );
}
