//! Saved states: everything that decides what comes next.

use std::sync::Arc;

use cardan_core::participant::{Failure, Outcome, Portable, Rollback, Slot};
use cardan_ode::Memory;

use super::bytes::{Reader, Writer};
use super::drive::Law;
use super::{Native, failure};
use crate::values::Values;

/// A saved state.
pub(super) struct Saved {
    /// The start of the run, from which the clock of a sampled source ticks.
    start: f64,
    time: f64,
    /// Parameters are part of it: one that is tuned later must be as it was when the step is repeated.
    values: Arc<Values>,
    /// The laws of the bound inputs with which the solver came to rest.
    last: Vec<Law>,
    /// What the inputs do to the rates of the states, and how long that may be used.
    influence: Vec<f64>,
    influence_left: usize,
    /// Whether the sides of the switches are settled, what they are, and which are due to change.
    settled: bool,
    on: Vec<bool>,
    due: Vec<bool>,
    memory: Memory,
}

impl Rollback for Native {
    fn save(&mut self, slot: Slot) -> Outcome<()> {
        // A slot that was used before lends its memory.
        let mut saved = self
            .slots
            .get_mut(slot)
            .and_then(Option::take)
            .unwrap_or_else(|| self.blank());
        self.keep(&mut saved);
        self.put(slot, saved);
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> Outcome<()> {
        let saved = self
            .slots
            .get_mut(slot)
            .and_then(Option::take)
            .ok_or_else(|| empty(slot))?;
        let outcome = self.return_to(&saved);
        self.put(slot, saved);
        outcome
    }

    fn portable(&mut self) -> Option<&mut dyn Portable> {
        Some(self)
    }
}

impl Native {
    fn blank(&self) -> Saved {
        Saved {
            start: self.start,
            time: self.time,
            values: Arc::clone(&self.values),
            last: Vec::new(),
            influence: Vec::new(),
            influence_left: 0,
            settled: false,
            on: Vec::new(),
            due: Vec::new(),
            memory: Memory::default(),
        }
    }

    fn keep(&self, saved: &mut Saved) {
        saved.start = self.start;
        saved.time = self.time;
        saved.values = Arc::clone(&self.values);
        saved.last.clear();
        saved.last.extend_from_slice(self.drive.last());
        let (influence, left) = self.influence.kept();
        saved.influence.clear();
        saved.influence.extend_from_slice(influence);
        saved.influence_left = left;
        saved.settled = self.sides.settled;
        saved.on.clone_from(&self.sides.on);
        saved.due.clone_from(&self.sides.due);
        if let Some(solver) = &self.solver {
            solver.save(&mut saved.memory);
        }
    }

    fn put(&mut self, slot: Slot, saved: Saved) {
        if self.slots.len() <= slot {
            self.slots.resize_with(slot + 1, || None);
        }
        self.slots[slot] = Some(saved);
    }

    /// Goes back to a saved state. After one that does not fit, only another one leads on.
    fn return_to(&mut self, saved: &Saved) -> Outcome<()> {
        if saved.last.len() != self.drive.len() {
            return Err(Failure::failed(format!(
                "the saved state belongs to {} bound inputs, here are {}",
                saved.last.len(),
                self.drive.len()
            )));
        }
        let influence = self.influence.kept().0.len();
        if saved.influence.len() != influence {
            return Err(Failure::failed(format!(
                "the saved state has {} derivatives with respect to inputs, here are {influence}",
                saved.influence.len()
            )));
        }
        let switches = self.sides.on.len();
        if saved.on.len() != switches || saved.due.len() != switches {
            return Err(Failure::failed(format!(
                "the saved state belongs to another number of switches than {switches}"
            )));
        }
        if let Some(solver) = &mut self.solver {
            solver
                .restore(&saved.memory)
                .map_err(|error| failure::of_solver(&error, None))?;
        }
        if !Arc::ptr_eq(&saved.values, &self.values) || saved.start != self.start {
            self.start = saved.start;
            self.adopt(Arc::clone(&saved.values))?;
        }
        self.sides.stay();
        self.sides.settled = saved.settled;
        self.sides.on.clone_from(&saved.on);
        self.sides.due.clone_from(&saved.due);
        self.sides.tell(&mut *self.model);
        self.drive.restore(&saved.last);
        self.influence.restore(&saved.influence, saved.influence_left);
        self.time = saved.time;
        Ok(())
    }
}

impl Portable for Native {
    fn export(&mut self, slot: Slot, bytes: &mut Vec<u8>) -> Outcome<()> {
        let saved = self
            .slots
            .get(slot)
            .and_then(Option::as_ref)
            .ok_or_else(|| empty(slot))?;
        let mut writer = Writer::begin(bytes);
        writer.text(&self.blueprint.name);
        writer.real(saved.start);
        writer.real(saved.time);
        writer.values(saved.values.all());
        writer.reals(saved.last.as_flattened());
        writer.reals(&saved.influence);
        writer.integers(&[saved.influence_left as i64]);
        writer.flags(&[saved.settled]);
        writer.flags(&saved.on);
        writer.flags(&saved.due);
        writer.reals(&saved.memory.reals);
        writer.integers(&saved.memory.integers);
        Ok(())
    }

    fn import(&mut self, slot: Slot, bytes: &[u8]) -> Outcome<()> {
        let mut reader = Reader::begin(bytes)?;
        let name = reader.text()?;
        if name != self.blueprint.name {
            return Err(Failure::failed(format!(
                "the state was saved by a model {name}, this is a {}",
                self.blueprint.name
            )));
        }
        let saved = Saved {
            start: reader.real()?,
            time: reader.real()?,
            values: self.read_values(&mut reader)?,
            last: laws(&reader.reals()?)?,
            influence: reader.reals()?,
            influence_left: single(&reader.integers()?)?,
            settled: reader.flags()? == [true],
            on: reader.flags()?,
            due: reader.flags()?,
            memory: Memory {
                reals: reader.reals()?,
                integers: reader.integers()?,
            },
        };
        reader.end()?;
        // Try it on, so that a state that does not fit is refused here and not when it is needed.
        let mut present = self.blank();
        self.keep(&mut present);
        let fits = self.return_to(&saved);
        self.return_to(&present)?;
        fits?;
        self.put(slot, saved);
        Ok(())
    }
}

impl Native {
    fn read_values(&self, reader: &mut Reader<'_>) -> Outcome<Arc<Values>> {
        let values = self.values.replaced(reader.values()?);
        values
            .map(Arc::new)
            .map_err(|error| Failure::failed(error.to_string()))
    }
}

/// Numbers as laws, four each.
fn laws(numbers: &[f64]) -> Outcome<Vec<Law>> {
    match numbers.as_chunks() {
        (laws, []) => Ok(laws.to_vec()),
        _ => Err(Failure::failed(
            "a law of an input in the saved state is not whole",
        )),
    }
}

fn single(counts: &[i64]) -> Outcome<usize> {
    match counts {
        [count] => {
            usize::try_from(*count).map_err(|_| Failure::failed("a count in the saved state is negative"))
        }
        _ => Err(Failure::failed("a count in the saved state is not one number")),
    }
}

fn empty(slot: Slot) -> Failure {
    Failure::failed(format!("no state was saved in slot {slot}"))
}
