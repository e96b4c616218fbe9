//! The matrix of all implicit steps: `m M + c C + k K + α ΦqᵀΦq`.

use std::collections::BTreeMap;

use super::ldl::{Ldl, Singular};
use super::{Mechanics, Structure};

/// How much of each part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Weights {
    pub(super) mass: f64,
    pub(super) damping: f64,
    pub(super) stiffness: f64,
    pub(super) penalty: f64,
}

/// A mechanical system linearised at a point: constraints, forces and the matrix, with room to compute them in.
///
/// Nothing in it outlives a step.
#[derive(Debug, Clone)]
pub(super) struct Tangent {
    coordinates: usize,
    /// The mass matrix below its diagonal, each place once, and its diagonal.
    mass: Vec<(u32, u32, f64)>,
    mass_diagonal: Vec<f64>,
    /// The same where the matrix has its entries, with room for all others.
    mass_values: Vec<f64>,
    /// The Jacobian by rows.
    rows: Vec<u32>,
    columns: Vec<u32>,
    entries: Vec<f64>,
    /// Where products of two entries of a row go, row by row, the lower triangle of each.
    products: Vec<u32>,
    places: Vec<(u32, u32)>,
    place_slots: Vec<u32>,
    stiffness: Vec<f64>,
    damping: Vec<f64>,
    matrix: Ldl,
    weights: Weights,
}

impl Tangent {
    pub(super) fn new(structure: &Structure) -> Self {
        let mass = structure.mass.iter().map(|&(row, column, _)| (row, column));
        let forces = structure.tangent.iter().copied();
        let crossed = structure.constraints.iter().flat_map(|row| {
            row.iter()
                .enumerate()
                .flat_map(move |(i, &a)| row[..=i].iter().map(move |&b| (a, b)))
        });
        let matrix = Ldl::new(
            structure.coordinates,
            mass.chain(forces.clone()).chain(crossed.clone()),
        );
        let place = matrix.places();
        // Every place is one of the pattern just handed over.
        let slot = |(a, b): (usize, usize)| matrix.slot_at(place[a], place[b]).unwrap_or(0);
        let small = |index: usize| index as u32;
        let (lower, mass_diagonal) = sums(structure);
        let mut mass_values = vec![0.0; matrix.len()];
        for &(row, column, value) in &structure.mass {
            mass_values[slot((row, column)) as usize] += value;
        }
        let mut rows = vec![0];
        for row in &structure.constraints {
            rows.push(rows.last().copied().unwrap_or(0) + small(row.len()));
        }
        Tangent {
            coordinates: structure.coordinates,
            mass: lower,
            mass_diagonal,
            mass_values,
            rows,
            columns: structure.constraints.concat().into_iter().map(small).collect(),
            entries: vec![0.0; structure.jacobian_len()],
            products: crossed.map(slot).collect(),
            places: structure
                .tangent
                .iter()
                .map(|&(a, b)| (small(a), small(b)))
                .collect(),
            place_slots: forces.map(slot).collect(),
            stiffness: vec![0.0; structure.tangent.len()],
            damping: vec![0.0; structure.tangent.len()],
            weights: Weights {
                mass: 0.0,
                damping: 0.0,
                stiffness: 0.0,
                penalty: 0.0,
            },
            matrix,
        }
    }

    /// Takes the Jacobian at this point.
    pub(super) fn turn(&mut self, mechanics: &mut dyn Mechanics, t: f64, q: &[f64]) {
        mechanics.jacobian(t, q, &mut self.entries);
    }

    /// Takes stiffness and damping of the forces at this point.
    pub(super) fn feel(&mut self, mechanics: &mut dyn Mechanics, t: f64, x: &[f64]) {
        if !self.places.is_empty() {
            mechanics.tangents(t, x, &mut self.stiffness, &mut self.damping);
        }
    }

    /// Puts the parts together and factorises the sum.
    pub(super) fn factorize(&mut self, weights: Weights) -> Result<(), Singular> {
        self.weights = weights;
        let values = self.matrix.values();
        for (value, mass) in values.iter_mut().zip(&self.mass_values) {
            *value = weights.mass * mass;
        }
        for ((&slot, stiffness), damping) in self.place_slots.iter().zip(&self.stiffness).zip(&self.damping) {
            values[slot as usize] += weights.stiffness * stiffness + weights.damping * damping;
        }
        let mut products = &self.products[..];
        for row in self.rows.windows(2) {
            let entries = &self.entries[row[0] as usize..row[1] as usize];
            for (i, a) in entries.iter().enumerate() {
                let (slots, others) = products.split_at(i + 1);
                let scaled = weights.penalty * a;
                for (b, &slot) in entries.iter().zip(slots) {
                    values[slot as usize] += scaled * b;
                }
                products = others;
            }
        }
        self.matrix.factorize()
    }

    /// Solves with the matrix factorised last.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        self.matrix.solve(x);
    }

    /// `sum += factor M x`
    pub(super) fn add_mass(&self, factor: f64, x: &[f64], sum: &mut [f64]) {
        for ((sum, mass), x) in sum.iter_mut().zip(&self.mass_diagonal).zip(x) {
            *sum += factor * mass * x;
        }
        for &(a, b, mass) in &self.mass {
            let (a, b, mass) = (a as usize, b as usize, factor * mass);
            sum[a] += mass * x[b];
            sum[b] += mass * x[a];
        }
    }

    /// `sum += (m M + c C + k K) x` with the weights of the matrix factorised last.
    pub(super) fn add_free(&self, x: &[f64], sum: &mut [f64]) {
        self.add_mass(self.weights.mass, x, sum);
        for ((&(a, b), stiffness), damping) in self.places.iter().zip(&self.stiffness).zip(&self.damping) {
            let (a, b) = (a as usize, b as usize);
            let value = self.weights.stiffness * stiffness + self.weights.damping * damping;
            sum[a] += value * x[b];
            if a != b {
                sum[b] += value * x[a];
            }
        }
    }

    /// `sum += factor Φqᵀ λ`
    pub(super) fn add_reactions(&self, factor: f64, multipliers: &[f64], sum: &mut [f64]) {
        for (row, multiplier) in self.rows.windows(2).zip(multipliers) {
            let range = row[0] as usize..row[1] as usize;
            let pull = factor * multiplier;
            for (&column, entry) in self.columns[range.clone()].iter().zip(&self.entries[range]) {
                sum[column as usize] += entry * pull;
            }
        }
    }

    /// `rates += Φq x`
    pub(super) fn add_rates(&self, x: &[f64], rates: &mut [f64]) {
        for (row, rate) in self.rows.windows(2).zip(rates) {
            let range = row[0] as usize..row[1] as usize;
            let products = self.columns[range.clone()].iter().zip(&self.entries[range]);
            *rate += products
                .map(|(&column, entry)| entry * x[column as usize])
                .sum::<f64>();
        }
    }

    pub(super) fn coordinates(&self) -> usize {
        self.coordinates
    }
}

/// The mass matrix with one entry for each place: those below the diagonal, row by row, and the diagonal.
fn sums(structure: &Structure) -> (Vec<(u32, u32, f64)>, Vec<f64>) {
    let mut diagonal = vec![0.0; structure.coordinates];
    let mut places = BTreeMap::new();
    for &(row, column, value) in &structure.mass {
        if row == column {
            diagonal[row] += value;
        } else {
            *places.entry((row.max(column), row.min(column))).or_insert(0.0) += value;
        }
    }
    let lower = places
        .into_iter()
        .map(|((row, column), value)| (row as u32, column as u32, value));
    (lower.collect(), diagonal)
}
