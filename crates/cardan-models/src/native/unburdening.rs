//! Inertia that is taken away from a model at its interfaces.
//!
//! A transmission line brings inertia of its own along. What rests on an interface is taken away from the model there: the load
//! gets `M a` on top, where `a` is the acceleration of the interface under that very load, so that the model moves as if it had
//! `M` less. Accelerations are linear in loads, `a(f) = a(f0) + A (f - f0)`, so `f = f0 + e` with `(I - M A) e = M a(f0)`.
//!
//! `A` is weighed at the beginning of a step, and `e` is found there. Inside the step both are a little out of date: with the true
//! accelerations under the load of the beginning, the new `e` is wrong only by the product of both changes.

use cardan_core::participant::{Failure, Outcome};
use cardan_core::reaction::{Inertia, Reaction};

use super::binding::Binding;
use crate::model::Model;

/// How often true accelerations are asked for where a step begins, and nothing is known of the answer.
const FIRST: usize = 2;

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
    /// What carries the inertia where the step begins, once that is known.
    begun: bool,
    beginning: Vec<f64>,
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
    /// What is seen, and how states change, without a load.
    base: Vec<f64>,
    resting: Vec<f64>,
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
            begun: false,
            beginning: vec![0.0; count],
            extra: vec![0.0; count],
            wanted: vec![0.0; count],
            rates: Rates {
                dx: vec![0.0; states],
                x: vec![0.0; states],
                y: vec![0.0; outputs],
                seen: vec![0.0; bound],
                found: vec![0.0; count],
                base: vec![0.0; bound],
                resting: vec![0.0; states],
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
            begun,
            rates,
            ..
        } = self;
        let count = inertias.len();
        *begun = false;
        rates.u.clear();
        rates.u.extend_from_slice(u);
        rates.move_on(model, binding, place, *tick, None);
        std::mem::swap(&mut rates.base, &mut rates.seen);
        std::mem::swap(&mut rates.resting, &mut rates.dx);
        for column in 0..count {
            let input = binding.inputs()[inertias[column].input as usize];
            // What is linear may be asked with any load. One of the size of the present one loses least to rounding.
            let load = 1.0 + rates.u[input].abs();
            let moved = rates.move_on(model, binding, place, *tick, Some((input, load)));
            for row in 0..count {
                let unit = if row == column { 1.0 } else { 0.0 };
                let output = inertias[row].output as usize;
                let mobility = match moved {
                    true => (rates.seen[output] - rates.base[output]) / (*tick * load),
                    false => 0.0,
                };
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
            begun,
            beginning,
            extra,
            wanted,
            rates,
            ..
        } = self;
        extra.copy_from_slice(beginning);
        if !*begun {
            extra.fill(0.0);
        }
        for (inertia, extra) in inertias.iter().zip(extra.iter()) {
            u[binding.inputs()[inertia.input as usize]] += extra;
        }
        for _ in 0..if *begun { 1 } else { FIRST } {
            rates.of(model, binding, place, (inertias, *tick), u);
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
        if !*begun {
            beginning.copy_from_slice(extra);
            *begun = true;
        }
        for inertia in inertias.iter() {
            given[inertia.input as usize] = u[binding.inputs()[inertia.input as usize]];
        }
    }
}

impl Rates {
    /// Goes on for a tick from `(t, x)`, with one more load if there is one, and looks where that leads. Tells whether the load moves anything.
    ///
    /// The difference to where it leads without the load is the load's own doing, to the square of the tick. That is enough to
    /// weigh with: what is wrong with the weight is corrected later.
    fn move_on(
        &mut self,
        model: &dyn Model,
        binding: &Binding,
        (t, x): (f64, &[f64]),
        tick: f64,
        load: Option<(usize, f64)>,
    ) -> bool {
        let before = load.map(|(input, load)| {
            let before = self.u[input];
            self.u[input] = before + load;
            (input, before)
        });
        model.derivatives(t, x, &self.u, &mut self.dx);
        if let Some((input, before)) = before {
            self.u[input] = before;
            // A chain in a plane does not feel what acts across it.
            if self.dx == self.resting {
                return false;
            }
        }
        for ((at, x), dx) in self.x.iter_mut().zip(x).zip(&self.dx) {
            *at = x + tick * dx;
        }
        model.outputs(t + tick, &self.x, &self.u, &mut self.y);
        binding.gather(&self.y, &mut self.seen);
        true
    }

    /// The rates of the outputs that inertias name: differences along the way of the states.
    fn of(
        &mut self,
        model: &dyn Model,
        binding: &Binding,
        (t, x): (f64, &[f64]),
        (inertias, tick): (&[Inertia], f64),
        u: &[f64],
    ) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use cardan_core::interface::{Interface, Port};
    use std::cell::Cell;

    /// A coordinate whose inertia and whose way to the interface depend on where it is: `v' = f / (1 + q)`, seen as `v (1 + q²)`.
    #[derive(Default)]
    struct Lever {
        derivatives: Cell<usize>,
        outputs: Cell<usize>,
    }

    impl Model for Lever {
        fn states(&self) -> usize {
            2
        }
        fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
            self.derivatives.set(self.derivatives.get() + 1);
            dx.copy_from_slice(&[x[1], u[0] / (1.0 + x[0])]);
        }
        fn outputs(&self, _t: f64, x: &[f64], _u: &[f64], y: &mut [f64]) {
            self.outputs.set(self.outputs.get() + 1);
            y[0] = x[1] * (1.0 + x[0] * x[0]);
        }
    }

    const MASS: f64 = 0.3;

    /// The load that carries the inertia: `e = M a(f + e)`, with `a = A f + 2 q v²` solved by hand.
    fn exact([q, v]: [f64; 2], load: f64) -> f64 {
        let mobility = (1.0 + q * q) / (1.0 + q);
        MASS * (mobility * load + 2.0 * q * v * v) / (1.0 - MASS * mobility)
    }

    #[test]
    fn inside_a_step_accelerations_are_asked_for_once() {
        let mut interface = Interface::default();
        let (input, output) = (
            interface.port(Port::input("load")),
            interface.port(Port::output("speed")),
        );
        let binding = Binding::new(&interface, &[input], &[output]).unwrap();
        let reaction = Reaction {
            inertias: vec![Inertia {
                input: 0,
                output: 0,
                mass: MASS,
            }],
            tick: 1e-6,
            ..Reaction::default()
        };
        let (lever, mut unburdening) = (Lever::default(), Unburdening::default());
        unburdening.adopt(&reaction, (2, 1, 1));
        let begin = [0.2, 0.7];
        unburdening
            .weigh(&lever, &binding, (0.0, &begin), &[5.0])
            .unwrap();
        let mut extra = |x: [f64; 2], load: f64| {
            let (mut u, mut given) = ([load], [load]);
            unburdening.apply(&lever, &binding, (0.0, &x), (&mut u, &mut given));
            assert_eq!(u, given);
            u[0] - load
        };
        // Where it begins: central differences over a tick are off by its square, and by 1e-16 over it.
        let first = extra(begin, 5.0);
        assert!((first - exact(begin, 5.0)).abs() < 1e-8, "{first}");
        for way in [1e-2, 1e-3] {
            let (derivatives, outputs) = (lever.derivatives.get(), lever.outputs.get());
            let (there, load) = ([0.2 + way, 0.7 - way], 5.0 + 10.0 * way);
            let found = extra(there, load);
            assert_eq!(
                (
                    lever.derivatives.get() - derivatives,
                    lever.outputs.get() - outputs
                ),
                (1, 2)
            );
            // The share of the inertia that is taken is a third here, so what is wrong is half of the product of both changes: that of
            // the mobility, which changes by less than the way, and that of the extra load.
            let (right, before) = (exact(there, load), exact(begin, 5.0));
            assert!(
                (found - right).abs() < 0.5 * way * (right - before).abs() + 1e-8,
                "{way}: {found} {right}"
            );
        }
    }
}
