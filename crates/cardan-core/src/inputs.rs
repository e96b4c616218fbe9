//! The inputs of one participant over one step.

use crate::planes::PlanesRef;
use crate::signal::Segment;
use crate::time::SimTime;

/// The inputs over a step: a list of segments for each real element, and held values for all else.
///
/// Reals and the others are numbered as on the planes. Nearly always there is one segment for each real; then
/// `ends` is empty and segment `i` belongs to real `i`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs<'a> {
    segments: &'a [Segment],
    ends: &'a [u32],
    held: &'a [HeldInputs],
}

/// Values of inputs that are not reals, up to an instant. A table owns one of these for each change.
#[derive(Clone, Debug)]
pub struct HeldInputs {
    /// The values hold up to here.
    pub until: SimTime,
    /// Integers, booleans and bytes; no reals.
    pub values: crate::planes::Planes,
}

impl<'a> Inputs<'a> {
    /// One segment for each real input and no others.
    pub fn single(segments: &'a [Segment]) -> Self {
        Inputs {
            segments,
            ends: &[],
            held: &[],
        }
    }

    /// Several segments for a real: those of real `i` end before index `ends[i]`. An empty `ends` means one each.
    #[inline]
    pub fn new(segments: &'a [Segment], ends: &'a [u32], held: &'a [HeldInputs]) -> Self {
        debug_assert!(ends.is_empty() || ends.last().map(|&e| e as usize) == Some(segments.len()));
        Inputs { segments, ends, held }
    }

    /// The segments of all real inputs, if each has just one and there are no inputs of other types.
    #[inline]
    pub fn one_each(&self) -> Option<&'a [Segment]> {
        (self.ends.is_empty() && self.held.is_empty()).then_some(self.segments)
    }

    /// How many real inputs there are, counted by element.
    #[inline]
    pub fn reals(&self) -> usize {
        if self.ends.is_empty() {
            self.segments.len()
        } else {
            self.ends.len()
        }
    }

    /// The segments of real input `index`, in time order. Empty if there is no such input.
    #[inline]
    pub fn segments(&self, index: usize) -> &'a [Segment] {
        let (from, to) = if self.ends.is_empty() {
            (index, index + 1)
        } else {
            let from = if index == 0 {
                0
            } else {
                self.ends[index - 1] as usize
            };
            (from, self.ends[index] as usize)
        };
        self.segments.get(from..to).unwrap_or(&[])
    }

    /// Real input `index` at `time`. Where two segments meet, the later one counts.
    #[inline]
    pub fn real(&self, index: usize, time: SimTime) -> f64 {
        match self.segment_after(index, time) {
            Some(segment) => segment.at(time),
            None => 0.0,
        }
    }

    /// The segment of real input `index` that is in force just after `time`.
    #[inline]
    pub fn segment_after(&self, index: usize, time: SimTime) -> Option<&'a Segment> {
        let segments = self.segments(index);
        match segments {
            [only] => Some(only),
            many => many.iter().find(|s| time < s.until).or(many.last()),
        }
    }

    /// All values of inputs that are not reals, in time order; empty if there are no such inputs.
    pub fn held(&self) -> &'a [HeldInputs] {
        self.held
    }

    /// The inputs that are not reals, just after `time`.
    pub fn held_after(&self, time: SimTime) -> PlanesRef<'a> {
        let held = match self.held {
            [only] => Some(only),
            many => many.iter().find(|h| time < h.until).or(many.last()),
        };
        held.map(|h| h.values.view()).unwrap_or_default()
    }

    /// The first instant after `time` at which some input changes its law, if any. A solver of high order
    /// does well to end an inner step there.
    pub fn next_break(&self, time: SimTime) -> Option<SimTime> {
        if self.ends.is_empty() && self.held.len() <= 1 {
            return None;
        }
        let mut next: Option<SimTime> = None;
        let mut consider = |until: SimTime| {
            if until > time && next.is_none_or(|n| until < n) {
                next = Some(until);
            }
        };
        for index in 0..self.reals() {
            // The last segment of an input ends with the step, which is no change.
            if let [changes @ .., _] = self.segments(index) {
                changes.iter().for_each(|s| consider(s.until));
            }
        }
        if let [changes @ .., _] = self.held {
            changes.iter().for_each(|h| consider(h.until));
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constant(value: f64, until: f64) -> Segment {
        Segment::constant(value, SimTime::from_seconds(until))
    }

    #[test]
    fn the_later_segment_counts_where_two_meet() {
        let segments = [constant(7.0, 2.0), constant(1.0, 1.0), constant(5.0, 2.0)];
        let inputs = Inputs::new(&segments, &[1, 3], &[]);
        let at = |s| SimTime::from_seconds(s);
        assert_eq!(inputs.reals(), 2);
        assert_eq!(inputs.real(0, at(1.5)), 7.0);
        assert_eq!(inputs.real(1, at(0.5)), 1.0);
        assert_eq!(inputs.real(1, at(1.0)), 5.0);
        assert_eq!(inputs.real(1, at(9.0)), 5.0);
        assert_eq!(inputs.next_break(at(0.0)), Some(at(1.0)));
        assert_eq!(inputs.next_break(at(1.0)), None);
    }
}
