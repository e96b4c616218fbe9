//! Which points lie where in time.
//!
//! Readers mostly want the newest point or the one before it, so these are looked at first. What lies farther back is found
//! in a time that grows with the logarithm of how far back it lies.

use super::History;
use crate::time::SimTime;

impl History {
    /// The index of the latest point at or before `time`, or the oldest there is.
    #[inline]
    pub fn index_at(&self, time: SimTime) -> usize {
        self.count_while(self.len(), |at| at <= time).saturating_sub(1)
    }

    /// The same, with its time and one real of its row.
    #[inline(always)]
    pub(in crate::signal) fn seen(&self, time: SimTime, column: usize) -> (usize, SimTime, f64) {
        let points: &[f64] = &self.points;
        let (stride, mask) = (self.stride as usize, self.mask);
        let place_of = |index: u32| (self.first.wrapping_add(index) & mask) as usize * stride;
        let mut index = self.len.saturating_sub(1);
        let mut place = place_of(index);
        if index > 0 && points[place] > time.seconds() {
            index -= 1;
            place = place_of(index);
            if index > 0 && points[place] > time.seconds() {
                index = self.index_at(time) as u32;
                place = place_of(index);
            }
        }
        let time = SimTime::from_seconds(points[place]);
        (index as usize, time, points[place + 1 + column])
    }

    /// How many of the first `end` points are `early`. None may be after one that is not.
    #[inline]
    pub(in crate::signal) fn count_while(&self, end: usize, early: impl Fn(SimTime) -> bool) -> usize {
        if end == 0 || early(self.time(end - 1)) {
            return end;
        }
        if end == 1 || early(self.time(end - 2)) {
            return end - 1;
        }
        self.count_far_back(end - 2, early)
    }

    /// The same, if the point with the index `late` is not early: strides back that double, then halves of the last one.
    #[cold]
    #[inline(never)]
    fn count_far_back(&self, mut late: usize, early: impl Fn(SimTime) -> bool) -> usize {
        let mut stride = 1;
        let mut count = loop {
            if late == 0 {
                return 0;
            }
            let probe = late.saturating_sub(stride);
            if early(self.time(probe)) {
                break probe + 1;
            }
            (late, stride) = (probe, 2 * stride);
        };
        while count < late {
            let middle = count + (late - count) / 2;
            match early(self.time(middle)) {
                true => count = middle + 1,
                false => late = middle,
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cell::Cell;

    fn history(times: impl Iterator<Item = f64>) -> History {
        let points: Vec<(f64, f64)> = times.map(|time| (time, -time)).collect();
        History::of_points(&points)
    }

    proptest! {
        /// The same as looking at one point after the other, whatever was dropped at either end.
        #[test]
        fn points_are_found_where_they_are(
            count in 0_u32..70,
            settled in 0_u32..70,
            ask in -2.0..72.0,
        ) {
            let mut history = history((0..count).map(f64::from));
            for k in 0..10 {
                let at = SimTime::from_seconds(f64::from(count + k));
                let settled = SimTime::from_seconds(f64::from(settled));
                history.publish(at, settled).reals[0] = -at.seconds();
            }
            let ask = SimTime::from_seconds(ask);
            let early = (0..history.len()).filter(|index| history.time(*index) <= ask).count();
            prop_assert_eq!(history.count_while(history.len(), |at| at <= ask), early);
            prop_assert_eq!(history.index_at(ask), early.saturating_sub(1));
            let (index, time, value) = history.seen(ask, 0);
            prop_assert_eq!((index, time.seconds()), (early.saturating_sub(1), -value));
        }
    }

    #[test]
    fn looking_far_back_takes_few_looks() {
        let history = history((0..100_000).map(f64::from));
        for ask in [0.5, 777.5, 99_000.5, 99_998.5, 99_999.5] {
            let looks = Cell::new(0);
            let count = history.count_while(history.len(), |at| {
                looks.set(looks.get() + 1);
                at.seconds() <= ask
            });
            assert_eq!(count, ask.ceil() as usize);
            let back = (history.len() - count) as f64;
            // Strides as long as the way back, halved down to one.
            let bound = 3.0 + 2.0 * (1.0 + back).log2();
            assert!(f64::from(looks.get()) <= bound, "{ask}: {}", looks.get());
        }
    }
}
