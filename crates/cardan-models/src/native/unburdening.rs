//! Inertia that is taken away from a model at its interfaces.
//!
//! A transmission line brings inertia of its own along. What rests on an interface is taken away from the model there: the load
//! gets `M a` on top, where `a` is the acceleration of the interface under that very load, so that the model moves as if it had
//! `M` less. Accelerations are linear in loads, `a(f) = a(f0) + A (f - f0)`, so `f = f0 + e` with `(I - M A) e = M a(f0)`.
//!
//! `A` is weighed at the beginning of a step. Inside the step it is a little out of date, which a correction with the true
//! accelerations makes good to the square of its change since then.

use cardan_core::participant::{Failure, Outcome};
use cardan_core::reaction::{Inertia, Reaction};

use super::binding::Binding;
use crate::model::Model;

/// How often the first answer is corrected. At a pendulum on a compensated line, a second time changes angles by 1e-9 in three seconds.
const CORRECTIONS: usize = 1;

/// At least this part of the inertia must be left.
const LEAST: f64 = 1e-3;

#[derive(Default)]
pub(super) struct Unburdening {
    inertias: Vec<Inertia>,
    tick: f64,
    /// `I - M A`, row by row, factorised in place.
    factors: Vec<f64>,
    /// Are they known?
    weighed: bool,
    extra: Vec<f64>,
    wanted: Vec<f64>,
    rates: Rates,
}

/// Room for the accelerations.
#[derive(Default)]
struct Rates {
    dx: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
    seen: Vec<f64>,
    found: Vec<f64>,
    /// The accelerations without and with a load of one.
    base: Vec<f64>,
    u: Vec<f64>,
}

impl Unburdening {
    pub(super) fn adopt(&mut self, reaction: &Reaction, (states, outputs, bound): (usize, usize, usize)) {
        let count = reaction.inertias.len();
        *self = Unburdening {
            inertias: reaction.inertias.clone(),
            tick: reaction.tick,
            factors: vec![0.0; count * count],
            weighed: false,
            extra: vec![0.0; count],
            wanted: vec![0.0; count],
            rates: Rates {
                dx: vec![0.0; states],
                x: vec![0.0; states],
                y: vec![0.0; outputs],
                seen: vec![0.0; bound],
                found: vec![0.0; count],
                base: vec![0.0; count],
                u: Vec::new(),
            },
        };
    }

    /// Finds out how the interfaces accelerate under loads, at `(t, x)` with the inputs `u`.
    pub(super) fn weigh(
        &mut self,
        model: &dyn Model,
        binding: &Binding,
        place: (f64, &[f64]),
        u: &[f64],
    ) -> Outcome<()> {
        let Unburdening {
            inertias,
            tick,
            factors,
            weighed,
            rates,
            ..
        } = self;
        let count = inertias.len();
        rates.u.clear();
        rates.u.extend_from_slice(u);
        rates.of(model, binding, place, (inertias, *tick), None);
        std::mem::swap(&mut rates.base, &mut rates.found);
        for column in 0..count {
            let input = binding.inputs()[inertias[column].input as usize];
            // What is linear may be asked with any load. One of the size of the present one loses least to rounding.
            let load = 1.0 + rates.u[input].abs();
            let before = rates.u[input];
            rates.u[input] = before + load;
            rates.of(model, binding, place, (inertias, *tick), None);
            rates.u[input] = before;
            for row in 0..count {
                let mobility = (rates.found[row] - rates.base[row]) / load;
                let unit = if row == column { 1.0 } else { 0.0 };
                factors[row * count + column] = unit - inertias[row].mass * mobility;
            }
        }
        *weighed = factorize(factors, count);
        match *weighed {
            true => Ok(()),
            false => Err(Failure::numbers(
                "a line is to be compensated for more inertia than there is at the interface",
            )
            .advise("choose a smaller delay or impedance for the line, or leave out `compensate`")),
        }
    }

    /// Adds to the inputs `u` what carries the inertia; `given` are the bound ones of them.
    pub(super) fn apply(
        &mut self,
        model: &dyn Model,
        binding: &Binding,
        place: (f64, &[f64]),
        (u, given): (&mut [f64], &mut [f64]),
    ) {
        // Outputs may be asked for before the first step, which will say what is wrong if something is.
        if !self.weighed && self.weigh(model, binding, place, u).is_err() {
            return;
        }
        let Unburdening {
            inertias,
            tick,
            factors,
            extra,
            wanted,
            rates,
            ..
        } = self;
        extra.fill(0.0);
        for _ in 0..=CORRECTIONS {
            rates.of(model, binding, place, (inertias, *tick), Some(u));
            let found = inertias.iter().zip(&rates.found).zip(extra.iter());
            for (wanted, ((inertia, rate), extra)) in wanted.iter_mut().zip(found) {
                *wanted = inertia.mass * rate - extra;
            }
            solve(factors, wanted);
            for ((inertia, extra), wanted) in inertias.iter().zip(extra.iter_mut()).zip(wanted.iter()) {
                *extra += wanted;
                u[binding.inputs()[inertia.input as usize]] += wanted;
            }
        }
        for inertia in inertias.iter() {
            given[inertia.input as usize] = u[binding.inputs()[inertia.input as usize]];
        }
    }
}

impl Rates {
    /// The rates of the outputs that inertias name: differences along the way of the states.
    fn of(
        &mut self,
        model: &dyn Model,
        binding: &Binding,
        (t, x): (f64, &[f64]),
        (inertias, tick): (&[Inertia], f64),
        u: Option<&[f64]>,
    ) {
        let u = u.unwrap_or(&self.u);
        model.derivatives(t, x, u, &mut self.dx);
        for (side, weight) in [(-1.0, -0.5 / tick), (1.0, 0.5 / tick)] {
            for ((at, x), dx) in self.x.iter_mut().zip(x).zip(&self.dx) {
                *at = x + side * tick * dx;
            }
            model.outputs(t + side * tick, &self.x, u, &mut self.y);
            binding.gather(&self.y, &mut self.seen);
            for (found, inertia) in self.found.iter_mut().zip(inertias) {
                let part = weight * self.seen[inertia.output as usize];
                *found = if side < 0.0 { part } else { *found + part };
            }
        }
    }
}

/// Factorises a matrix that is symmetric and positive but for the scale of its rows: then no pivots need to be sought, and
/// those found are positive.
fn factorize(matrix: &mut [f64], count: usize) -> bool {
    for pivot in 0..count {
        let head = matrix[pivot * count + pivot];
        if !(head.is_finite() && head > LEAST) {
            return false;
        }
        for row in pivot + 1..count {
            let factor = matrix[row * count + pivot] / head;
            matrix[row * count + pivot] = factor;
            for column in pivot + 1..count {
                matrix[row * count + column] -= factor * matrix[pivot * count + column];
            }
        }
    }
    true
}

fn solve(factors: &[f64], values: &mut [f64]) {
    let count = values.len();
    for row in 0..count {
        for column in 0..row {
            values[row] -= factors[row * count + column] * values[column];
        }
    }
    for row in (0..count).rev() {
        for column in row + 1..count {
            values[row] -= factors[row * count + column] * values[column];
        }
        values[row] /= factors[row * count + row];
    }
}
