//! A solver's memory as two flat arrays, to be kept, copied or sent by whoever rolls back.

use crate::Crossing;

/// The complete memory of a [`Solver`](crate::Solver) between two calls.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {
    /// Times, states, differences, factors.
    pub reals: Vec<f64>,
    /// Kind, sizes, orders, flags.
    pub integers: Vec<i64>,
}

/// Appends to a memory. What is written must not vary in length over the life of a solver: `restore` relies on it.
pub(crate) struct Writer<'a>(&'a mut Memory);

impl<'a> Writer<'a> {
    pub(crate) fn over(memory: &'a mut Memory) -> Self {
        memory.reals.clear();
        memory.integers.clear();
        Self(memory)
    }

    pub(crate) fn real(&mut self, value: f64) {
        self.0.reals.push(value);
    }

    pub(crate) fn reals(&mut self, values: &[f64]) {
        self.0.reals.extend_from_slice(values);
    }

    pub(crate) fn integer(&mut self, value: i64) {
        self.0.integers.push(value);
    }

    pub(crate) fn count(&mut self, value: usize) {
        self.integer(i64::try_from(value).unwrap_or(i64::MAX));
    }

    pub(crate) fn flag(&mut self, value: bool) {
        self.integer(i64::from(value));
    }

    pub(crate) fn crossing(&mut self, value: Option<Crossing>) {
        self.integer(match value {
            None => 0,
            Some(Crossing::Rising) => 1,
            Some(Crossing::Falling) => -1,
        });
    }
}

/// Reads in the order of writing. The sizes are checked before, so running dry cannot happen; zeros stand in.
pub(crate) struct Reader<'a> {
    reals: &'a [f64],
    integers: &'a [i64],
}

impl<'a> Reader<'a> {
    pub(crate) fn of(memory: &'a Memory) -> Self {
        Self {
            reals: &memory.reals,
            integers: &memory.integers,
        }
    }

    pub(crate) fn real(&mut self) -> f64 {
        let mut value = [0.0];
        self.reals(&mut value);
        value[0]
    }

    pub(crate) fn reals(&mut self, values: &mut [f64]) {
        if let Some((head, rest)) = self.reals.split_at_checked(values.len()) {
            values.copy_from_slice(head);
            self.reals = rest;
        }
    }

    pub(crate) fn integer(&mut self) -> i64 {
        match self.integers.split_first() {
            Some((&head, rest)) => {
                self.integers = rest;
                head
            }
            None => 0,
        }
    }

    pub(crate) fn count(&mut self) -> usize {
        usize::try_from(self.integer()).unwrap_or(0)
    }

    pub(crate) fn flag(&mut self) -> bool {
        self.integer() != 0
    }

    pub(crate) fn crossing(&mut self) -> Option<Crossing> {
        match self.integer() {
            1 => Some(Crossing::Rising),
            -1 => Some(Crossing::Falling),
            _ => None,
        }
    }
}
