//! Probing one participant by itself: from its present state, with a pulse on one input, and back again.

use crate::inputs::{HeldInputs, Inputs};
use crate::participant::{Failure, Outcome, Participant, Slot, StepEnd, StepRequest, Watch};
use crate::planes::{Extent, Planes};
use crate::signal::Segment;
use crate::time::SimTime;

/// Where the state is kept meanwhile: the slot that a run uses first.
pub(super) const SLOT: Slot = 0;
/// A step that ends early goes on; one that ends early so often does not.
const PATIENCE: usize = 1000;

/// What is to be measured of a participant: how some of its real outputs answer some of its real inputs.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    /// Where it stands.
    pub(super) at: SimTime,
    /// Its inputs there, which hold while it is probed.
    pub(super) inputs: Planes,
    /// The size of its outputs.
    pub(super) extent: Extent,
    /// Places of the inputs that are moved.
    pub(super) drives: Vec<usize>,
    /// Places of the outputs that are looked at.
    pub(super) shows: Vec<usize>,
}

/// A pulse on one input: it is moved by `height` during the first of `count` steps of the same length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pulse {
    /// Which of the drives.
    pub(super) drive: usize,
    pub(super) height: f64,
    pub(super) step: f64,
    pub(super) count: usize,
}

impl Probe {
    /// The outputs after each step of a pulse, one step after the other. The participant is back in its state before.
    pub(super) fn answer(&self, participant: &mut dyn Participant, pulse: Pulse) -> Outcome<Vec<f64>> {
        restore(participant)?;
        let mut rows = Vec::with_capacity(pulse.count * self.shows.len());
        let mut values = Planes::new(self.extent);
        let held = HeldInputs {
            until: SimTime::FUTURE,
            values: Planes {
                reals: Vec::new(),
                ..self.inputs.clone()
            },
        };
        let held = match self.inputs.integers.len() + self.inputs.booleans.len() + self.inputs.bytes.len() {
            0 => Vec::new(),
            _ => vec![held],
        };
        let mut from = self.at;
        for k in 1..=pulse.count {
            let to = self.at.after(pulse.step * k as f64);
            let mut level = self.inputs.reals.clone();
            if k == 1 {
                level[self.drives[pulse.drive]] += pulse.height;
            }
            let segments: Vec<Segment> = level.iter().map(|value| Segment::constant(*value, to)).collect();
            step(participant, from, to, Inputs::new(&segments, &[], &held))?;
            participant.outputs(to, &self.inputs, values.view_mut())?;
            rows.extend(self.shows.iter().map(|place| values.reals[*place]));
            from = to;
        }
        restore(participant)?;
        match rows.iter().all(|value| value.is_finite()) {
            true => Ok(rows),
            false => Err(Failure::numbers("its outputs became infinite or not a number")),
        }
    }

    /// The outputs at once with one input moved.
    pub(super) fn at_once(
        &self,
        participant: &mut dyn Participant,
        drive: usize,
        height: f64,
    ) -> Outcome<Vec<f64>> {
        let mut inputs = self.inputs.clone();
        inputs.reals[self.drives[drive]] += height;
        let mut values = Planes::new(self.extent);
        participant.outputs(self.at, &inputs, values.view_mut())?;
        Ok(self.shows.iter().map(|place| values.reals[*place]).collect())
    }
}

/// Keeps the present state to come back to.
pub(super) fn save(participant: &mut dyn Participant) -> Outcome<()> {
    match participant.rollback() {
        Some(rollback) => rollback.save(SLOT),
        None => Err(Failure::failed("It cannot go back to a saved state.")),
    }
}

/// Goes back to it.
pub(super) fn restore(participant: &mut dyn Participant) -> Outcome<()> {
    match participant.rollback() {
        Some(rollback) => rollback.restore(SLOT),
        None => Err(Failure::failed("It cannot go back to a saved state.")),
    }
}

/// One step to its very end, with whatever happens on the way.
fn step(
    participant: &mut dyn Participant,
    mut from: SimTime,
    to: SimTime,
    inputs: Inputs<'_>,
) -> Outcome<()> {
    for _ in 0..PATIENCE {
        let request = StepRequest {
            from,
            to,
            inputs,
            watch: Watch::Nothing,
        };
        match participant.step(request)? {
            StepEnd::Completed => return Ok(()),
            StepEnd::Early { at } if at >= to => return Ok(()),
            StepEnd::Early { at } => from = at,
            StepEnd::Rejected { .. } => return Err(Failure::failed("it refused a step of its examination")),
            StepEnd::Terminate { .. } => {
                return Err(Failure::failed("it asked for the end of the simulation"));
            }
        }
    }
    Err(Failure::failed("one step ended early again and again"))
}
