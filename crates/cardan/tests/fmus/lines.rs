//! FMUs at the ends of transmission lines.

use crate::workplace::Workplace;
use cardan::Table;
use cardan::core::record::ColumnData;

/// The two masses of the reference problem for 0.1 s: the first as `component` says, the second built in.
fn pair(component: &str) -> Table {
    Workplace::system(&format!(
        r#"
[system]
stop = 0.1
[components.one]
{component}
[components.two]
model = "mass-spring-damper"
parameters = {{ mass = 2.0, stiffness = 4000.0, position = 0.01 }}
solver = {{ kind = "rk4", step = 1.25e-5 }}
[[lines]]
name = "bar"
from = {{ flow = "one.velocity", effort = "one.force" }}
to = {{ flow = "two.velocity", effort = "two.force" }}
delay = 2e-4
Zf = 200.0
alpha = 0.2
[record]
every = 1e-3
variables = ["*.position"]
"#
    ))
    .run()
}

fn last(table: &Table, name: &str) -> f64 {
    match table.column(name) {
        Some(ColumnData::Reals(values)) => *values.last().unwrap(),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn fmus_of_all_kinds_end_lines() {
    let built_in = pair(
        "model = \"mass-spring-damper\"\nparameters = { mass = 1.0, stiffness = 1000.0, position = 0.01 }\n\
         solver = { kind = \"rk4\", step = 1.25e-5 }",
    );
    let expected = last(&built_in, "two.position");
    let parameters = "parameters = { m = 1.0, k = 1000.0, x0 = 0.01, inner_step = 1e-5 }";
    // Held inputs lose half a step of the force: f' h / 2 over a second of swings. With forces up to 30 N that swing with 6 Hz and
    // ring with the line, a hundred steps of a micrometre.
    for (fmu, step, bound) in [
        ("held-mass-fmi2", 1e-5, 1e-5),
        ("driven-mass-fmi2", 5e-5, 1e-6),
        ("driven-mass-fmi3", 5e-5, 1e-6),
    ] {
        let found = pair(&format!("fmu = {{@{fmu}}}\n{parameters}\nstep = {step:e}"));
        let off = (last(&found, "two.position") - expected).abs();
        assert!(off < bound, "{fmu}: {off}");
    }
}
