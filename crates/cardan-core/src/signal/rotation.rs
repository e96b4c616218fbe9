//! Rotations in a history: four components that turn together.

use super::history::History;
use super::segment::Segment;
use super::slerp::arc;
use crate::time::{Resolution, SimTime};

impl History {
    /// Like [`Signal::segments`](super::Signal::segments) for a rotation whose four components start at `column`: appends the segments of each
    /// component to its own list.
    pub fn rotation_segments(
        &self,
        column: usize,
        (from, to): (SimTime, SimTime),
        visible: SimTime,
        resolution: Resolution,
        segments: [&mut Vec<Segment>; 4],
    ) {
        let last = self.index_at(visible);
        let mut index = self.count_while(last, |point| resolution.reached(from, point));
        let mut lists = segments;
        loop {
            let beyond = index > last || (index == last && resolution.reached(from, self.time(last)));
            let ends_here = beyond || resolution.reached(self.time(index), to);
            let until = if ends_here { to } else { self.time(index) };
            let laws = match beyond && self.stays(last) {
                true => self.standing(column, last, until),
                false => self.turn(column, index.min(last), until),
            };
            for (list, law) in lists.iter_mut().zip(laws) {
                list.push(law);
            }
            if ends_here {
                return;
            }
            index += 1;
        }
    }

    /// The rotation whose four components start at `column`, at any time.
    pub fn rotation(&self, column: usize, time: SimTime) -> [f64; 4] {
        let last = self.len().saturating_sub(1);
        let laws = match time > self.latest() && self.stays(last) {
            true => self.standing(column, last, SimTime::FUTURE),
            false => {
                let end = self.count_while(last, |point| point < time);
                self.turn(column, end.max(1).min(last), SimTime::FUTURE)
            }
        };
        laws.map(|segment| segment.at(time))
    }

    /// The steady turn from the point before `end` to `end`, or standing still with one point.
    fn turn(&self, column: usize, end: usize, until: SimTime) -> [Segment; 4] {
        let at = |index: usize| -> [f64; 4] { std::array::from_fn(|i| self.real(index, column + i)) };
        if end == 0 {
            return self.standing(column, 0, until);
        }
        let (t0, t1) = (self.time(end - 1), self.time(end));
        arc(at(end - 1), at(end), t1.since(t0)).map(|curve| Segment {
            until,
            origin: t0,
            curve,
        })
    }

    /// Standing still as at point `index`.
    fn standing(&self, column: usize, index: usize, until: SimTime) -> [Segment; 4] {
        std::array::from_fn(|i| Segment::constant(self.real(index, column + i), until))
    }
}
