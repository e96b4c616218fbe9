//! The oscillator forced by a sampling code: held against parabolic reading, cold against known past.

mod support;

use cardan_testkit::problems::Elliott;
use support::{Variant, largest_error};

fn errors(period: f64, reading: &str, start: &str, oscillator_step: bool) -> (f64, f64) {
    let mut changes = vec![
        ("period = 0.001".to_owned(), format!("period = {period}")),
        ("step = 0.001".to_owned(), format!("step = {period}")),
        ("\"quadratic\"".to_owned(), format!("\"{reading}\"")),
        ("\"consistent\"".to_owned(), format!("\"{start}\"")),
    ];
    if !oscillator_step {
        changes.push(("\nstep = 0.0001\n".to_owned(), "\n".to_owned()));
    }
    let changes: Vec<(&str, &str)> = changes.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let table = Variant::of("elliott/system.toml", &changes).run(Default::default());
    assert_eq!(table.rows(), 40_001);
    (
        largest_error(&table, "oscillator.position", |t| Elliott::steady(t)[0]),
        largest_error(&table, "oscillator.velocity", |t| Elliott::steady(t)[1]),
    )
}

fn check(reading: &str, start: &str, tolerance: f64, expected: &[(f64, f64, f64)]) {
    for &(period, x, v) in expected {
        // The oscillator exchanges on the grid of the rows, or at the samples alone and shows the inside of its steps.
        for own_step in [true, false] {
            let (dx, dv) = errors(period, reading, start, own_step);
            assert!(
                (dx / x - 1.0).abs() < tolerance,
                "{reading} {start} {period}: x {dx:e} instead of {x:e}"
            );
            assert!(
                (dv / v - 1.0).abs() < tolerance,
                "{reading} {start} {period}: v {dv:e} instead of {v:e}"
            );
        }
    }
}

#[test]
fn a_held_force_makes_it_ring() {
    check(
        "hold",
        "consistent",
        0.02,
        &[
            (0.02, 2.5907e-1, 1.5377e2),
            (0.01, 2.5004e-1, 1.5371e2),
            (0.005, 5.937e-3, 2.592),
            (0.002, 1.998e-3, 0.7365),
            (0.001, 1.005e-3, 0.3401),
        ],
    );
}

#[test]
fn a_parabola_from_a_cold_start_suffers_from_its_first_two_steps() {
    check(
        "quadratic",
        "cold",
        0.05,
        &[
            (0.02, 2.03e-2, 12.5),
            (0.005, 5.85e-3, 3.61),
            (0.002, 1.18e-3, 0.729),
            (0.001, 3.05e-4, 0.188),
        ],
    );
}

#[test]
fn a_source_that_knows_its_past_removes_the_start_up_error() {
    check(
        "quadratic",
        "consistent",
        0.05,
        &[
            (0.02, 4.07e-3, 2.45),
            (0.005, 4.6e-6, 2.2e-3),
            (0.002, 2.4e-7, 9.3e-5),
            (0.001, 3.0e-8, 1.0e-5),
        ],
    );
}
