//! Events without end: at one instant, or ever closer together.

use cardan_core::participant::{Failure, Outcome};

/// So many rounds of event iteration at one instant are enough for any chain of events that ends.
const MOST_ROUNDS: u32 = 100;

/// So many events in a row may be close together.
const MOST_CLOSE: u32 = 1000;

/// Events are close if less than this part of a communication step lies between them.
const CLOSE: f64 = 1e-8;

/// And in any case if only rounding lies between them.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Counts events that come too fast.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Chatter {
    /// Where the last event was; none before the first.
    pub(super) last: Option<f64>,
    /// How many were close to the one before.
    pub(super) close: u32,
}

impl Chatter {
    /// An event at `t`, in a communication step of this length.
    pub(super) fn event(&mut self, t: f64, step: f64) -> Outcome<()> {
        let gap = self.last.map_or(f64::INFINITY, |last| t - last);
        self.last = Some(t);
        if gap > (CLOSE * step).max(ROUNDING * t.abs()) {
            self.close = 0;
            return Ok(());
        }
        self.close += 1;
        if self.close < MOST_CLOSE {
            return Ok(());
        }
        Err(Failure::numbers(format!(
            "the FMU chatters at t = {t} s: {MOST_CLOSE} events in a row, the last one {gap:e} s after the one before"
        ))
        .advise(
            "something switches to and fro without end: give it hysteresis or a rest position, as for a ball that \
             bounces ever lower",
        ))
    }
}

/// Refuses one more round after too many at one instant.
pub(super) fn another_round(rounds: u32, t: f64) -> Outcome<()> {
    if rounds < MOST_ROUNDS {
        return Ok(());
    }
    Err(Failure::numbers(format!(
        "event iteration does not end: at t = {t} s the FMU wants another round after {rounds}"
    ))
    .advise("its discrete equations switch each other to and fro; look for a loop of conditions in it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_at_a_distance_are_no_chatter() {
        let mut chatter = Chatter::default();
        for k in 0..10_000 {
            assert_eq!(chatter.event(f64::from(k) * 1e-6, 1.0), Ok(()));
        }
    }

    #[test]
    fn events_on_the_spot_are() {
        let mut chatter = Chatter::default();
        let ends = |chatter: &mut Chatter| (0..2 * MOST_CLOSE).any(|_| chatter.event(3.0, 0.01).is_err());
        assert!(ends(&mut chatter));
        // A pause makes good what was.
        let mut chatter = Chatter::default();
        for k in 0..10_000 {
            let t = f64::from(k / 900) + f64::from(k % 900) * 1e-15;
            assert_eq!(chatter.event(t, 0.01), Ok(()), "{t}");
        }
    }

    #[test]
    fn rounds_are_counted() {
        assert!(another_round(99, 0.0).is_ok());
        let failure = another_round(100, 1.5).unwrap_err();
        assert!(failure.message.contains("t = 1.5 s"), "{failure}");
    }
}
