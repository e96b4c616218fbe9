//! Signals that jump without a word, again and again.
//!
//! A jump is found by what a signal is at both ends of a step; a pulse that comes and goes within one is not. But whoever has jumped
//! twice may do so again: until it has been quiet for long, steps are shorter than its jumps were apart.

use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use crate::time::SimTime;

/// So many intervals between jumps are remembered.
const MEMORY: usize = 4;
/// Jumps that are closer together than so many of the steps that found them are one.
const APART: f64 = 16.0;
/// Steps are no longer than this part of the shortest of them.
const PART: f64 = 0.5;
/// Pulses shorter than this part of it are not expected.
const BRIEF: f64 = 1.0 / 32.0;
/// After so many of them without a jump, none is expected any more.
const QUIET: f64 = 10.0;

/// When signals jumped last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pulses {
    last: SimTime,
    /// The latest first.
    intervals: [f64; MEMORY],
}

impl Pulses {
    /// None so far: the first interval will be from the start.
    pub(super) fn since(start: SimTime) -> Self {
        Pulses {
            last: start,
            intervals: [f64::INFINITY; MEMORY],
        }
    }

    /// A signal has jumped in the step to `at`, which was so long.
    pub(super) fn note(&mut self, at: SimTime, step: f64) {
        let interval = at.since(self.last);
        // What follows at once is part of the same jump.
        if interval > APART * step {
            self.intervals.rotate_right(1);
            self.intervals[0] = interval;
        }
        self.last = at;
    }

    fn shortest(&self) -> f64 {
        self.intervals.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Is a step so long that a pulse may have come and gone inside?
    pub(super) fn may_hide_in(&self, step: f64) -> bool {
        step > BRIEF * self.shortest()
    }

    /// No step from there should be longer.
    pub(super) fn longest_step(&self, from: SimTime) -> f64 {
        let shortest = self.shortest();
        match from.since(self.last) > QUIET * shortest {
            true => f64::INFINITY,
            false => PART * shortest,
        }
    }
}

impl Resumable for Pulses {
    fn keep(&self, writer: &mut Writer) {
        writer.time(self.last);
        writer.reals(&self.intervals);
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "jumps of signals";
        self.last = reader.time(WHAT)?;
        reader.fill(&mut self.intervals, WHAT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_shorter_than_pulses_until_it_is_quiet() {
        let at = SimTime::from_seconds;
        let mut pulses = Pulses::since(at(0.6));
        assert_eq!(pulses.longest_step(at(0.7)), f64::INFINITY);
        assert!(!pulses.may_hide_in(1e3), "nothing has jumped yet");
        for time in [1.0, 1.4, 2.0, 2.4] {
            pulses.note(at(time), 1e-3);
        }
        // 0.4, 0.6 and 0.4 apart.
        assert!((pulses.longest_step(at(2.5)) - 0.2).abs() < 1e-12);
        assert_eq!(pulses.longest_step(at(7.0)), f64::INFINITY);
        // Short ones are forgotten when longer ones have come.
        for time in [10.0, 12.0, 14.0, 16.0, 18.0] {
            pulses.note(at(time), 1e-3);
        }
        assert_eq!(pulses.longest_step(at(18.5)), 1.0);
    }
}
