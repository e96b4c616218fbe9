//! The results of a run that goes on: whole, where the earlier ones are there.

use crate::bench::Bench;
use crate::systems::{clocks, fixed};
use std::fs;

/// Reals, whole numbers and clocks, in every format.
#[test]
fn every_format_takes_rows_over() {
    for format in ["csv", "parquet", "mat"] {
        let mut bench = Bench::new(&clocks(0.1));
        bench.format = format;
        bench.finish(bench.options());
        let whole = bench.table();
        bench.run_until(0.4, bench.keeping());
        assert!(bench.table().rows() < whole.rows());
        let report = bench.finish(bench.resuming());
        assert_eq!(report.warnings, [], "{format}");
        let mut found = bench.table();
        // How the run was set up is written down anew.
        found.schema.settings.clone_from(&whole.schema.settings);
        assert_eq!(found, whole, "{format}");
    }
}

/// From one format into another.
#[test]
fn without_earlier_results_they_begin_at_the_checkpoint() {
    let mut bench = Bench::new(&fixed("jacobi"));
    bench.finish(bench.options());
    let whole = bench.table();
    bench.run_until(0.2, bench.keeping());
    let told = |bench: &Bench| {
        let report = bench.finish(bench.resuming());
        assert_eq!(report.warnings.len(), 1, "{:?}", report.warnings);
        assert_eq!(report.warnings[0].kind, "resume");
        report.warnings[0].message.clone()
    };
    bench.format = "parquet";
    assert!(told(&bench).contains("there are no earlier results"));
    let rest = bench.table();
    let from = whole.rows() - rest.rows();
    assert_eq!(rest.times, whole.times[from..]);
    assert_eq!(from, 101, "0, 0.002, … 0.2");
    // Something else under the name of the result.
    bench.format = "csv";
    fs::write(bench.out(), "time,other\n0,1\n").unwrap();
    assert!(told(&bench).contains("other columns"));
    assert_eq!(bench.table().times, rest.times);
    fs::write(bench.out(), "no table").unwrap();
    assert!(told(&bench).contains("no rows are taken over"));
    // Rows that are missing in between.
    let lines: Vec<&str> = whole_text(&bench, &whole);
    fs::write(bench.out(), lines[..50].join("\n") + "\n").unwrap();
    assert!(told(&bench).contains("are missing"));
    assert_eq!(bench.table().rows(), 49 + rest.rows());
}

/// The result as text, line by line, from a run of its own.
fn whole_text<'a>(bench: &Bench, whole: &cardan::Table) -> Vec<&'a str> {
    bench.finish(bench.options());
    let text = fs::read_to_string(bench.out()).unwrap();
    let lines: Vec<&str> = Box::leak(text.into_boxed_str()).lines().collect();
    assert_eq!(lines.len(), whole.rows() + 1);
    lines
}

/// Whoever is killed may leave half a row, behind the rows that a checkpoint relies on.
#[test]
fn half_a_row_at_the_end_is_no_harm() {
    let bench = Bench::new(&fixed("gauss-seidel"));
    bench.finish(bench.options());
    let expected = bench.bytes();
    bench.run_until(0.2, bench.keeping());
    let rows = bench.bytes();
    // 0.206 was the last row; half of the one before is left.
    let cut = rows.len() - rows.len() / 103 - 30;
    fs::write(bench.out(), &rows[..cut]).unwrap();
    assert_ne!(rows[cut - 1], b'\n');
    assert_eq!(bench.finish(bench.resuming()).warnings, []);
    assert!(bench.bytes() == expected);
}

/// A checkpoint relies on rows, so they are in their place before it is.
#[test]
fn rows_are_on_disk_before_the_checkpoint_is() {
    let bench = Bench::new(&fixed("jacobi"));
    let mut simulation = bench.open(bench.keeping()).unwrap();
    simulation.advance_to(0.3).unwrap();
    assert!(!bench.out().exists());
    simulation.keep_checkpoint().unwrap();
    assert_eq!(*bench.table().times.last().unwrap(), 0.3);
    // The process ends here, as far as the simulation can tell.
    std::mem::forget(simulation);
    let expected = {
        let other = Bench::new(&fixed("jacobi"));
        other.finish(other.options());
        other.bytes()
    };
    assert_eq!(bench.finish(bench.resuming()).warnings, []);
    assert!(bench.bytes() == expected);
}

/// A resumed run that fails before its first row leaves the earlier results alone.
#[test]
fn a_run_that_cannot_go_on_destroys_nothing() {
    let bench = Bench::new(&fixed("jacobi"));
    bench.run_until(0.2, bench.keeping());
    let before = bench.bytes();
    let simulation = bench.open(bench.resuming()).unwrap();
    // Rows are wanted from here on, but nothing was stepped; what was there up to the checkpoint is kept.
    drop(simulation);
    let after = bench.bytes();
    assert!(before.starts_with(&after), "whole rows of the earlier result");
}
