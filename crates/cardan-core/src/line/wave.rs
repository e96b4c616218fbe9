//! A wave on its way through a line.

use super::Interpolation;
use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use crate::signal::Segment;
use crate::time::{Resolution, SimTime};
use std::collections::VecDeque;

/// Values that differ by less than this part of themselves are no jump: they were worked out on two ways.
const ROUNDING: f64 = 1e-9;

/// Points of a wave, each a time and a value for every component, oldest first. Two points at one time are a jump.
///
/// Points are forgotten once nobody can ask for them, so a run keeps as many as a delay has and allocates only while that
/// number still grows.
#[derive(Clone, PartialEq, Debug)]
pub struct Wave {
    width: usize,
    /// Points further apart are joined by chords.
    widest: f64,
    times: VecDeque<f64>,
    /// All components of a point, one point after the other.
    values: VecDeque<f64>,
}

impl Wave {
    /// A wave of so many components and no points; those further apart than `widest` will be joined by chords.
    pub fn new(width: usize, widest: f64) -> Self {
        Wave {
            width,
            widest,
            times: VecDeque::new(),
            values: VecDeque::new(),
        }
    }

    /// Up to when it is known.
    pub fn known_until(&self) -> SimTime {
        self.times
            .back()
            .map_or(SimTime::PAST, |time| SimTime::from_seconds(*time))
    }

    /// Adds a point, which is not earlier than all others. A second one at the same time is a jump, unless it says the same.
    pub fn push(&mut self, time: SimTime, values: impl IntoIterator<Item = f64>) {
        let (time, before) = (time.seconds(), self.values.len());
        debug_assert!(self.times.back().is_none_or(|last| *last <= time));
        self.values.extend(values);
        debug_assert!(self.values.len() == before + self.width);
        let again = self.times.back() == Some(&time);
        let same = |c: usize| {
            let (new, old) = (self.values[before + c], self.values[before - self.width + c]);
            (new - old).abs() <= ROUNDING * new.abs().max(old.abs())
        };
        if again && (0..self.width).all(same) {
            self.values.truncate(before);
            return;
        }
        self.times.push_back(time);
    }

    /// Forgets what nobody needs who reads from `time` on: all points but the few before it that a reading looks at.
    pub fn forget_before(&mut self, time: SimTime) {
        while self.times.len() > 4 && self.times[3] < time.seconds() {
            self.times.pop_front();
            self.values.drain(..self.width);
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.times.clear();
        self.values.clear();
    }

    /// A component at a time; before the first point it is what it is there.
    pub fn at(&self, component: usize, time: SimTime, rule: Interpolation) -> f64 {
        match (self.times.front(), self.piece_at(time)) {
            (None, _) => 0.0,
            (Some(first), _) if time.seconds() <= *first => self.value(0, component),
            // What is held has no pieces: its newest point counts from its own time on.
            _ if rule == Interpolation::Hold => {
                let after = self.times.partition_point(|known| *known <= time.seconds());
                self.value(after - 1, component)
            }
            (_, None) => self.value(self.times.len() - 1, component),
            (_, Some(piece)) => {
                let [a, b, c, d] = self.polynomial(piece, component, rule);
                let s = time.seconds() - self.times[piece];
                a + s * (b + s * (c + s * d))
            }
        }
    }

    /// Does it jump at a time?
    pub fn jumps_at(&self, time: SimTime, resolution: Resolution) -> bool {
        let first = self
            .times
            .partition_point(|known| resolution.before(SimTime::from_seconds(*known), time));
        let same = |index: usize| {
            let known = self.times.get(index);
            known.is_some_and(|known| resolution.same(SimTime::from_seconds(*known), time))
        };
        same(first) && same(first + 1)
    }

    /// By how much its slope changes at a time where it has a point, as a part of its size there.
    pub fn bend_at(&self, time: SimTime, rule: Interpolation, resolution: Resolution) -> f64 {
        let point = self
            .times
            .partition_point(|known| resolution.before(SimTime::from_seconds(*known), time));
        let inside = point > 0 && point + 1 < self.times.len();
        if !inside || !resolution.same(self.time(point), time) {
            return 0.0;
        }
        let (mut bend, mut size): (f64, f64) = (0.0, 0.0);
        for component in 0..self.width {
            let [_, b, c, d] = self.polynomial(point - 1, component, rule);
            let h = self.times[point] - self.times[point - 1];
            let [_, after, ..] = self.polynomial(point, component, rule);
            bend = bend.max((after - (b + h * (2.0 * c + h * 3.0 * d))).abs());
            size =
                (point - 1..=point + 1).fold(size, |size, near| size.max(self.value(near, component).abs()));
        }
        if size > 0.0 { bend / size } else { 0.0 }
    }

    /// A component just before a time at which it jumps.
    pub fn before(&self, component: usize, time: SimTime, resolution: Resolution) -> f64 {
        let first = self
            .times
            .partition_point(|known| resolution.before(SimTime::from_seconds(*known), time));
        self.value(first.min(self.times.len() - 1), component)
    }

    /// The same just after it.
    pub fn after(&self, component: usize, time: SimTime, resolution: Resolution) -> f64 {
        let end = self
            .times
            .partition_point(|known| !resolution.before(time, SimTime::from_seconds(*known)));
        self.value(end.saturating_sub(1), component)
    }

    /// The last value of a component.
    pub fn last(&self, component: usize) -> f64 {
        match self.times.len() {
            0 => 0.0,
            count => self.value(count - 1, component),
        }
    }

    /// Appends a component over a step as segments, one from point to point.
    pub fn segments(
        &self,
        component: usize,
        (from, to): (SimTime, SimTime),
        rule: Interpolation,
        resolution: Resolution,
        segments: &mut Vec<Segment>,
    ) {
        let before = segments.len();
        let Some(first) = self.piece_at(resolution.just_after(from)) else {
            segments.push(Segment::constant(self.last(component), to));
            return;
        };
        for piece in first..self.times.len() - 1 {
            let (begins, ends) = (self.time(piece), self.time(piece + 1));
            if !resolution.before(begins, to) {
                break;
            }
            // What is shorter than anybody can tell is passed over; a jump is two pieces that do not meet.
            if segments.len() > before && !resolution.before(begins, ends) {
                continue;
            }
            let law = self.polynomial(piece, component, rule);
            segments.push(Segment::polynomial(law, begins, ends));
        }
        match segments[before..].last_mut() {
            Some(last) => last.until = to,
            None => segments.push(Segment::constant(self.at(component, from, rule), to)),
        }
    }

    /// The integral of the square of a component over a time.
    pub fn square(&self, component: usize, (from, to): (SimTime, SimTime), rule: Interpolation) -> f64 {
        // Four points integrate the square of a cubic exactly.
        const NODES: [(f64, f64); 4] = [
            (-0.861_136_311_594_052_6, 0.347_854_845_137_453_85),
            (-0.339_981_043_584_856_26, 0.652_145_154_862_546_2),
            (0.339_981_043_584_856_26, 0.652_145_154_862_546_2),
            (0.861_136_311_594_052_6, 0.347_854_845_137_453_85),
        ];
        let mut sum = 0.0;
        for piece in 0..self.times.len().saturating_sub(1) {
            let begins = self.times[piece].max(from.seconds());
            let ends = self.times[piece + 1].min(to.seconds());
            if ends <= begins {
                continue;
            }
            let [a, b, c, d] = self.polynomial(piece, component, rule);
            let (middle, half) = (0.5 * (begins + ends) - self.times[piece], 0.5 * (ends - begins));
            for (node, weight) in NODES {
                let s = middle + half * node;
                let value = a + s * (b + s * (c + s * d));
                sum += half * weight * value * value;
            }
        }
        sum
    }

    fn time(&self, index: usize) -> SimTime {
        SimTime::from_seconds(self.times[index])
    }

    fn value(&self, index: usize, component: usize) -> f64 {
        self.values[index * self.width + component]
    }

    /// The piece in which a time lies, the later one where two meet, the last one beyond all.
    fn piece_at(&self, time: SimTime) -> Option<usize> {
        let after = self.times.partition_point(|known| *known <= time.seconds());
        let mut piece = after.saturating_sub(1).min(self.times.len().checked_sub(2)?);
        // A jump has no length.
        while piece > 0 && self.times[piece] == self.times[piece + 1] {
            piece -= 1;
        }
        (self.times[piece] < self.times[piece + 1]).then_some(piece)
    }

    /// The law from one point to the next, as a polynomial of the time since the first of the two.
    fn polynomial(&self, piece: usize, component: usize, rule: Interpolation) -> [f64; 4] {
        let base = self.times[piece];
        let point = |index: usize| (self.times[index] - base, self.value(index, component));
        let ((_, y0), (h, y1)) = (point(piece), point(piece + 1));
        if h == 0.0 {
            return [y1, 0.0, 0.0, 0.0];
        }
        if rule == Interpolation::Hold {
            return [y0, 0.0, 0.0, 0.0];
        }
        let slope = (y1 - y0) / h;
        if rule == Interpolation::Linear {
            return [y0, slope, 0.0, 0.0];
        }
        if h > self.widest {
            return [y0, slope, 0.0, 0.0];
        }
        let (third, fourth) = self.neighbours(piece);
        let Some((x2, y2)) = third.map(point) else {
            return [y0, slope, 0.0, 0.0];
        };
        // Newton's form, on the points 0, h, x2, x3.
        let second = ((y2 - y0) / x2 - slope) / (x2 - h);
        let Some((x3, y3)) = fourth.map(point) else {
            return [y0, slope - h * second, second, 0.0];
        };
        let cubic = (((y3 - y0) / x3 - slope) / (x3 - h) - second) / (x3 - x2);
        [
            y0,
            slope - h * second + h * x2 * cubic,
            second - (h + x2) * cubic,
            cubic,
        ]
    }

    /// Two more points for a cubic: one on each side, or both on one side where the other has none. None lies behind a jump or far away.
    fn neighbours(&self, piece: usize) -> (Option<usize>, Option<usize>) {
        let left = |index: usize| {
            let next = index.checked_sub(1)?;
            self.is_near(next, index).then_some(next)
        };
        let right = |index: usize| {
            let next = Some(index + 1).filter(|next| *next < self.times.len())?;
            self.is_near(index, next).then_some(next)
        };
        match (left(piece), right(piece + 1)) {
            (Some(before), Some(after)) => (Some(before), Some(after)),
            (Some(before), None) => (Some(before), left(before)),
            (None, Some(after)) => (Some(after), right(after)),
            (None, None) => (None, None),
        }
    }
}

impl Wave {
    /// Do two neighbouring points belong to one curve?
    fn is_near(&self, index: usize, next: usize) -> bool {
        let apart = self.times[next] - self.times[index];
        apart > 0.0 && apart <= self.widest
    }
}

impl Resumable for Wave {
    fn keep(&self, writer: &mut Writer) {
        writer.length(self.times.len());
        self.times.iter().for_each(|time| writer.real(*time));
        self.values.iter().for_each(|value| writer.real(*value));
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "waves";
        self.clear();
        let count = reader.length(8 * (1 + self.width), WHAT)?;
        for _ in 0..count {
            let time = reader.real(WHAT)?;
            if !time.is_finite() || self.times.back().is_some_and(|last| *last > time) {
                return Err(Damage::Nonsense { what: WHAT });
            }
            self.times.push_back(time);
        }
        for _ in 0..count * self.width {
            let value = reader.real(WHAT)?;
            if !value.is_finite() {
                return Err(Damage::Nonsense { what: WHAT });
            }
            self.values.push_back(value);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: f64) -> SimTime {
        SimTime::from_seconds(seconds)
    }

    /// Points of `1 + t - 2 t² + t³` at uneven times.
    fn cubic() -> Wave {
        let mut wave = Wave::new(1, 10.0);
        for t in [0.0, 0.4, 0.5, 1.1, 1.5, 2.5] {
            wave.push(at(t), [law(t)]);
        }
        wave
    }

    fn law(t: f64) -> f64 {
        1.0 + t * (1.0 + t * (-2.0 + t))
    }

    #[test]
    fn four_points_are_a_cubic() {
        let wave = cubic();
        for t in [0.0, 0.1, 0.4, 0.45, 0.8, 1.3, 1.6, 2.5] {
            assert!(
                (wave.at(0, at(t), Interpolation::Cubic) - law(t)).abs() < 1e-13,
                "{t}"
            );
        }
        let mut segments = Vec::new();
        let span = (at(0.2), at(2.0));
        wave.segments(
            0,
            span,
            Interpolation::Cubic,
            Resolution::of_step(1.0),
            &mut segments,
        );
        let ends: Vec<f64> = segments.iter().map(|s| s.until.seconds()).collect();
        assert_eq!(ends, [0.4, 0.5, 1.1, 1.5, 2.0]);
        assert!(segments.iter().all(|s| (s.at(at(0.7)) - law(0.7)).abs() < 1e-12));
    }

    #[test]
    fn between_two_points_a_line_is_their_chord() {
        let wave = cubic();
        let middle = 0.5 * (law(0.5) + law(1.1));
        assert!((wave.at(0, at(0.8), Interpolation::Linear) - middle).abs() < 1e-15);
    }

    #[test]
    fn what_is_held_is_its_newest_point_from_its_own_time_on() {
        let wave = cubic();
        for (t, point) in [
            (0.0, 0.0),
            (0.3, 0.0),
            (0.4, 0.4),
            (2.4, 1.5),
            (2.5, 2.5),
            (9.0, 2.5),
        ] {
            assert_eq!(wave.at(0, at(t), Interpolation::Hold), law(point), "{t}");
        }
    }

    #[test]
    fn nothing_is_read_across_a_jump() {
        let mut wave = Wave::new(2, 10.0);
        for (t, a) in [(0.0, 1.0), (1.0, 1.0), (1.0, 5.0), (2.0, 6.0), (3.0, 7.0)] {
            wave.push(at(t), [a, -a]);
        }
        for rule in [Interpolation::Linear, Interpolation::Cubic] {
            assert_eq!(wave.at(0, at(0.9), rule), 1.0);
            assert!((wave.at(0, at(1.1), rule) - 5.1).abs() < 1e-14);
            assert!((wave.at(1, at(2.5), rule) + 6.5).abs() < 1e-14);
            let mut segments = Vec::new();
            wave.segments(
                0,
                (at(0.5), at(2.5)),
                rule,
                Resolution::of_step(1.0),
                &mut segments,
            );
            let ends: Vec<f64> = segments.iter().map(|s| s.until.seconds()).collect();
            assert_eq!(ends, [1.0, 2.0, 2.5]);
            let resolution = Resolution::of_step(1.0);
            assert!(wave.jumps_at(at(1.0), resolution) && !wave.jumps_at(at(2.0), resolution));
            assert_eq!(wave.before(1, at(1.0), resolution), -1.0);
            assert_eq!(wave.after(1, at(1.0), resolution), -5.0);
            assert_eq!(segments[0].at(at(1.0)), 1.0);
            assert!((segments[1].at(at(1.0)) - 5.0).abs() < 1e-14);
        }
    }

    #[test]
    fn a_point_said_twice_is_no_jump() {
        let mut wave = Wave::new(1, 10.0);
        for (t, a) in [(0.0, 1.0), (1.0, 2.0), (1.0, 2.0), (2.0, 5.0)] {
            wave.push(at(t), [a]);
        }
        // The parabola through (0, 1), (1, 2), (2, 5) is 1 + t².
        assert!((wave.at(0, at(0.5), Interpolation::Cubic) - 1.25).abs() < 1e-15);
    }

    #[test]
    fn squares_are_integrated_exactly() {
        // ∫ (1 + t - 2 t² + t³)² from 0.2 to 2.3 by the antiderivative.
        let antiderivative = |t: f64| {
            let powers = [1.0, 1.0, -1.0, -0.5, 1.2, -2.0 / 3.0, 1.0 / 7.0];
            powers.iter().rev().fold(0.0, |sum, c| (sum + c) * t)
        };
        let exact = antiderivative(2.3) - antiderivative(0.2);
        let found = cubic().square(0, (at(0.2), at(2.3)), Interpolation::Cubic);
        assert!((found - exact).abs() < 1e-12, "{found} {exact}");
    }

    #[test]
    fn points_far_apart_are_joined_by_chords() {
        let mut wave = Wave::new(1, 1.0);
        for t in [0.0, 0.5, 1.0, 3.0] {
            wave.push(at(t), [t * t]);
        }
        assert!((wave.at(0, at(0.25), Interpolation::Cubic) - 0.0625).abs() < 1e-15);
        assert!((wave.at(0, at(2.0), Interpolation::Cubic) - 5.0).abs() < 1e-15);
    }

    #[test]
    fn what_nobody_reads_is_forgotten() {
        let mut wave = Wave::new(1, 10.0);
        for k in 0..1000 {
            wave.push(at(f64::from(k)), [f64::from(k * k)]);
            wave.forget_before(at(f64::from(k) - 10.0));
        }
        assert!(wave.times.len() < 20);
        assert!((wave.at(0, at(990.5), Interpolation::Cubic) - 990.5 * 990.5).abs() < 1e-6);
    }
}
