//! Two masses on springs at the ends of a bar (`examples/tlm-two-masses`).

use super::support::lines::ElasticBar;
use super::support::{Variant, largest_error, reals};
use cardan::{Overrides, Table};
use std::f64::consts::{PI, TAU};

const SYSTEM: &str = "tlm-two-masses/system.toml";

fn bar(replacements: &[(&str, &str)]) -> Table {
    Variant::of(SYSTEM, replacements).run(Overrides::default())
}

/// Delay over step.
fn steps(count: u32) -> String {
    format!("step = {:e}", 2e-4 / f64::from(count))
}

/// Masses, springs and bar. The springs hold 0.25 J at the start, the bar nothing.
fn energy(table: &Table) -> Vec<f64> {
    let [x1, v1, x2, v2, waves] = [
        "one.position",
        "one.velocity",
        "two.position",
        "two.velocity",
        "bar.energy",
    ]
    .map(|name| reals(table, name));
    let bodies =
        |k: usize| 500.0 * x1[k].powi(2) + 0.5 * v1[k].powi(2) + 2000.0 * x2[k].powi(2) + v2[k].powi(2);
    (0..table.times.len()).map(|k| bodies(k) + waves[k]).collect()
}

fn largest_loss(energy: &[f64]) -> f64 {
    energy
        .iter()
        .fold(0.0, |most: f64, e| most.max((e / 0.25 - 1.0).abs()))
}

/// The last digits of the reference are uncertain by 1e-9 m.
#[test]
fn the_masses_are_where_the_reference_has_them() {
    let table = bar(&[]);
    for (name, reference) in [
        ("one.position", -0.009_591_705_2),
        ("two.position", -0.009_589_693_3),
    ] {
        let last = reals(&table, name).last().unwrap();
        assert!((last - reference).abs() < 2e-9, "{name}: {last}");
    }
    let loss = largest_loss(&energy(&table));
    assert!(loss < 1e-6, "{loss}");
    // The line does hold energy in between: without it the balance would be far off.
    let waves = reals(&table, "bar.energy")
        .iter()
        .fold(0.0, |m: f64, e| m.max(*e));
    assert!(waves > 1e-3, "{waves}");
}

/// The solution in closed form has the lowest frequencies that are known of the bar with its masses, in Hz. They were found
/// with 60 elements, which are too stiff for waves by a 24th of the square of an element's part of the phase.
#[test]
fn the_bar_has_the_frequencies_that_are_known() {
    let bar = ElasticBar {
        impedance: 200.0,
        delay: 2e-4,
    };
    let known = [(6.45429, 0.0), (194.37, 0.0), (2515.4, 1.0), (5009.9, 2.0)];
    for (mode, (known, half_waves)) in known.into_iter().enumerate() {
        let stiffer = (half_waves * PI / 60.0).powi(2) / 24.0;
        let frequency = bar.frequency(mode) / TAU;
        // Half a unit of their last digits.
        assert!(
            (frequency * (1.0 + stiffer) / known - 1.0).abs() < 2.6e-5,
            "{mode}: {frequency}"
        );
    }
}

/// Periods of the first mass in four seconds, counted from zero to zero; zeros lie on chords between rows.
fn low_frequency(impedance: &str, alpha: &str) -> f64 {
    let table = bar(&[
        ("Zf = 200.0", &format!("alpha = {alpha}\nZf = {impedance}")),
        ("stop = 1.0", "stop = 4.0"),
    ]);
    let (x, t) = (reals(&table, "one.position"), &table.times);
    let crossings = (1..x.len()).filter(|k| x[k - 1] > 0.0 && x[*k] <= 0.0);
    let zeros: Vec<f64> = crossings
        .map(|k| t[k - 1] + (t[k] - t[k - 1]) * x[k - 1] / (x[k - 1] - x[k]))
        .collect();
    (zeros.len() - 1) as f64 / (zeros[zeros.len() - 1] - zeros[0])
}

/// A heavier line slows the masses down, and so does damping that lengthens it. Without damping the frequency is that of the
/// bar, too.
#[test]
fn what_a_line_weighs_is_seen_in_the_frequency() {
    for (impedance, alpha, reference) in [
        ("200.0", "0.0", 6.45424),
        ("1000.0", "0.0", 6.29109),
        ("5000.0", "0.0", 5.62696),
        ("1000.0", "0.2", 6.24249),
        ("1000.0", "0.5", 6.10317),
        ("1000.0", "0.9", 5.03232),
    ] {
        let frequency = low_frequency(impedance, alpha);
        assert!(
            (frequency / reference - 1.0).abs() < 5e-4,
            "Z = {impedance}, alpha = {alpha}: {frequency} Hz"
        );
        if alpha == "0.0" {
            let bar = ElasticBar {
                impedance: impedance.parse().unwrap(),
                delay: 2e-4,
            };
            let exact = bar.frequency(0) / TAU;
            // Other modes move the zeros by some 1e-5 s in four seconds.
            assert!(
                (frequency / exact - 1.0).abs() < 1e-5,
                "{frequency} and {exact} Hz"
            );
        }
    }
}

/// Half the step, a quarter of the error along chords. An empty line is hit at the start, and the kink that is left in its waves
/// keeps cubics at second order too, some fifty times as good.
#[test]
fn waves_with_a_kink_are_read_in_second_order() {
    let error = |interpolation: &str, count: u32| {
        let table = bar(&[
            (
                "Zf = 200.0",
                &format!("interpolation = \"{interpolation}\"\nZf = 200.0"),
            ),
            ("step = 1.25e-5", &steps(count)),
        ]);
        largest_error(&table, "one.position", |t| ElasticBar::at(t)[0])
    };
    for interpolation in ["linear", "cubic"] {
        let errors = [4, 8, 16].map(|count| error(interpolation, count));
        for pair in errors.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!((order - 2.0).abs() < 0.1, "{interpolation}: {errors:?}");
        }
    }
    assert!(error("cubic", 8) < error("linear", 8) / 50.0);
}

/// Filled with the load that the masses need, a line has smooth waves: chords are of second order, cubics of fourth.
#[test]
fn smooth_waves_are_read_in_second_and_fourth_order() {
    let run = |interpolation: &str, count: u32| {
        let keys = format!("start = \"consistent\"\ninterpolation = \"{interpolation}\"\nZf = 200.0");
        let table = bar(&[
            ("Zf = 200.0", &keys),
            ("step = 1.25e-5", &steps(count)),
            ("stop = 1.0", "stop = 0.2"),
        ]);
        reals(&table, "one.position").to_vec()
    };
    for (interpolation, expected) in [("linear", 2.0), ("cubic", 4.0)] {
        let runs = [2, 4, 8].map(|count| run(interpolation, count));
        let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        let (coarse, fine) = (apart(&runs[0], &runs[1]), apart(&runs[1], &runs[2]));
        let order = (coarse / fine).log2();
        assert!((order - expected).abs() < 0.2, "{interpolation}: {coarse} {fine}");
    }
}

/// A spring that is as stiff as the bar and weighs nothing is another system.
#[test]
fn a_spring_without_mass_is_something_else() {
    let table = super::support::run("tlm-two-masses/spring.toml", Overrides::default());
    let error = largest_error(&table, "one.position", |t| ElasticBar::at(t)[0]);
    assert!((2.5e-3..2.7e-3).contains(&error), "{error}");
}
