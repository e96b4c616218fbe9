//! The inputs of the model while the solver runs, and how their laws differ from those that led to where one begins.

use cardan_core::interface::{Causality, Interface};
use cardan_core::shell::{Laws, Wire, same};
use cardan_core::value::Value;

use super::reacting::Reacting;

/// A law of time: `c[0] + c[1] s + c[2] s² + c[3] s³`.
pub(super) type Law = [f64; 4];

/// How the laws in force differ from those with which the solver came to rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// They are the same, up to rounding.
    Nothing,
    /// Their values are the same, not their slopes.
    Corner,
    /// Their values are others.
    Jump,
    /// There was nothing before.
    Beginning,
}

/// The laws in force, and those before.
pub(super) struct Drive {
    /// What inputs have that are not bound.
    starts: Vec<f64>,
    pub(super) laws: Laws,
    /// For each bound input its law where the solver came to rest, as a polynomial of the time since then; not numbers
    /// before it has moved.
    last: Vec<Law>,
}

impl Drive {
    pub(super) fn new(interface: &Interface) -> Self {
        let mut starts = Vec::new();
        for (_, port) in interface.ports_of(Causality::Input) {
            let given = port.start.as_ref().and_then(Value::as_reals).unwrap_or(&[]);
            // A single value stands for all elements.
            let element = |i: usize| given.get(i).or(given.first()).copied().unwrap_or(0.0);
            starts.extend((0..port.shape.len()).map(element));
        }
        Drive {
            laws: Laws::new(Vec::new(), starts.clone()),
            starts,
            last: Vec::new(),
        }
    }

    pub(super) fn bind(&mut self, places: &[usize]) {
        let wires = places.iter().enumerate();
        let wires = wires.map(|(from, &to)| Wire { from, to }).collect();
        self.laws = Laws::new(wires, self.starts.clone());
        self.last = vec![[f64::NAN; 4]; places.len()];
    }

    /// All inputs of the model as they are without a connection.
    pub(super) fn starts(&self) -> &[f64] {
        &self.starts
    }

    /// Number of bound inputs.
    pub(super) fn len(&self) -> usize {
        self.last.len()
    }

    /// Before a run, nothing is known of the inputs.
    pub(super) fn forget(&mut self) {
        self.last.fill([f64::NAN; 4]);
    }

    /// Compares the laws in force at `t` with those with which the solver came to rest there; `reacting` knows the inputs that
    /// are no functions of time. Writes the differences.
    pub(super) fn compare(&self, t: f64, reacting: &Reacting, changes: &mut [Law]) -> Change {
        let mut found = Change::Nothing;
        for (index, (change, before)) in changes.iter_mut().zip(&self.last).enumerate() {
            let now = self.law(index, t, reacting);
            for (m, change) in change.iter_mut().enumerate() {
                *change = now[m] - before[m];
            }
            if change[0].is_nan() {
                return Change::Beginning;
            }
            if !same(now[0], before[0]) {
                found = Change::Jump;
            } else if found == Change::Nothing && now[1..] != before[1..] {
                found = Change::Corner;
            }
        }
        found
    }

    fn law(&self, index: usize, t: f64, reacting: &Reacting) -> Law {
        let segment = || self.laws.seen_from(index, t);
        match reacting.value(index) {
            // What comes on top bends with the states, which do not jump.
            Some((value, true)) => {
                let [_, c1, c2, c3] = segment();
                [value, c1, c2, c3]
            }
            Some((value, false)) => [value, 0.0, 0.0, 0.0],
            None => segment(),
        }
    }

    /// The solver came to rest at `t`.
    pub(super) fn rest_at(&mut self, t: f64, reacting: &Reacting) {
        for index in 0..self.last.len() {
            self.last[index] = self.law(index, t, reacting);
        }
    }

    /// The laws where the solver came to rest: part of the state to save.
    pub(super) fn last(&self) -> &[Law] {
        &self.last
    }

    /// Goes back to where these were the laws.
    pub(super) fn restore(&mut self, last: &[Law]) {
        self.last.copy_from_slice(last);
    }
}
