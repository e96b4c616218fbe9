//! Seconds of a component and seconds of the system.

use cardan_core::time::SimTime;

/// How long a second of the component is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Clock {
    second: f64,
}

impl Clock {
    pub(crate) fn new(second: f64) -> Self {
        Clock { second }
    }

    pub(crate) fn second(self) -> f64 {
        self.second
    }

    pub(crate) fn is_the_same(self) -> bool {
        self.second == 1.0
    }

    /// What the component calls an instant of the system.
    pub(crate) fn inward(self, time: SimTime) -> SimTime {
        match self.is_the_same() {
            true => time,
            false => SimTime::from_seconds(time.seconds() / self.second),
        }
    }

    /// What the system calls an instant of the component. The way back leads to the same bits, where there is such an
    /// instant, else not before them: who is called at an event must find that it has come.
    pub(crate) fn outward(self, time: SimTime) -> SimTime {
        if self.is_the_same() || !time.seconds().is_finite() {
            return time;
        }
        let near = time.seconds() * self.second;
        let there = |seconds: f64| SimTime::from_seconds(seconds);
        let candidates = [near, near.next_down(), near.next_up(), near.next_up().next_up()];
        let exact = candidates.iter().find(|c| self.inward(there(**c)) == time);
        let later = || candidates.iter().find(|c| self.inward(there(**c)) > time);
        there(exact.or_else(later).copied().unwrap_or(near))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_come_back_or_are_not_early() {
        for second in [1e-3, 0.3, 60.0, 1.0] {
            let clock = Clock::new(second);
            for k in 1..2000 {
                let own = SimTime::from_seconds(0.37 * f64::from(k));
                let again = clock.inward(clock.outward(own));
                assert!(again >= own, "{own} in units of {second}");
                assert!(again.since(own) <= 2.0 * f64::EPSILON * own.seconds());
            }
        }
    }
}
