//! Every folder of `examples/` does what its page says: it runs, it agrees with the exact solution beside it, and the
//! numbers on the page are those that come out.

mod support;

use cardan::core::record::{Block, Column, ColumnData, Recorder, Schema};
use cardan::core::value::ValueType;
use cardan::record::{Comparison, compare, create, read};
use cardan::{MemoryRecorder, Options, Overrides, Reporter, Simulation, System, Table};
use cardan_testkit::problems::{Elliott, QuarterCar, TwoMass};
use std::path::{Path, PathBuf};
use support::{example, reals};

/// The exact solution of an example, from which its `expected.csv` is made.
struct Exact {
    example: &'static str,
    columns: &'static [&'static str],
    /// Rows per second: a time is a quotient of whole numbers, so it has few digits in the file.
    rate: u32,
    seconds: u32,
    at: fn(f64) -> Vec<f64>,
}

const EXACT: [Exact; 4] = [
    Exact {
        example: "elliott",
        columns: &["oscillator.position", "oscillator.velocity"],
        rate: 500,
        seconds: 4,
        at: |t| Elliott::steady(t)[..2].to_vec(),
    },
    Exact {
        example: "hello",
        columns: &["left.position", "right.position"],
        rate: 100,
        seconds: 10,
        // Equal masses on equal springs: half the start goes into each of the two modes, with squared frequencies
        // k/m = 10 and (k + 2 c)/m = 14.
        at: |t| {
            let (together, against) = ((10.0_f64.sqrt() * t).cos(), (14.0_f64.sqrt() * t).cos());
            vec![0.05 * (together + against), 0.05 * (together - against)]
        },
    },
    Exact {
        example: "quarter-car",
        columns: &["chassis.position", "chassis.velocity", "wheel.velocity", "wheel.position"],
        rate: 100,
        seconds: 4,
        at: |t| {
            let [zc, vc, zw, vw] = QuarterCar::reference(t);
            vec![zc, vc, vw, zw]
        },
    },
    Exact {
        example: "two-mass",
        columns: &["one.position", "one.velocity", "two.position", "two.velocity"],
        rate: 100,
        seconds: 5,
        at: |t| TwoMass::reference(t).to_vec(),
    },
];

impl Exact {
    fn file(&self) -> PathBuf {
        example(self.example).join("expected.csv")
    }

    fn times(&self) -> Vec<f64> {
        let rows = 0..=self.rate * self.seconds;
        rows.map(|k| f64::from(k) / f64::from(self.rate)).collect()
    }

    /// One list for each column.
    fn values(&self) -> Vec<Vec<f64>> {
        let rows: Vec<Vec<f64>> = self.times().into_iter().map(self.at).collect();
        (0..self.columns.len())
            .map(|column| rows.iter().map(|row| row[column]).collect())
            .collect()
    }
}

/// Makes the files again after a change to the list above:
/// `cargo test -p cardan --test examples -- --ignored write_expected`.
#[test]
#[ignore = "writes examples/*/expected.csv"]
fn write_expected() {
    for exact in &EXACT {
        let columns = exact.columns.iter().map(|name| Column {
            name: (*name).into(),
            value_type: ValueType::Real,
            unit: None,
            description: String::new(),
        });
        let schema = Schema {
            columns: columns.collect(),
            ..Schema::default()
        };
        let mut file = create(&exact.file()).unwrap();
        file.begin(&schema).unwrap();
        file.write(&Block {
            times: exact.times(),
            columns: exact.values().into_iter().map(ColumnData::Reals).collect(),
        })
        .unwrap();
        file.finish().unwrap();
    }
}

/// What is expected is the exact solution, not what came out of a run one day.
#[test]
fn expected_values_are_the_exact_solution() {
    for exact in &EXACT {
        let file = read(&exact.file()).unwrap();
        assert_eq!(file.times, exact.times(), "{}", exact.example);
        assert_eq!(file.columns.len(), exact.columns.len(), "{}", exact.example);
        for (name, values) in exact.columns.iter().zip(exact.values()) {
            let size = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            for (found, value) in reals(&file, name).iter().zip(values) {
                // Other machines have other sines and logarithms in their last digits.
                assert!(
                    (found - value).abs() <= 1e-12 * size,
                    "{}: {name} {found} is not {value}",
                    exact.example
                );
            }
        }
    }
}

#[test]
fn every_example_is_known_here() {
    let known: Vec<&str> = EXACT.iter().map(|exact| exact.example).collect();
    assert_eq!(names(), known);
}

/// The folders with a description, sorted.
fn names() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(example(""))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("system.toml").is_file())
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}
