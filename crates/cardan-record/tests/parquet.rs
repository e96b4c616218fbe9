//! Parquet keeps everything: types, units, descriptions, system and settings.

#![cfg(feature = "parquet")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod fixture;

use cardan_core::record::{Block, ColumnData, Schema};
use cardan_core::value::ValueType;
use cardan_record::Table;
use fixture::{block, column, schema, write};
use std::fs;

#[test]
fn everything_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    write(&path, &schema(), &[block()]);
    let table = cardan_record::read(&path).unwrap();
    let Block { times, columns } = block();
    assert_eq!(
        table,
        Table {
            schema: schema(),
            times,
            columns
        }
    );
    let ColumnData::Reals(velocity) = &table.columns[0] else {
        panic!("reals")
    };
    assert!(velocity[1].is_sign_negative());
}

#[test]
fn no_rows_keep_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    write(&path, &schema(), &[]);
    let table = cardan_record::read(&path).unwrap();
    assert_eq!((table.rows(), table.schema), (0, schema()));
}

#[test]
fn many_blocks_make_row_groups_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let schema = Schema {
        columns: vec![column("x", ValueType::Real, None)],
        ..Schema::default()
    };
    let blocks: Vec<Block> = (0..300)
        .map(|k| {
            let times: Vec<f64> = (0..4096).map(|i| f64::from(k * 4096 + i)).collect();
            Block {
                columns: vec![ColumnData::Reals(times.iter().map(|t| t.sin()).collect())],
                times,
            }
        })
        .collect();
    write(&path, &schema, &blocks);
    let table = cardan_record::read(&path).unwrap();
    assert_eq!(table.rows(), 300 * 4096);
    let ColumnData::Reals(x) = &table.columns[0] else {
        panic!("reals")
    };
    assert!(
        x.iter()
            .zip(&table.times)
            .all(|(x, t)| x.to_bits() == t.sin().to_bits())
    );
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    for garbage in [&b""[..], b"PAR1", b"time,x\n0,1\n", &[0xff; 1000]] {
        fs::write(&path, garbage).unwrap();
        assert!(
            cardan_record::read(&path)
                .unwrap_err()
                .to_string()
                .contains("a.parquet")
        );
    }
    write(&path, &schema(), &[block()]);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    cardan_record::read(&path).unwrap_err();
}
