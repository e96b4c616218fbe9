//! The usual case by the shortest way: a few real inputs and outputs, told by their means and read plainly.
//!
//! A run of a thousand FMUs waits for memory more than for anything else, so the value references lie beside the rest
//! of what a step touches, and not behind a pointer; values on their way stay on the stack.

use cardan_core::participant::{Failure, Outcome, StepEnd, StepRequest};
use cardan_core::signal::Segment;
use cardan_core::time::SimTime;

use super::CoSimulation;
use super::drive::{self, Telling};
use crate::binding::Group;
use crate::ffi::{Called, Stepped};

/// More than this are not worth a place of their own: calling the FMU with them costs more than finding them.
const MOST: usize = 4;

/// What the usual step needs.
#[derive(Debug)]
pub(super) struct Usual {
    inputs: References,
    outputs: References,
    /// How the last step ended if it did not simply arrive.
    trouble: Option<Box<Called<Stepped>>>,
}

/// How a step went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pace {
    /// It arrived.
    Arrived,
    /// It did not; [`CoSimulation::after_unusual`] tells more.
    Unusual,
    /// This is not the usual case, and nothing was called.
    NotUsual,
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

/// A duration without the dust of rounding.
fn shown(seconds: f64) -> f64 {
    (seconds * 1e12).round() / 1e12
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
            inputs: References::of(&inputs.steady.reals, inputs.extent.reals)?,
            outputs: References::of(&outputs.direct.reals, outputs.extent.reals)?,
            trouble: None,
        })
    }

    /// One set and one doStep. The answer is a plain number, because moving anything larger around costs as much as the
    /// FMU does.
    #[inline]
    pub(super) fn usual_step(&mut self, from: SimTime, to: SimTime, segments: &[Segment]) -> Pace {
        let (Some(usual), Some(instance)) = (&mut self.usual, &mut self.instance) else {
            return Pace::NotUsual;
        };
        let count = usize::from(usual.inputs.count);
        if count > 0 {
            let mut values = [0.0; MOST];
            for (value, segment) in values.iter_mut().zip(segments) {
                *value = drive::mean_of(segment, from, to);
            }
            if let Err(error) = instance.set_f64(usual.inputs.used(), &values[..count]) {
                usual.trouble = Some(Box::new(Err(error)));
                return Pace::Unusual;
            }
        }
        let size = to.since(from);
        if self.steps == 0 {
            self.first_size = size;
        }
        self.steps += 1;
        self.time = to;
        let no_return = self.slots.is_empty();
        match instance.do_step(from.seconds(), size, no_return) {
            Ok(stepped) if !(stepped.early || stepped.discarded || stepped.terminate) => Pace::Arrived,
            unusual => {
                usual.trouble = Some(Box::new(unusual));
                Pace::Unusual
            }
        }
    }

    /// An FMU that takes steps of one size only may fail for just that reason, and seldom says so.
    #[cold]
    pub(super) fn explained(&self, failure: Failure, size: f64) -> Failure {
        let first = self.first_size;
        if self.abilities.variable_step || (size - first).abs() <= 1e-9 * first {
            return failure;
        }
        failure.advise(format!(
            "the FMU says that it takes steps of one size only, and this one is {} s after steps of {} s: \
             choose a step that divides the run, and on which jumps of inputs and ticks of clocks fall",
            shown(size),
            shown(first)
        ))
    }

    /// What became of a step that did not simply arrive.
    #[cold]
    pub(super) fn after_unusual(&mut self, request: &StepRequest<'_>) -> Outcome<StepEnd> {
        let trouble = self.usual.as_mut().and_then(|usual| usual.trouble.take());
        match trouble.map(|trouble| *trouble) {
            Some(Ok(stepped)) => self.plain_step_elsewhere(request, &stepped),
            Some(Err(error)) => Err(self.explained(error.into(), request.to.since(request.from))),
            None => Err(Failure::failed("the step failed without a reason")),
        }
    }
}
