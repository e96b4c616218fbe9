use super::*;
use cardan_core::record::{BytesColumn, Column, ColumnData, Schema};
use cardan_core::value::ValueType;

fn table(times: &[f64], columns: Vec<(&str, ColumnData)>) -> Table {
    let (names, data): (Vec<&str>, Vec<ColumnData>) = columns.into_iter().unzip();
    let columns = names
        .into_iter()
        .map(|n| Column {
            name: n.into(),
            value_type: ValueType::Real,
            unit: None,
            description: String::new(),
        })
        .collect();
    Table {
        schema: Schema {
            columns,
            ..Schema::default()
        },
        times: times.to_vec(),
        columns: data,
    }
}

fn reals(times: &[f64], values: &[f64]) -> Table {
    table(times, vec![("x", ColumnData::Reals(values.to_vec()))])
}

fn largest(a: &Table, b: &Table) -> (f64, Option<f64>) {
    let comparison = compare(a, b, 0.0, 0.0);
    (comparison.differences[0].largest, comparison.differences[0].at)
}

#[test]
fn the_largest_difference_has_its_time_and_tolerance() {
    let a = reals(&[0.0, 1.0, 2.0], &[0.0, 1.5, -4.0]);
    let b = reals(&[0.0, 1.0, 2.0], &[0.0, 1.0, -4.25]);
    let comparison = compare(&a, &b, 0.0625, 0.0);
    assert_eq!(comparison.grid, Grid::Same { rows: 3 });
    let x = &comparison.differences[0];
    assert_eq!(
        (x.largest, x.at, x.allowed, x.exceeds),
        (0.5, Some(1.0), 0.265_625, true)
    );
    assert!(!comparison.agrees());
    assert!(compare(&a, &b, 0.0625, 0.25).agrees());
}

#[test]
fn equal_results_agree_without_any_tolerance() {
    let a = reals(&[0.0, 1.0], &[f64::NAN, f64::INFINITY]);
    assert!(compare(&a, &a, 0.0, 0.0).agrees());
    let no_rows = reals(&[], &[]);
    assert!(compare(&no_rows, &no_rows, 0.0, 0.0).agrees());
}

#[test]
fn nan_against_a_number_is_a_difference_no_tolerance_covers() {
    let comparison = compare(&reals(&[0.0], &[f64::NAN]), &reals(&[0.0], &[1.0]), 1.0, 1e9);
    assert_eq!(comparison.differences[0].largest, f64::INFINITY);
    assert!(!comparison.agrees());
}

#[test]
fn variables_of_one_result_are_listed() {
    let a = table(
        &[0.0],
        vec![
            ("x", ColumnData::Reals(vec![1.0])),
            ("y", ColumnData::Reals(vec![1.0])),
        ],
    );
    let b = table(
        &[0.0],
        vec![
            ("z", ColumnData::Reals(vec![1.0])),
            ("x", ColumnData::Reals(vec![1.0])),
        ],
    );
    let comparison = compare(&a, &b, 0.0, 0.0);
    assert_eq!(
        (comparison.only_in_a, comparison.only_in_b),
        (vec!["y".to_owned()], vec!["z".to_owned()])
    );
}

#[test]
fn reals_are_interpolated_within_the_common_span() {
    let a = reals(&[0.0, 0.25, 0.5, 2.0], &[0.0, 0.5, 1.0, 9.0]);
    let b = reals(&[0.0, 1.0], &[0.0, 2.0]);
    let comparison = compare(&a, &b, 0.0, 0.0);
    assert_eq!(
        comparison.grid,
        Grid::Interpolated {
            rows: 3,
            outside: 1,
            from: 0.0,
            to: 1.0
        }
    );
    assert_eq!(comparison.differences[0].largest, 0.0);
}

#[test]
fn integers_booleans_and_texts_are_held() {
    let text = |items: &[&str]| {
        let mut column = BytesColumn::default();
        items.iter().for_each(|i| column.push(i.as_bytes()));
        ColumnData::Bytes(column)
    };
    let fine = table(
        &[0.0, 0.5, 1.0],
        vec![
            ("n", ColumnData::Integers(vec![3, 3, 4])),
            ("on", ColumnData::Booleans(vec![true, true, false])),
            ("gear", text(&["one", "one", "two"])),
        ],
    );
    let coarse = table(
        &[0.0, 1.0],
        vec![
            ("n", ColumnData::Reals(vec![3.0, 4.0])),
            ("on", ColumnData::Booleans(vec![true, false])),
            ("gear", text(&["one", "three"])),
        ],
    );
    let comparison = compare(&fine, &coarse, 0.0, 10.0);
    let exceeds: Vec<bool> = comparison.differences.iter().map(|d| d.exceeds).collect();
    assert_eq!(exceeds, [false, false, true]);
    assert_eq!(comparison.differences[2].at, Some(1.0));
}

#[test]
fn both_sides_of_an_event_are_compared_with_their_own() {
    let jump = reals(&[0.0, 1.0, 1.0, 2.0], &[0.0, 1.0, -1.0, 0.0]);
    let finer = reals(&[0.0, 0.5, 1.0, 1.0, 1.5, 2.0], &[0.0, 0.5, 1.0, -1.0, -0.5, 0.0]);
    assert_eq!(largest(&finer, &jump).0, 0.0);
    assert_eq!(largest(&jump, &finer).0, 0.0);
    // One row at the event may be either side of it, but nothing between.
    for (value, difference) in [(1.0, 0.0), (-1.0, 0.0), (0.25, 0.75)] {
        assert_eq!(
            largest(&reals(&[0.0, 1.0, 2.0], &[0.0, value, 0.0]), &jump).0,
            difference
        );
    }
    // Three rows, as from a chain of events: the first and the last count as before and after.
    let chain = reals(&[0.0, 1.0, 1.0, 1.0, 2.0], &[0.0, 1.0, -1.0, -1.0, 0.0]);
    assert_eq!(largest(&chain, &jump).0, 0.0);
}

#[test]
fn times_that_differ_by_rounding_are_the_same() {
    let jump = reals(&[0.0, 0.1, 0.1, 1.0], &[0.0, 0.0, 5.0, 5.0]);
    let printed = reals(&[0.0, 0.1 + 1e-16, 0.1 + 1e-16, 1.0], &[0.0, 0.0, 5.0, 5.0]);
    assert_eq!(largest(&jump, &printed).0, 0.0);
}

#[test]
fn results_without_a_common_time_do_not_agree() {
    let comparison = compare(
        &reals(&[0.0, 1.0], &[0.0, 0.0]),
        &reals(&[2.0, 3.0], &[0.0, 0.0]),
        1.0,
        1.0,
    );
    assert_eq!(comparison.grid, Grid::Disjoint);
    assert!(!comparison.agrees());
}
