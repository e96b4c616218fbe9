//! The process that all copies belong to.

use super::obstacles::Surroundings;
use super::roster::Roster;
use super::{Copies, SLOTS};
use crate::process::{
    End, end_children, fork, leave, leave_by, let_libraries_use_one_thread, take_in_orphans,
};
use cardan_core::participant::Effort;
use rustix::event::{EventfdFlags, eventfd};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal, WaitOptions, getpid, getppid, set_parent_process_death_signal, wait};
use std::convert::Infallible;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The code of a worker whose work panicked.
const PANICKED: i32 = 101;

/// Makes this process the warden and lets a copy of it do `work`. Returns only if there can be no copy.
///
/// However the one ends that is awake then, the warden ends the same way, after all that sleep. So whoever watches the
/// warden sees the end of the model.
pub(crate) fn watched(work: impl FnOnce(Copies) -> i32) -> io::Result<Infallible> {
    take_in_orphans()?;
    let_libraries_use_one_thread();
    let (lifeline, held) = pipe_with(PipeFlags::CLOEXEC)?;
    let bells = (0..SLOTS).map(|_| Ok(eventfd(0, EventfdFlags::CLOEXEC)?));
    let copies = Copies {
        roster: Roster::new()?,
        bells: bells.collect::<io::Result<_>>()?,
        lifeline,
        warden: getpid(),
        surroundings: Surroundings::default(),
        wasted: Effort::default(),
    };
    match fork()? {
        None => {
            drop(held);
            set_parent_process_death_signal(Some(Signal::KILL))?;
            if getppid() != Some(copies.warden) {
                leave(1);
            }
            let code = catch_unwind(AssertUnwindSafe(|| work(copies))).unwrap_or(PANICKED);
            leave(code)
        }
        Some(first) => {
            copies.roster.wake(first);
            watch(&copies.roster)
        }
    }
}

fn watch(roster: &Roster) -> ! {
    loop {
        let (ended, status): (Pid, _) = match wait(WaitOptions::empty()) {
            Ok(Some(ended)) => ended,
            Ok(None) | Err(rustix::io::Errno::INTR) => continue,
            Err(_) => leave(1),
        };
        let Some(end) = End::of(status) else {
            continue;
        };
        if roster.awake() != Some(ended) {
            roster.strike(ended);
            continue;
        }
        end_children();
        match end {
            End::Exited(code) => leave(code),
            End::Signalled(signal) => leave_by(signal),
        }
    }
}
