//! Inputs from a file.

use crate::workplace::{Workplace, fmu, largest_error, last, mistakes, reals, run};
use cardan::core::record::ColumnData;
use cardan::{Options, Overrides, Simulation, Table};

/// Far below the bounds of the tests, so that those are about the inputs.
const SOLVER: &str = r#"interface = "model-exchange"
solver = { kind = "dopri5", rtol = 1e-10, atol = 1e-12 }"#;

fn lag(version: &str) -> Workplace {
    Workplace::system(&format!(
        r#"
[system]
stop = 2.0
[components.lag]
fmu = {{@lag-{version}}}
{SOLVER}
parameters = {{ T = 0.5 }}
[method]
kind = "gauss-seidel"
step = 0.1
"#
    ))
}

#[test]
fn a_slope_is_followed_exactly_in_model_exchange() {
    for version in ["fmi2", "fmi3"] {
        let table = lag(version).run_with_inputs("time,u\n0,0\n2,2\n");
        // T x' = t - x from rest.
        let exact = |t: f64| t - 0.5 + 0.5 * (-t / 0.5).exp();
        let error = largest_error(&table, "lag.y", exact);
        // A thousand times the tolerance of the solver, which is that of one of its steps.
        assert!(error < 1e-7, "{version}: {error}");
    }
}

#[test]
fn a_jump_between_two_points_is_seen_at_its_instant() {
    for version in ["fmi2", "fmi3"] {
        // 0.55 is no communication point.
        let table = lag(version).run_with_inputs("time,u\n0,0\n0.55,0\n0.55,1\n2,1\n");
        let exact = |t: f64| {
            if t <= 0.55 {
                0.0
            } else {
                1.0 - (-(t - 0.55) / 0.5).exp()
            }
        };
        // Seen one step late it would be wrong by up to 0.1.
        let error = largest_error(&table, "lag.y", exact);
        assert!(error < 1e-7, "{version}: {error}");
        assert!(table.times.contains(&0.55), "{:?}", table.times);
    }
}

fn mass(name: &str, step: f64) -> Workplace {
    Workplace::system(&format!(
        r#"
[system]
stop = 2.0
[components.mass]
fmu = {{@{name}}}
[method]
kind = "gauss-seidel"
step = {step}
"#
    ))
}

/// m = k = 1, d = 0, at rest, driven by F = t.
fn swinging(t: f64) -> f64 {
    t - t.sin()
}

fn error_of_mass(name: &str, step: f64) -> f64 {
    let table = mass(name, step).run_with_inputs("time,force\n0,0\n2,2\n");
    largest_error(&table, "mass.position", swinging)
}

#[test]
fn an_fmu_that_knows_slopes_gets_them() {
    for name in ["driven-mass-fmi2", "driven-mass-fmi3"] {
        // RK4 with inner steps of 1e-3 is good to 1e-12 or so; held inputs would leave 1e-2.
        let error = error_of_mass(name, 0.1);
        assert!(error < 1e-10, "{name}: {error}");
    }
}

#[test]
fn an_fmu_that_holds_its_inputs_is_of_second_order() {
    for name in ["held-mass-fmi2", "held-mass-fmi3"] {
        let errors = [0.1, 0.05, 0.025].map(|step| error_of_mass(name, step));
        for pair in errors.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!((order - 2.0).abs() < 0.1, "{name}: {errors:?}");
        }
    }
}

fn feedthrough(version: &str, table: &str) -> Table {
    let place = Workplace::system(&format!(
        r#"
[system]
stop = 0.4
[components.f]
fmu = {{@feedthrough-{version}}}
[method]
kind = "gauss-seidel"
step = 0.1
"#
    ));
    place.run_with_inputs(table)
}

/// The value of a column in the row of that time.
#[track_caller]
fn shown(table: &Table, name: &str, time: f64) -> String {
    // Communication points are k * 0.1, which need not be the literal.
    let row = table.times.iter().position(|t| (t - time).abs() < 1e-12);
    let row = row.unwrap_or_else(|| panic!("{time} in {:?}", table.times));
    match table.column(name) {
        Some(ColumnData::Reals(v)) => v[row].to_string(),
        Some(ColumnData::Integers(v)) => v[row].to_string(),
        Some(ColumnData::Booleans(v)) => v[row].to_string(),
        Some(ColumnData::Bytes(v)) => String::from_utf8(v.get(row).to_vec()).unwrap(),
        None => panic!("{name}"),
    }
}

#[test]
fn discrete_columns_of_every_type_jump_where_they_change() {
    let names = [
        ("fmi2", ["integer", "boolean", "string", "enumeration"]),
        ("fmi3", ["int32", "boolean", "string", "enumeration"]),
    ];
    for (version, [integer, boolean, string, enumeration]) in names {
        let head = format!("time,{integer}_in,{boolean}_in,{string}_in,{enumeration}_in\n");
        let rows = "0,1,false,a,first\n0.15,2,true,\"b, c\",second\n0.3,-7,0,,first\n";
        let table = feedthrough(version, &(head + rows));
        for (name, values) in [
            (integer, ["1", "2", "2", "-7"]),
            (boolean, ["false", "true", "true", "false"]),
            (string, ["a", "b, c", "b, c", ""]),
            (enumeration, ["1", "2", "2", "1"]),
        ] {
            let column = format!("f.{name}_out");
            for (time, value) in [0.1, 0.15, 0.2, 0.3].into_iter().zip(values) {
                assert_eq!(shown(&table, &column, time), value, "{version} {name} at {time}");
            }
        }
    }
}

#[test]
fn discrete_reals_are_held_and_continuous_ones_are_not() {
    let table = feedthrough(
        "fmi3",
        "time,float64_in,discrete_float64_in\n0,0,0\n0.2,2,2\n0.4,4,4\n",
    );
    // Lines between rows, to the last bits of an interpolation; steps between rows.
    let line = reals(&table, "f.float64_out");
    let at = table.times.iter().position(|t| (t - 0.1).abs() < 1e-12).unwrap();
    assert!((line[at] - 1.0).abs() < 1e-14, "{}", line[at]);
    assert_eq!(reals(&table, "f.discrete_float64_out")[at], 0.0);
    assert_eq!(last(&table, "f.discrete_float64_out"), 4.0);
}

#[test]
fn columns_of_elements_fill_an_array() {
    let place = Workplace::system(
        r#"
[system]
stop = 1.0
[components.a]
fmu = {@arrays-fmi3}
[method]
kind = "gauss-seidel"
step = 0.1
"#,
    );
    let inputs = "time,triple_in[1],triple_in[2],triple_in[3],u[1]\n0,1,0,5,1\n1,1,2,5,1\n";
    let table = place.run_with_inputs(inputs);
    let slope = |t: f64| 2.0 * t;
    assert_eq!(last(&table, "a.triple_out[1]"), 1.0);
    assert!(largest_error(&table, "a.triple_out[2]", slope) < 1e-14);
    assert_eq!(last(&table, "a.triple_out[3]"), 5.0);
    // y = x1 + x2 with x' = -x + 1: RK4 of step 0.1 is good to h^4 / 120, about 1e-6.
    let error = largest_error(&table, "a.y[1]", |t| 2.0 * (1.0 - (-t).exp()));
    assert!(error < 2e-6, "{error}");
    let missing = mistakes_of(&place, "time,triple_in[1],triple_in[3]\n0,1,0\n");
    assert!(
        missing[0].contains("has no column `a.triple_in[2]`"),
        "{missing:?}"
    );
}

fn mistakes_of(place: &Workplace, table: &str) -> Vec<String> {
    let overrides = Overrides {
        input: Some(place.write("inputs.csv", table)),
        ..Overrides::default()
    };
    mistakes(place.path(), overrides)
}

#[test]
fn several_components_are_told_apart_by_their_names() {
    let place = Workplace::system(
        r#"
[system]
stop = 1.0
[components.one]
fmu = {@gain-fmi2}
[components.two]
fmu = {@gain-fmi3}
parameters = { a = -1.0 }
[method]
kind = "jacobi"
step = 0.1
"#,
    );
    let table = place.run_with_inputs("time,one.u,two.u\n0,0,1\n1,1,1\n");
    assert!(largest_error(&table, "one.y", |t| t) < 1e-14);
    assert!(largest_error(&table, "two.y", |_| -1.0) < 1e-14);
    // Without the component a name could mean either.
    let told = mistakes_of(&place, "time,u\n0,0\n1,1\n");
    assert!(told.iter().any(|m| m.contains("`component.input`")), "{told:?}");
}

#[test]
fn wrong_cells_are_told_with_their_line_and_unknown_columns_only_warn() {
    let place = lag("fmi2");
    let told = mistakes_of(&place, "time,u\n0,0\n1,fast\n2,1\n");
    assert_eq!(told.len(), 1, "{told:?}");
    let parts = ["row 2 of column `u` must be real, found `fast`", "line 3"];
    assert!(parts.iter().all(|part| told[0].contains(part)), "{told:?}");

    let told = mistakes_of(&place, "time,u\n0,0\n2,1\n1,1\n");
    assert!(
        told[0].contains("line 4") && told[0].contains("time goes back from 2 to 1"),
        "{told:?}"
    );

    let overrides = Overrides {
        input: Some(place.write("inputs.csv", "time,u,w\n0,1,0\n")),
        ..Overrides::default()
    };
    let options = Options {
        overrides,
        ..Options::default()
    };
    let simulation = Simulation::open_with(place.path(), options).unwrap();
    let warnings = simulation.warnings();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].message.contains("column `w`"), "{warnings:?}");
}

#[test]
fn an_input_that_is_connected_stays_so() {
    let place = Workplace::system(
        r#"
[system]
stop = 1.0
[components.one]
fmu = {@gain-fmi2}
[components.two]
fmu = {@gain-fmi3}
[[connections]]
from = "one.y"
to = "two.u"
[method]
kind = "gauss-seidel"
step = 0.1
"#,
    );
    let overrides = Overrides {
        input: Some(place.write("inputs.csv", "time,one.u,two.u\n0,1,7\n")),
        ..Overrides::default()
    };
    let (recorder, rows) = cardan::MemoryRecorder::new();
    let options = Options {
        overrides,
        recorder: Some(Box::new(recorder)),
        ..Options::default()
    };
    let mut simulation = Simulation::open_with(place.path(), options).unwrap();
    let warnings = simulation.warnings();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let advice = warnings[0].advice.as_deref();
    assert_eq!(advice, Some("`two.u` is connected already"));
    assert_eq!(simulation.run().status, "ok");
    assert_eq!(last(&rows.table(), "two.y"), 1.0);
}

#[test]
fn a_single_fmu_takes_plain_names() {
    let place = Workplace::new();
    let overrides = Overrides {
        input: Some(place.write("inputs.csv", "time,u\n0,3\n")),
        ..Overrides::default()
    };
    let (_, table) = run(&fmu("gain-fmi3"), overrides);
    assert!(reals(&table, "gain.y").iter().all(|y| *y == 3.0));
}

/// The future of a table is known: no method looks beyond its points, with one step for all or one for each.
#[test]
fn a_table_is_followed_by_every_method() {
    let ramp = "time,lag.u\n0,0\n2,2\n";
    let exact = |t: f64| t - 0.5 + 0.5 * (-t / 0.5).exp();
    for (method, own_step) in [
        ("jacobi", ""),
        ("jacobi", "step = 0.02"),
        ("jacobi", "step = 0.25"),
        ("gauss-seidel", "step = 0.02"),
    ] {
        for threads in [1, 2] {
            let place = Workplace::system(&format!(
                "[system]\nstop = 2.0\n[components.lag]\nfmu = {{@lag-fmi2}}\n{SOLVER}\n{own_step}\n\
                 parameters = {{ T = 0.5 }}\n[components.other]\nmodel = \"constant\"\n\
                 [method]\nkind = \"{method}\"\nstep = 0.1\n"
            ));
            let (recorder, rows) = cardan::MemoryRecorder::new();
            let options = Options {
                threads,
                recorder: Some(Box::new(recorder)),
                overrides: Overrides {
                    input: Some(place.write("inputs.csv", ramp)),
                    ..Overrides::default()
                },
                ..Options::default()
            };
            let report = Simulation::open_with(place.path(), options).unwrap().run();
            assert_eq!(report.status, "ok", "{:?}", report.error);
            // At its own points: between them rows are read on chords.
            let table = rows.table();
            let error = (last(&table, "lag.y") - exact(2.0)).abs();
            assert!(error < 1e-7, "{method} {own_step} {threads}: {error}");
        }
    }
}

#[test]
fn a_single_component_need_not_be_named_to_set_its_parameters() {
    let overrides = Overrides {
        set: vec!["a=2".into(), "gain.b=1".into()],
        ..Overrides::default()
    };
    let (_, table) = run(&fmu("gain-fmi2"), overrides);
    assert!(reals(&table, "gain.y").iter().all(|y| *y == 1.0));
}
