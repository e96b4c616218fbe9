//! Index three with an augmented Lagrangian: positions, velocities and accelerations all obey the constraints.
//!
//! A step solves `M a + Φqᵀ (λ + α Φ) = Q` for the positions at its end, where velocities and accelerations follow from
//! positions by a method of Newmark's family; after every correction `λ` takes over `α Φ`. Then velocities and accelerations
//! are projected, orthogonally in the metric of the tangent, on what the constraints' derivatives allow.
//!
//! The formulation is that of Bayo and Ledesma (1996), and Cuadrado, Cardenal and Bayo (1997).

use super::acceleration::{Accelerations, Stabilization, largest};
use super::newmark::Newmark;
use super::tangent::{Tangent, Weights};
use super::walk::{Leg, Scheme, finite};
use super::{MechanicalSettings, Mechanics, Structure};
use crate::Counts;
use crate::evaluation::Setback;
use crate::memory::{Reader, Writer};

/// Corrections in one step, after which half the step is tried. Good steps need two or three.
const CORRECTIONS: usize = 30;

/// Corrections of this part of the typical size count as none.
const TOLERANCE: f64 = 1e-7;

pub(crate) struct Augmented {
    newmark: Newmark,
    settings: MechanicalSettings,
    /// Corrections shorter than this count as none.
    tolerance: f64,
    /// The penalty for a step of one second where none is given; it grows with the inverse square of the step.
    penalty: f64,
    coordinates: usize,
    /// Where the last step ended: accelerations, algorithmic accelerations, multipliers.
    here: Point,
    /// The same at the end of the step that is being tried.
    next: Point,
    tangent: Tangent,
    standing: Accelerations,
    way: Vec<f64>,
    work: Vec<f64>,
    constraints: Vec<f64>,
    /// Multipliers with what the penalty adds.
    pulls: Vec<f64>,
}

/// What is remembered beside the state.
struct Point {
    acceleration: Vec<f64>,
    lagged: Vec<f64>,
    multipliers: Vec<f64>,
}

impl Point {
    fn new(coordinates: usize, constraints: usize) -> Self {
        Point {
            acceleration: vec![0.0; coordinates],
            lagged: vec![0.0; coordinates],
            multipliers: vec![0.0; constraints],
        }
    }
}

impl Augmented {
    /// Its estimates go with this power of the step.
    pub(crate) const ERROR_ORDER: f64 = 3.0;

    pub(crate) fn new(newmark: Newmark, structure: &Structure, settings: MechanicalSettings) -> Self {
        let (n, m) = (structure.coordinates, structure.constraints.len());
        Augmented {
            newmark,
            tolerance: settings.tolerance.unwrap_or(TOLERANCE * structure.usual_size()),
            settings,
            penalty: long_chains(m) * structure.even_penalty(),
            coordinates: n,
            here: Point::new(n, m),
            next: Point::new(n, m),
            tangent: Tangent::new(structure),
            standing: Accelerations::new(structure),
            way: vec![0.0; n],
            work: vec![0.0; n],
            constraints: vec![0.0; m],
            pulls: vec![0.0; m],
        }
    }

    /// Positions, velocities and accelerations after the present way.
    fn go(&mut self, leg: &mut Leg<'_>) {
        let (n, h) = (self.coordinates, leg.length());
        let (q, v) = leg.from[..2 * n].split_at(n);
        let (next_q, next_v) = leg.state[..2 * n].split_at_mut(n);
        for i in 0..n {
            let begin = [v[i], self.here.acceleration[i], self.here.lagged[i]];
            next_q[i] = q[i] + self.way[i];
            (next_v[i], self.next.acceleration[i]) = self.newmark.end(h, self.way[i], begin);
        }
    }

    fn converge(
        &mut self,
        mechanics: &mut dyn Mechanics,
        leg: &mut Leg<'_>,
        weights: Weights,
        counts: &mut Counts,
    ) -> Result<(), Setback> {
        let (n, to) = (self.coordinates, leg.to_time);
        mechanics.constraints(to, &leg.state[..n], &mut self.constraints);
        let mut last = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            self.tangent.turn(mechanics, to, &leg.state[..n]);
            self.tangent.feel(mechanics, to, leg.state);
            counts.rhs += 1;
            let work = &mut self.work;
            mechanics.forces(to, leg.state, work)?;
            self.tangent.add_mass(-1.0, &self.next.acceleration, work);
            let multipliers = self.next.multipliers.iter().zip(&self.constraints);
            for (pull, (multiplier, violation)) in self.pulls.iter_mut().zip(multipliers) {
                *pull = multiplier + weights.penalty * violation;
            }
            self.tangent.add_reactions(-1.0, &self.pulls, work);
            finite(work)?;
            counts.factorizations += 1;
            counts.iterations += 1;
            self.tangent.factorize(weights).map_err(|_| Setback::Jacobian)?;
            self.tangent.solve(work);
            for (way, correction) in self.way.iter_mut().zip(work.iter()) {
                *way += correction;
            }
            let length = work.iter().map(|c| c * c).sum::<f64>().sqrt();
            self.go(leg);
            mechanics.constraints(to, &leg.state[..n], &mut self.constraints);
            for (multiplier, violation) in self.next.multipliers.iter_mut().zip(&self.constraints) {
                *multiplier += weights.penalty * violation;
            }
            // Corrections that shrink no more and are small are rounding, which the penalty makes larger.
            let rounding = length > 0.5 * last && length <= f64::EPSILON.sqrt() * largest(&leg.state[..n]);
            if length < self.tolerance || rounding {
                return Ok(());
            }
            last = length;
        }
        Err(Setback::Diverged)
    }

    /// Velocities, then accelerations, as the constraints' derivatives at the end of the step allow them.
    fn project(
        &mut self,
        mechanics: &mut dyn Mechanics,
        leg: &mut Leg<'_>,
        weights: Weights,
        counts: &mut Counts,
    ) -> Result<(), Setback> {
        let (n, to) = (self.coordinates, leg.to_time);
        self.tangent.turn(mechanics, to, &leg.state[..n]);
        counts.factorizations += 1;
        self.tangent.factorize(weights).map_err(|_| Setback::Jacobian)?;

        mechanics.drives(to, &leg.state[..n], &mut self.constraints);
        self.fit(&mut leg.state[n..2 * n], weights.penalty);

        let (q, v) = leg.state[..2 * n].split_at(n);
        mechanics.curvatures(to, q, v, &mut self.constraints);
        let mut acceleration = std::mem::take(&mut self.next.acceleration);
        self.fit(&mut acceleration, weights.penalty);
        self.next.acceleration = acceleration;
        finite(&self.next.acceleration)
    }

    /// The nearest `x` to the given one with `Φq x = -constraints`, up to the penalty.
    fn fit(&mut self, x: &mut [f64], penalty: f64) {
        self.work.fill(0.0);
        self.tangent.add_free(x, &mut self.work);
        self.tangent
            .add_reactions(-penalty, &self.constraints, &mut self.work);
        self.tangent.solve(&mut self.work);
        x.copy_from_slice(&self.work);
    }
}

/// The longer a chain of constraints, the more a penalty has to weigh: its softest mode softens with the square.
///
/// Measured on linkages of up to a thousand loops: a tenth of it lets cranks of short ones come out of line by a millionth
/// where they pass singular positions, a hundred times of it costs long ones a correction more, lost to rounding.
fn long_chains(constraints: usize) -> f64 {
    let links = constraints as f64;
    2e4 + 200.0 * links * links
}

impl Scheme for Augmented {
    /// Where the motion begins or forces jump, accelerations and multipliers follow from the state.
    fn begin(
        &mut self,
        mechanics: &mut dyn Mechanics,
        t: f64,
        x: &[f64],
        counts: &mut Counts,
    ) -> Result<(), Setback> {
        counts.rhs += 1;
        self.standing.solve(mechanics, t, x, Stabilization::None)?;
        self.here
            .acceleration
            .copy_from_slice(self.standing.accelerations());
        self.here.lagged.copy_from_slice(self.standing.accelerations());
        self.here.multipliers.copy_from_slice(self.standing.multipliers());
        finite(&self.here.acceleration)
    }

    fn attempt(
        &mut self,
        mechanics: &mut dyn Mechanics,
        mut leg: Leg<'_>,
        counts: &mut Counts,
    ) -> Result<(), Setback> {
        let (n, h) = (self.coordinates, leg.length());
        let gains = self.newmark.gains(h);
        let weights = Weights {
            mass: gains.acceleration,
            damping: gains.velocity,
            stiffness: 1.0,
            penalty: self.settings.penalty.unwrap_or(self.penalty / (h * h)),
        };
        let velocities = &leg.from[n..2 * n];
        for ((way, v), a) in self.way.iter_mut().zip(velocities).zip(&self.here.acceleration) {
            *way = h * v + 0.5 * h * h * a;
        }
        self.next.multipliers.copy_from_slice(&self.here.multipliers);
        leg.state[2 * n..].copy_from_slice(&leg.from[2 * n..]);
        self.go(&mut leg);
        self.converge(mechanics, &mut leg, weights, counts)?;
        self.project(mechanics, &mut leg, weights, counts)?;
        for i in 0..n {
            let ends = (self.here.acceleration[i], self.next.acceleration[i]);
            self.next.lagged[i] = self.newmark.lagged(ends.0, ends.1, self.here.lagged[i]);
        }
        mechanics.quadratures(leg.to_time, leg.state, leg.rates);
        for (i, sum) in leg.state[2 * n..].iter_mut().enumerate() {
            *sum += 0.5 * h * (leg.from_rates[i] + leg.rates[i]);
        }
        Ok(())
    }

    /// Errors of positions. Those of velocities are about as large against the size of velocities, and would need one step more to
    /// look back at.
    fn estimate(&self, h: f64, errors: &mut [f64]) {
        let factor = self.newmark.error() * h * h;
        let (positions, others) = errors.split_at_mut(self.coordinates);
        let ends = self.here.acceleration.iter().zip(&self.next.acceleration);
        for (error, (from, to)) in positions.iter_mut().zip(ends) {
            *error = factor * (to - from);
        }
        others.fill(0.0);
    }

    fn accept(&mut self) {
        std::mem::swap(&mut self.here, &mut self.next);
    }

    fn save(&self, memory: &mut Writer<'_>) {
        let here = &self.here;
        for part in [&here.acceleration, &here.lagged, &here.multipliers] {
            memory.reals(part);
        }
    }

    fn restore(&mut self, memory: &mut Reader<'_>) {
        let here = &mut self.here;
        for part in [&mut here.acceleration, &mut here.lagged, &mut here.multipliers] {
            memory.reals(part);
        }
    }
}
