//! The usual case by the shortest way: a few real inputs and outputs, told by their means and read plainly.
//!
//! A run of a thousand FMUs waits for memory more than for anything else, so the value references and the values on
//! their way lie beside the rest of what a step touches, and not each behind a pointer.

use cardan_core::participant::{Outcome, StepEnd, StepRequest};
use cardan_core::signal::Segment;

use super::CoSimulation;
use super::drive::{self, Telling};
use crate::binding::Group;

/// More than this are not worth a place of their own: calling the FMU with them costs more than finding them.
const MOST: usize = 4;

/// What the usual step needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usual {
    values: [f64; MOST],
    inputs: References,
    outputs: References,
}

#[derive(Clone, Copy, Debug, Default)]
struct References {
    count: u8,
    all: [u32; MOST],
}

impl References {
    /// Those of scalars in double precision that fill a plane of `count` values.
    fn of(groups: &[Group<f64>], count: usize) -> Option<Self> {
        let mut references = References::default();
        let group = match groups {
            [] if count == 0 => return Some(references),
            [only] if only.fills(count) && count <= MOST => only,
            _ => return None,
        };
        references.count = count as u8;
        references.all[..count].copy_from_slice(group.references());
        Some(references)
    }

    #[inline]
    fn used(&self) -> &[u32] {
        &self.all[..usize::from(self.count)]
    }
}

impl Usual {
    /// The value references of the outputs.
    #[inline]
    pub(super) fn outputs(&self) -> &[u32] {
        self.outputs.used()
    }
}

impl CoSimulation {
    /// Is this the usual case?
    pub(super) fn find_usual(&self) -> Option<Usual> {
        let (inputs, outputs) = (&self.inputs, &self.outputs);
        let plain =
            self.plain && self.telling == Telling::Mean && outputs.plain && outputs.resting.is_empty();
        if !plain {
            return None;
        }
        Some(Usual {
            values: [0.0; MOST],
            inputs: References::of(&inputs.steady.reals, inputs.extent.reals)?,
            outputs: References::of(&outputs.direct.reals, outputs.extent.reals)?,
        })
    }

    /// One set and one doStep. None if this is not the usual case, and nothing was called.
    #[inline]
    pub(super) fn usual_step(
        &mut self,
        request: &StepRequest<'_>,
        segments: &[Segment],
    ) -> Option<Outcome<StepEnd>> {
        let (from, to) = (request.from, request.to);
        let usual = self.usual.as_mut()?;
        let instance = self.instance.as_mut()?;
        if usual.inputs.count > 0 {
            for (value, segment) in usual.values.iter_mut().zip(segments) {
                *value = drive::mean_of(segment, from, to);
            }
            let count = usize::from(usual.inputs.count);
            if let Err(error) = instance.set_f64(usual.inputs.used(), &usual.values[..count]) {
                return Some(Err(error.into()));
            }
        }
        self.steps += 1;
        self.time = to;
        let no_return = self.slots.is_empty();
        Some(
            match instance.do_step(from.seconds(), to.since(from), no_return) {
                Ok(stepped) if !(stepped.early || stepped.discarded || stepped.terminate) => {
                    Ok(StepEnd::Completed)
                }
                Ok(unusual) => self.plain_step_elsewhere(request, &unusual),
                Err(error) => Err(error.into()),
            },
        )
    }
}
