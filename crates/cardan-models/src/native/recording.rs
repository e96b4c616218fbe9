//! What was watched inside the last step.

use cardan_core::participant::{Failure, Outcome, Trace};
use cardan_core::planes::PlanesMut;
use cardan_core::time::SimTime;

use super::Native;
use super::binding::Binding;

/// Instants and the bound outputs at each of them, row by row.
#[derive(Default)]
pub(super) struct Recording {
    instants: Vec<SimTime>,
    /// For each instant: was it a law of an input that ended there, and no step of the solver?
    forced: Vec<bool>,
    rows: Vec<f64>,
    width: usize,
}

impl Recording {
    pub(super) fn clear(&mut self, binding: &Binding) {
        self.instants.clear();
        self.forced.clear();
        self.rows.clear();
        self.width = binding.width();
    }

    pub(super) fn push(&mut self, (t, forced): (f64, bool), y: &[f64], binding: &Binding) {
        self.instants.push(SimTime::from_seconds(t));
        self.forced.push(forced);
        binding.append(y, &mut self.rows);
    }

    pub(super) fn len(&self) -> usize {
        self.instants.len()
    }
}

impl Trace for Native {
    fn instants(&self) -> &[SimTime] {
        &self.recording.instants
    }

    fn is_forced(&self, index: usize) -> bool {
        self.recording.forced.get(index).is_some_and(|forced| *forced)
    }

    fn point(&mut self, index: usize, values: PlanesMut<'_>) -> Outcome<()> {
        let recording = &self.recording;
        if index >= recording.len() {
            return Err(Failure::failed(format!(
                "there is no point number {index}; {} were watched in the last step",
                recording.len()
            )));
        }
        let row = &recording.rows[index * recording.width..][..recording.width];
        for (value, seen) in values.reals.iter_mut().zip(row) {
            *value = *seen;
        }
        Ok(())
    }
}
