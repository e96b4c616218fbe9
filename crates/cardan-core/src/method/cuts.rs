//! Where a step ends that events cut short.
//!
//! The event is the end of the step, to the last digit: what reads a signal over the step goes by its slope at the end, and
//! behind the event that is another one. Two ways to the same event do not always agree to the last digit, so after some
//! attempts the step ends a hair before the event, and the hair is a step of its own, over which slopes do no harm.

use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use crate::graph::ParticipantId;
use crate::plan::Plan;
use crate::time::SimTime;

/// A step that is cut short more often than this finds no end.
pub(super) const MOST_CUTS: usize = 50;
/// So often a step is tried to end at its event.
const EXACT: usize = 5;
/// An event within this part of the run before the end of a step is at its end but for rounding.
const ROUNDING: f64 = 4e-12;
/// A step of so many hairs is a hair itself.
const BRIEF: f64 = 4.0;
/// Instants closer than so many times the spacing of numbers are one.
const SPACINGS: f64 = 16.0;
/// Steps of less than this part of the run that events cut short, one after the other, and how many of them are a crowd: from then
/// on hairs are twice as long each time, until the crowd is passed.
const TINY: f64 = 1e-7;
const CROWD: u32 = 20;

/// Steps that events have cut to nothing, one after the other.
#[derive(Clone, Copy, Default)]
pub(super) struct Crowd {
    steps: u32,
    /// The length of the last one.
    last: f64,
}

impl Crowd {
    /// No step to an event should be shorter.
    pub(super) fn hair(self, usual: f64) -> f64 {
        match self.steps > CROWD {
            true => usual.max(2.0 * self.last),
            false => usual,
        }
    }

    /// A step was kept. Did events cut it?
    pub(super) fn note(&mut self, plan: &Plan, step: f64, cut: bool) {
        let span = plan.window.stop.since(plan.window.start);
        let steps = match cut && (step <= TINY * span || self.steps > CROWD) {
            true => self.steps + 1,
            false => 0,
        };
        *self = Crowd { steps, last: step };
    }
}

impl Resumable for Crowd {
    fn keep(&self, writer: &mut Writer) {
        writer.count(u64::from(self.steps));
        writer.real(self.last);
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "a crowd of events";
        self.steps = u32::try_from(reader.count(WHAT)?).unwrap_or(u32::MAX);
        self.last = reader.real(WHAT)?;
        Ok(())
    }
}

/// The events that have cut a step short.
pub(super) struct Cuts {
    from: SimTime,
    cutters: Vec<ParticipantId>,
    rounding: f64,
    /// No step to an event is shorter. It doubles with each cut.
    hair: f64,
}

impl Cuts {
    pub(super) fn new(plan: &Plan, from: SimTime, hair: f64) -> Self {
        let spacing = SPACINGS * f64::EPSILON * plan.window.stop.seconds().abs().max(from.seconds().abs());
        Cuts {
            from,
            cutters: Vec::new(),
            rounding: (ROUNDING * plan.window.stop.since(plan.window.start)).max(spacing),
            hair: hair.max(spacing),
        }
    }

    /// Whose events they were.
    pub(super) fn cutters(&self) -> &[ParticipantId] {
        &self.cutters
    }

    /// An event closer than this to the end of a step is taken there.
    pub(super) fn close(&self, to: SimTime) -> f64 {
        match self.is_hair(to) {
            true => self.hair.max(self.rounding),
            false => self.rounding,
        }
    }

    /// Is the step to `to` a hair with an event somewhere in it?
    pub(super) fn bridges(&self, to: SimTime) -> bool {
        !self.cutters.is_empty() && self.is_hair(to)
    }

    fn is_hair(&self, to: SimTime) -> bool {
        to.since(self.from) <= BRIEF * self.hair
    }

    /// Somebody has an event at `at`: where the step is to end now. None if that does not come to an end.
    pub(super) fn cut(&mut self, at: SimTime, who: ParticipantId) -> Option<SimTime> {
        self.cutters.push(who);
        let end = match self.cutters.len() <= EXACT {
            true => at,
            false => at.after(-self.hair),
        };
        // An event right at the beginning is passed.
        let end = end.max(self.from.after(self.hair));
        self.hair *= 2.0;
        (self.cutters.len() <= MOST_CUTS).then_some(end)
    }
}
