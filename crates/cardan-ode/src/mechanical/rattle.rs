//! RATTLE, five times a step: order four on the constraints' manifold.
//!
//! One stage is the symmetric method of Andersen (1983): half a kick with the constraints' forces at its beginning, so that
//! positions obey the constraints at its end, and half a kick with those at its end, so that velocities do. Five stages of
//! the lengths of Suzuki (1990), the third of them backwards, cancel the error of order three and stay inside the step.

use super::acceleration::largest;
use super::tangent::{Tangent, Weights};
use super::walk::{Leg, Scheme, finite};
use super::{Mechanics, Structure};
use crate::Counts;
use crate::evaluation::Setback;

/// Repetitions at the most; all but those at singular positions need fewer.
const REPETITIONS: usize = 40;

/// How often the constraints' pulls are taken anew where they lose their rank.
const TURNS: usize = 4;

/// Penalty against mass in the matrix: constraints are approached by a factor of this in each repetition.
const WEIGHT: f64 = 1e7;

/// Positions that are not reached to this part of the largest are not reached at all. Where constraints lose their rank the last
/// digits are out of reach: an error of rounding in them is its square root in positions.
const ASTRAY: f64 = 1e-7;

/// Velocities that change no more than this and do not settle further are as exact as solves with this penalty let them be.
const SEEN: f64 = 1e-9;

/// A correction this small against what it corrects is rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

pub(crate) struct Rattle {
    coordinates: usize,
    weights: Weights,
    tangent: Tangent,
    /// Where a stage begins, `[q, v, z]`, and how fast `z` changes there.
    begin: Vec<f64>,
    rates: Vec<f64>,
    forces: Vec<f64>,
    work: Vec<f64>,
    constraints: Vec<f64>,
    drives: Vec<f64>,
    /// Velocities in the middle of a stage, as forces last saw them.
    seen: Vec<f64>,
    /// Is a stage that its pulls do not lead through left to a shorter step?
    strict: bool,
    /// The sum of the states between the stages that tells how wrong the last one is.
    estimate: Vec<f64>,
}

impl Rattle {
    /// Its estimates go with this power of the step.
    pub(crate) const ERROR_ORDER: f64 = 4.0;

    pub(crate) fn new(structure: &Structure) -> Self {
        let (n, m) = (structure.coordinates, structure.constraints.len());
        let penalty = if m == 0 {
            0.0
        } else {
            WEIGHT * structure.even_penalty()
        };
        Rattle {
            coordinates: n,
            weights: Weights {
                mass: 1.0,
                damping: 0.0,
                stiffness: 0.0,
                penalty,
            },
            tangent: Tangent::new(structure),
            begin: vec![0.0; structure.states()],
            rates: vec![0.0; structure.quadratures],
            forces: vec![0.0; n],
            work: vec![0.0; n],
            constraints: vec![0.0; m],
            drives: vec![0.0; m],
            seen: vec![0.0; n],
            strict: true,
            estimate: vec![0.0; structure.states()],
        }
    }

    fn turn(
        &mut self,
        mechanics: &mut dyn Mechanics,
        t: f64,
        q: &[f64],
        counts: &mut Counts,
    ) -> Result<(), Setback> {
        self.tangent.turn(mechanics, t, q);
        counts.factorizations += 1;
        self.tangent
            .factorize(self.weights)
            .map_err(|_| Setback::Jacobian)
    }

    /// One stage from `begin` at `from` to `state` at `to`. The matrix is that of the beginning before, of the end after.
    fn stage(
        &mut self,
        mechanics: &mut dyn Mechanics,
        (from, to): (f64, f64),
        state: &mut [f64],
        counts: &mut Counts,
    ) -> Result<(), Setback> {
        let n = self.coordinates;
        mechanics.drives(from, &self.begin[..n], &mut self.drives);
        self.seen.copy_from_slice(&self.begin[n..2 * n]);
        let mut last = f64::INFINITY;
        for repetition in 0.. {
            state.copy_from_slice(&self.begin);
            state[n..2 * n].copy_from_slice(&self.seen);
            counts.rhs += 1;
            mechanics.forces(from, state, &mut self.forces)?;
            finite(&self.forces)?;
            let astray = self.reach(mechanics, (from, to), state, counts)?;
            if !mechanics.damped() {
                break;
            }
            // The first half feels forces at the velocity in its middle, which they change.
            let (change, size) = (self.see(&state[n..2 * n]), largest(&state[n..2 * n]));
            if change <= ROUNDING * size || (change >= last && change <= SEEN * size) {
                break;
            }
            // Damping as strong as this wants shorter steps.
            if repetition >= REPETITIONS || change >= 10.0 * last {
                return Err(Setback::Diverged);
            }
            last = change;
            if astray {
                let begin = std::mem::take(&mut self.begin);
                let turned = self.turn(mechanics, from, &begin[..n], counts);
                self.begin = begin;
                turned?;
            }
        }
        finite(&state[..2 * n])?;
        self.turn(mechanics, to, &state[..n], counts)?;
        counts.rhs += 1;
        mechanics.forces(to, state, &mut self.forces)?;
        finite(&self.forces)?;
        mechanics.drives(to, &state[..n], &mut self.drives);
        self.kick(to - from, &mut state[n..2 * n]);
        self.fit(&mut state[n..2 * n]);
        finite(&state[..2 * n])
    }

    /// The velocity in the middle as forces will see it next, and by how much it is another one.
    fn see(&mut self, v: &[f64]) -> f64 {
        let change = self
            .seen
            .iter()
            .zip(v)
            .map(|(seen, v)| (v - seen).abs())
            .fold(0.0, f64::max);
        self.seen.copy_from_slice(v);
        change
    }

    /// Half a kick that lands on the constraints: positions at the end of the stage, and the velocity that leads there.
    ///
    /// Where constraints lose their rank at the beginning of the stage, its pulls do not lead there. A step of another length
    /// has its stages elsewhere. If that does not help either, as where the motion begins there, pulls of the end do the rest,
    /// at the cost of a little energy, and the answer is true: the matrix is another one now.
    fn reach(
        &mut self,
        mechanics: &mut dyn Mechanics,
        (from, to): (f64, f64),
        state: &mut [f64],
        counts: &mut Counts,
    ) -> Result<bool, Setback> {
        let (n, h) = (self.coordinates, to - from);
        state[n..2 * n].copy_from_slice(&self.begin[n..2 * n]);
        self.kick(h, &mut state[n..2 * n]);
        for i in 0..n {
            state[i] = self.begin[i] + h * state[n + i];
        }
        let (mut last, mut turns) = (f64::INFINITY, 0);
        let (mut astray, mut straight) = (false, self.constraints.is_empty());
        for _ in 0..if self.constraints.is_empty() {
            0
        } else {
            REPETITIONS
        } {
            mechanics.constraints(to, &state[..n], &mut self.constraints);
            self.work.fill(0.0);
            self.tangent
                .add_reactions(-self.weights.penalty, &self.constraints, &mut self.work);
            self.tangent.solve(&mut self.work);
            let (length, size) = (largest(&self.work), largest(&state[..n]));
            astray = length > ASTRAY * size;
            if length < 0.5 * last {
                let rounding = length <= ROUNDING * size;
                straight = rounding && last == f64::INFINITY && turns == 0;
                for (q, correction) in state.iter_mut().zip(&self.work) {
                    *q += correction;
                }
                last = length;
                if rounding {
                    break;
                }
            } else if length <= 1e-13 * size || turns == TURNS {
                break;
            } else if self.strict {
                return Err(Setback::Singular);
            } else {
                self.turn(mechanics, to, &state[..n], counts)?;
                (last, turns) = (f64::INFINITY, turns + 1);
            }
        }
        if astray {
            return Err(Setback::Diverged);
        }
        // A stage so short that only rounding was left to correct keeps its velocity: divided by its length, rounding would be a large
        // one.
        if !straight {
            for i in 0..n {
                state[n + i] = (state[i] - self.begin[i]) / h;
            }
        }
        Ok(turns > 0)
    }

    /// `v ← v + h/2 M⁻¹ (Q - Φqᵀ μ)` with multipliers that let constraints stand still, up to the penalty.
    fn kick(&mut self, h: f64, v: &mut [f64]) {
        self.constraints.copy_from_slice(&self.drives);
        self.tangent.add_rates(v, &mut self.constraints);
        for (work, force) in self.work.iter_mut().zip(&self.forces) {
            *work = 0.5 * h * force;
        }
        self.tangent
            .add_reactions(-self.weights.penalty, &self.constraints, &mut self.work);
        self.tangent.solve(&mut self.work);
        for (v, change) in v.iter_mut().zip(&self.work) {
            *v += change;
        }
    }

    fn judge(&mut self, weight: f64, x: &[f64]) {
        for (sum, x) in self.estimate.iter_mut().zip(x) {
            *sum += weight * x;
        }
    }

    /// What the penalty left undone.
    fn fit(&mut self, v: &mut [f64]) {
        let mut last = f64::INFINITY;
        for _ in 0..REPETITIONS {
            self.constraints.copy_from_slice(&self.drives);
            self.tangent.add_rates(v, &mut self.constraints);
            self.work.fill(0.0);
            self.tangent
                .add_reactions(-self.weights.penalty, &self.constraints, &mut self.work);
            self.tangent.solve(&mut self.work);
            for (v, correction) in v.iter_mut().zip(&self.work) {
                *v += correction;
            }
            let length = largest(&self.work);
            if length <= ROUNDING * largest(v) || length > 0.5 * last {
                break;
            }
            last = length;
        }
    }
}

/// Ends of the five stages as parts of the step: `1 / (4 - ∛4)` four times, and what is missing to one in their middle.
fn stages() -> [f64; 5] {
    let part = 1.0 / (4.0 - 4.0_f64.cbrt());
    [part, 2.0 * part, 1.0 - 2.0 * part, 1.0 - part, 1.0]
}

/// An oscillation of one radian per second is wrong by so much of `h⁴` in the sum of states with weights that begin with one.
const OSCILLATION: f64 = 0.017_338;

/// Weights of the states at the beginning, between the stages and at the end in the estimate of the error.
///
/// The states between are wrong by the cubes of their stages' lengths, which are the same on both sides of the middle but for their
/// sign. Weights that are the same on both sides let that vanish, and all odd powers of time; two conditions more let the
/// constant and the square vanish. What is left goes with the fourth power of the step, as the error of the cubic that is
/// drawn through its ends, and is scaled to be that of an oscillation: `h⁴/384` of its fourth derivative.
///
/// Sums of states of this kind are due to Blanes, Casas and Thalhammer (2019).
fn weights() -> [f64; 6] {
    let [first, second, ..] = stages().map(|part| (part - 0.5) * (part - 0.5));
    let end = 0.25;
    let scale = 1.0 / (384.0 * OSCILLATION);
    let inner = -scale * (end - first) / (second - first);
    let outer = -scale - inner;
    [scale, outer, inner, inner, outer, scale]
}

impl Scheme for Rattle {
    fn begin(&mut self, _: &mut dyn Mechanics, _: f64, _: &[f64], _: &mut Counts) -> Result<(), Setback> {
        Ok(())
    }

    fn attempt(
        &mut self,
        mechanics: &mut dyn Mechanics,
        leg: Leg<'_>,
        counts: &mut Counts,
    ) -> Result<(), Setback> {
        let (n, h) = (self.coordinates, leg.length());
        self.strict = leg.strict;
        self.begin.copy_from_slice(leg.from);
        self.rates.copy_from_slice(leg.from_rates);
        self.turn(mechanics, leg.from_time, &leg.from[..n], counts)?;
        let mut from = leg.from_time;
        let [first, others @ ..] = weights();
        if leg.judged {
            self.estimate.fill(0.0);
            self.judge(first, leg.from);
        }
        for (part, weight) in stages().into_iter().zip(others) {
            let to = if part == 1.0 {
                leg.to_time
            } else {
                leg.from_time + part * h
            };
            self.stage(mechanics, (from, to), leg.state, counts)?;
            // The trapezoidal rule is symmetric too, so that quadratures have order four as well.
            mechanics.quadratures(to, leg.state, leg.rates);
            for (i, sum) in leg.state[2 * n..].iter_mut().enumerate() {
                *sum = self.begin[2 * n + i] + 0.5 * (to - from) * (self.rates[i] + leg.rates[i]);
            }
            if leg.judged {
                self.judge(weight, leg.state);
            }
            self.begin.copy_from_slice(leg.state);
            self.rates.copy_from_slice(leg.rates);
            from = to;
        }
        Ok(())
    }

    fn estimate(&self, _: f64, errors: &mut [f64]) {
        errors.copy_from_slice(&self.estimate);
    }
}
