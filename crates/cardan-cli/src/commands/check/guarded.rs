//! The trial of an FMU in a process of its own: all that the FMU can break is that process.

use super::fmu;
use crate::console::{self, Paint};
use crate::{exit, json};
use anyhow::Context;
use cardan_fmi::archive::JANITOR;
use cardan_link::process::{Child, End, bury_orphans, take_in_orphans};
use std::path::Path;
use std::process::ExitCode;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A trial is a matter of seconds.
const LIMIT: Duration = Duration::from_secs(120);
/// How long the removal of unpacked files may take.
const CLEANING: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(2);

pub(super) fn perform(path: &Path, as_json: bool) -> anyhow::Result<ExitCode> {
    // Without it what the FMU leaves behind is left behind; nothing else changes.
    let _ = take_in_orphans();
    let mut child = Child::start(|| trial(path, as_json).into()).context("no process can be started")?;
    let end = wait(&mut child)?;
    bury_orphans(JANITOR, CLEANING);
    let message = match end {
        Some(End::Exited(code)) if code == i32::from(exit::DONE) => return Ok(ExitCode::SUCCESS),
        Some(End::Exited(code)) if code == i32::from(exit::WRONG) => return Ok(exit::WRONG.into()),
        Some(end) => format!("{} took the process of its trial down: {end}", path.display()),
        None => format!(
            "{} did not come to an end within {} s, so the process of its trial was ended",
            path.display(),
            LIMIT.as_secs()
        ),
    };
    console::error(&message);
    let advice = "this is a defect of the FMU: in a run it will do the same; ask whoever made it";
    console::note(&format!("{}: {advice}\n", Paint::for_errors().bold("help")));
    if as_json {
        json::print_failure(&message);
    }
    Ok(exit::FAILED.into())
}

fn trial(path: &Path, as_json: bool) -> u8 {
    fmu::perform(path, as_json).unwrap_or_else(|error| {
        let message = format!("{error:#}");
        console::error(&message);
        if as_json {
            json::print_failure(&message);
        }
        exit::WRONG
    })
}

/// How it ended; none if it had to be ended.
fn wait(child: &mut Child) -> anyhow::Result<Option<End>> {
    let began = Instant::now();
    loop {
        if let Some(end) = child.try_wait().context("the trial cannot be waited for")? {
            return Ok(Some(end));
        }
        if began.elapsed() > LIMIT {
            child.kill();
            return Ok(None);
        }
        sleep(LOOK);
    }
}
