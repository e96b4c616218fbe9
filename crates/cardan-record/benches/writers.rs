//! What a value costs in each format: 100 columns × 20 000 rows of sines. `cargo bench -p cardan-record`

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a program for people at a terminal"
)]

use cardan_core::record::{Block, Column, ColumnData, Recorder, Schema};
use cardan_core::value::ValueType;
use cardan_record::{Format, create, read};
use std::path::Path;
use std::time::Instant;

const COLUMNS: usize = 100;
const ROWS: usize = 20_000;
const BLOCK: usize = 4096;

fn main() {
    let schema = schema();
    let blocks = blocks();
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let values = ((COLUMNS + 1) * ROWS) as f64;
    println!("{COLUMNS} columns × {ROWS} rows, best of 5");
    println!(
        "{:<10} {:>14} {:>14} {:>12}",
        "format", "write ns/value", "read ns/value", "bytes/value"
    );
    for format in Format::ALL {
        let path = folder.path().join(format!("result.{}", format.extension()));
        let written = best(|| write(&path, &schema, &blocks));
        let read = best(|| drop(read(&path).expect("the file just written")));
        let size = std::fs::metadata(&path).expect("the file just written").len() as f64;
        let name = format.extension();
        println!(
            "{name:<10} {:>14.1} {:>14.1} {:>12.2}",
            written / values,
            read / values,
            size / values
        );
    }
}

fn schema() -> Schema {
    let column = |k: usize| Column {
        name: format!("component{}.variable{k}", k / 10),
        value_type: ValueType::Real,
        unit: Some("m".into()),
        description: String::new(),
    };
    Schema {
        columns: (0..COLUMNS).map(column).collect(),
        ..Schema::default()
    }
}

fn blocks() -> Vec<Block> {
    let times: Vec<f64> = (0..ROWS).map(|i| i as f64 * 1e-3).collect();
    let sine = |k: usize, times: &[f64]| times.iter().map(|t| (t * (1.0 + k as f64 * 0.1)).sin()).collect();
    times
        .chunks(BLOCK)
        .map(|times| Block {
            times: times.to_vec(),
            columns: (0..COLUMNS).map(|k| ColumnData::Reals(sine(k, times))).collect(),
        })
        .collect()
}

fn write(path: &Path, schema: &Schema, blocks: &[Block]) {
    let mut file = create(path).expect("a known extension");
    file.begin(schema).expect("a folder to write to");
    blocks
        .iter()
        .for_each(|block| file.write(block).expect("room on the disk"));
    file.finish().expect("room on the disk");
}

/// The least CPU time in nanoseconds; other work on the machine only adds to it.
fn best(mut work: impl FnMut()) -> f64 {
    (0..5)
        .map(|_| {
            let (cpu, wall) = (cpu_time(), Instant::now());
            work();
            match (cpu, cpu_time()) {
                (Some(from), Some(to)) => to - from,
                _ => wall.elapsed().as_nanos() as f64,
            }
        })
        .fold(f64::INFINITY, f64::min)
}

/// Nanoseconds on a processor so far, from Linux's scheduler.
fn cpu_time() -> Option<f64> {
    std::fs::read_to_string("/proc/self/schedstat")
        .ok()?
        .split(' ')
        .next()?
        .parse()
        .ok()
}
