//! The way to a limit in equal steps.

use crate::memory::{Reader, Writer};

/// Fractions of a step below this are rounding and do not make one more step.
const ROUNDING: f64 = 1e-6;

/// Equal steps from a time to a limit. Times are computed from the ends and the step's number, never by adding, so
/// that they do not drift and the last one is the limit itself.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Plan {
    from: f64,
    limit: f64,
    steps: u32,
    taken: u32,
}

impl Plan {
    /// Steps no longer than `step`; a single one if none is given.
    pub(crate) fn new(from: f64, limit: f64, step: Option<f64>) -> Self {
        let steps = step.map_or(1.0, |step| ((limit - from) / step - ROUNDING).ceil().max(1.0));
        // A cast saturates: more steps than that are not taken in a lifetime.
        Self {
            from,
            limit,
            steps: steps as u32,
            taken: 0,
        }
    }

    /// Whether the plan still has a step to take, from `t` towards `limit`.
    pub(crate) fn leads(&self, t: f64, limit: f64) -> bool {
        self.taken < self.steps && self.limit == limit && self.time(self.taken) == t
    }

    /// The end of the next step.
    pub(crate) fn next(&self) -> f64 {
        self.time(self.taken + 1)
    }

    pub(crate) fn take(&mut self) {
        self.taken += 1;
    }

    /// Halves the steps that remain from `t` on.
    pub(crate) fn refine(&mut self, t: f64) {
        let left = (self.steps - self.taken).saturating_mul(2);
        *self = Self {
            from: t,
            limit: self.limit,
            steps: left,
            taken: 0,
        };
    }

    fn time(&self, k: u32) -> f64 {
        if k >= self.steps {
            return self.limit;
        }
        self.from + f64::from(k) * (self.limit - self.from) / f64::from(self.steps)
    }

    pub(crate) fn save(&self, memory: &mut Writer<'_>) {
        memory.real(self.from);
        memory.real(self.limit);
        memory.integer(self.steps.into());
        memory.integer(self.taken.into());
    }

    pub(crate) fn restore(&mut self, memory: &mut Reader<'_>) {
        self.from = memory.real();
        self.limit = memory.real();
        self.steps = u32::try_from(memory.integer()).unwrap_or(0);
        self.taken = u32::try_from(memory.integer()).unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rounding_makes_no_extra_step() {
        // (0.3 - 0.0) / 0.1 is 2.9999999999999996, (0.7 - 0.6) / 0.1 is 0.9999999999999998, 1.1 / 0.1 is 11.000000000000002.
        for (from, limit, steps) in [(0.0, 0.3, 3), (0.6, 0.7, 1), (0.0, 1.1, 11)] {
            assert_eq!(Plan::new(from, limit, Some(0.1)).steps, steps);
        }
    }

    proptest! {
        #[test]
        fn the_last_time_is_the_limit_bit_for_bit(
            from in -1e6..1e6_f64, room in 1e-6..1e3_f64, parts in 0.3..500.0_f64,
        ) {
            let limit = from + room;
            let step = room / parts;
            let mut plan = Plan::new(from, limit, Some(step));
            let mut t = from;
            while plan.leads(t, limit) {
                let next = plan.next();
                prop_assert!(next > t);
                prop_assert!(next - t <= step * (1.0 + 2.0 * ROUNDING) + 4.0 * f64::EPSILON * limit.abs().max(from.abs()));
                t = next;
                plan.take();
            }
            prop_assert_eq!(t.to_bits(), limit.to_bits());
        }
    }
}
