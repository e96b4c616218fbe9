//! What the engine and one participant hand each other.

use crate::error::Call;
use crate::inputs::{HeldInputs, Inputs};
use crate::participant::{Failure, Slot, StepEnd, StepRequest, Watch};
use crate::plan::Seat;
use crate::planes::Planes;
use crate::reaction::Reaction;
use crate::signal::Segment;
use crate::time::SimTime;

/// The desk of one participant: its inputs over the step and at the communication point, and what it answers.
///
/// Desks travel between threads as a whole; all their buffers are reused.
/// In the order of declaration, so that what every step touches lies together at the beginning.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Desk {
    pub(crate) from: SimTime,
    pub(crate) to: SimTime,
    pub(crate) segments: Vec<Segment>,
    /// For each real input the number of segments up to and including its own; empty while there is one each.
    pub(crate) ends: Vec<u32>,
    pub(crate) held: Vec<HeldInputs>,
    pub(crate) watch: Vec<SimTime>,
    /// Are its own inner steps wanted, rather than certain instants?
    pub(crate) shows_inner: bool,
    /// Can outputs be evaluated right after the step, without an exchange?
    pub(crate) outputs_at_once: bool,
    /// The inputs as exchanged at `to`, for outputs that react at once.
    pub(crate) current: Planes,
    pub(crate) outputs: Planes,
    pub(crate) end: StepEnd,
    pub(crate) failure: Option<Box<(Call, Failure)>>,
    /// Nothing before this will be asked for again.
    pub(crate) settled: SimTime,
    /// The slot to save to or to restore from.
    pub(crate) slot: Slot,
    /// As many rows as watched instants if the participant has a trace.
    pub(crate) watched: Vec<Planes>,
    /// For each inner step on the desk: did the participant stop there for an input only?
    pub(crate) forced: Vec<bool>,
    pub(crate) input_slopes: Vec<f64>,
    /// Slopes of the outputs, if somebody wants them and the participant knows them.
    pub(crate) slopes: Vec<f64>,
    /// The law by which inputs are to react.
    pub(crate) reaction: Reaction,
    /// A change of the inputs, and what it does to the outputs.
    pub(crate) direction: Vec<f64>,
    pub(crate) change: Vec<f64>,
}

impl Desk {
    pub(crate) fn new(seat: &Seat) -> Self {
        let held = HeldInputs {
            until: SimTime::FUTURE,
            values: Planes {
                reals: Vec::new(),
                ..seat.open.clone()
            },
        };
        Desk {
            from: SimTime::PAST,
            to: SimTime::PAST,
            settled: SimTime::PAST,
            slot: 0,
            segments: vec![Segment::constant(0.0, SimTime::PAST); seat.real_inputs.len()],
            ends: Vec::with_capacity(seat.real_inputs.len()),
            held: if seat.input_extent.has_discrete() {
                vec![held]
            } else {
                Vec::new()
            },
            current: seat.open.clone(),
            outputs: Planes::new(seat.output_extent),
            outputs_at_once: !seat.needs_inputs,
            end: StepEnd::Completed,
            failure: None,
            watch: Vec::new(),
            shows_inner: false,
            watched: Vec::new(),
            forced: Vec::new(),
            input_slopes: vec![0.0; seat.input_extent.reals],
            reaction: Reaction::default(),
            direction: Vec::new(),
            change: Vec::new(),
            slopes: vec![
                f64::NAN;
                if seat.wants_slopes || seat.bonded {
                    seat.output_extent.reals
                } else {
                    0
                }
            ],
        }
    }

    /// The request for a step. Times are handed in rather than read back: they have just been written, and a
    /// processor stalls on loading two fresh words as one.
    #[inline]
    pub(crate) fn request(&self, from: SimTime, to: SimTime) -> StepRequest<'_> {
        StepRequest {
            from,
            to,
            inputs: Inputs::new(&self.segments, &self.ends, &self.held),
            watch: if self.shows_inner {
                Watch::InnerSteps
            } else if self.watch.is_empty() {
                Watch::Nothing
            } else {
                Watch::Instants(&self.watch)
            },
        }
    }

    /// Lays inputs down that were read elsewhere: one segment each.
    pub(crate) fn take_inputs(&mut self, from: SimTime, to: SimTime, segments: &[Segment]) {
        (self.from, self.to) = (from, to);
        self.ends.clear();
        self.segments.clear();
        self.segments.extend_from_slice(segments);
    }

    #[cold]
    pub(crate) fn fail(&mut self, call: Call, failure: Failure) {
        self.failure = Some(Box::new((call, failure)));
    }
}
