//! Saved states: everything that decides what comes next.

use std::sync::Arc;

use cardan_core::checkpoint::{Damage, Reader, Writer};
use cardan_core::participant::{Failure, Outcome, Portable, Rollback, Slot};
use cardan_ode::Memory;

use super::drive::Law;
use super::{Native, bytes};
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
        let mut saved = self.slots.take(slot).unwrap_or_else(|| self.blank());
        self.keep(&mut saved);
        self.slots.put(slot, saved);
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> Outcome<()> {
        let slots = std::mem::take(&mut self.slots);
        let outcome = slots.get(slot).and_then(|saved| self.return_to(saved));
        self.slots = slots;
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
        self.solver.save(&mut saved.memory);
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
        self.solver.restore(&saved.memory)?;
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
        let saved = self.slots.get(slot)?;
        bytes::LAYOUT.append(bytes, |writer| {
            writer.text(&self.blueprint.name);
            saved.write(writer);
        });
        Ok(())
    }

    fn import(&mut self, slot: Slot, bytes: &[u8]) -> Outcome<()> {
        let mut reader = bytes::LAYOUT.read(bytes)?;
        let name = reader.text("the name of the model")?;
        if name != self.blueprint.name {
            return Err(Failure::failed(format!(
                "the state was saved by a model {name}, this is a {}",
                self.blueprint.name
            )));
        }
        let saved = Saved::read(&mut reader, &self.values)?;
        reader.end()?;
        // Try it on, so that a state that does not fit is refused here and not when it is needed.
        let mut present = self.blank();
        self.keep(&mut present);
        let fits = self.return_to(&saved);
        self.return_to(&present)?;
        fits?;
        self.slots.put(slot, saved);
        Ok(())
    }
}

impl Saved {
    fn write(&self, writer: &mut Writer) {
        writer.real(self.start);
        writer.real(self.time);
        bytes::write_values(writer, self.values.all());
        writer.reals(self.last.as_flattened());
        writer.reals(&self.influence);
        writer.integers(&[self.influence_left as i64]);
        writer.booleans(&[self.settled]);
        writer.booleans(&self.on);
        writer.booleans(&self.due);
        writer.reals(&self.memory.reals);
        writer.integers(&self.memory.integers);
    }

    /// Reads what was written. What is not among the values is as in `like`.
    fn read(reader: &mut Reader<'_>, like: &Values) -> Outcome<Self> {
        const SWITCHES: &str = "sides of switches";
        const MEMORY: &str = "numbers of the solver";
        Ok(Saved {
            start: reader.real("the start of the run")?,
            time: reader.real("the present time")?,
            values: {
                let values = like.replaced(bytes::read_values(reader)?);
                Arc::new(values.map_err(|error| Failure::failed(error.to_string()))?)
            },
            last: laws(reader)?,
            influence: reader.reals("derivatives with respect to inputs")?,
            influence_left: single_count(reader)?,
            settled: reader.booleans(SWITCHES)? == [true],
            on: reader.booleans(SWITCHES)?,
            due: reader.booleans(SWITCHES)?,
            memory: Memory {
                reals: reader.reals(MEMORY)?,
                integers: reader.integers(MEMORY)?,
            },
        })
    }
}

/// Numbers as laws, four each.
fn laws(reader: &mut Reader<'_>) -> Result<Vec<Law>, Damage> {
    const LAWS: &str = "laws of inputs";
    match reader.reals(LAWS)?.as_chunks() {
        (laws, []) => Ok(laws.to_vec()),
        _ => Err(Damage::Nonsense { what: LAWS }),
    }
}

fn single_count(reader: &mut Reader<'_>) -> Result<usize, Damage> {
    const COUNT: &str = "counts";
    reader.exactly(1, COUNT)?;
    usize::try_from(reader.integer(COUNT)?).map_err(|_| Damage::Nonsense { what: COUNT })
}
