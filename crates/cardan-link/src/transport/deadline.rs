//! Until when to wait.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// No more than this counts between two looks at the clock: Ctrl-Z may have let both sides stand still, or the machine
/// may have slept.
const LONGEST_LOOK: Duration = Duration::from_secs(1);

/// Until when to wait for another process.
///
/// Looking at the clock takes as long as sending a small message through shared memory. So a limit begins when somebody
/// first has to wait: one that answers at once costs no look at all.
#[derive(Debug)]
pub struct Deadline {
    /// What is left, as of the last look. None means for ever.
    left: Cell<Option<Duration>>,
    /// None as long as nobody had to wait.
    looked: Cell<Option<Instant>>,
}

impl Deadline {
    /// Waits for ever.
    pub fn never() -> Self {
        Deadline::within(None)
    }

    /// So long, from the first time that somebody has to wait. None means for ever.
    pub fn within(limit: Option<Duration>) -> Self {
        Deadline {
            left: Cell::new(limit),
            looked: Cell::new(None),
        }
    }

    /// So long from now on, whether somebody waits or not. None means for ever.
    pub fn from_now(limit: Option<Duration>) -> Self {
        let deadline = Deadline::within(limit);
        deadline.left();
        deadline
    }

    /// How long is left. None means for ever.
    pub fn left(&self) -> Option<Duration> {
        let left = self.left.get()?;
        let now = Instant::now();
        let last = self.looked.replace(Some(now)).unwrap_or(now);
        let left = left.saturating_sub((now - last).min(LONGEST_LOOK));
        self.left.set(Some(left));
        Some(left)
    }

    /// How long to wait until the next look. None means for ever.
    pub(super) fn patience(&self) -> Option<Duration> {
        self.left().map(|left| left.min(LONGEST_LOOK / 2))
    }

    /// Is nothing left?
    pub fn has_passed(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }
}
