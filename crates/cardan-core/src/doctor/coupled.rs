//! Linear models, wired to each other as the plan says: what follows from them alone, without any method.

use super::dense::{Complex, Matrix, eigenvalues, spectral_radius};
use super::realization::Linear;
use crate::signal::Reading;
use std::ops::Range;

/// A wire inside a group.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Wire {
    /// The output, counted over all members.
    pub(super) from: usize,
    /// The input, counted over all members.
    pub(super) to: usize,
    pub(super) factor: f64,
    pub(super) reading: Reading,
}

/// A group of members that are linear.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Coupled {
    pub(super) members: Vec<Linear>,
    /// Wire `i` leads to input `i`.
    pub(super) wires: Vec<Wire>,
}

/// Where the states, inputs and outputs of the members lie among those of all.
pub(super) struct Layout {
    pub(super) states: Vec<Range<usize>>,
    pub(super) inputs: Vec<Range<usize>>,
    pub(super) outputs: Vec<Range<usize>>,
}

fn ranges(sizes: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut first = 0;
    sizes
        .map(|size| {
            let range = first..first + size;
            first = range.end;
            range
        })
        .collect()
}

/// The end of the last range.
pub(super) fn total(ranges: &[Range<usize>]) -> usize {
    ranges.last().map_or(0, |last| last.end)
}

impl Coupled {
    pub(super) fn layout(&self) -> Layout {
        Layout {
            states: ranges(self.members.iter().map(Linear::states)),
            inputs: ranges(self.members.iter().map(|m| m.b.columns())),
            outputs: ranges(self.members.iter().map(|m| m.c.rows())),
        }
    }

    /// What inputs are of outputs.
    pub(super) fn wiring(&self) -> Matrix {
        let outputs = self.members.iter().map(|m| m.c.rows()).sum();
        let mut wiring = Matrix::zeros(self.wires.len(), outputs);
        for wire in &self.wires {
            wiring[(wire.to, wire.from)] = wire.factor;
        }
        wiring
    }

    /// The members side by side.
    pub(super) fn joint(&self) -> Linear {
        let layout = self.layout();
        let (n, m, p) = (
            total(&layout.states),
            total(&layout.inputs),
            total(&layout.outputs),
        );
        let mut joint = Linear {
            a: Matrix::zeros(n, n),
            b: Matrix::zeros(n, m),
            c: Matrix::zeros(p, n),
            d: Matrix::zeros(p, m),
        };
        for (k, member) in self.members.iter().enumerate() {
            let (x, u, y) = (
                layout.states[k].start,
                layout.inputs[k].start,
                layout.outputs[k].start,
            );
            joint.a.put((x, x), &member.a);
            joint.b.put((x, u), &member.b);
            joint.c.put((y, x), &member.c);
            joint.d.put((y, u), &member.d);
        }
        joint
    }

    /// All outputs at one instant, from the states: what depends on each other at once is solved for. None where no
    /// values fit.
    pub(super) fn outputs(&self) -> Option<Matrix> {
        let joint = self.joint();
        let open = joint.d.times(&self.wiring());
        Matrix::identity(open.rows()).plus(-1.0, &open).solve(&joint.c)
    }

    /// The modes of the whole as it is, coupled without any error: `exp(λ t)`.
    pub(super) fn modes(&self) -> Option<Vec<Complex>> {
        let joint = self.joint();
        let closed = joint.b.times(&self.wiring()).times(&self.outputs()?);
        Some(eigenvalues(&joint.a.plus(1.0, &closed)))
    }

    /// How an error in what is exchanged comes back after one round in which the members, in some order, repeat what they
    /// do with the newest values. `reaction` is how all outputs react to all inputs over whatever is repeated.
    fn round(&self, reaction: &Matrix, order: &[usize]) -> f64 {
        let layout = self.layout();
        let through = reaction.times(&self.wiring());
        let mut rank = vec![0; self.members.len()];
        for (place, member) in order.iter().enumerate() {
            rank[*member] = place;
        }
        let owner = |output: usize| {
            let owners = layout.outputs.iter();
            rank[owners.take_while(|range| range.end <= output).count()]
        };
        let size = through.rows();
        let part = |new: bool| {
            Matrix::of(size, size, |i, j| match (owner(j) < owner(i)) == new {
                true => through[(i, j)],
                false => 0.0,
            })
        };
        let left = Matrix::identity(size).plus(-1.0, &part(true));
        left.solve(&part(false))
            .map_or(f64::INFINITY, |round| spectral_radius(&round))
    }

    /// The gain of one round at an instant.
    pub(super) fn gain_at_once(&self, order: &[usize]) -> f64 {
        self.round(&self.joint().d, order)
    }

    /// The gain of one round over a step, whose inputs are lines to the new values.
    pub(super) fn gain_over(&self, step: f64, order: &[usize]) -> f64 {
        let joint = self.joint();
        let over = joint.over(step, 1);
        self.round(&joint.c.times(&over[2]).plus(1.0, &joint.d), order)
    }

    /// The same where all members repeat at once.
    pub(super) fn gain_side_by_side(&self, step: f64) -> f64 {
        let joint = self.joint();
        let over = joint.over(step, 1);
        let reaction = joint.c.times(&over[2]).plus(1.0, &joint.d);
        spectral_radius(&reaction.times(&self.wiring()))
    }

    /// Does member `to` have outputs that react at once to outputs of `from`?
    pub(super) fn reacts(&self, from: usize, to: usize) -> bool {
        let layout = self.layout();
        let member = &self.members[to];
        let wires = self.wires[layout.inputs[to].clone()].iter().enumerate();
        let mut from_there = wires.filter(|(_, wire)| layout.outputs[from].contains(&wire.from));
        from_there.any(|(input, wire)| {
            wire.factor != 0.0 && (0..member.d.rows()).any(|o| member.d[(o, input)] != 0.0)
        })
    }
}
