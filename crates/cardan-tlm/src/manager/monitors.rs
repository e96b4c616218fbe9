//! Monitors: each reads what it asked for at its own pace, and disturbs nobody.

use super::history::{Cursor, History};
use super::line::Line;
use std::time::{Duration, Instant};

/// A monitor that has asked for nothing for so long has asked for everything.
const SETTLED: Duration = Duration::from_millis(300);

/// A monitor has this much waiting before it is given more.
const AHEAD: usize = 512 << 10;

#[derive(Debug)]
pub(super) struct Monitor {
    /// Its line.
    pub(super) line: usize,
    subscriptions: Vec<Subscription>,
    /// It has come to its end.
    pub(super) asked_to_close: bool,
    /// It has been told of the end of all.
    pub(super) permitted: bool,
    lost: bool,
    /// When it last asked for something.
    asked: Instant,
}

#[derive(Clone, Copy, Debug)]
struct Subscription {
    interface: usize,
    cursor: Cursor,
}

impl Monitor {
    pub(super) fn new(line: usize) -> Self {
        Monitor {
            line,
            subscriptions: Vec::new(),
            asked_to_close: false,
            permitted: false,
            lost: false,
            asked: Instant::now(),
        }
    }

    /// From now on it gets what an interface point sends, and first what it has sent. A second subscription to the same gets
    /// another copy.
    pub(super) fn subscribe(&mut self, interface: usize) {
        self.subscriptions.push(Subscription {
            interface,
            cursor: Cursor::default(),
        });
    }

    /// It has said something.
    pub(super) fn is_heard(&mut self) {
        self.asked = Instant::now();
    }

    /// After the end of all: may it be told so? Not while it may be about to ask for another interface point, and not twice.
    pub(super) fn is_through(&self) -> bool {
        !self.permitted && (self.asked_to_close || self.asked.elapsed() > SETTLED)
    }

    /// Puts what has been sent since on its line, as far as there is room. Says whether it has everything now.
    pub(super) fn feed(&mut self, histories: &[History], line: &mut Line) -> Fed {
        let mut fed = Fed {
            is_complete: true,
            has_lost: false,
        };
        // One block of each in turn, so that none is far behind the others.
        loop {
            let mut progress = false;
            for subscription in &mut self.subscriptions {
                if line.waiting() > AHEAD {
                    fed.is_complete = false;
                    return fed;
                }
                let Some(history) = histories.get(subscription.interface) else {
                    continue;
                };
                let (news, lost) = history.read(&mut subscription.cursor);
                if lost && !self.lost {
                    self.lost = true;
                    fed.has_lost = true;
                }
                progress |= !news.is_empty();
                line.push(news);
            }
            if !progress {
                return fed;
            }
        }
    }
}

pub(super) struct Fed {
    /// Nothing more is to be had now.
    pub(super) is_complete: bool,
    /// It was so slow that it missed something, for the first time.
    pub(super) has_lost: bool,
}
