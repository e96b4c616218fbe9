//! What a participant may use up.

use super::board::Board;
use super::prepared::Prepared;
use cardan_core::flight::Sighting;
use cardan_link::process::memory_in_use;
use rustix::process::Pid;
use std::time::{Duration, Instant};

/// Nobody counts as working for longer than this between two looks: the machine may have slept.
const LONGEST_LOOK: Duration = Duration::from_secs(1);

/// A limit that was passed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Excess {
    /// A call did not return in time.
    Call {
        /// Which.
        seen: Sighting,
        /// The limit in seconds.
        limit: f64,
    },
    /// More memory was used than allowed.
    Memory {
        /// The limit in bytes.
        limit: u64,
    },
}

/// Watches over limits.
#[derive(Debug, Default)]
pub(super) struct Limits {
    /// By participant, in seconds.
    calls: Vec<Option<f64>>,
    memory: Option<u64>,
    /// For each thread the call it was in at the last look, and for how long.
    under_way: Vec<(Sighting, Duration)>,
    last_look: Option<Instant>,
}

impl Limits {
    pub(super) fn new(prepared: &Prepared) -> Self {
        Limits {
            calls: prepared.call_limits.clone(),
            memory: prepared.memory_limit,
            ..Limits::default()
        }
    }

    /// Is some limit passed?
    pub(super) fn look(&mut self, board: &Board, child: Pid) -> Option<Excess> {
        let now = Instant::now();
        let passed = self
            .last_look
            .replace(now)
            .map_or(Duration::ZERO, |last| now - last);
        let passed = passed.min(LONGEST_LOOK);
        for (thread, seen) in board.sightings().enumerate() {
            let Some((known, spent)) = self.under_way.get_mut(thread) else {
                self.under_way.push((seen, Duration::ZERO));
                continue;
            };
            if *known != seen || seen.participant.is_none() {
                (*known, *spent) = (seen, Duration::ZERO);
                continue;
            }
            *spent += passed;
            let limit = seen.participant.and_then(|p| *self.calls.get(p.index())?);
            if let Some(limit) = limit
                && spent.as_secs_f64() > limit
            {
                return Some(Excess::Call { seen, limit });
            }
        }
        let limit = self.memory?;
        (memory_in_use(child, limit) > limit).then_some(Excess::Memory { limit })
    }

    /// Time stood still.
    pub(super) fn rest(&mut self) {
        self.last_look = None;
    }
}
