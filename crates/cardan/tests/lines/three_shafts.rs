//! A pendulum of three shafts with two ties (`examples/tlm-three-shafts`).

use super::support::lines::ThreeShafts;
use super::support::{Variant, reals, run};
use cardan::Overrides;

const SHAFTS: [&str; 3] = [
    "ground_shaft.angle[1]",
    "mid_shaft.angle[1]",
    "end_shaft.angle[1]",
];

#[test]
fn the_shafts_swing_as_far_as_the_reference() {
    let table = run("tlm-three-shafts", Overrides::default());
    for name in SHAFTS {
        let last = reals(&table, name).last().unwrap();
        assert!((last + 2.542_081).abs() < 1e-5, "{name}: {last}");
    }
    // The ties are accelerated, so the moments at their ends are not quite the same.
    let (one, two) = (
        reals(&table, "ground_shaft.tip_load.mz"),
        reals(&table, "mid_shaft.base_load.mz"),
    );
    let apart = one
        .iter()
        .zip(two)
        .fold(0.0, |m: f64, (a, b)| m.max((a + b).abs()));
    let largest = one.iter().fold(0.0, |m: f64, a| m.max(a.abs()));
    assert!((8.2e-3..8.3e-3).contains(&apart), "{apart}");
    assert!((largest - 1.78).abs() < 5e-3, "{largest}");
}

/// What was known beforehand: a rigid rod falls to -2.701213, and with 0.68 kg at each tie to -2.542083.
#[test]
fn the_rod_in_one_piece_is_that_of_the_reference() {
    let rigid = ThreeShafts { ties: [0.0; 2] }.rows();
    assert!((rigid[50][0] + 2.701_213).abs() < 5e-7, "{}", rigid[50][0]);
    assert!((ThreeShafts::at(0.5) + 2.542_083).abs() < 5e-7);
    let table = run("tlm-three-shafts/monolithic.toml", Overrides::default());
    let last = reals(&table, "rod.angle[1]").last().unwrap();
    assert!((last - rigid[50][0]).abs() < 1e-9, "{last}");
}

/// Nothing that ties weigh is left, two ends of one shaft included. Half a tenth of a second is enough: with what they weigh
/// the pendulum would be behind by 1.5e-3 rad there.
#[test]
fn ties_that_weigh_nothing_do_not_slow_the_rod_down() {
    let shorter = [("stop = 0.5", "stop = 0.05")];
    let table = Variant::of("tlm-three-shafts/rigid.toml", &shorter).run(Overrides::default());
    let rigid = ThreeShafts { ties: [0.0; 2] }.rows();
    assert!((ThreeShafts::at(0.05) - rigid[5][0]).abs() > 1.5e-3);
    for name in SHAFTS {
        let last = reals(&table, name).last().unwrap();
        assert!((last - rigid[5][0]).abs() < 1e-6, "{name}: {last}");
    }
}
