//! A mechanism as equations: constraints, forces, and what is seen of them.

use std::cell::RefCell;

use cardan_ode::mechanical::{Accelerations, Stabilization, Structure};

use super::constraint::Constraint;
use super::description::{Mistake, Place};
use super::element::Element;
use super::measure::unwound;
use super::ports::{Output, Ports, frame};
use crate::model::{Mechanical, Model};
use crate::native::Held;

/// Violations of constraints above this part of the square of the mechanism's size are no more those of a solver that takes care.
const TORN: f64 = 1e-3;

/// A mechanism in `D` dimensions, ready to move.
#[derive(Clone)]
pub(super) struct System<const D: usize> {
    pub(super) structure: Structure,
    pub(super) constraints: Vec<Constraint<D>>,
    /// Forces that never change: gravity above all.
    pub(super) weight: Vec<f64>,
    /// Potential energy of gravity with all coordinates zero.
    pub(super) level: f64,
    pub(super) elements: Vec<Element<D>>,
    /// Places in the tangent of each element's products, its coordinates, and room for its gradient.
    pub(super) products: Vec<Products>,
    pub(super) ports: Ports<D>,
    pub(super) initial: Vec<f64>,
    pub(super) start: f64,
    /// For each one-sided element whether it touches.
    pub(super) touching: Vec<bool>,
    pub(super) stabilization: Stabilization,
    pub(super) work: RefCell<Work>,
}

/// Where the tangent of an element goes: the lower triangle of its coordinates.
#[derive(Clone)]
pub(super) struct Products {
    pub(super) coordinates: Vec<usize>,
    pub(super) places: Vec<usize>,
}

/// Room to compute in.
#[derive(Clone)]
pub(super) struct Work {
    pub(super) accelerations: Accelerations,
    pub(super) gradient: Vec<f64>,
    pub(super) residuals: Vec<f64>,
    pub(super) inputs: Vec<f64>,
}

impl<const D: usize> System<D> {
    /// Refuses a mechanism in which something turns without inertia: no acceleration would be the right one.
    /// The first suspect is told.
    pub(super) fn check_inertia(&self, suspect: impl FnOnce() -> Place) -> Result<(), Mistake> {
        let u = vec![0.0; self.ports.inputs.iter().map(|input| input.width()).sum()];
        let mut held = Held { model: self, u: &u };
        let mut work = self.work.borrow_mut();
        let accelerations = &mut work.accelerations;
        let solved = accelerations.solve(&mut held, self.start, &self.initial, Stabilization::None);
        solved.map_err(|_| {
            Mistake::at(suspect(), "something moves or turns without inertia")
                .advise("a thin rod in space has none about its own axis; give bodies an inertia above 0 about every axis that is free")
        })
    }

    fn split<'a>(&self, x: &'a [f64]) -> (&'a [f64], &'a [f64], &'a [f64]) {
        self.structure.split(x)
    }

    /// An element's measure, with turns counted, and its rate.
    fn measured(&self, element: &Element<D>, (q, v, z): (&[f64], &[f64], &[f64])) -> (f64, f64) {
        let wrapped = element.measure.value(q);
        let value = element
            .winding
            .and_then(|index| z.get(index))
            .map_or(wrapped, |&count| unwound(wrapped, count));
        (value, element.measure.rate(q, v))
    }

    /// All elements with what they know of their side.
    fn sided(&self) -> impl Iterator<Item = (&Element<D>, bool)> {
        let mut sides = self.touching.iter();
        self.elements.iter().map(move |element| match element.depth(0.0) {
            Some(_) => (element, sides.next().copied().unwrap_or(false)),
            None => (element, true),
        })
    }

    fn energy(&self, x: &[f64]) -> f64 {
        let parts @ (q, v, _) = self.split(x);
        let twice = |&(row, column, mass): &(usize, usize, f64)| {
            let both = if row == column { 1.0 } else { 2.0 };
            both * mass * v[row] * v[column]
        };
        let kinetic = 0.5 * self.structure.mass.iter().map(twice).sum::<f64>();
        let height: f64 = q.iter().zip(&self.weight).map(|(q, weight)| q * weight).sum();
        let springs: f64 = self
            .sided()
            .map(|(element, touching)| element.energy(self.measured(element, parts).0, touching))
            .sum();
        kinetic - height + self.level + springs
    }

    /// Finds the multipliers with which reactions are told.
    fn react(&self, t: f64, x: &[f64], u: &[f64]) {
        let mut held = Held { model: self, u };
        let mut work = self.work.borrow_mut();
        let solved = work.accelerations.solve(&mut held, t, x, Stabilization::None);
        // Only a matrix without inverse has none, and such a mechanism does not move either.
        debug_assert!(solved.is_ok(), "a mechanism that moves has reactions");
    }

    /// Adds so many times the reactions that were found last where they stand among the outputs.
    fn add_reactions(&self, t: f64, x: &[f64], factor: f64, y: &mut [f64]) {
        let work = self.work.borrow();
        let (q, multipliers) = (self.split(x).0, work.accelerations.multipliers());
        let mut rest = y;
        for output in &self.ports.outputs {
            let (here, after) = rest.split_at_mut(output.width());
            if let Output::Reaction(reaction) = output {
                let load = reaction.load(t - self.start, q, multipliers);
                for (sum, part) in here.iter_mut().zip(load) {
                    *sum += factor * part;
                }
            }
            rest = after;
        }
    }

    fn residual(&self, t: f64, q: &[f64]) -> f64 {
        let mut work = self.work.borrow_mut();
        self.constraints(t, q, &mut work.residuals);
        work.residuals
            .iter()
            .fold(0.0, |largest, value| value.abs().max(largest))
    }
}

impl<const D: usize> Model for System<D> {
    fn states(&self) -> usize {
        self.structure.states()
    }

    fn begin(&mut self, start: f64) {
        self.start = start;
    }

    fn initial(&self, x: &mut [f64]) {
        x.copy_from_slice(&self.initial);
    }

    fn derivatives(&self, t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        let n = self.structure.coordinates;
        let mut work = self.work.borrow_mut();
        let mut held = Held { model: self, u };
        dx[..n].copy_from_slice(&x[n..2 * n]);
        match work.accelerations.solve(&mut held, t, x, self.stabilization) {
            Ok(()) => dx[n..2 * n].copy_from_slice(work.accelerations.accelerations()),
            // A matrix without inverse: no acceleration is right, and the solver says so.
            Err(_) => dx[n..2 * n].fill(f64::NAN),
        }
        self.quadratures(t, x, &mut dx[2 * n..]);
    }

    fn outputs(&self, t: f64, x: &[f64], u: &[f64], y: &mut [f64]) {
        let (q, v, z) = self.split(x);
        if self.ports.tells_reactions() {
            self.react(t, x, u);
        }
        let mut rest = y;
        for output in &self.ports.outputs {
            let (here, after) = rest.split_at_mut(output.width());
            match output {
                Output::Frame { point, axes } => frame(point, axes, (q, v), here),
                Output::Position(point) => here.copy_from_slice(&point.value(q)),
                Output::Velocity(point) => here.copy_from_slice(&point.rate(v)),
                Output::Motion { measure, winding } => {
                    let wrapped = measure.value(q);
                    here[0] = winding
                        .and_then(|index| z.get(index))
                        .map_or(wrapped, |&count| unwound(wrapped, count));
                }
                Output::Speed(measure) => here[0] = measure.rate(q, v),
                Output::Reaction(reaction) => {
                    let work = self.work.borrow();
                    let multipliers = work.accelerations.multipliers();
                    here.copy_from_slice(&reaction.load(t - self.start, q, multipliers));
                }
                Output::Energy => here[0] = self.energy(x),
                Output::Residual => here[0] = self.residual(t, q),
            }
            rest = after;
        }
    }

    fn sensitivity(&self, t: f64, x: &[f64], u: &[f64], du: &[f64], dy: &mut [f64]) -> bool {
        // Loads change accelerations at once, and of what is seen reactions alone: in proportion, so that a large change tells best.
        dy.fill(0.0);
        let size = |values: &[f64]| {
            values
                .iter()
                .fold(0.0_f64, |largest, value| largest.max(value.abs()))
        };
        let change = size(du);
        if !self.ports.tells_reactions() || change == 0.0 {
            return true;
        }
        let far = size(&self.weight).max(size(u)).max(1.0) / change;
        let mut pushed = std::mem::take(&mut self.work.borrow_mut().inputs);
        for (pushed, (u, du)) in pushed.iter_mut().zip(u.iter().zip(du)) {
            *pushed = u + far * du;
        }
        for (inputs, factor) in [(&pushed[..], 1.0 / far), (u, -1.0 / far)] {
            self.react(t, x, inputs);
            self.add_reactions(t, x, factor, dy);
        }
        self.work.borrow_mut().inputs = pushed;
        true
    }

    fn switches(&self) -> usize {
        self.touching.len()
    }

    fn switch_values(&self, _: f64, x: &[f64], _: &[f64], g: &mut [f64]) {
        let parts = self.split(x);
        let depths = self.elements.iter().filter_map(|element| {
            element.depth(0.0)?;
            element.depth(self.measured(element, parts).0)
        });
        for (g, depth) in g.iter_mut().zip(depths) {
            *g = depth;
        }
    }

    fn switch(&mut self, index: usize, on: bool) {
        if let Some(side) = self.touching.get_mut(index) {
            *side = on;
        }
    }

    /// Solvers on slopes let constraints go if nothing else is left to them.
    fn objection(&self, t: f64, x: &[f64]) -> Option<String> {
        let held = matches!(self.stabilization, Stabilization::Baumgarte { .. });
        let torn = self.residual(t, self.split(x).0) / (self.structure.size * self.structure.size);
        (held && torn > TORN).then(|| {
            format!("constraints are violated by {torn:.1e} of the mechanism's size at t = {t} s: it is torn apart")
        })
    }

    fn mechanical(&self) -> Option<&dyn Mechanical> {
        Some(self)
    }
}

impl<const D: usize> Mechanical for System<D> {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn damped(&self) -> bool {
        self.elements.iter().any(|element| element.damping != 0.0)
    }

    fn constraints(&self, t: f64, q: &[f64], values: &mut [f64]) {
        let since = t - self.start;
        for (value, constraint) in values.iter_mut().zip(&self.constraints) {
            *value = constraint.value(since, q);
        }
    }

    fn constraint_gradients(&self, t: f64, q: &[f64], entries: &mut [f64]) {
        let since = t - self.start;
        let mut rest = entries;
        for constraint in &self.constraints {
            let (row, after) = rest.split_at_mut(constraint.columns().len());
            constraint.gradient(since, q, row);
            rest = after;
        }
    }

    fn drives(&self, t: f64, q: &[f64], rates: &mut [f64]) {
        let since = t - self.start;
        for (rate, constraint) in rates.iter_mut().zip(&self.constraints) {
            *rate = constraint.drive(since, q);
        }
    }

    fn curvatures(&self, t: f64, q: &[f64], v: &[f64], values: &mut [f64]) {
        let since = t - self.start;
        for (value, constraint) in values.iter_mut().zip(&self.constraints) {
            *value = constraint.curvature(since, q, v);
        }
    }

    fn forces(&self, _: f64, x: &[f64], u: &[f64], forces: &mut [f64]) {
        let parts @ (q, _, _) = self.split(x);
        forces.copy_from_slice(&self.weight);
        for (element, touching) in self.sided() {
            let (value, rate) = self.measured(element, parts);
            let push = element.push(value, rate, touching).force;
            if push != 0.0 {
                element.measure.gradient(q, |at, part| forces[at] += push * part);
            }
        }
        let mut rest = u;
        for input in &self.ports.inputs {
            let (own, after) = rest.split_at(input.width());
            input.act(q, own, forces);
            rest = after;
        }
    }

    fn tangents(&self, _: f64, x: &[f64], _: &[f64], stiffness: &mut [f64], damping: &mut [f64]) {
        let parts @ (q, _, _) = self.split(x);
        stiffness.fill(0.0);
        damping.fill(0.0);
        let mut work = self.work.borrow_mut();
        for ((element, touching), products) in self.sided().zip(&self.products) {
            let (value, rate) = self.measured(element, parts);
            let push = element.push(value, rate, touching);
            if push.stiffness == 0.0 && push.damping == 0.0 {
                continue;
            }
            let coordinates = &products.coordinates;
            let gradient = &mut work.gradient[..coordinates.len()];
            gradient.fill(0.0);
            element.measure.gradient(q, |at, part| {
                if let Ok(place) = coordinates.binary_search(&at) {
                    gradient[place] += part;
                }
            });
            let mut places = products.places.iter();
            for (i, a) in gradient.iter().enumerate() {
                for (b, &place) in gradient[..=i].iter().zip(places.by_ref()) {
                    stiffness[place] += push.stiffness * a * b;
                    damping[place] += push.damping * a * b;
                }
            }
        }
    }

    fn quadratures(&self, _: f64, x: &[f64], rates: &mut [f64]) {
        let (q, v, _) = self.split(x);
        for (rate, measure) in rates.iter_mut().zip(&self.ports.windings) {
            *rate = measure.rate(q, v);
        }
    }
}
