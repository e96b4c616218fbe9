//! What a process says on its standard streams.

use crate::error::Error;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How many lines are kept for the message about its end.
const KEPT: usize = 12;

/// A line beyond this length is told in pieces.
const LONGEST: u64 = 8 << 10;

/// The last lines of a process. A thread passes all of them on to the log.
#[derive(Debug)]
pub(super) struct Words {
    lines: Arc<Mutex<VecDeque<String>>>,
    thread: Option<JoinHandle<()>>,
}

impl Words {
    /// Listens to a stream; `log` takes a copy.
    pub(super) fn listen(stream: OwnedFd, component: &str, log: Option<&Path>) -> Result<Self, Error> {
        let log = match log {
            None => None,
            Some(path) => Some(File::create(path).map_err(|error| {
                Error::other(format!(
                    "The log `{}` cannot be written: {error}.",
                    path.display()
                ))
                .advise("choose another file for `log`, in a folder that exists")
            })?),
        };
        let lines: Arc<Mutex<VecDeque<String>>> = Arc::default();
        let (kept, component) = (Arc::clone(&lines), component.to_owned());
        let thread = std::thread::Builder::new()
            .name(format!("words of {component}"))
            .spawn(move || relay(File::from(stream), &component, log, &kept))
            .map_err(|error| Error::system("A thread cannot be started", error))?;
        Ok(Words {
            lines,
            thread: Some(thread),
        })
    }

    /// Does anybody still hold the other end?
    pub(super) fn is_open(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// The last lines, ready to stand behind a sentence; empty if nothing was said. The process has ended, so the
    /// stream ends soon, unless somebody holds it open.
    pub(super) fn last(mut self, patience: Duration) -> String {
        let deadline = Instant::now() + patience;
        if let Some(thread) = self.thread.take() {
            while !thread.is_finished() && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.is_empty() {
            return String::new();
        }
        let mut words = String::from(" Its last words:");
        for line in lines.iter() {
            words.push_str("\n    ");
            words.push_str(line);
        }
        words
    }
}

fn relay(stream: File, component: &str, mut log: Option<File>, kept: &Mutex<VecDeque<String>>) {
    let mut reader = BufReader::new(stream);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match reader.by_ref().take(LONGEST).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if let Some(file) = &mut log
            && let Err(error) = file.write_all(&bytes)
        {
            tracing::warn!(component, "the log of this component ends here: {error}");
            log = None;
        }
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        tracing::info!(component, "{line}");
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back(line);
    }
}
