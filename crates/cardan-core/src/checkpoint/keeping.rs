//! When a checkpoint is due, and whoever keeps it.

use crate::time::SimTime;
use std::time::{Duration, Instant};

/// Where a run stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mark {
    /// Everything before is settled.
    pub at: SimTime,
    /// The instant of the last row of its results.
    pub last_row: SimTime,
    /// Accepted steps so far.
    pub steps: u64,
}

/// Whoever keeps checkpoints, in a file or elsewhere.
pub trait Keeper: Send {
    /// Keeps the state of a run in place of what was kept before, or says why it cannot.
    fn keep(&mut self, mark: Mark, state: &[u8]) -> Result<(), String>;
}

/// Between two looks at the clock there are as many steps as fit this, so that looking costs nothing.
const LOOK: Duration = Duration::from_millis(1);
/// But never more than this: steps may become longer.
const MOST_STEPS: u32 = 1024;

/// Decides when a checkpoint is due.
pub(crate) struct Keeping {
    pub(crate) keeper: Box<dyn Keeper>,
    every: Duration,
    kept: Instant,
    /// Where the run stood at the last one.
    kept_at: SimTime,
    looked: Instant,
    stride: u32,
    countdown: u32,
}

impl Keeping {
    pub(crate) fn new(keeper: Box<dyn Keeper>, every: Duration) -> Self {
        let now = Instant::now();
        Keeping {
            keeper,
            every,
            kept: now,
            kept_at: SimTime::PAST,
            looked: now,
            stride: 1,
            countdown: 1,
        }
    }

    /// Asked after every accepted step; looks at the clock once in a while.
    #[inline]
    pub(crate) fn is_due(&mut self) -> bool {
        self.countdown -= 1;
        self.countdown == 0 && self.look()
    }

    #[cold]
    fn look(&mut self) -> bool {
        let now = Instant::now();
        self.stride = match now - self.looked < LOOK {
            true => (2 * self.stride).min(MOST_STEPS),
            false => 1,
        };
        self.looked = now;
        self.countdown = self.stride;
        now - self.kept >= self.every
    }

    /// Was this instant kept already?
    pub(crate) fn has(&self, at: SimTime) -> bool {
        self.kept_at == at
    }

    /// One was kept, or could not be: either way the next one is due later.
    pub(crate) fn done(&mut self, at: SimTime) {
        self.kept = Instant::now();
        self.kept_at = at;
    }
}
