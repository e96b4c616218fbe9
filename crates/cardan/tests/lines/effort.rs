//! What lines cost: points of waves do not multiply where they are thrown back, whether or not steps fit the delay.

use super::support::Variant;
use cardan::Overrides;

/// Inner steps of all components up to a time.
fn effort(file: &str, replacements: &[(&str, &str)], stop: f64) -> u64 {
    let overrides = Overrides {
        stop: Some(stop),
        ..Overrides::default()
    };
    let (mut simulation, _) = Variant::of(file, replacements).open(overrides);
    let report = simulation.run();
    assert_eq!(report.status, "ok", "{:?}", report.error);
    report.components.values().map(|c| c.inner_steps).sum()
}

/// Twice the time, twice the effort. A tenth more is left for the first delays, in which there are few points; if each delay had
/// more than the one before, it would be four times the effort.
fn grows_like_time(file: &str, replacements: &[(&str, &str)], stop: f64) -> u64 {
    let (once, twice) = (
        effort(file, replacements, stop),
        effort(file, replacements, 2.0 * stop),
    );
    let ratio = twice as f64 / once as f64;
    assert!(ratio <= 2.2, "{once} and {twice} steps");
    once
}

#[test]
fn steps_that_do_not_fit_the_delay_of_a_hose() {
    let steps = grows_like_time("tlm-hydraulic/system.toml", &[], 0.5);
    // 252 delays, each with at most 256 points at either end, 20 steps of the supply on top.
    assert!(steps < 2 * 252 * (256 + 20), "{steps}");
}

#[test]
fn steps_that_do_not_fit_the_delay_of_a_bar() {
    let odd = [
        ("delay = 2e-4", "delay = 1.9909639625e-4"),
        (
            "stiffness = 1000.0, position = 0.01 }",
            "stiffness = 1000.0, position = 0.01 }\nstep = 3e-5",
        ),
    ];
    grows_like_time("tlm-two-masses/system.toml", &odd, 0.1);
}
