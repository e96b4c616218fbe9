//! One communication step of a linear group as a matrix, step by step as the engine goes.
//!
//! Its coordinates are the states of all members and what they published at the two points before the present one. Every
//! quantity along the way is a linear function of them and is carried along as the matrix of that function.

use super::coupled::{Coupled, Layout, total};
use super::dense::Matrix;
use crate::signal::{Coefficients, Reading};

/// Who sees what of whom: one after the other in an order, or all at once.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Scheme {
    /// None: side by side.
    pub(super) order: Option<Vec<usize>>,
    /// For all wires; none: each its own.
    pub(super) reading: Option<Reading>,
}

struct Walk<'a> {
    group: &'a Coupled,
    layout: Layout,
    scheme: &'a Scheme,
    /// Published at the present point, one before and two before.
    points: [Matrix; 3],
    /// Published at the end of the step so far, by those that are there.
    newest: Matrix,
    arrived: Vec<bool>,
}

/// The map from the beginning of a step to its end. None where outputs depend on each other and no values fit.
pub(super) fn macro_step(group: &Coupled, scheme: &Scheme, step: f64) -> Option<Matrix> {
    let layout = group.layout();
    let (n, p) = (total(&layout.states), total(&layout.outputs));
    let size = n + 2 * p;
    let unit =
        |first: usize, rows: usize| Matrix::of(rows, size, |i, j| if j == first + i { 1.0 } else { 0.0 });
    let mut states = unit(0, n);
    let now = group.outputs()?.times(&states);
    let mut walk = Walk {
        group,
        scheme,
        points: [now.clone(), unit(n, p), unit(n + p, p)],
        newest: Matrix::zeros(p, size),
        arrived: vec![false; group.members.len()],
        layout,
    };
    let everyone: Vec<usize> = (0..group.members.len()).collect();
    let before = states.clone();
    for &member in scheme.order.as_ref().unwrap_or(&everyone) {
        let range = walk.layout.states[member].clone();
        let flow = group.members[member].over(step, 2);
        let mut state = flow[0].times(&before.part((range.start, 0), (range.len(), size)));
        for (k, part) in flow[1..].iter().enumerate() {
            state = state.plus(1.0, &part.times(&walk.inputs(member, k)));
        }
        states.put((range.start, 0), &state);
        walk.arrived[member] = scheme.order.is_some();
        if scheme.order.is_some() {
            walk.publish(&states)?;
        }
    }
    let mut map = Matrix::zeros(size, size);
    map.put((0, 0), &states);
    map.put((n, 0), &now);
    map.put((n + p, 0), &walk.points[1]);
    Some(map)
}

impl Walk<'_> {
    /// The owner of an output.
    fn owner(&self, output: usize) -> usize {
        let ranges = self.layout.outputs.iter();
        ranges.take_while(|range| range.end <= output).count()
    }

    /// The row of `output` in a polynomial of the step by a table of points.
    fn read(&self, table: &Coefficients, k: usize, points: [&Matrix; 3], output: usize) -> Matrix {
        let size = self.newest.columns();
        let weights = table[k];
        Matrix::of(1, size, |_, j| {
            (0..3).map(|i| weights[i] * points[i][(output, j)]).sum()
        })
    }

    fn reading(&self, input: usize) -> Reading {
        self.scheme.reading.unwrap_or(self.group.wires[input].reading)
    }

    /// Coefficient `k` of the inputs of a member over the step.
    fn inputs(&self, member: usize, k: usize) -> Matrix {
        let range = self.layout.inputs[member].clone();
        let mut inputs = Matrix::zeros(range.len(), self.newest.columns());
        let [now, one, two] = &self.points;
        for (place, input) in range.enumerate() {
            let (wire, reading) = (&self.group.wires[input], self.reading(input));
            let row = match self.arrived[self.owner(wire.from)] {
                true => self.read(
                    &reading.coefficients_inside(),
                    k,
                    [&self.newest, now, one],
                    wire.from,
                ),
                false => self.read(&reading.coefficients_beyond(), k, [now, one, two], wire.from),
            };
            inputs.put((place, 0), &row.scaled(wire.factor));
        }
        inputs
    }

    /// Those that have arrived show what they reached. Of the others they see what their readings say.
    fn publish(&mut self, states: &Matrix) -> Option<()> {
        let joint = self.group.joint();
        let (p, size) = (self.newest.rows(), self.newest.columns());
        let mut given = joint.c.times(states);
        let mut open = Matrix::zeros(p, p);
        let [now, one, two] = &self.points;
        for (input, wire) in self.group.wires.iter().enumerate() {
            let table = self.reading(input).coefficients_beyond();
            let here = self.arrived[self.owner(wire.from)];
            // At the end of the step s is one.
            let seen = (0..3).fold(Matrix::zeros(1, size), |sum, k| {
                sum.plus(wire.factor, &self.read(&table, k, [now, one, two], wire.from))
            });
            for o in 0..p {
                let through = joint.d[(o, input)];
                if through == 0.0 {
                    continue;
                }
                if here {
                    open[(o, wire.from)] += through * wire.factor;
                } else {
                    for j in 0..size {
                        given[(o, j)] += through * seen[(0, j)];
                    }
                }
            }
        }
        // Outputs of those that are still on their way are not asked for, whatever is found for them.
        for o in (0..p).filter(|o| !self.arrived[self.owner(*o)]) {
            for j in 0..p {
                open[(o, j)] = 0.0;
            }
        }
        self.newest = Matrix::identity(p).plus(-1.0, &open).solve(&given)?;
        Some(())
    }
}
