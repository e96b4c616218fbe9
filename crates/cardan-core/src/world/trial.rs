//! How outputs change at the start, tried out: two short steps, and back again.
//!
//! A participant that tells no slopes but can go back shows them. Without that, readings of higher degree would begin with
//! flat signals, and with weak damping the error of the start stays for the rest of the run.

use crate::inputs::{HeldInputs, Inputs};
use crate::participant::{Outcome, Participant, Slot, StepEnd, StepRequest, Watch};
use crate::planes::Planes;
use crate::signal::Segment;
use crate::time::SimTime;

/// Where the state is kept meanwhile.
const SLOT: Slot = 0;
/// Each of the two steps, as a part of the step that the run begins with: long enough for solvers with a tolerance, short
/// enough for a parabola.
const PART: f64 = 0.125;

/// An output that changes so many times more in the first step than in the second has jumped.
const JUMP: f64 = 100.0;
/// Changes below this part of a value are none.
const NOISE: f64 = 1e-9;

/// Where a participant stands and what drives it.
pub(super) struct Trial {
    pub(super) at: SimTime,
    /// The step that the run begins with.
    pub(super) step: f64,
    pub(super) inputs: Planes,
    /// How fast its real inputs change.
    pub(super) input_slopes: Vec<f64>,
    /// Its outputs.
    pub(super) outputs: Planes,
}

/// How real outputs change: first and second derivatives.
pub(super) struct Change {
    pub(super) slopes: Vec<f64>,
    pub(super) bends: Vec<f64>,
}

impl Trial {
    /// Tries two steps and goes back. None if the participant cannot go back, has events of its own, or does not take such
    /// steps.
    pub(super) fn perform(&self, participant: &mut dyn Participant) -> Outcome<Option<Change>> {
        let able = participant.takes_any_step() && participant.events().is_none();
        let Some(rollback) = participant.rollback().filter(|_| able) else {
            return Ok(None);
        };
        rollback.save(SLOT)?;
        let tried = self.steps(participant);
        if let Some(rollback) = participant.rollback() {
            rollback.restore(SLOT)?;
        }
        // What goes wrong in a trial goes wrong in the run again, if it matters.
        let Ok(Some([first, second])) = tried else {
            return Ok(None);
        };
        let h = PART * self.step;
        let rows = self.outputs.reals.iter().zip(first.iter().zip(&second));
        let (slopes, bends) = rows
            .map(|(y0, (y1, y2))| {
                // What jumps in the first step and then hardly moves was not there before the first step.
                if (y1 - y0).abs() > JUMP * (y2 - y1).abs()
                    && (y1 - y0).abs() > NOISE * y1.abs().max(y0.abs())
                {
                    return (0.0, 0.0);
                }
                let slope = (4.0 * y1 - 3.0 * y0 - y2) / (2.0 * h);
                (slope, (y2 - 2.0 * y1 + y0) / (h * h))
            })
            .unzip();
        let change = Change { slopes, bends };
        let finite = change.slopes.iter().chain(&change.bends).all(|d| d.is_finite());
        Ok(finite.then_some(change))
    }

    fn steps(&self, participant: &mut dyn Participant) -> Outcome<Option<[Vec<f64>; 2]>> {
        let end = self.at.after(2.0 * PART * self.step);
        let inputs = self.inputs.reals.iter().zip(&self.input_slopes);
        let segments: Vec<Segment> = inputs
            .map(|(value, slope)| Segment::polynomial([*value, *slope, 0.0, 0.0], self.at, end))
            .collect();
        let held = [HeldInputs {
            until: SimTime::FUTURE,
            values: Planes {
                reals: Vec::new(),
                ..self.inputs.clone()
            },
        }];
        let discrete = !(self.inputs.integers.is_empty()
            && self.inputs.booleans.is_empty()
            && self.inputs.bytes.is_empty());
        let held: &[HeldInputs] = if discrete { &held } else { &[] };
        let mut rows = [Vec::new(), Vec::new()];
        let mut from = self.at;
        for (row, to) in rows.iter_mut().zip([self.at.after(PART * self.step), end]) {
            let request = StepRequest {
                from,
                to,
                inputs: Inputs::new(&segments, &[], held),
                watch: Watch::Nothing,
            };
            if participant.step(request)? != StepEnd::Completed {
                return Ok(None);
            }
            let mut inputs = self.inputs.clone();
            for (value, segment) in inputs.reals.iter_mut().zip(&segments) {
                *value = segment.at(to);
            }
            let mut outputs = self.outputs.clone();
            participant.outputs(to, &inputs, outputs.view_mut())?;
            *row = outputs.reals;
            from = to;
        }
        Ok(Some(rows))
    }
}
