//! What came over a line: samples in the order of their times, and how they are read between them.

/// How a track is read between its samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Interpolation {
    /// Straight lines, as the public plugin reads.
    #[default]
    Linear,
    /// The cubic through two samples on either side, as far as they are there and no jump lies between them. (One through
    /// three before and one after would make waves of some frequencies larger, which a line without losses never
    /// forgives.)
    Cubic,
}

/// How to read at an instant: the rule, and what may be looked at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reading {
    /// The rule.
    pub rule: Interpolation,
    /// The sample after the next one is looked at if the next one is not later than this; otherwise the cubic is a
    /// straight line. Whether a later one is there already is chance, which must not matter.
    pub settled: f64,
    /// Samples further apart than this are joined straight: whoever takes such steps may wait for us before the next one.
    pub widest: f64,
}

impl Reading {
    /// Straight lines.
    pub const LINEAR: Reading = Reading {
        rule: Interpolation::Linear,
        settled: f64::INFINITY,
        widest: f64::INFINITY,
    };

    /// By a rule, where all samples are there.
    pub fn of_all(rule: Interpolation) -> Self {
        Reading {
            rule,
            settled: f64::INFINITY,
            widest: f64::INFINITY,
        }
    }
}

/// Where an instant lies among the samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// There are none.
    Nowhere,
    /// Before the first one, or on a sample: the one of that index.
    At(usize),
    /// Truly between the sample of that index and the next one.
    Between(usize),
    /// After the last one.
    After,
}

/// Samples of some numbers, in the order of their times.
///
/// Two samples may have the same time: the track jumps there. At the instant itself the earlier one counts.
#[derive(Clone, Debug)]
pub struct Track {
    /// Numbers in a sample, the time among them.
    width: usize,
    numbers: Vec<f64>,
    /// Numbers at the beginning that nobody will ask for again.
    gone: usize,
}

/// Numbers that may lie about before the memory is taken back.
const SLACK: usize = 4096;

impl Track {
    /// A track whose samples are a time and `values` more numbers.
    pub fn new(values: usize) -> Self {
        Track {
            width: values + 1,
            numbers: Vec::new(),
            gone: 0,
        }
    }

    /// How many samples there are.
    pub fn len(&self) -> usize {
        (self.numbers.len() - self.gone) / self.width
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A sample: its time and its values.
    pub fn sample(&self, index: usize) -> &[f64] {
        &self.numbers[self.gone + index * self.width..][..self.width]
    }

    /// The time of a sample.
    pub fn time(&self, index: usize) -> f64 {
        self.numbers[self.gone + index * self.width]
    }

    /// The time of the last sample.
    pub fn last_time(&self) -> Option<f64> {
        self.len().checked_sub(1).map(|last| self.time(last))
    }

    /// Appends a sample. One that is earlier than the last is refused: what lies before the last may have been read.
    pub fn push(&mut self, sample: &[f64]) -> bool {
        debug_assert_eq!(sample.len(), self.width);
        if self.last_time().is_some_and(|last| sample[0] < last) {
            return false;
        }
        self.numbers.extend_from_slice(sample);
        true
    }

    /// Takes back the last sample.
    pub fn pop(&mut self) {
        if !self.is_empty() {
            self.numbers.truncate(self.numbers.len() - self.width);
        }
    }

    /// Forgets all samples.
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.gone = 0;
    }

    /// Forgets samples before `time`, but for the last `keep` of them.
    pub fn forget(&mut self, time: f64, keep: usize) {
        let before = self.first_from(time);
        self.gone += before.saturating_sub(keep) * self.width;
        if self.gone > SLACK && self.gone * 2 > self.numbers.len() {
            self.numbers.drain(..self.gone);
            self.gone = 0;
        }
    }

    /// The index of the first sample at `time` or later.
    pub fn first_from(&self, time: f64) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = (low + high) / 2;
            if self.time(middle) < time {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Where `time` lies.
    pub fn place(&self, time: f64) -> Place {
        let next = self.first_from(time);
        match next {
            _ if self.is_empty() => Place::Nowhere,
            _ if next == self.len() => Place::After,
            0 => Place::At(0),
            _ if self.time(next) == time => Place::At(next),
            _ => Place::Between(next - 1),
        }
    }

    /// Writes the values from `column` on (the time is column 0) at `time`. Before the first sample it counts, after the last
    /// one that. An empty track answers `false` and writes nothing.
    pub fn read(&self, time: f64, column: usize, reading: Reading, values: &mut [f64]) -> bool {
        let copy = |index: usize, values: &mut [f64]| {
            values.copy_from_slice(&self.sample(index)[column..][..values.len()]);
        };
        match self.place(time) {
            Place::Nowhere => return false,
            Place::At(index) => copy(index, values),
            Place::After => copy(self.len() - 1, values),
            Place::Between(index) => {
                self.blend(self.stencil(index, reading), time, column, values);
            }
        }
        true
    }

    /// Are all samples there that a reading at `time` looks at? `same` is by how much a sample may be earlier and
    /// still be the one at that instant.
    pub fn suffices(&self, time: f64, same: f64, reading: Reading) -> bool {
        let next = self.first_from(time - same);
        let on_it = next < self.len() && self.time(next) <= time + same;
        on_it || self.suffices_before(time, same, reading)
    }

    /// The same for readings at all instants before `time`: on a sample, the law that ends there may need the one after it.
    pub fn suffices_before(&self, time: f64, same: f64, reading: Reading) -> bool {
        let next = self.first_from(time - same);
        next < self.len() && (!self.looks_on(next, reading) || next + 1 < self.len())
    }

    /// Does the law up to the sample of that index look at the one after it?
    fn looks_on(&self, next: usize, reading: Reading) -> bool {
        reading.rule == Interpolation::Cubic
            && self.time(next) <= reading.settled
            && next > 0
            && self.time(next) - self.time(next - 1) <= reading.widest
    }

    /// The samples that make the law between that of `index` and the next one.
    fn stencil(&self, index: usize, reading: Reading) -> std::ops::RangeInclusive<usize> {
        let (mut first, mut last) = (index, index + 1);
        if self.looks_on(last, reading) && last + 1 < self.len() {
            if self.time(last) < self.time(last + 1) {
                last += 1;
            }
            if first > 0 && self.time(first - 1) < self.time(first) {
                first -= 1;
            }
        }
        first..=last
    }

    /// The polynomial through samples of different times.
    fn blend(&self, samples: std::ops::RangeInclusive<usize>, time: f64, column: usize, values: &mut [f64]) {
        values.fill(0.0);
        for index in samples.clone() {
            let here = self.time(index);
            let others = samples.clone().filter(|other| *other != index);
            let weight: f64 = others
                .map(|other| (time - self.time(other)) / (here - self.time(other)))
                .product();
            for (value, number) in values.iter_mut().zip(&self.sample(index)[column..]) {
                *value += weight * number;
            }
        }
    }

    /// The instants truly between `from` and `to` at which the law between the samples changes, shifted by `shift`.
    pub fn breaks(&self, from: f64, to: f64, shift: f64, found: &mut Vec<f64>) {
        for index in self.first_from(from - shift)..self.len() {
            let at = self.time(index) + shift;
            if at >= to {
                break;
            }
            if at > from {
                found.push(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(samples: &[(f64, f64)]) -> Track {
        let mut track = Track::new(1);
        for (time, value) in samples {
            assert!(track.push(&[*time, *value]));
        }
        track
    }

    fn read(track: &Track, time: f64, rule: Interpolation) -> f64 {
        let mut value = [f64::NAN];
        assert!(track.read(time, 1, Reading::of_all(rule), &mut value));
        value[0]
    }

    #[test]
    fn straight_between_and_held_beyond() {
        let track = track(&[(1.0, 10.0), (2.0, 20.0), (4.0, 0.0)]);
        let at = |time| read(&track, time, Interpolation::Linear);
        assert_eq!(
            [0.0, 1.0, 1.25, 2.0, 3.0, 4.0, 5.0].map(at),
            [10.0, 10.0, 12.5, 20.0, 10.0, 0.0, 0.0]
        );
        assert!(!Track::new(1).read(0.0, 1, Reading::LINEAR, &mut [0.0]));
    }

    #[test]
    fn four_samples_make_a_cubic() {
        let cubic = |t: f64| 1.0 - 2.0 * t + 0.5 * t * t * t;
        let times = [0.0, 0.3, 1.0, 1.2, 2.0, 2.5];
        let track = track(&times.map(|t| (t, cubic(t))));
        for time in [0.4, 1.1, 1.9] {
            assert!((read(&track, time, Interpolation::Cubic) - cubic(time)).abs() < 1e-14);
        }
    }

    /// What is not settled is read straight, whether or not the next sample is there.
    #[test]
    fn the_sample_after_the_next_counts_by_rule() {
        let mut track = track(&[(0.0, 0.0), (1.0, 1.0), (2.0, 4.0)]);
        let reading = |settled| Reading {
            rule: Interpolation::Cubic,
            settled,
            widest: f64::INFINITY,
        };
        let read = |track: &Track, settled| {
            let mut value = [0.0];
            track.read(1.5, 1, reading(settled), &mut value);
            value[0]
        };
        assert!(!track.suffices(1.5, 0.0, reading(2.0)) && track.suffices(1.5, 0.0, reading(1.9)));
        // On a sample nothing else matters, just before it the next one does.
        assert!(track.suffices(2.0, 0.0, reading(2.0)) && !track.suffices_before(2.0, 0.0, reading(2.0)));
        track.push(&[3.0, 9.0]);
        assert!(track.suffices(1.5, 0.0, reading(2.0)) && track.suffices_before(2.0, 0.0, reading(2.0)));
        assert_eq!((read(&track, 2.0), read(&track, 1.9)), (2.25, 2.5));
    }

    /// Two samples of one time are a jump; nothing is divided by zero and nothing is smoothed across.
    #[test]
    fn repeated_times_are_jumps() {
        let track = track(&[(0.0, 0.0), (1.0, 1.0), (1.0, 5.0), (2.0, 7.0)]);
        for rule in [Interpolation::Linear, Interpolation::Cubic] {
            let at = |time| read(&track, time, rule);
            assert_eq!([0.5, 1.0, 1.5, 2.0].map(at), [0.5, 1.0, 6.0, 7.0]);
        }
    }

    #[test]
    fn the_past_does_not_change_and_is_forgotten() {
        let mut track = track(&[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]);
        assert!(!track.push(&[2.5, 9.0]));
        track.forget(2.5, 2);
        assert_eq!((track.len(), track.time(0)), (3, 1.0));
        for k in 4..20_000 {
            track.push(&[f64::from(k), f64::from(k)]);
            track.forget(f64::from(k) - 2.5, 2);
        }
        assert!(track.len() < 8 && track.numbers.len() < 3 * SLACK);
        assert_eq!(read(&track, 19_998.5, Interpolation::Cubic), 19_998.5);
    }

    #[test]
    fn breaks_lie_inside() {
        let track = track(&[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]);
        let mut found = Vec::new();
        track.breaks(1.0, 3.0, 0.5, &mut found);
        assert_eq!(found, [1.5, 2.5]);
        found.clear();
        track.breaks(1.5, 2.5, 0.5, &mut found);
        assert!(found.is_empty());
    }
}
