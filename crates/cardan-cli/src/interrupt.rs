//! Ctrl-C and a polite kill: the first asks, the second insists. Ctrl-Z lets the run stand still.

use crate::exit;
use anyhow::Context;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Knows what the user asked for.
#[derive(Clone, Default)]
pub(crate) struct Interrupt {
    /// A signal has arrived.
    heard: Arc<AtomicBool>,
    /// From now on a signal ends this process at once.
    insisted: Arc<AtomicBool>,
    paused: Arc<AtomicBool>,
}

impl Interrupt {
    /// Takes over Ctrl-C, SIGTERM and a terminal that goes away (the latter not under `nohup`, which says to go on). The
    /// second one ends the process.
    pub(crate) fn watch() -> anyhow::Result<Self> {
        let interrupt = Interrupt::default();
        interrupt.register(&interrupt.heard)?;
        Ok(interrupt)
    }

    /// The same where somebody [hears](Self::is_heard) each of them; only after [`insist`](Self::insist) the next one
    /// ends the process. Takes over Ctrl-Z too.
    pub(crate) fn watch_each() -> anyhow::Result<Self> {
        let interrupt = Interrupt::default();
        interrupt.register(&interrupt.insisted)?;
        flag::register(SIGTSTP, Arc::clone(&interrupt.paused)).context("Ctrl-Z cannot be taken over")?;
        Ok(interrupt)
    }

    fn register(&self, end_if: &Arc<AtomicBool>) -> anyhow::Result<()> {
        let hangup = (!hangup_is_ignored()).then_some(SIGHUP);
        for signal in [SIGINT, SIGTERM].into_iter().chain(hangup) {
            // In this order: the second signal finds the flag up and ends the process at once.
            flag::register_conditional_shutdown(signal, exit::INTERRUPTED.into(), Arc::clone(end_if))
                .and_then(|_| flag::register(signal, Arc::clone(&self.heard)))
                .context("Ctrl-C cannot be taken over")?;
        }
        Ok(())
    }

    /// Goes up when the end is asked for.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.heard)
    }

    /// Was the end asked for?
    pub(crate) fn is_asked(&self) -> bool {
        self.heard.load(Ordering::Relaxed)
    }

    /// Was the end asked for since the last time somebody listened?
    pub(crate) fn is_heard(&self) -> bool {
        self.heard.swap(false, Ordering::Relaxed)
    }

    /// The next signal ends this process, whatever it is doing.
    pub(crate) fn insist(&self) {
        self.insisted.store(true, Ordering::Relaxed);
    }

    /// Is it to stand still?
    pub(crate) fn is_paused(&self) -> bool {
        self.paused.swap(false, Ordering::Relaxed)
    }
}

/// Lets this process stand still as Ctrl-Z does, until somebody lets it go on.
pub(crate) fn stand_still() {
    // Where it cannot, it goes on.
    let _ = signal_hook::low_level::emulate_default_handler(SIGTSTP);
}

/// Did whoever started us say that a terminal that goes away is none of our business?
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok());
    mask.is_some_and(|mask| mask & (1 << (SIGHUP - 1)) != 0)
}
