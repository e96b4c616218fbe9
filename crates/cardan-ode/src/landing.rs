//! How steps approach a limit, and how long they may be.

use crate::{SolveError, SolverSettings};

/// A step may be this much longer than wanted if it reaches the limit with it.
const STRETCH: f64 = 0.05;

/// A time that no step passes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Limit {
    /// All steps lead there. From some steps before it on, the rest is divided evenly: that leaves no sliver at the end, and
    /// limits at regular distances see steps of one size again and again, which spares a multistep method its rescaling.
    Goal(f64),
    /// It is in the way, and may lie elsewhere for the next step. Only the last two steps are made to fit.
    Wall(f64),
}

impl Limit {
    pub(crate) fn time(self) -> f64 {
        match self {
            Limit::Goal(t) | Limit::Wall(t) => t,
        }
    }

    /// From so many steps before it on, the rest is divided evenly.
    fn even_from(self) -> f64 {
        match self {
            Limit::Goal(_) => 8.0,
            Limit::Wall(_) => 2.0,
        }
    }
}

/// The end of a step of about `wanted` from `t` towards `limit`, which it reaches exactly or not at all.
fn approach(t: f64, wanted: f64, limit: Limit) -> f64 {
    let room = limit.time() - t;
    let steps = room / wanted;
    if steps <= 1.0 + STRETCH {
        limit.time()
    } else if steps < limit.even_from() {
        t + room / (steps - STRETCH).ceil()
    } else {
        t + wanted
    }
}

/// The smallest step that still moves time in a useful way: a few units in its last place.
pub(crate) fn smallest(t: f64) -> f64 {
    16.0 * f64::EPSILON * t.abs().max(f64::MIN_POSITIVE / f64::EPSILON)
}

/// The steps the user allows an adaptive method to want.
#[derive(Debug)]
pub(crate) struct StepRange {
    longest: f64,
    shortest: f64,
}

impl StepRange {
    pub(crate) fn new(settings: &SolverSettings) -> Self {
        Self {
            // What is wanted may be stretched; what is taken must not exceed the user's word.
            longest: settings
                .max_step
                .map_or(f64::INFINITY, |step| step / (1.0 + STRETCH)),
            shortest: settings.min_step.unwrap_or(0.0),
        }
    }

    /// The nearest step to want.
    pub(crate) fn cap(&self, step: f64) -> f64 {
        step.max(self.shortest).min(self.longest)
    }

    /// The end of the next step, unless what is wanted no longer moves time.
    pub(crate) fn next(&self, t: f64, wanted: f64, limit: Limit) -> Result<f64, SolveError> {
        let to = approach(t, wanted, limit);
        let smallest = smallest(t);
        if to < limit.time() && to - t < 0.5 * smallest {
            return Err(SolveError::StepTooSmall { t, smallest });
        }
        Ok(to)
    }

    /// The next shorter step at `t` after one of size `h` missed the tolerance, if there is one.
    pub(crate) fn shorter(&self, t: f64, h: f64, factor: f64) -> Result<f64, SolveError> {
        let smallest = self.shortest.max(smallest(t));
        // Time is rounded, and steps are stretched a little: as good as the smallest is the smallest.
        if h <= (1.0 + 2.0 * STRETCH) * smallest {
            return Err(SolveError::StepTooSmall { t, smallest });
        }
        Ok((h * factor).max(smallest))
    }
}

/// Whether half a step of size `h` at `t` still moves time.
pub(crate) fn divisible(t: f64, h: f64) -> bool {
    h > 2.0 * smallest(t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_limit_is_reached_exactly_and_without_a_sliver(
            t in -1e3..1e3_f64, wanted in 1e-3..10.0_f64, room in 1e-3..10.0_f64,
        ) {
            for limit in [Limit::Goal(t + room), Limit::Wall(t + room)] {
                let (mut now, mut shortest, mut longest, mut steps) = (t, f64::INFINITY, 0.0_f64, 0);
                while now < limit.time() {
                    let end = approach(now, wanted, limit);
                    shortest = shortest.min(end - now);
                    longest = longest.max(end - now);
                    (now, steps) = (end, steps + 1);
                    prop_assert!(steps < 20_000);
                }
                prop_assert_eq!(now.to_bits(), limit.time().to_bits());
                prop_assert!(longest <= wanted * (1.0 + STRETCH) * (1.0 + 1e-9));
                // Halves are the worst case: room for just more than one stretched step.
                prop_assert!(shortest >= room.min(0.5 * wanted) * (1.0 - 1e-9));
            }
        }
    }

    #[test]
    fn a_wall_three_steps_ahead_changes_nothing() {
        assert_eq!(approach(0.0, 1.0, Limit::Wall(2.9)), 1.0);
        assert_eq!(approach(0.0, 1.0, Limit::Wall(1.9)), 0.95);
        assert!(approach(0.0, 1.0, Limit::Goal(2.9)) < 1.0);
    }

    #[test]
    fn regular_limits_give_equal_steps() {
        let wanted = 0.6e-3;
        let mut t = 0.0;
        for k in 1..=100 {
            let limit = f64::from(k) * 1e-3;
            while t < limit {
                let end = approach(t, wanted, Limit::Goal(limit));
                assert!((end - t - 0.5e-3).abs() < 1e-15);
                t = end;
            }
        }
    }
}
