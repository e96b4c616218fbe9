//! Values of which their source says that they stay.
//!
//! A participant at rest, or one that samples, may know up to when its outputs stay as they are. No reading may then
//! extrapolate how they changed before. A promise is about one point: it goes with the point, and does not concern later
//! ones.

use super::History;
use crate::time::SimTime;

impl History {
    /// The source promises that the latest row stays as it is up to `until`; there must be one. A row that is written anew
    /// at the same instant keeps its promise, until there is another one: [`SimTime::PAST`] takes it back.
    ///
    /// Beyond this point all readings hold its value. So they do after the end of the promise: what changed before a stretch
    /// of rest says nothing of what comes after it. Between two points the points alone say what was.
    pub fn hold_until(&mut self, until: SimTime) {
        if self.promises.is_empty() && until > self.latest() {
            self.promises = vec![SimTime::PAST.seconds(); self.mask as usize + 1].into();
            self.plain = false;
        }
        self.promise(self.newest(), until);
    }

    /// Up to when the row of point `index` was promised to stay as it is, or the past.
    pub fn promised(&self, index: usize) -> SimTime {
        self.promised_in(self.slot(index))
    }

    /// Was the row of point `index` promised to stay for a while?
    #[inline]
    pub(in crate::signal) fn stays(&self, index: usize) -> bool {
        !self.promises.is_empty() && self.promised(index) > self.time(index)
    }

    pub(super) fn promised_in(&self, slot: usize) -> SimTime {
        let promised = self.promises.get(slot).copied();
        promised.map_or(SimTime::PAST, SimTime::from_seconds)
    }

    pub(super) fn promise(&mut self, slot: usize, until: SimTime) {
        if let Some(promised) = self.promises.get_mut(slot) {
            *promised = until.seconds();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::signal::{History, Reading, Segment};
    use crate::time::{Resolution, SimTime};

    fn at(seconds: f64) -> SimTime {
        SimTime::from_seconds(seconds)
    }

    fn rules() -> impl Iterator<Item = Reading> {
        Reading::NAMES.iter().map(|name| name.parse().unwrap())
    }

    fn squares() -> History {
        History::of_points(&[(0.0, 0.0), (1.0, 1.0), (2.0, 4.0)])
    }

    #[test]
    fn what_was_promised_is_held_by_every_rule() {
        let mut history = squares();
        history.hold_until(at(5.0));
        assert_eq!(history.promised(2), at(5.0));
        let resolution = Resolution::of_step(1.0);
        for reading in rules() {
            let signal = history.signal(0);
            for time in [2.5, 5.0, 9.0] {
                assert_eq!(signal.read(reading, at(time)), 4.0, "{reading}");
            }
            let step = (at(2.0), at(3.0));
            let mut single = Segment::constant(f64::NAN, SimTime::PAST);
            assert!(signal.single_segment(reading, step, at(2.0), resolution, &mut single));
            assert_eq!(single, Segment::constant(4.0, at(3.0)), "{reading}");
            let mut pieces = Vec::new();
            signal.segments(reading, (at(1.0), at(3.0)), at(2.0), resolution, &mut pieces);
            assert_eq!(pieces.len(), 2);
            assert_eq!(pieces[1], single, "{reading}");
        }
    }

    #[test]
    fn a_promise_goes_with_its_point() {
        let unpromised = squares();
        let mut history = squares();
        history.hold_until(at(5.0));
        history.publish(at(3.0), SimTime::PAST).reals[0] = 9.0;
        for reading in rules() {
            let read = |history: &History, time| history.signal(0).read(reading, at(time));
            let seen = |visible| history.signal(0).read_visible(reading, at(3.5), at(visible));
            assert_eq!(seen(2.0), 4.0, "the later point is not seen by {reading}");
            assert_eq!(read(&history, 1.5), read(&unpromised, 1.5), "{reading}");
        }
        assert_eq!(history.signal(0).read(Reading::LINE, at(4.0)), 14.0);
        history.rewind(at(2.0));
        assert_eq!(history.signal(0).read(Reading::LINE, at(4.0)), 4.0);
        history.rewind(at(1.0));
        history.publish(at(2.0), SimTime::PAST).reals[0] = 4.0;
        assert_eq!(history.signal(0).read(Reading::LINE, at(3.0)), 7.0);
    }

    #[test]
    fn promises_outlive_growth_and_thinning_and_are_taken_back() {
        let mut history = squares();
        history.hold_until(at(50.0));
        for k in 3..20 {
            history.publish(at(f64::from(k)), SimTime::PAST).reals[0] = 0.0;
        }
        assert_eq!(history.promised(2), at(50.0));
        assert_eq!(history.promised(3), SimTime::PAST);
        history.hold_until(at(30.0));
        history.thin();
        assert_eq!(history.promised(history.len() - 1), at(30.0));
        history.hold_until(SimTime::PAST);
        assert!(!history.stays(history.len() - 1));
    }

    /// Nothing turns any more.
    #[test]
    fn rotations_stand_still() {
        let mut history = History::new(crate::planes::Extent {
            reals: 4,
            ..Default::default()
        });
        let (s, c) = 0.4_f64.sin_cos();
        for (k, row) in [[1.0, 0.0, 0.0, 0.0], [c, 0.0, s, 0.0]].iter().enumerate() {
            let point = history.publish(at(k as f64), SimTime::PAST);
            point.reals.copy_from_slice(row);
        }
        assert_ne!(history.rotation(0, at(1.5)), [c, 0.0, s, 0.0]);
        history.hold_until(at(2.0));
        assert_eq!(history.rotation(0, at(1.5)), [c, 0.0, s, 0.0]);
        assert_ne!(history.rotation(0, at(0.5)), [c, 0.0, s, 0.0]);
        let mut lists: [Vec<Segment>; 4] = Default::default();
        let step = (at(0.5), at(2.0));
        history.rotation_segments(0, step, at(1.0), Resolution::of_step(1.0), lists.each_mut());
        assert_eq!(lists[2].len(), 2);
        assert_eq!(lists[2][1], Segment::constant(s, at(2.0)));
    }
}
