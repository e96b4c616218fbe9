//! The same bits, run after run, on one thread and on two.

use super::support::Variant;
use cardan::Overrides;
use cardan::core::record::ColumnData;

/// Three components in a chain: the one in the middle has two interfaces, and whose wave comes first is nobody's choice.
fn chain(keys: &str) -> Variant {
    Variant::of(
        "tlm-three-shafts/system.toml",
        &[
            ("alpha = 0.2", keys),
            ("stop = 0.5", "stop = 0.004"),
            ("every = 0.01", "every = 1e-4"),
            (
                "[\"*.angle\", \"ground_shaft.tip_load\", \"mid_shaft.base_load\"]",
                "[\"*\"]",
            ),
        ],
    )
}

fn bits(variant: &Variant, threads: usize) -> Vec<u64> {
    let (mut simulation, rows) = variant.open_on(Overrides::default(), threads);
    let report = simulation.run();
    assert_eq!(report.status, "ok", "{:?}", report.error);
    let table = rows.table();
    let mut bits = Vec::new();
    for column in &table.columns {
        let ColumnData::Reals(values) = column else {
            panic!("{column:?}");
        };
        assert!(values.iter().all(|value| value.is_finite()), "{column:?}");
        bits.extend(values.iter().map(|value| value.to_bits()));
    }
    assert!(bits.len() > 1000);
    bits
}

fn repeats(keys: &str) {
    let variant = chain(keys);
    let first = bits(&variant, 1);
    for run in 1..20 {
        assert!(bits(&variant, 1 + run % 2) == first, "{keys}: run {run} differs");
    }
}

#[test]
fn twenty_runs_of_a_chain_without_damping() {
    repeats("alpha = 0.0");
}

#[test]
fn twenty_runs_of_a_chain_with_damping() {
    repeats("alpha = 0.2");
}

#[test]
fn twenty_runs_of_a_chain_with_the_damping_of_other_tools() {
    repeats("alpha = 0.2\nfeedback = 1.5\ninterpolation = \"linear\"");
}

#[test]
fn twenty_runs_of_a_chain_with_rigid_ties() {
    repeats("alpha = 0.2\ncompensate = true\nstart = \"consistent\"");
}

/// Damping matters, so the runs above are not all the same one.
#[test]
fn damping_changes_the_bits() {
    assert!(bits(&chain("alpha = 0.0"), 1) != bits(&chain("alpha = 0.2"), 1));
}
