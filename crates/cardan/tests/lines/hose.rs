//! A supply, a hose and a cylinder (`examples/tlm-hydraulic`).

use super::support::lines::Hose;
use super::support::{Variant, largest_error, reals, run};
use cardan::Overrides;

/// The more pieces a hose is divided into, the more it is like the line: four times as close with twice as many.
#[test]
fn a_line_is_a_hose_of_many_pieces() {
    let last = Hose::at(0.5)[0];
    let table = run("tlm-hydraulic", Overrides::default());
    let line = *reals(&table, "actuator.position").last().unwrap();
    // What is left is mostly that the corners of the pump are seen late.
    assert!((line - last).abs() < 3e-9, "{line} and {last}");
    let apart = |pieces: usize| {
        let rows = Hose { pieces }.rows();
        let distances = (0..=100).map(|k| {
            let t = 0.005 * f64::from(k);
            (Hose::shown(&rows, t)[0] - Hose::at(t)[0]).abs()
        });
        distances.fold(0.0, f64::max)
    };
    let distances = [1, 2, 4, 8].map(apart);
    for pair in distances.windows(2) {
        assert!((3.0..5.0).contains(&(pair[0] / pair[1])), "{distances:?}");
    }
}

/// One pipe between two volumes, as connections have it, is the hose in one piece.
#[test]
fn the_lumped_hose_is_the_hose_in_one_piece() {
    let rows = Hose { pieces: 1 }.rows();
    let lumped = "record]\nevery = 0.0005";
    let table = Variant::of("tlm-hydraulic/lumped.toml", &[(lumped, "record]\nevery = 0.005")]);
    let table = table.run(Overrides::default());
    let error = largest_error(&table, "actuator.position", |t| Hose::shown(&rows, t)[0]);
    // The corner of the pump's pressure is seen a step of 2e-5 s late.
    assert!(error < 1e-7, "{error}");
}

/// Hose and orifice slow the oil in the supply down at a rate of up to 9000 per second: a step of RK4 must be shorter than
/// 2.8 over that, 0.3 ms. Half the delay is too long for it, though what it gets wrong stays bounded.
#[test]
fn an_explicit_solver_must_resolve_the_orifice() {
    let with = |step: &str| {
        let solver = format!("solver = {{ kind = \"rk4\", step = {step} }}\nstep = 1e-3 ");
        let described = "orifice_area = [1e-5] }\n";
        let variant = Variant::of(
            "tlm-hydraulic/system.toml",
            &[
                (
                    &format!("{described}step = 1e-4 "),
                    &format!("{described}{solver}"),
                ),
                ("every = 0.0005", "every = 0.005"),
            ],
        );
        let table = variant.run(Overrides::default());
        largest_error(&table, "actuator.position", |t| Hose::at(t)[0])
    };
    // Either way the pump is seen a millisecond late, which costs 3e-5 m.
    let (short, long) = (with("1e-4"), with("1e-3"));
    assert!(short < 5e-5 && long > 10.0 * short, "{short} and {long}");
}
