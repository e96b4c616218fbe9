//! One signal of a history, read by a rule.

use super::history::{History, WIDEST_READING};
use super::reading::{Point, Reading, law};
use super::segment::Segment;
use crate::time::{Resolution, SimTime};

/// One real output element through its history.
#[derive(Clone, Copy, Debug)]
pub struct Signal<'a> {
    history: &'a History,
    column: usize,
}

impl<'a> Signal<'a> {
    pub(super) fn new(history: &'a History, column: usize) -> Self {
        Signal { history, column }
    }

    #[inline]
    pub(super) fn history(&self) -> &'a History {
        self.history
    }

    #[inline]
    pub(super) fn column(&self) -> usize {
        self.column
    }

    /// The value at any time: between, before or beyond the points.
    pub fn read(&self, reading: Reading, time: SimTime) -> f64 {
        self.law_at(reading, time, self.history.len().saturating_sub(1))
            .at(time)
    }

    /// The law that holds at a time, from all points.
    pub fn law(&self, reading: Reading, time: SimTime) -> Segment {
        self.law_at(reading, time, self.history.len().saturating_sub(1))
    }

    /// The value at any time from the points up to `visible` alone.
    pub fn read_visible(&self, reading: Reading, time: SimTime, visible: SimTime) -> f64 {
        self.law_at(reading, time, self.history.index_at(visible))
            .at(time)
    }

    /// Writes the signal over a step, made from the points up to `visible` alone, if it is a single segment: the source
    /// has no point inside the step. Points within `resolution` of the ends of the step count as lying on them.
    #[inline]
    pub fn single_segment(
        &self,
        reading: Reading,
        (from, to): (SimTime, SimTime),
        visible: SimTime,
        resolution: Resolution,
        segment: &mut Segment,
    ) -> bool {
        let history = self.history;
        if history.is_empty() {
            return false;
        }
        let (last, time, value) = history.seen(visible, self.column);
        if resolution.reached(from, time) {
            match reading.holds() || history.stays(last) {
                true => segment.hold(value, to),
                false => *segment = self.law_of(reading, last, false, to),
            }
            return true;
        }
        let whole =
            last > 0 && resolution.reached(time, to) && resolution.reached(from, history.time(last - 1));
        if whole {
            match reading {
                Reading::HoldNew => segment.hold(value, to),
                _ => *segment = self.law_before(reading, last, last, to),
            }
        }
        whole
    }

    /// Appends the segments of the signal over a step, made from the points up to `visible` alone: several arise where
    /// the source has points inside the step.
    pub fn segments(
        &self,
        reading: Reading,
        step: (SimTime, SimTime),
        visible: SimTime,
        resolution: Resolution,
        segments: &mut Vec<Segment>,
    ) {
        self.each_segment(reading, step, visible, resolution, |segment| {
            segments.push(segment)
        });
    }

    /// The same, one segment after the other.
    #[inline]
    pub(super) fn each_segment(
        &self,
        reading: Reading,
        (from, to): (SimTime, SimTime),
        visible: SimTime,
        resolution: Resolution,
        mut each: impl FnMut(Segment),
    ) {
        let history = self.history;
        let last = history.index_at(visible);
        if history.is_empty() || resolution.reached(from, history.time(last)) {
            return each(self.extrapolation(reading, last, to));
        }
        // From the first point inside the step on; each piece ends at a point.
        let first = history.count_while(last, |point| resolution.reached(from, point));
        for index in first..=last {
            let point = history.time(index);
            if resolution.reached(point, to) {
                return each(self.law_before(reading, index, last, to));
            }
            each(self.law_before(reading, index, last, point));
        }
        each(self.extrapolation(reading, last, to));
    }

    /// The rule by which the signal is extrapolated beyond point `last`: what its source has promised to stay is held.
    #[inline]
    pub(super) fn rule_beyond(&self, reading: Reading, last: usize) -> Reading {
        match self.history.stays(last) {
            true => Reading::Hold,
            false => reading,
        }
    }

    /// The law beyond point `last`.
    #[inline]
    fn extrapolation(&self, reading: Reading, last: usize, until: SimTime) -> Segment {
        let reading = self.rule_beyond(reading, last);
        match reading.holds() {
            true => Segment::constant(self.history.real(last, self.column), until),
            false => self.law_of(reading, last, false, until),
        }
    }

    /// The law at `time`, points after `last` unseen.
    fn law_at(&self, reading: Reading, time: SimTime, last: usize) -> Segment {
        let history = self.history;
        if history.is_empty() {
            return Segment::constant(0.0, SimTime::FUTURE);
        }
        if time > history.time(last) {
            return self.extrapolation(reading, last, SimTime::FUTURE);
        }
        let index = history.count_while(last, |point| point < time);
        if reading == Reading::Hold && history.time(index) == time {
            return Segment::constant(history.real(index, self.column), SimTime::FUTURE);
        }
        self.law_before(reading, index, last, SimTime::FUTURE)
    }

    /// The law on the stretch that ends at point `index`, or before the first point if that is 0.
    fn law_before(&self, reading: Reading, index: usize, last: usize, until: SimTime) -> Segment {
        let history = self.history;
        if reading.holds() {
            let held = match reading {
                Reading::HoldNew => index,
                // Before the first point there is nothing but that point.
                _ => index.saturating_sub(1),
            };
            return Segment::constant(history.real(held, self.column), until);
        }
        let known = |i: usize| history.point(i, self.column).slope.is_finite();
        let end = index.max(1);
        let reading = match reading.wants_slopes() && last > 0 && !(known(end) && known(end - 1)) {
            true => reading.without_slopes(),
            false => reading,
        };
        // Rules for three points take the first three for the first stretches.
        let end = index.max(reading.points_between() - 1).min(last);
        self.law_of(reading, end, true, until)
    }

    /// The law of the points up to `end`.
    fn law_of(&self, reading: Reading, end: usize, inside: bool, until: SimTime) -> Segment {
        let count = (end + 1).min(WIDEST_READING);
        let mut points = [Point {
            time: 0.0,
            value: 0.0,
            slope: f64::NAN,
        }; WIDEST_READING];
        for (i, point) in points.iter_mut().take(count).enumerate() {
            *point = self.history.point(end + 1 - count + i, self.column);
        }
        law(reading, &points[..count], inside, until)
    }
}
