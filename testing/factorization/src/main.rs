//! The cost of one factorisation and one solution with the tangent of the linkage of L loops, by several libraries.
//!
//! `cargo run --release --manifest-path testing/factorization/Cargo.toml` prints the processor time of ours, and how many times as long others take: a
//! dense one, faer's sparse Cholesky and LU, and KLU where it is installed (`libsuitesparse-dev`). All of them have analysed
//! the pattern before. Medians of rounds in which all take their turns.

#![allow(clippy::expect_used, clippy::print_stdout)] // a program that measures may stop and print

mod dense;
mod faers;
mod klu;
#[allow(dead_code, reason = "made for tests; only the linkage is wanted here")]
#[path = "../../../crates/cardan-ode/tests/mechanical/rods.rs"]
mod rods;

use cardan_ode::mechanical::{Ldl, Mechanics};
use rods::Rods;

const ROUNDS: usize = 11;
/// Rows that are eliminated in one round.
const ROWS: usize = 40_000;
/// A dense factorisation of more rows takes longer than anybody waits.
const LARGEST_DENSE: usize = 250;
/// The step of the problem.
const STEP: f64 = 1e-3;

/// A symmetric matrix: its entries on and below the diagonal, each place once.
pub(crate) struct Matrix {
    pub(crate) size: usize,
    pub(crate) entries: Vec<(usize, usize, f64)>,
}

/// Factorises and solves.
pub(crate) trait Contender {
    fn run(&mut self, x: &mut [f64]);
}

struct Ours {
    ldl: Ldl,
    values: Vec<f64>,
}

impl Ours {
    fn new(matrix: &Matrix) -> Self {
        let ldl = Ldl::new(matrix.size, matrix.entries.iter().map(|&(a, b, _)| (a, b)));
        let place = ldl.places();
        let mut values = vec![0.0; ldl.len()];
        for &(a, b, value) in &matrix.entries {
            values[ldl.slot_at(place[a], place[b]).expect("a place") as usize] = value;
        }
        Ours { ldl, values }
    }
}

impl Contender for Ours {
    fn run(&mut self, x: &mut [f64]) {
        self.ldl.values().copy_from_slice(&self.values);
        self.ldl.factorize().expect("regular");
        self.ldl.solve(x);
    }
}

fn main() {
    let klu = klu::Library::load();
    println!(
        "{:>5} {:>6} {:>7} {:>10} | times as long: {:>8} {:>8} {:>8} {:>8} {:>8}",
        "L", "rows", "entries", "ours us", "dense", "Cholesky", "LU", "KLU", "refactor"
    );
    for loops in [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] {
        measure(loops, &tangent(loops), klu.as_ref());
    }
    println!("The same for square nets of points with rods between neighbours, by the points on a side");
    for side in [3, 5, 10, 20, 30] {
        measure(side, &net(side), klu.as_ref());
    }
    if klu.is_none() {
        println!("KLU is measured where libklu.so is installed (Debian: libsuitesparse-dev).");
    }
}

fn measure(loops: usize, matrix: &Matrix, klu: Option<&klu::Library>) {
    let dense = matrix.size <= LARGEST_DENSE;
    let mut contenders: Vec<Option<Box<dyn Contender + '_>>> = vec![
        Some(Box::new(Ours::new(matrix))),
        dense.then(|| Box::new(dense::Dense::new(matrix)) as _),
        Some(Box::new(faers::Cholesky::new(matrix))),
        Some(Box::new(faers::LowerUpper::new(matrix))),
        klu.map(|klu| Box::new(klu::Klu::new(klu, matrix, false)) as _),
        klu.map(|klu| Box::new(klu::Klu::new(klu, matrix, true)) as _),
    ];
    let load: Vec<f64> = (0..matrix.size).map(|i| (i as f64).sin()).collect();
    let mut x = load.clone();
    for contender in contenders.iter_mut().flatten() {
        x.copy_from_slice(&load);
        contender.run(&mut x);
        matrix.check(&x, &load);
    }
    let repetitions = (ROWS / matrix.size).max(1);
    let mut times = vec![Vec::new(); contenders.len()];
    for _ in 0..ROUNDS {
        for (contender, times) in contenders.iter_mut().zip(&mut times) {
            let Some(contender) = contender else { continue };
            let before = cpu_ns();
            for _ in 0..repetitions {
                x.copy_from_slice(&load);
                contender.run(&mut x);
            }
            times.push((cpu_ns() - before) as f64 * 1e-3 / repetitions as f64);
        }
    }
    let entries = Ours::new(matrix).ldl.len();
    let ours = median(times[0].clone());
    print!(
        "{loops:>5} {:>6} {entries:>7} {ours:>10.2} |               ",
        matrix.size
    );
    for others in &times[1..] {
        let ratios = others.iter().zip(&times[0]).map(|(other, ours)| other / ours);
        match others.is_empty() {
            true => print!(" {:>8}", "-"),
            false => print!(" {:>8.2}", median(ratios.collect())),
        }
    }
    println!();
}

/// The tangent of a trapezoidal step at the beginning of the motion, with the penalty that is the default.
fn tangent(loops: usize) -> Matrix {
    let mut rods = Rods::linkage(loops);
    let x = Rods::linkage_start(loops, 30.0);
    let structure = rods.structure().clone();
    let mut jacobian = vec![0.0; structure.jacobian_len()];
    rods.jacobian(0.0, &x[..structure.coordinates], &mut jacobian);
    let mut entries = std::collections::BTreeMap::new();
    let scale = 4.0 / (STEP * STEP);
    for &(a, b, mass) in &structure.mass {
        *entries.entry((a.max(b), a.min(b))).or_insert(0.0) += scale * mass;
    }
    let rows = structure.constraints.len() as f64;
    let penalty = (2e4 + 200.0 * rows * rows) / 9.0 / (STEP * STEP);
    let mut rest = &jacobian[..];
    for row in &structure.constraints {
        let (values, others) = rest.split_at(row.len());
        for (&a, u) in row.iter().zip(values) {
            for (&b, v) in row.iter().zip(values).filter(|(b, _)| **b <= a) {
                *entries.entry((a, b)).or_insert(0.0) += penalty * u * v;
            }
        }
        rest = others;
    }
    Matrix {
        size: structure.coordinates,
        entries: entries.into_iter().map(|((a, b), value)| (a, b, value)).collect(),
    }
}

/// A net fills in where chains do not: what is measured here is wide panels.
fn net(side: usize) -> Matrix {
    let scale = 4.0 / (STEP * STEP);
    let penalty = 1e4 * scale;
    let mut entries: std::collections::BTreeMap<(usize, usize), f64> =
        (0..2 * side * side).map(|k| ((k, k), scale)).collect();
    for (row, column) in (0..side).flat_map(|row| (0..side).map(move |column| (row, column))) {
        let point = row * side + column;
        let right = (column + 1 < side).then_some((point + 1, [2.0, 0.1]));
        let down = (row + 1 < side).then_some((point + side, [0.1, 2.0]));
        for (other, [x, y]) in right.into_iter().chain(down) {
            let gradient = [
                (2 * other, x),
                (2 * other + 1, y),
                (2 * point, -x),
                (2 * point + 1, -y),
            ];
            for (a, u) in gradient {
                for (b, v) in gradient.into_iter().filter(|(b, _)| *b <= a) {
                    *entries.entry((a, b)).or_insert(0.0) += penalty * u * v;
                }
            }
        }
    }
    Matrix {
        size: 2 * side * side,
        entries: entries.into_iter().map(|((a, b), value)| (a, b, value)).collect(),
    }
}

impl Matrix {
    /// All entries by columns, both triangles.
    pub(crate) fn full(&self) -> Vec<(usize, usize, f64)> {
        let lower = self.entries.iter().copied();
        let upper = lower
            .clone()
            .filter(|(a, b, _)| a != b)
            .map(|(a, b, value)| (b, a, value));
        let mut full: Vec<_> = lower.chain(upper).collect();
        full.sort_by_key(|&(row, column, _)| (column, row));
        full
    }

    /// Whoever measures wrong solutions measures nothing.
    fn check(&self, x: &[f64], load: &[f64]) {
        let (mut rest, mut size) = (load.to_vec(), vec![0.0; self.size]);
        for (row, column, value) in self.full() {
            rest[row] -= value * x[column];
            size[row] += (value * x[column]).abs();
        }
        // Backward stable: the remainder is rounding of the terms, a few hundred in the chains.
        for ((rest, size), load) in rest.iter().zip(&size).zip(load) {
            assert!(rest.abs() <= 1e-10 * (size + load.abs()), "{rest} of {size}");
        }
    }
}

/// Nanoseconds this thread has spent on a processor.
fn cpu_ns() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
