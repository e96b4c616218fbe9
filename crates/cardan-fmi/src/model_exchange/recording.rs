//! What was watched inside the last step.

use cardan_core::participant::{Failure, Outcome, Trace};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::time::SimTime;

use super::ModelExchange;
use super::motion::{Mode, Motion};

/// Instants and the bound outputs at each of them. Rows are used again and again.
#[derive(Default)]
pub(super) struct Recording {
    instants: Vec<SimTime>,
    rows: Vec<Planes>,
}

impl Recording {
    pub(super) fn clear(&mut self) {
        self.instants.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.instants.len()
    }

    /// The last instant.
    pub(super) fn last(&self) -> Option<f64> {
        self.instants.last().map(|t| t.seconds())
    }
}

impl Motion {
    /// Writes down the outputs at `t` within the last inner step. The FMU is moved there, which costs nothing but the
    /// way: the solver does not look at where it stands.
    pub(super) fn record(&mut self, t: f64) -> Outcome<()> {
        if self.mode == Mode::Continuous {
            if let Some(solver) = &self.solver {
                solver.interpolate(t, &mut self.x);
            }
            self.plant.move_to(t.min(self.time), &self.x)?;
        }
        let index = self.recording.len();
        if self.recording.rows.len() == index {
            self.recording.rows.push(Planes::new(self.outputs.extent));
        }
        let mut row = std::mem::take(&mut self.recording.rows[index]);
        let outcome = self.show(row.view_mut());
        self.recording.rows[index] = row;
        self.recording.instants.push(SimTime::from_seconds(t));
        outcome
    }
}

impl Trace for ModelExchange {
    fn instants(&self) -> &[SimTime] {
        let motion = self.motion.as_ref();
        motion.map_or(&[], |motion| &motion.recording.instants)
    }

    fn point(&mut self, index: usize, mut values: PlanesMut<'_>) -> Outcome<()> {
        let recording = &self.motion()?.recording;
        if index >= recording.len() {
            return Err(Failure::failed(format!(
                "there is no point number {index}; {} were watched in the last step",
                recording.len()
            )));
        }
        values.copy_from(recording.rows[index].view());
        Ok(())
    }
}
