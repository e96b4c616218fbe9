//! A mechanical system in a minimal set of its own coordinates: an ordinary differential equation for any integrator.
//!
//! Of all coordinates some are chosen that tell the others; their number is that of the degrees of freedom. The right-hand
//! side finds the others from the constraints, then all velocities, then the accelerations. What serves well at one position
//! serves badly at another, where others have to be chosen: [`Minimal::is_worn`] says when.

use super::acceleration::{Accelerations, Stabilization};
use super::fitting::Fitting;
use super::{Mechanics, Structure};
use crate::{Equations, Trouble};

/// Pivots this much smaller than the largest one are rounding: the constraint follows from others.
const RANK: f64 = 1e-9;

/// Constraints are solved to this, against the size of the coordinates.
const TOLERANCE: f64 = 1e-13;

/// The system around one position, with the state `[q, v]` of the chosen coordinates and the quadratures behind it.
pub struct Minimal<'m> {
    mechanics: &'m mut dyn Mechanics,
    chosen: Vec<usize>,
    /// How well the chosen coordinates tell the others where they were chosen.
    fresh: f64,
    /// The whole state last found; the next one is looked for from here.
    whole: Vec<f64>,
    pinned: Structure,
    fitting: Fitting,
    accelerations: Accelerations,
}

impl<'m> Minimal<'m> {
    /// Chooses coordinates at this state.
    pub fn around(mechanics: &'m mut dyn Mechanics, t: f64, x: &[f64]) -> Self {
        let structure = mechanics.structure().clone();
        let mut entries = vec![0.0; structure.jacobian_len()];
        mechanics.jacobian(t, &x[..structure.coordinates], &mut entries);
        let all: Vec<usize> = (0..structure.coordinates).collect();
        let (dependent, fresh) = eliminate(&structure, &entries, &all);
        let chosen: Vec<usize> = all
            .into_iter()
            .filter(|column| !dependent.contains(column))
            .collect();
        let mut pinned = structure.clone();
        pinned
            .constraints
            .extend(chosen.iter().map(|&column| vec![column]));
        Minimal {
            fresh,
            whole: x.to_vec(),
            fitting: Fitting::new(&pinned, &vec![1e-3; structure.coordinates]),
            accelerations: Accelerations::new(&structure),
            pinned,
            chosen,
            mechanics,
        }
    }

    /// The coordinates that were chosen.
    #[must_use]
    pub fn chosen(&self) -> &[usize] {
        &self.chosen
    }

    /// The state in the chosen coordinates that belongs to the whole one found last.
    #[must_use]
    pub fn state(&self) -> Vec<f64> {
        let n = self.pinned.coordinates;
        let positions = self.chosen.iter().map(|&column| self.whole[column]);
        let velocities = self.chosen.iter().map(|&column| self.whole[n + column]);
        positions
            .chain(velocities)
            .chain(self.whole[2 * n..].iter().copied())
            .collect()
    }

    /// The whole state `[q, v, z]` that belongs to one in the chosen coordinates. There may be none so far away.
    pub fn lift(&mut self, t: f64, state: &[f64]) -> Result<&[f64], Trouble> {
        let (n, freedoms) = (self.pinned.coordinates, self.chosen.len());
        let (positions, rest) = state.split_at(freedoms);
        let (velocities, quadratures) = rest.split_at(freedoms);
        let (q, v) = self.whole.split_at_mut(n);
        let size = q.iter().fold(1.0, |size: f64, q| size.max(q.abs()));
        let mut pins = Pins {
            mechanics: self.mechanics,
            structure: &self.pinned,
            chosen: &self.chosen,
            positions,
            velocities,
        };
        self.fitting
            .positions(&mut pins, t, q, TOLERANCE * size * size)
            .map_err(|_| Trouble::Discard)?;
        let fastest = velocities
            .iter()
            .fold(1.0, |fastest: f64, v| fastest.max(v.abs()));
        let fitted = self
            .fitting
            .velocities(&mut pins, t, (q, &mut v[..n]), 1e-9 * size * fastest);
        fitted.map_err(|_| Trouble::Discard)?;
        self.whole[2 * n..].copy_from_slice(quadratures);
        Ok(&self.whole)
    }

    /// Do the chosen coordinates tell the others much worse than where they were chosen? Then it is time for others.
    pub fn is_worn(&mut self, t: f64) -> bool {
        let n = self.pinned.coordinates;
        let dependent: Vec<usize> = (0..n).filter(|column| !self.chosen.contains(column)).collect();
        let structure = self.mechanics.structure().clone();
        let mut entries = vec![0.0; structure.jacobian_len()];
        self.mechanics.jacobian(t, &self.whole[..n], &mut entries);
        eliminate(&structure, &entries, &dependent).1 < 0.2 * self.fresh
    }
}

impl Equations for Minimal<'_> {
    fn states(&self) -> usize {
        2 * self.chosen.len() + self.pinned.quadratures
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        self.lift(t, x)?;
        self.accelerations
            .solve(self.mechanics, t, &self.whole, Stabilization::None)?;
        let freedoms = self.chosen.len();
        dx[..freedoms].copy_from_slice(&x[freedoms..2 * freedoms]);
        for (dx, &column) in dx[freedoms..].iter_mut().zip(&self.chosen) {
            *dx = self.accelerations.accelerations()[column];
        }
        self.mechanics
            .quadratures(t, &self.whole, &mut dx[2 * freedoms..]);
        Ok(())
    }
}

/// Gaussian elimination with full pivoting on these columns of the constraints' Jacobian: the columns that follow from the
/// others, and the smallest pivot as a part of the largest.
fn eliminate(structure: &Structure, entries: &[f64], columns: &[usize]) -> (Vec<usize>, f64) {
    let place: Vec<Option<usize>> = (0..structure.coordinates)
        .map(|column| columns.iter().position(|&known| known == column))
        .collect();
    let mut matrix = Vec::with_capacity(structure.constraints.len());
    let mut rest = entries;
    for row in &structure.constraints {
        let (own, after) = rest.split_at(row.len());
        let mut dense = vec![0.0; columns.len()];
        for (&column, entry) in row.iter().zip(own) {
            if let Some(place) = place[column] {
                dense[place] += entry;
            }
        }
        matrix.push(dense);
        rest = after;
    }
    let mut pivots: Vec<usize> = Vec::new();
    let (mut largest, mut smallest) = (0.0_f64, 1.0_f64);
    for step in 0..matrix.len().min(columns.len()) {
        let open = |column: &usize| !pivots.contains(column);
        let best = (step..matrix.len())
            .flat_map(|row| (0..columns.len()).filter(open).map(move |column| (row, column)))
            .max_by(|a, b| matrix[a.0][a.1].abs().total_cmp(&matrix[b.0][b.1].abs()));
        let Some((row, column)) = best else {
            break;
        };
        let pivot = matrix[row][column].abs();
        if step == 0 {
            largest = pivot;
        }
        if pivot <= RANK * largest || pivot == 0.0 {
            break;
        }
        smallest = pivot / largest;
        matrix.swap(step, row);
        let (above, below) = matrix.split_at_mut(step + 1);
        let top = &above[step];
        for row in below {
            let factor = row[column] / top[column];
            for (entry, pivot) in row.iter_mut().zip(top) {
                *entry -= factor * pivot;
            }
        }
        pivots.push(column);
    }
    (pivots.into_iter().map(|place| columns[place]).collect(), smallest)
}

/// A system with some of its coordinates held at given positions and velocities.
struct Pins<'a> {
    mechanics: &'a mut dyn Mechanics,
    structure: &'a Structure,
    chosen: &'a [usize],
    positions: &'a [f64],
    velocities: &'a [f64],
}

impl Pins<'_> {
    fn own(&self) -> usize {
        self.structure.constraints.len() - self.chosen.len()
    }
}

impl Mechanics for Pins<'_> {
    fn structure(&self) -> &Structure {
        self.structure
    }

    fn damped(&self) -> bool {
        self.mechanics.damped()
    }

    fn constraints(&mut self, t: f64, q: &[f64], values: &mut [f64]) {
        let (own, pins) = values.split_at_mut(self.own());
        self.mechanics.constraints(t, q, own);
        for ((pin, &column), position) in pins.iter_mut().zip(self.chosen).zip(self.positions) {
            *pin = q[column] - position;
        }
    }

    fn jacobian(&mut self, t: f64, q: &[f64], entries: &mut [f64]) {
        let own = entries.len() - self.chosen.len();
        let (own, pins) = entries.split_at_mut(own);
        self.mechanics.jacobian(t, q, own);
        pins.fill(1.0);
    }

    fn drives(&mut self, t: f64, q: &[f64], rates: &mut [f64]) {
        let (own, pins) = rates.split_at_mut(self.own());
        self.mechanics.drives(t, q, own);
        for (pin, velocity) in pins.iter_mut().zip(self.velocities) {
            *pin = -velocity;
        }
    }

    fn curvatures(&mut self, t: f64, q: &[f64], v: &[f64], values: &mut [f64]) {
        let (own, pins) = values.split_at_mut(self.own());
        self.mechanics.curvatures(t, q, v, own);
        pins.fill(0.0);
    }

    fn forces(&mut self, t: f64, x: &[f64], forces: &mut [f64]) -> Result<(), Trouble> {
        self.mechanics.forces(t, x, forces)
    }

    fn tangents(&mut self, t: f64, x: &[f64], stiffness: &mut [f64], damping: &mut [f64]) {
        self.mechanics.tangents(t, x, stiffness, damping);
    }

    fn quadratures(&mut self, t: f64, x: &[f64], rates: &mut [f64]) {
        self.mechanics.quadratures(t, x, rates);
    }
}
