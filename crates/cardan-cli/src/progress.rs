//! How far a run is: a bar on a terminal, calm lines elsewhere. Also carries Ctrl-C to the run.

use crate::console::{self, Paint};
use crate::interrupt::Interrupt;
use crate::text;
use cardan::Ties;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Between two looks at the run: short for the fingers on Ctrl-C, long for the run.
const LOOK: Duration = Duration::from_millis(50);
/// A bar before this would only flicker.
const FIRST_BAR: Duration = Duration::from_millis(300);
const FIRST_LINE: Duration = Duration::from_secs(2);
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// How to show progress.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Style {
    Bar,
    Lines,
    Silent,
}

/// Watches a run from another thread until it is dropped.
pub(crate) struct Progress {
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Begins to watch a run that goes from `start` to `stop`.
    pub(crate) fn watch(
        control: Ties,
        interrupt: Interrupt,
        (start, stop): (f64, f64),
        style: Style,
    ) -> Self {
        let (sender, done) = channel();
        let watcher = Watcher {
            control,
            interrupt,
            window: (start, stop),
            screen: Screen::new(style),
        };
        let thread = thread::Builder::new()
            .name("progress".into())
            .spawn(move || watcher.run(&done));
        // A run without progress is still a run.
        if let Err(error) = &thread {
            tracing::warn!("no progress is shown: {error}");
        }
        Progress {
            thread: thread.ok().map(|thread| (sender, thread)),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.thread.take() {
            drop(sender);
            // Its panic would be a defect that the hook has logged.
            let _ = thread.join();
        }
    }
}

struct Watcher {
    control: Ties,
    interrupt: Interrupt,
    window: (f64, f64),
    screen: Screen,
}

impl Watcher {
    fn run(mut self, done: &Receiver<()>) {
        let began = Instant::now();
        while done.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            if self.interrupt.is_asked() && !self.control.is_stopped() {
                self.control.stop();
                self.screen.stopping();
            }
            self.screen
                .show(self.window, self.control.frontier().seconds(), began.elapsed());
        }
        self.screen.clear();
    }
}

/// The place where progress is shown.
pub(crate) struct Screen {
    style: Style,
    next_line: Duration,
    bar_shown: bool,
}

impl Screen {
    pub(crate) fn new(style: Style) -> Self {
        Screen {
            style,
            next_line: FIRST_LINE,
            bar_shown: false,
        }
    }

    /// Shows that a run from `start` to `stop` is at `now` after a while.
    pub(crate) fn show(&mut self, (start, stop): (f64, f64), now: f64, passed: Duration) {
        let place = Place {
            start,
            stop,
            now,
            wall: passed.as_secs_f64(),
        };
        match self.style {
            Style::Bar if passed >= FIRST_BAR => {
                let (columns, _) = console::size();
                let bar = place.bar(columns, Paint::for_errors());
                console::note(&format!("\r{bar}\x1b[K"));
                self.bar_shown = true;
            }
            Style::Lines if passed >= self.next_line => {
                console::note(&format!("{}\n", place.words()));
                self.next_line += BETWEEN_LINES;
            }
            _ => {}
        }
    }

    /// Says that the run was asked to stop.
    pub(crate) fn stopping(&mut self) {
        self.say("stopping at the next accepted point; Ctrl-C again stops at once");
    }

    /// Says something on a line of its own.
    pub(crate) fn say(&mut self, words: &str) {
        if self.style != Style::Silent {
            self.clear();
            console::note(&format!("{words}\n"));
        }
    }

    /// Takes the bar away.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.bar_shown) {
            console::note("\r\x1b[K");
        }
    }
}

/// Where a run is.
struct Place {
    start: f64,
    stop: f64,
    now: f64,
    /// Seconds since it began.
    wall: f64,
}

impl Place {
    fn share(&self) -> f64 {
        ((self.now - self.start) / (self.stop - self.start)).clamp(0.0, 1.0)
    }

    /// `4.2 s of 10 s, 12.5 × real time, 3 s left`
    fn words(&self) -> String {
        let speed = (self.now - self.start) / self.wall;
        let left = (self.stop - self.now) / speed;
        let left = if left.is_finite() {
            format!(", {} left", text::duration(left.max(0.0).round()))
        } else {
            String::new()
        };
        format!(
            "{} s of {} s, {} × real time{left}",
            text::number(self.now, 4),
            text::number(self.stop, 6),
            text::number(speed, 3)
        )
    }

    fn bar(&self, columns: usize, paint: Paint) -> String {
        const WIDEST: usize = 30;
        let words = self.words();
        let head = format!("{:3.0} % ", 100.0 * self.share());
        // One column stays free, or some terminals begin a new line.
        let room = columns.saturating_sub(head.len() + words.chars().count() + 3);
        if room < 5 {
            return format!(
                "{head}{}",
                words
                    .chars()
                    .take(columns.saturating_sub(head.len() + 1))
                    .collect::<String>()
            );
        }
        let width = room.min(WIDEST);
        let full = (self.share() * width as f64) as usize;
        let (done, open) = ("━".repeat(full), "━".repeat(width - full));
        let bar = if paint.coloured {
            format!("{}{}", paint.green(&done), paint.dim(&open))
        } else {
            format!("{done}{}", "╌".repeat(width - full))
        };
        format!("{head}{bar}  {words}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half_way() -> Place {
        Place {
            start: 0.0,
            stop: 10.0,
            now: 5.0,
            wall: 2.0,
        }
    }

    #[test]
    fn words_tell_time_speed_and_rest() {
        assert_eq!(half_way().words(), "5 s of 10 s, 2.5 × real time, 2 s left");
        let nowhere = Place {
            now: 0.0,
            ..half_way()
        };
        assert_eq!(nowhere.words(), "0 s of 10 s, 0 × real time");
    }

    #[test]
    fn a_bar_fits_its_terminal() {
        let plain = Paint { coloured: false };
        for columns in [10, 40, 60, 200] {
            let bar = half_way().bar(columns, plain);
            assert!(bar.chars().count() < columns, "{bar}");
        }
        assert!(half_way().bar(80, plain).starts_with(" 50 % ━"));
    }
}
