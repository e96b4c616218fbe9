//! Simulated time, and the two ways an instant comes into being: as a point of a [`Grid`] or as an event.
//!
//! Adding a step to a time again and again collects rounding errors, so nothing here offers that. Two
//! instants that were computed on different ways (3 · 0.001 s and 1 · 0.003 s) may differ in their last
//! bits; [`Resolution`] is the one place that decides whether they are the same instant.

use std::fmt;

/// An instant of simulated time in seconds. Never NaN inside the engine.
#[derive(Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct SimTime(f64);

impl SimTime {
    /// Before everything.
    pub const PAST: SimTime = SimTime(f64::NEG_INFINITY);
    /// After everything.
    pub const FUTURE: SimTime = SimTime(f64::INFINITY);

    /// The instant `seconds` after the origin of time.
    pub const fn from_seconds(seconds: f64) -> Self {
        SimTime(seconds)
    }

    /// Seconds since the origin of time.
    pub const fn seconds(self) -> f64 {
        self.0
    }

    /// The earlier of two instants.
    #[must_use]
    pub fn min(self, other: SimTime) -> SimTime {
        if other.0 < self.0 { other } else { self }
    }

    /// The later of two instants.
    #[must_use]
    pub fn max(self, other: SimTime) -> SimTime {
        if other.0 > self.0 { other } else { self }
    }

    /// Seconds from `earlier` to here.
    pub fn since(self, earlier: SimTime) -> f64 {
        self.0 - earlier.0
    }

    /// The instant `seconds` later, where there is no grid to make it.
    pub fn after(self, seconds: f64) -> SimTime {
        SimTime(self.0 + seconds)
    }
}

impl fmt::Debug for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", self.0)
    }
}

impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Equidistant instants `start + k · step`.
///
/// Where the step is the reciprocal of a whole number (1 ms, 0.1 s, 1/3 s) the offset is computed as
/// `k / n`, which is correctly rounded: the 300th point of a 1 ms grid is 0.3 and not 0.30000000000000004.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    start: f64,
    step: f64,
    per_second: Option<f64>,
}

impl Grid {
    /// A grid from `start` with a positive, finite `step`; callers check the step beforehand.
    pub fn new(start: SimTime, step: f64) -> Self {
        debug_assert!(step > 0.0 && step.is_finite());
        let rounded = (1.0 / step).round();
        let reciprocal = (1.0 / rounded - step).abs() <= f64::EPSILON * step && rounded >= 1.0;
        Grid {
            start: start.seconds(),
            step,
            per_second: reciprocal.then_some(rounded),
        }
    }

    /// The distance of neighbouring instants in seconds.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// The `k`-th instant; negative ones lie before the start.
    pub fn at(&self, k: i64) -> SimTime {
        let k = k as f64;
        SimTime(match self.per_second {
            Some(n) => self.start + k / n,
            None => self.start + k * self.step,
        })
    }

    /// How many whole steps fit between the start and `time`, a point within `resolution` of it included.
    pub fn count_to(&self, time: SimTime, resolution: Resolution) -> i64 {
        let ratio = (time.seconds() - self.start) / self.step;
        let mut k = ratio.floor() as i64;
        // Rounding in the quotient can be off by one either way; the instants themselves decide.
        while resolution.reached(time, self.at(k + 1)) {
            k += 1;
        }
        while k > 0 && !resolution.reached(time, self.at(k)) {
            k -= 1;
        }
        k
    }
}

/// Decides whether two instants are the same one: the only tolerant comparison of times in the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution(f64);

impl Resolution {
    /// Instants closer than a millionth of the smallest step of a run are one instant.
    pub fn of_step(smallest: f64) -> Self {
        Resolution(1e-6 * smallest)
    }

    /// Are `a` and `b` the same instant?
    pub fn same(self, a: SimTime, b: SimTime) -> bool {
        (a.0 - b.0).abs() <= self.0
    }

    /// Is `a` at `b` or after it?
    pub fn reached(self, a: SimTime, b: SimTime) -> bool {
        a.0 >= b.0 - self.0
    }

    /// The latest instant that still counts as `time`.
    #[inline]
    pub fn just_after(self, time: SimTime) -> SimTime {
        SimTime(time.0 + self.0)
    }

    /// The latest instant that is truly before `time`.
    pub fn just_before(self, time: SimTime) -> SimTime {
        SimTime(time.0 - 2.0 * self.0)
    }

    /// The first of two instants; where they are the same one, `b`.
    pub fn earlier(self, a: SimTime, b: SimTime) -> SimTime {
        if self.before(a, b) { a } else { b }
    }

    /// Is `a` truly before `b`?
    pub fn before(self, a: SimTime, b: SimTime) -> bool {
        a.0 < b.0 - self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_steps_give_decimal_instants() {
        let grid = Grid::new(SimTime::default(), 0.001);
        for k in 0..10_000_i64 {
            let decimal: f64 = format!("{}.{:03}", k / 1000, k % 1000).parse().unwrap();
            assert_eq!(grid.at(k).seconds(), decimal);
        }
    }

    #[test]
    fn a_million_steps_do_not_drift() {
        let grid = Grid::new(SimTime::default(), 3e-4);
        // One rounding of the product, none of a sum: half a unit in the last place of 300.
        assert!((grid.at(1_000_000).seconds() - 300.0).abs() <= 300.0 * f64::EPSILON);
    }

    #[test]
    fn counts_whole_steps_across_rounding() {
        let grid = Grid::new(SimTime::from_seconds(-5.0), 0.1);
        let resolution = Resolution::of_step(0.1);
        for k in 0..200 {
            assert_eq!(grid.count_to(grid.at(k), resolution), k);
            assert_eq!(grid.count_to(SimTime(grid.at(k).seconds() + 0.05), resolution), k);
        }
    }

    #[test]
    fn resolution_merges_different_ways_to_one_instant() {
        let resolution = Resolution::of_step(0.001);
        let a = Grid::new(SimTime::default(), 0.003).at(7);
        let b = Grid::new(SimTime::default(), 0.007).at(3);
        assert!(resolution.same(a, b));
        assert!(resolution.reached(a, b) && resolution.reached(b, a));
        assert!(!resolution.before(a, b) && !resolution.before(b, a));
        assert!(resolution.before(a, SimTime(b.seconds() + 1e-6)));
    }
}
