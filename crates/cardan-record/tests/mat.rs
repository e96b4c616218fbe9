//! MAT keeps the numbers under names that MATLAB allows, and says what it leaves out.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod fixture;

use cardan_core::record::{Block, ColumnData, Recorder, Schema};
use cardan_core::value::ValueType;
use fixture::{block, column, schema, write};
use std::fs;

/// The head and the name of the matrix at `at`, byte by byte as the format's definition has it.
fn head(bytes: &[u8], at: usize) -> ([i32; 5], String) {
    let field = |k: usize| i32::from_le_bytes(bytes[at + 4 * k..at + 4 * k + 4].try_into().unwrap());
    let fields = [0, 1, 2, 3, 4].map(field);
    let name = &bytes[at + 20..at + 20 + usize::try_from(fields[4]).unwrap()];
    (fields, String::from_utf8(name.to_vec()).unwrap())
}

#[test]
fn the_bytes_are_those_of_level_4() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mat");
    let schema = Schema {
        columns: vec![column("a.x", ValueType::Real, Some("m"))],
        ..Schema::default()
    };
    write(
        &path,
        &schema,
        &[Block {
            times: vec![0.0, 1.0],
            columns: vec![ColumnData::Reals(vec![2.5, -0.0])],
        }],
    );
    let bytes = fs::read(&path).unwrap();
    assert_eq!(head(&bytes, 0), ([0, 2, 1, 0, 5], "time\0".into()));
    let x = 20 + 5 + 16;
    assert_eq!(head(&bytes, x), ([0, 2, 1, 0, 4], "a_x\0".into()));
    assert_eq!(
        bytes[x + 24..x + 40],
        [2.5_f64.to_le_bytes(), (-0.0_f64).to_le_bytes()].concat()
    );
    let names = x + 40;
    assert_eq!(head(&bytes, names), ([51, 2, 4, 0, 6], "names\0".into()));
    assert_eq!(&bytes[names + 26..names + 34], b"tai.mxe ");
    let units = names + 34;
    assert_eq!(head(&bytes, units), ([51, 2, 1, 0, 6], "units\0".into()));
    assert_eq!(&bytes[units + 26..], b"sm");
}

#[test]
fn numbers_come_back_with_names_and_units_and_text_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mat");
    let mut file = cardan_record::create(&path).unwrap();
    file.begin(&schema()).unwrap();
    file.write(&block()).unwrap();
    file.write(&Block {
        times: vec![],
        ..Block::new(&schema(), 0)
    })
    .unwrap();
    file.finish().unwrap();
    assert_eq!(file.notes().len(), 1);
    assert!(
        file.notes()[0].contains("`wheel.label`, `wheel.frame`"),
        "{}",
        file.notes()[0]
    );

    let table = cardan_record::read(&path).unwrap();
    assert_eq!(table.times, [0.0, 0.1, 0.1]);
    let names: Vec<&str> = table.schema.columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(
        names,
        ["wheel.velocity", "wheel.gear", "wheel.mode", "wheel.slips"]
    );
    assert_eq!(table.schema.columns[0].unit.as_deref(), Some("m/s"));
    assert_eq!(
        table.columns[0],
        ColumnData::Reals(vec![0.1, -0.0, f64::INFINITY])
    );
    assert_eq!(table.columns[3], ColumnData::Reals(vec![1.0, 0.0, 1.0]));
}

#[test]
fn no_rows_keep_the_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mat");
    write(&path, &schema(), &[]);
    let table = cardan_record::read(&path).unwrap();
    assert_eq!((table.rows(), table.schema.columns.len()), (0, 4));
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mat");
    let refusal = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        cardan_record::read(&path).unwrap_err().message().to_owned()
    };
    assert!(refusal(b"MATLAB 5.0 MAT-file, Platform: GLNXA64").contains("-v4"));
    assert!(refusal(&[0xff; 100]).contains("level 4"));
    assert!(refusal(b"").contains("no matrix"));
    let mut huge = [0_i32, i32::MAX, i32::MAX, 0, 5].map(i32::to_le_bytes).concat();
    huge.extend(b"time\0");
    assert!(refusal(&huge).contains("ends within the matrix `time`"));
}
