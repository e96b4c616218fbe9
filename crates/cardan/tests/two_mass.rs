//! The two-mass oscillator: errors, orders and stability limits of the fixed-step methods against the reference
//! values of the linear problem (macro-step matrices with exact subsystems).

#![allow(clippy::unwrap_used)] // in helpers of tests

mod support;

use cardan::Overrides;
use cardan_testkit::observed_order;
use cardan_testkit::problems::TwoMass;
use support::{Variant, largest_error, reals, step};

const READINGS: [&str; 3] = ["hold", "linear", "quadratic"];

fn variant(coupling: &str, reading: &str) -> Variant {
    Variant::of(
        coupling,
        &[("reading = \"quadratic\"", &format!("reading = \"{reading}\""))],
    )
}

fn method(name: &str, h: f64) -> Overrides {
    Overrides {
        method: Some(name.into()),
        ..step(h)
    }
}

fn error(coupling: &str, method_name: &str, reading: &str, h: f64) -> f64 {
    let table = variant(coupling, reading).run(method(method_name, h));
    largest_error(&table, "one.position", |t| TwoMass::reference(t)[0])
}

const FORCE: &str = "two-mass/system.toml";
const DISPLACEMENT: &str = "two-mass/displacement.toml";

/// The largest error of x1 with flat history at steps of 2, 1, 0.5 and 0.25 ms; NaN where none is given.
const ERRORS: [(&str, &str, &str, [f64; 4]); 12] = [
    (FORCE, "jacobi", "hold", [0.159, 0.133, 0.114, 0.083]),
    (FORCE, "jacobi", "linear", [2.32e-2, 5.81e-3, 1.45e-3, 3.63e-4]),
    (FORCE, "jacobi", "quadratic", [9.1e-4, 1.25e-4, 1.73e-5, 2.5e-6]),
    (FORCE, "gauss-seidel", "hold", [521.0, 7.8, 0.885, 0.234]),
    (
        FORCE,
        "gauss-seidel",
        "linear",
        [4.82e-3, 1.2e-3, 3.01e-4, 7.52e-5],
    ),
    (
        FORCE,
        "gauss-seidel",
        "quadratic",
        [6.7e-4, 8.8e-5, 1.26e-5, 1.9e-6],
    ),
    (DISPLACEMENT, "jacobi", "hold", [0.155, 0.146, 0.133, 0.114]),
    (
        DISPLACEMENT,
        "jacobi",
        "linear",
        [4.6e-2, f64::NAN, f64::NAN, 7.3e-4],
    ),
    (
        DISPLACEMENT,
        "jacobi",
        "quadratic",
        [1.07e-3, f64::NAN, f64::NAN, 2.1e-6],
    ),
    (
        DISPLACEMENT,
        "gauss-seidel",
        "hold",
        [2.8e-2, f64::NAN, f64::NAN, 3.5e-3],
    ),
    (
        DISPLACEMENT,
        "gauss-seidel",
        "linear",
        [1.9e-2, f64::NAN, f64::NAN, 2.9e-4],
    ),
    (
        DISPLACEMENT,
        "gauss-seidel",
        "quadratic",
        [4.8e-4, f64::NAN, f64::NAN, 1.0e-6],
    ),
];

#[test]
fn errors_are_those_of_the_reference() {
    for (coupling, method, reading, expected) in ERRORS {
        for (h, expected) in [2e-3, 1e-3, 5e-4, 2.5e-4].into_iter().zip(expected) {
            if expected.is_nan() {
                continue;
            }
            let error = error(coupling, method, reading, h);
            // The reference is given with two to four digits.
            assert!(
                (error / expected - 1.0).abs() < 0.05,
                "{coupling} {method} {reading} at {h} s: {error:e} instead of {expected:e}"
            );
        }
    }
}

#[test]
fn the_degree_of_the_reading_sets_the_order() {
    for (coupling, method, reading, errors) in ERRORS {
        let least = match reading {
            "hold" => 0.9,
            "linear" => 1.9,
            _ => 2.7,
        };
        // Where a displacement is held in the wrong place the error saturates or explodes; there is no order to see.
        if reading == "hold" && errors[0] > 0.1 {
            continue;
        }
        let points: Vec<(f64, f64)> = [2e-3, 1e-3, 5e-4, 2.5e-4]
            .into_iter()
            .map(|h| (h, error(coupling, method, reading, h)))
            .collect();
        let order = observed_order(&points);
        assert!(order >= least, "{coupling} {method} {reading}: order {order}");
    }
}

#[test]
fn an_unstable_coupling_grows() {
    let table = variant(FORCE, "hold").run(method("gauss-seidel", 2e-3));
    let position = reals(&table, "one.position");
    let largest = |range: &[f64]| range.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let (early, late) = position.split_at(position.len() / 2);
    assert!(largest(late) > 10.0 * largest(early));
}

/// With slopes at both points the cubic beats the parabola. A consistent start gives it a line along the true slopes
/// for the first step, which leaves an error of order three behind.
#[test]
fn slopes_make_a_better_reading() {
    let best = |coupling, method, reading, h| {
        let changes = [
            ("reading = \"quadratic\"", format!("reading = \"{reading}\"")),
            ("start = \"flat\"", "start = \"consistent\"".to_owned()),
        ];
        let changes: Vec<(&str, &str)> = changes.iter().map(|(a, b)| (*a, b.as_str())).collect();
        let table = Variant::of(coupling, &changes).run(self::method(method, h));
        largest_error(&table, "one.position", |t| TwoMass::reference(t)[0])
    };
    for coupling in [FORCE, DISPLACEMENT] {
        for method in ["jacobi", "gauss-seidel"] {
            let points: Vec<(f64, f64)> = [1e-3, 5e-4, 2.5e-4]
                .into_iter()
                .map(|h| (h, best(coupling, method, "hermite", h)))
                .collect();
            let order = observed_order(&points);
            assert!(order >= 2.7, "{coupling} {method}: order {order}, {points:?}");
            let parabola = best(coupling, method, "quadratic", 5e-4);
            assert!(
                points[1].1 < parabola,
                "{coupling} {method}: {} against {parabola}",
                points[1].1
            );
        }
    }
}

/// A cold start (hold, then line, then parabola) costs accuracy with a parabola. The figures come from macro-step
/// matrices of the exactly solved halves, computed apart from this project.
#[test]
fn a_cold_start_is_worse_than_a_flat_one() {
    for (h, expected) in [
        (2e-3, 1.27881e-3),
        (1e-3, 1.94941e-4),
        (5e-4, 3.47199e-5),
        (2.5e-4, 7.07540e-6),
    ] {
        let cold = Variant::of(FORCE, &[("start = \"flat\"", "start = \"cold\"")]);
        let table = cold.run(method("jacobi", h));
        let error = largest_error(&table, "one.position", |t| TwoMass::reference(t)[0]);
        // The solver's tolerance of 1e-9 per step of a unit-sized state leaves about 1e-8 of the smallest of these.
        assert!(
            (error / expected - 1.0).abs() < 0.01,
            "{h} s: {error:e} instead of {expected:e}"
        );
    }
}

/// Largest stable steps: the spectral radius of the macro-step map passes one there. None: stable up to 50 ms.
const LIMITS: [(&str, &str, [Option<f64>; 3]); 4] = [
    (
        FORCE,
        "jacobi",
        [Some(2.2673e-3), Some(6.3496e-3), Some(7.8527e-3)],
    ),
    (
        FORCE,
        "gauss-seidel",
        [Some(5.9563e-5), Some(7.0930e-3), Some(9.6580e-3)],
    ),
    (
        DISPLACEMENT,
        "jacobi",
        [Some(4.5598e-3), Some(8.1475e-3), Some(6.2083e-3)],
    ),
    (
        DISPLACEMENT,
        "gauss-seidel",
        [None, Some(1.2068e-2), Some(8.1314e-3)],
    ),
];

#[test]
fn stability_ends_where_the_reference_says() {
    for (coupling, method, limits) in LIMITS {
        for (reading, limit) in READINGS.into_iter().zip(limits) {
            match limit {
                Some(limit) => {
                    let (below, above) = (0.99 * limit, 1.01 * limit);
                    let radius = |h| spectral_radius(&macro_step_map(coupling, method, reading, h));
                    let (inside, outside) = (radius(below), radius(above));
                    assert!(
                        inside < 1.0,
                        "{coupling} {method} {reading}: {inside} at {below} s"
                    );
                    assert!(
                        outside > 1.0,
                        "{coupling} {method} {reading}: {outside} at {above} s"
                    );
                }
                None => {
                    for h in [1e-3, 5e-3, 1e-2, 2e-2, 5e-2] {
                        let radius = spectral_radius(&macro_step_map(coupling, method, reading, h));
                        assert!(radius < 1.0, "{coupling} {method} {reading}: {radius} at {h} s");
                    }
                }
            }
        }
    }
}

/// The linear map of one macro step, column by column, from runs of one step that start from each unit state and
/// history. Its coordinates: the four states, then the exchanged outputs one and two steps before.
fn macro_step_map(coupling: &str, method: &str, reading: &str, h: f64) -> Vec<Vec<f64>> {
    let mut exchanged = vec!["one.position", "one.velocity"];
    exchanged.extend(if coupling == FORCE {
        &["two.force"][..]
    } else {
        &["two.position", "two.velocity"]
    });
    let states = ["one.position", "one.velocity", "two.position", "two.velocity"];
    let size = states.len() + 2 * exchanged.len();
    let text = std::fs::read_to_string(support::example(coupling)).unwrap();

    let columns: Vec<Vec<f64>> = (0..size)
        .map(|unit| {
            let state = |index: usize| if unit == index { 1.0 } else { 0.0 };
            let past = |steps_ago: usize, variable: usize| {
                let index = states.len() + (steps_ago - 1) * exchanged.len() + variable;
                if unit == index { 1.0 } else { 0.0 }
            };
            let history = |component: &str| {
                let own = exchanged.iter().enumerate().filter_map(|(index, name)| {
                    let port = name.strip_prefix(component)?.strip_prefix('.')?;
                    let (before, last) = (past(2, index), past(1, index));
                    Some(format!(
                        "{port} = [[{}, {before:?}], [{}, {last:?}]]",
                        -2.0 * h,
                        -h
                    ))
                });
                format!("history = {{ {} }}\n\n", own.collect::<Vec<_>>().join(", "))
            };
            // Unit states replace the initial ones; each component is followed by its history.
            let text = text
                .replace(
                    "position = 0.1 }",
                    &format!("position = {:?}, velocity = {:?} }}", state(0), state(1)),
                )
                .replace(
                    "position = 0.2 }",
                    &format!("position = {:?}, velocity = {:?} }}", state(2), state(3)),
                )
                .replace(
                    "\n\n[components.two]",
                    &format!("\n{}[components.two]", history("one")),
                )
                .replacen(
                    "\n\n[[connections]]",
                    &format!("\n{}[[connections]]", history("two")),
                    1,
                )
                .replace("reading = \"quadratic\"", &format!("reading = \"{reading}\""))
                .replace("every = 0.01\n", "");
            let overrides = Overrides {
                stop: Some(h),
                method: Some(method.into()),
                ..step(h)
            };
            let table = Variant::text(&text).run(overrides);
            let at = |name: &str, row: usize| reals(&table, name)[row];
            let mut column: Vec<f64> = states.iter().map(|name| at(name, 1)).collect();
            column.extend(exchanged.iter().map(|name| at(name, 0)));
            column.extend((0..exchanged.len()).map(|index| past(1, index)));
            column
        })
        .collect();
    (0..size)
        .map(|row| columns.iter().map(|column| column[row]).collect())
        .collect()
}

/// The spectral radius as the limit of ‖Aⁿ‖^(1/n), n = 2³⁰ by squaring, scaled to stay in range.
fn spectral_radius(matrix: &[Vec<f64>]) -> f64 {
    const SQUARINGS: i32 = 30;
    let size = matrix.len();
    let mut power = matrix.to_vec();
    let mut log_scale = 0.0;
    for _ in 0..SQUARINGS {
        let norm = power.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
        power.iter_mut().flatten().for_each(|x| *x /= norm);
        log_scale = 2.0 * (log_scale + norm.ln());
        let factor = power.clone();
        for (row, out) in power.iter_mut().enumerate() {
            *out = (0..size)
                .map(|c| (0..size).map(|k| factor[row][k] * factor[k][c]).sum())
                .collect();
        }
    }
    let norm = power.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    ((log_scale + norm.ln()) / 2.0_f64.powi(SQUARINGS)).exp()
}
