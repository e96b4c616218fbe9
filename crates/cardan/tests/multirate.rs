//! Components with steps of their own, multiples of each other or not, on one thread and on several.

mod support;

use cardan::core::record::ColumnData;
use cardan::{Overrides, Table};
use cardan_testkit::observed_order;
use cardan_testkit::problems::TwoMass;
use support::{Variant, largest_error, step};

fn two_rates(method: &str, reading: &str, one: f64, two: f64) -> Variant {
    Variant::of(
        "two-mass/system.toml",
        &[
            ("\"jacobi\"", &format!("\"{method}\"")),
            ("reading = \"quadratic\"", &format!("reading = \"{reading}\"")),
            ("[components.two] ", &format!("step = {one}\n\n[components.two] ")),
            ("position = 0.2 }", &format!("position = 0.2 }}\nstep = {two}")),
        ],
    )
}

#[test]
fn converges_with_different_steps_in_either_order() {
    for method in ["jacobi", "gauss-seidel"] {
        for (ratio_one, ratio_two) in [(1.0, 4.0), (4.0, 1.0), (3.0, 2.0)] {
            let points: Vec<(f64, f64)> = [2e-4, 1e-4, 5e-5]
                .into_iter()
                .map(|h| {
                    let table =
                        two_rates(method, "linear", ratio_one * h, ratio_two * h).run(Overrides::default());
                    (
                        h,
                        largest_error(&table, "one.position", |t| TwoMass::reference(t)[0]),
                    )
                })
                .collect();
            // Lines make second order. A quarter is left for steps that do not meet the 10 ms grid of the rows, where
            // a chord (also second order) is read, and for the smallest ratio of the three steps.
            let order = observed_order(&points);
            assert!(
                order > 1.75,
                "{method} {ratio_one}:{ratio_two}: order {order}, {points:?}"
            );
        }
    }
}

#[test]
fn equal_steps_of_their_own_are_the_same_as_a_common_one() {
    for method in ["jacobi", "gauss-seidel"] {
        let own = two_rates(method, "quadratic", 1e-3, 1e-3).run(Overrides::default());
        let common = Variant::of(
            "two-mass/system.toml",
            &[("\"jacobi\"", &format!("\"{method}\""))],
        )
        .run(step(1e-3));
        assert_eq!(bits(&own), bits(&common));
    }
}

#[test]
fn rows_are_the_union_of_all_points() {
    let text = r#"
[system]
stop = 0.012
[components.slow]
model = "sine"
step = 0.004
[components.fast]
model = "ramp"
parameters = { slope = 1.0 }
step = 0.003
[components.sampled]
model = "ramp"
parameters = { slope = 1.0, period = 0.005 }
[method]
kind = "jacobi"
"#;
    let table = Variant::text(text).run(Overrides::default());
    let expected = [0.0, 0.003, 0.004, 0.005, 0.006, 0.008, 0.009, 0.01, 0.012];
    assert_eq!(table.times.len(), expected.len(), "{:?}", table.times);
    for (time, expected) in table.times.iter().zip(expected) {
        assert!((time - expected).abs() < 1e-15);
    }
    // A line between two points of a ramp is the ramp; a sample is held until the next.
    assert!(largest_error(&table, "fast.y", |t| t) < 1e-15);
    assert!(largest_error(&table, "sampled.y", |t| 0.005 * ((t + 1e-9) / 0.005).floor()) < 1e-15);
}

#[test]
fn threads_do_not_change_a_bit() {
    let systems = [
        Variant::of("two-mass/system.toml", &[]),
        Variant::of("two-mass/displacement.toml", &[]),
        Variant::of("quarter-car/system.toml", &[]),
        two_rates("jacobi", "quadratic", 3e-4, 2e-4),
        two_rates("gauss-seidel", "linear", 4e-4, 1e-4),
    ];
    for system in systems {
        let stop = || Overrides {
            stop: Some(0.5),
            ..Overrides::default()
        };
        let results: Vec<Table> = [1, 2, 3]
            .into_iter()
            .map(|threads| {
                let (mut simulation, handle) = system.open_on(stop(), threads);
                assert_eq!(simulation.run().status, "ok");
                handle.table()
            })
            .collect();
        assert!(results[0].rows() > 10);
        assert_eq!(bits(&results[0]), bits(&results[1]));
        assert_eq!(bits(&results[0]), bits(&results[2]));
    }
}

fn bits(table: &Table) -> Vec<Vec<u64>> {
    let column = |data: &ColumnData| match data {
        ColumnData::Reals(values) => values.iter().map(|v| v.to_bits()).collect(),
        _ => Vec::new(),
    };
    let times = table.times.iter().map(|t| t.to_bits()).collect();
    std::iter::once(times)
        .chain(table.columns.iter().map(column))
        .collect()
}

/// A controller whose outputs are declared to jump holds them between its samples, in the results too: what its equations
/// would say in between nobody has heard.
#[test]
fn what_is_held_is_recorded_as_held() {
    let system = Variant::text(
        "[system]\nstop = 0.2\n[components.pid]\nmodel = \"pid\"\nparameters = { kp = 20.0, ki = 5.0, kd = 5.0 }\n\
         step = 0.05\ndiscrete = true\n[components.plant]\nmodel = \"mass\"\nparameters = { position = 1.0 }\n\
         [[connections]]\nfrom = \"plant.position\"\nto = \"pid.measurement\"\n\
         [[connections]]\nfrom = \"pid.y\"\nto = \"plant.force\"\n\
         [method]\nkind = \"gauss-seidel\"\nstep = 0.01\n[record]\nevery = 0.01\n",
    );
    let table = system.run(Overrides::default());
    let (y, v) = (
        support::reals(&table, "pid.y"),
        support::reals(&table, "plant.velocity"),
    );
    for row in 1..y.len() {
        // A mass of 1 kg under a held force: its velocity tells what it felt in the step before.
        let felt = (v[row] - v[row - 1]) / 0.01;
        assert!(
            (felt - y[row - 1]).abs() < 1e-6 * felt.abs().max(1.0),
            "row {row}: {felt} {}",
            y[row - 1]
        );
        if row % 5 != 0 {
            assert_eq!(y[row], y[row - 1], "row {row}");
        }
    }
}
