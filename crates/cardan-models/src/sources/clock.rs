//! The sampling instants of a sampled source.

use cardan_core::time::{Grid, Resolution, SimTime};

/// Ticks at `start + k · period`, before the start too.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    grid: Grid,
    resolution: Resolution,
}

impl Clock {
    pub(super) fn new(start: f64, period: f64) -> Self {
        Clock {
            grid: Grid::new(SimTime::from_seconds(start), period),
            resolution: Resolution::of_step(period),
        }
    }

    /// The tick at or before `t`. One that `t` misses by rounding counts as reached.
    pub(super) fn last(&self, t: f64) -> f64 {
        self.grid.at(self.count(t)).seconds()
    }

    /// The tick after that.
    pub(super) fn next(&self, t: f64) -> f64 {
        self.grid.at(self.count(t) + 1).seconds()
    }

    fn count(&self, t: f64) -> i64 {
        self.grid.count_to(SimTime::from_seconds(t), self.resolution)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_met_exactly_and_not_a_moment_early() {
        for period in [0.1, 1.0 / 3.0, 1e-3, 0.7] {
            for start in [0.0, -2.5] {
                let clock = Clock::new(start, period);
                let grid = Grid::new(SimTime::from_seconds(start), period);
                for k in -1000..5000 {
                    let tick = grid.at(k).seconds();
                    let added = start + k as f64 * period;
                    assert_eq!(clock.last(tick), tick);
                    assert_eq!(clock.last(added), tick, "reached on another way");
                    assert_eq!(clock.last(tick - 1e-3 * period), grid.at(k - 1).seconds());
                    assert_eq!(clock.next(tick), grid.at(k + 1).seconds());
                    assert_eq!(clock.next(tick - 1e-3 * period), tick);
                }
            }
        }
    }
}
