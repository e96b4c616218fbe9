//! A run that somebody waits for, but not for ever.

use cardan::{MemoryRecorder, Options, Report, Simulation, Table};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// A run that takes longer is stuck: all of them are meant to take less than a second.
const PATIENCE: Duration = Duration::from_secs(8);

/// What a run that was asked to stop has for its present step.
const GRACE: Duration = Duration::from_secs(1);

/// Whatever a run has to say.
enum News {
    Begun(Box<dyn FnOnce() + Send>),
    Ended(Result<(Box<Report>, Table), String>),
}

/// What the description in a folder comes to, or why it does not. A run that does not even return from one of its steps is
/// left alone in its thread: there is no way to end it, and others want to be run.
pub(crate) fn run(folder: &Path) -> Result<(Box<Report>, Table), String> {
    let (tell, hear) = mpsc::channel();
    let folder = folder.to_owned();
    thread::spawn(move || {
        // A mistake of ours in one mode must not hide the others.
        let ended = catch_unwind(AssertUnwindSafe(|| work(folder, &tell)))
            .unwrap_or_else(|panic| Err(format!("panics: {}", words(&*panic))));
        // Nobody listens any more if it took too long.
        let _ = tell.send(News::Ended(ended));
    });
    let mut stop: Option<Box<dyn FnOnce() + Send>> = None;
    let mut patience = PATIENCE;
    let mut stuck = false;
    loop {
        match hear.recv_timeout(patience) {
            Ok(News::Begun(how)) => stop = Some(how),
            Ok(News::Ended(Ok((report, _)))) if stuck => return Err(format!("stuck at {} s", report.time)),
            Ok(News::Ended(ended)) => return ended,
            Err(RecvTimeoutError::Timeout) => match stop.take() {
                Some(stop) => {
                    stop();
                    (stuck, patience) = (true, GRACE);
                }
                None => return Err(LOST.to_owned()),
            },
            Err(RecvTimeoutError::Disconnected) => return Err("the run has gone".to_owned()),
        }
    }
}

/// Of a run whose thread goes on for ever.
pub(crate) const LOST: &str = "stuck in a step: does not return";

fn work(folder: PathBuf, tell: &Sender<News>) -> Result<(Box<Report>, Table), String> {
    let (recorder, handle) = MemoryRecorder::new();
    let options = Options {
        recorder: Some(Box::new(recorder)),
        // As on the command line: steps follow from what is connected or recorded.
        recorded_only: true,
        ..Options::default()
    };
    let mut simulation = Simulation::open_with(folder, options).map_err(|error| error.to_string())?;
    let control = simulation.control();
    let _ = tell.send(News::Begun(Box::new(move || control.stop())));
    let report = simulation.run();
    Ok((Box::new(report), handle.table()))
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_default()
}
