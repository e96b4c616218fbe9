//! Until when to wait.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// Until when to wait for another process.
///
/// Looking at the clock takes as long as sending a small message through shared memory. So a limit begins when somebody
/// first has to wait: one that answers at once costs no look at all.
#[derive(Debug)]
pub struct Deadline {
    limit: Option<Duration>,
    /// Known once somebody had to wait. None then means: never.
    end: Cell<Option<Instant>>,
}

impl Deadline {
    /// Waits for ever.
    pub fn never() -> Self {
        Deadline::within(None)
    }

    /// So long, from the first time that somebody has to wait. None means for ever.
    pub fn within(limit: Option<Duration>) -> Self {
        Deadline {
            limit,
            end: Cell::new(None),
        }
    }

    /// So long from now on, whether somebody waits or not. None means for ever.
    pub fn from_now(limit: Option<Duration>) -> Self {
        let deadline = Deadline::within(limit);
        deadline.end();
        deadline
    }

    fn end(&self) -> Option<Instant> {
        if let (None, Some(limit)) = (self.end.get(), self.limit) {
            // A limit beyond what the clock can say is none.
            self.end.set(Instant::now().checked_add(limit));
        }
        self.end.get()
    }

    /// How long is left. None means for ever.
    pub fn left(&self) -> Option<Duration> {
        let end = self.end()?;
        Some(end.saturating_duration_since(Instant::now()))
    }

    /// Is nothing left?
    pub fn has_passed(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }
}
