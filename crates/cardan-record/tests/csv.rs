//! CSV says the same when read back, opens foreign tables, and refuses the rest with the place.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod fixture;

use cardan_core::record::{Block, ColumnData, Schema};
use cardan_core::value::ValueType;
use cardan_record::{ReadError, Table};
use fixture::{block, bytes, column, schema, write};
use proptest::prelude::*;
use std::fs;

fn read_text(text: impl AsRef<[u8]>) -> Result<Table, ReadError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    fs::write(&path, text).unwrap();
    cardan_record::read(&path)
}

fn refusal(text: impl AsRef<[u8]>) -> (Option<u64>, Option<usize>, String) {
    let error = read_text(text).unwrap_err();
    assert!(error.to_string().contains("table.csv"));
    (error.line(), error.column(), error.message().to_owned())
}

#[test]
fn a_file_looks_like_this() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    write(&path, &schema(), &[block()]);
    insta::assert_snapshot!(fs::read_to_string(&path).unwrap(), @r#"
    time,wheel.velocity,wheel.gear,wheel.mode,wheel.slips,wheel.label,wheel.frame
    0.0,0.1,1,0,true,plain,00ff
    0.1,-0.0,-2,1,false,"a,""b""
    c",
    0.1,inf,9007199254740992,2,true,größe,10
    "#);
}

#[test]
fn values_come_back_as_reals_booleans_and_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    write(
        &path,
        &schema(),
        &[
            block(),
            Block {
                times: vec![],
                ..Block::new(&schema(), 0)
            },
        ],
    );
    let table = cardan_record::read(&path).unwrap();
    assert_eq!(table.times, [0.0, 0.1, 0.1]);
    assert_eq!(table.column("wheel.velocity"), Some(&block().columns[0]));
    assert_eq!(
        table.column("wheel.gear"),
        Some(&ColumnData::Reals(vec![1.0, -2.0, 9_007_199_254_740_992.0]))
    );
    assert_eq!(table.column("wheel.slips"), Some(&block().columns[3]));
    assert_eq!(table.column("wheel.label"), Some(&block().columns[4]));
    assert_eq!(table.column("wheel.frame"), Some(&bytes(&[b"00ff", b"", b"10"])));
}

#[test]
fn no_rows_leave_the_header() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    let odd = Schema {
        columns: vec![column("a,\"b\"", ValueType::Real, None)],
        ..Schema::default()
    };
    write(&path, &odd, &[]);
    assert_eq!(fs::read_to_string(&path).unwrap(), "time,\"a,\"\"b\"\"\"\n");
    let table = cardan_record::read(&path).unwrap();
    assert_eq!(
        (table.rows(), table.schema.columns[0].name.as_str()),
        (0, "a,\"b\"")
    );
}

#[test]
fn foreign_tables_are_read() {
    let table = read_text("\u{feff}\"T_s\", \"x [m]\" ,note\r\n0, 1 ,ok\r\n1,,2\r\n\r\n").unwrap();
    assert_eq!(table.times, [0.0, 1.0]);
    assert_eq!(table.schema.columns[0].name, "x [m]");
    let ColumnData::Reals(x) = &table.columns[0] else {
        panic!("reals")
    };
    assert!(x[0] == 1.0 && x[1].is_nan());
    assert_eq!(table.columns[1], bytes(&[b"ok", b"2"]));
}

#[test]
fn a_column_that_turns_to_text_keeps_the_text_of_its_numbers() {
    let table = read_text("t,x,y,z\n0,1e3,true,7\n1,0x10,1,8\n").unwrap();
    assert_eq!(table.columns[0], bytes(&[b"1e3", b"0x10"]));
    assert_eq!(table.columns[1], bytes(&[b"true", b"1"]));
    assert_eq!(table.columns[2], ColumnData::Reals(vec![7.0, 8.0]));
}

#[test]
fn mistakes_are_told_with_line_and_column() {
    assert!(refusal("").2.contains("empty"));
    assert!(refusal("x,y\n").2.contains("call it `time`"));
    assert!(refusal("time;x\n").2.contains("separated by ';'"));
    assert!(refusal("0.0,1.0\n").2.contains("must name the columns"));
    let (line, column, message) = refusal("time,x\n0,1\n1,2,3\n");
    assert_eq!((line, column), (Some(3), Some(3)));
    assert!(message.contains("3 cells"), "{message}");
    assert_eq!(refusal("time,x,y\n0,1,2\n1,2\n").1, Some(3));
    let (line, column, message) = refusal("time,x\n0,\"two\nlines\"\nnow,1\n");
    assert_eq!(
        (line, column, message.as_str()),
        (Some(4), Some(1), "`now` is not a time")
    );
    assert!(refusal("time,x\n1,0\n0.5,0\n").2.contains("goes back"));
    assert!(refusal("time,x\n1,\"0\n0.5,0\n").2.contains("never closed"));
    assert!(refusal("time,x\n1,\"0\"0\n").2.contains("closing quote"));
    assert!(refusal("time,x,x\n1,0,0\n").2.contains("two columns"));
    assert_eq!(refusal("time,\n").1, Some(2));
}

#[test]
fn garbage_is_refused_before_it_fills_the_memory() {
    assert!(refusal(b"time,x\n0,\xff\xfe\n").2.contains("UTF-8"));
    assert!(refusal(vec![0xa7; 40_000_000]).2.contains("16 MB"));
    assert!(
        refusal("time,x\n".to_owned() + &"7".repeat(40_000_000))
            .2
            .contains("16 MB")
    );
    assert!(
        refusal("time,x\n0,\"".to_owned() + &"7\n".repeat(20_000_000))
            .2
            .contains("16 MB")
    );
}

proptest! {
    #[test]
    fn reals_read_back_to_the_same_bits(bits in prop::collection::vec(any::<u64>(), 1..50)) {
        let values: Vec<f64> = bits.into_iter().map(f64::from_bits).collect();
        round_trip(values)?;
    }

    #[test]
    fn subnormals_read_back_to_the_same_bits(bits in prop::collection::vec(0..1_u64 << 52, 1..50)) {
        round_trip(bits.into_iter().map(|b| f64::from_bits(b | 1 << 63)).collect())?;
    }

    #[test]
    fn any_text_reads_back(texts in prop::collection::vec("[x]\\PC*[\",\n\r]{0,3}\\PC*[x]", 1..10)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let schema = Schema { columns: vec![column("s", ValueType::String, None)], ..Schema::default() };
        let items: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
        let times = (0..items.len()).map(|i| i as f64).collect();
        let block = Block { times, columns: vec![bytes(&items)] };
        write(&path, &schema, std::slice::from_ref(&block));
        prop_assert_eq!(&cardan_record::read(&path).unwrap().columns, &block.columns);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), header in any::<bool>()) {
        let mut text = if header { b"time,x\n".to_vec() } else { Vec::new() };
        text.extend(bytes);
        let _ = read_text(text);
    }
}

fn round_trip(values: Vec<f64>) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    let schema = Schema {
        columns: vec![column("x", ValueType::Real, None)],
        ..Schema::default()
    };
    let times = (0..values.len()).map(|i| i as f64).collect();
    write(
        &path,
        &schema,
        &[Block {
            times,
            columns: vec![ColumnData::Reals(values.clone())],
        }],
    );
    let table = cardan_record::read(&path).unwrap();
    let ColumnData::Reals(read) = &table.columns[0] else {
        panic!("reals")
    };
    for (written, read) in values.iter().zip(read) {
        prop_assert!(written.to_bits() == read.to_bits() || written.is_nan() && read.is_nan());
    }
    Ok(())
}
