//! Rows of an earlier result come back as what they were.
#![allow(clippy::unwrap_used)]

mod fixture;

use cardan_core::record::{Block, ColumnData};
use cardan_record::read_earlier;
use fixture::{block, bytes, schema, write};

/// Of the rows at 0, 0.1 and 0.1, all up to a time.
#[test]
fn every_format_gives_back_the_types() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["csv", "parquet", "mat"] {
        let path = folder.path().join("a").with_extension(format);
        write(&path, &schema(), &[block()]);
        let mut expected = block();
        if format == "mat" {
            // It has no place for text, and writes none of what stands in for it.
            expected.columns[4] = bytes(&[b"", b"", b""]);
            expected.columns[5] = bytes(&[b"", b"", b""]);
        }
        assert_eq!(read_earlier(&path, &schema(), 0.1).unwrap(), expected, "{format}");
        let first = read_earlier(&path, &schema(), 0.05).unwrap();
        assert_eq!(first.times, [0.0]);
        assert!(first.columns.iter().all(|column| column.len() == 1), "{format}");
        assert_eq!(first.columns[0], ColumnData::Reals(vec![0.1]));
        assert_eq!(
            read_earlier(&path, &schema(), -1.0).unwrap(),
            Block::new(&schema(), 0)
        );
    }
}

#[test]
fn a_csv_is_taken_up_to_where_its_writer_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    write(&path, &schema(), &[block()]);
    let whole = std::fs::read(&path).unwrap();
    let begin = |row: &str| {
        let text = String::from_utf8_lossy(&whole);
        text.find(row).unwrap()
    };
    let (second, third) = (begin("\n0.1,-0.0") + 1, begin("\n0.1,inf") + 1);
    for length in second..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        let rows = read_earlier(&path, &schema(), 1.0).unwrap();
        // The last cell of a row is hexadecimal: with an odd number of digits it is none.
        let complete = if length < third { 1 } else { 2 };
        assert!(
            rows.rows() == complete || rows.rows() == complete + 1,
            "{length}: {rows:?}"
        );
        assert!(rows.columns.iter().all(|column| column.len() == rows.rows()));
    }
}

#[test]
fn another_result_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut other = schema();
    other.columns[0].name = "wheel.position".into();
    for format in ["csv", "parquet", "mat"] {
        let path = folder.path().join("a").with_extension(format);
        write(&path, &other, &[block()]);
        let error = read_earlier(&path, &schema(), 1.0).unwrap_err();
        assert!(error.to_string().contains("other columns"), "{error}");
    }
}
