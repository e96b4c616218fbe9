//! What is checked lives in a process of its own: all that an FMU or a participant can break is that process, and
//! whatever was started for it ends with it, even if the user does not want to wait any longer.

use super::witness::Witness;
use crate::console::{self, Paint};
use crate::interrupt::{self, Interrupt};
use crate::{exit, json};
use anyhow::Context;
use cardan::core::defect;
use cardan_fmi::archive::JANITOR;
use cardan_link::process::{Child, End, bury_orphans, take_in_orphans};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long the removal of unpacked files may take.
const CLEANING: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(2);

/// How a check came to its end.
enum Outcome {
    Ended(End),
    /// It took longer than this.
    Late(Duration),
    /// Somebody did not return from a call within so many seconds.
    Stuck(String, f64),
    Interrupted,
}

/// Lets a copy of this process do `work` and answers with its code; tells what took it down otherwise. `limit` says how
/// long it may take, `advice` what to do about a crash; a witness knows more about both.
pub(super) fn perform(
    path: &Path,
    as_json: bool,
    limit: Option<Duration>,
    advice: &str,
    mut witness: Option<&mut Witness>,
    work: impl FnOnce() -> anyhow::Result<u8>,
) -> anyhow::Result<ExitCode> {
    // Without it what was started is left behind; nothing else changes.
    let _ = take_in_orphans();
    let interrupt = Interrupt::watch_each()?;
    let mut child = Child::start(|| told(work, as_json).into()).context("no process can be started")?;
    let outcome = wait(&mut child, limit, witness.as_deref_mut(), &interrupt)?;
    bury_orphans(JANITOR, CLEANING);
    let message = match outcome {
        Outcome::Ended(End::Exited(code)) if code == i32::from(exit::DONE) => return Ok(ExitCode::SUCCESS),
        Outcome::Ended(End::Exited(code)) if code == i32::from(exit::WRONG) => return Ok(exit::WRONG.into()),
        Outcome::Ended(End::Exited(code)) if [exit::FAILED, exit::NUMBERS].map(i32::from).contains(&code) => {
            return Ok(ExitCode::from(code as u8));
        }
        // It has told of it.
        Outcome::Ended(End::Exited(code)) if code == i32::from(exit::DEFECT) => {
            return Ok(exit::DEFECT.into());
        }
        Outcome::Ended(end) if let Some(scene) = witness.as_deref_mut().and_then(Witness::scene) => {
            format!("{scene}: took the process of the check down: {end}")
        }
        Outcome::Stuck(scene, limit) => {
            format!("{scene}: it did not return within {limit} s, so the process of the check was ended")
        }
        Outcome::Ended(end) => format!("{} took the process of its check down: {end}", path.display()),
        Outcome::Late(limit) => format!(
            "{} did not come to an end within {} s, so the process of its check was ended",
            path.display(),
            limit.as_secs()
        ),
        Outcome::Interrupted => {
            let message = format!("interrupted: {} was not checked to the end", path.display());
            console::error(&message);
            if as_json {
                json::print_failure(&message);
            }
            return Ok(exit::INTERRUPTED.into());
        }
    };
    let advice = match witness.and_then(Witness::scene) {
        Some(_) => {
            "this is a defect of the component: in a run it will do the same; `--quick` checks the rest"
        }
        None => advice,
    };
    console::error(&message);
    console::note(&format!("{}: {advice}\n", Paint::for_errors().bold("help")));
    if as_json {
        json::print_failure(&message);
    }
    Ok(exit::FAILED.into())
}

/// The code of what was done, and a word on why it could not be done.
fn told(work: impl FnOnce() -> anyhow::Result<u8>, as_json: bool) -> u8 {
    defect::watch();
    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|cause| {
        let message = defect::described(&*cause, defect::place().as_ref());
        console::error(&message);
        console::note(&format!(
            "{}: {}\n",
            Paint::for_errors().bold("help"),
            defect::ADVICE
        ));
        if as_json {
            json::print_failure(&message);
        }
        Ok(exit::DEFECT)
    });
    done.unwrap_or_else(|error| {
        let message = format!("{error:#}");
        console::error(&message);
        if as_json {
            json::print_failure(&message);
        }
        exit::WRONG
    })
}

fn wait(
    child: &mut Child,
    limit: Option<Duration>,
    mut witness: Option<&mut Witness>,
    interrupt: &Interrupt,
) -> anyhow::Result<Outcome> {
    let mut began = Instant::now();
    loop {
        if let Some(end) = child.try_wait().context("the check cannot be waited for")? {
            return Ok(Outcome::Ended(end));
        }
        if interrupt.is_heard() {
            interrupt.insist();
            child.kill();
            let _ = child.wait();
            return Ok(Outcome::Interrupted);
        }
        if interrupt.is_paused() {
            let before = Instant::now();
            child.pause();
            interrupt::stand_still();
            child.resume();
            if let Some(witness) = witness.as_deref_mut() {
                witness.rest();
            }
            began += before.elapsed();
        }
        if let Some(limit) = limit.filter(|limit| began.elapsed() > *limit) {
            child.kill();
            let _ = child.wait();
            return Ok(Outcome::Late(limit));
        }
        if let Some((scene, limit)) = witness.as_deref_mut().and_then(Witness::look) {
            child.kill();
            let _ = child.wait();
            return Ok(Outcome::Stuck(scene, limit));
        }
        sleep(LOOK);
    }
}
