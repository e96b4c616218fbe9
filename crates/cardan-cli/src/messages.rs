//! What an FMU says while it is on trial, kept for the report.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer};

/// More are not kept: an FMU may say the same at every step.
const MOST: usize = 1000;

static COLLECTING: AtomicBool = AtomicBool::new(false);
static MESSAGES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Keeps warnings and errors of FMUs from now on, instead of showing them.
pub(crate) fn collect() {
    COLLECTING.store(true, Ordering::Relaxed);
}

/// What was kept so far.
pub(crate) fn take() -> Vec<String> {
    std::mem::take(&mut *MESSAGES.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Is it kept, so that it need not be shown?
pub(crate) fn are_collected(event: &Metadata<'_>) -> bool {
    event.target() == "fmu" && *event.level() <= Level::WARN && COLLECTING.load(Ordering::Relaxed)
}

/// The part of the log that keeps them.
pub(crate) struct Collector;

impl<S: Subscriber> Layer<S> for Collector {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut text = Text(String::new());
        event.record(&mut text);
        let mut messages = MESSAGES.lock().unwrap_or_else(PoisonError::into_inner);
        if messages.len() < MOST {
            messages.push(text.0);
        }
    }
}

struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}
