//! States of a participant that cannot save them: sleeping copies of its process.
//!
//! ```text
//! Cardan ── warden ──┬── the one that is awake and serves
//!                    └── copies asleep, one for each slot in use
//! ```
//!
//! | file | holds |
//! | --- | --- |
//! | `mod.rs` | saving (a copy goes to sleep) and restoring (a copy wakes up, and leaves one behind for the next time) |
//! | `warden.rs` | the process that all of them belong to: it ends as the one that is awake ends |
//! | `roster.rs` | the memory that all of them see: who is awake, who keeps which slot |
//! | `obstacles.rs` | what of a process a copy would not have for itself |
//!
//! A copy has everything that the model has in memory, whatever it is. The socket to Cardan is the same for all; the
//! one that is awake reads and writes.

mod obstacles;
mod roster;
mod warden;

pub(crate) use warden::watched;

use crate::process::{fork, leave};
use crate::transport::Peer;
use cardan_core::participant::{Effort, Failure, Outcome, Slot};
use obstacles::Surroundings;
use roster::Roster;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, getpid, getppid, kill_process, set_parent_process_death_signal, waitpid,
};
use std::os::fd::OwnedFd;
use std::time::Duration;

/// Slots at most: each is a process.
pub(crate) const SLOTS: usize = 16;

/// How a call to save comes back: once in the process that saved, and once for every time the state is restored.
#[derive(Debug)]
pub(crate) enum Saved {
    /// The state is kept.
    Kept,
    /// Time has gone back: this is the copy, and what is to be answered now is the request to restore.
    Restored {
        /// The number of that request.
        sequence: u64,
        /// Is the state still kept for another time?
        kept: Outcome<()>,
    },
}

/// The copies of this process, as seen from the one that is awake.
pub(crate) struct Copies {
    roster: Roster,
    /// One for each slot; a copy sleeps until its bell rings.
    bells: Vec<OwnedFd>,
    /// Closed at the other end when the warden is gone.
    lifeline: OwnedFd,
    warden: Pid,
    surroundings: Surroundings,
    /// Work done on ways that were gone back from: it counts, though no state remembers it.
    wasted: Effort,
}

impl Copies {
    /// What is here now belongs to Cardan; what comes later belongs to the model.
    pub(crate) fn look_around(&mut self) -> Outcome<()> {
        self.surroundings = Surroundings::now().map_err(|error| unknown(&error))?;
        Ok(())
    }

    /// Work done by the participant, with that which it has forgotten.
    pub(crate) fn effort(&self, own: Effort) -> Effort {
        Effort {
            inner_steps: own.inner_steps.saturating_add(self.wasted.inner_steps),
            evaluations: own.evaluations.saturating_add(self.wasted.evaluations),
            ..own
        }
    }

    /// Keeps the present state in a slot, replacing what was there. `own` is the work that the participant remembers.
    pub(crate) fn save(&mut self, slot: Slot, own: Effort) -> Outcome<Saved> {
        let bell = self.bells.get(slot).ok_or_else(|| {
            Failure::failed(format!(
                "There is no slot {slot}: at most {SLOTS} copies of a process are kept."
            ))
        })?;
        let files = self.surroundings.files()?;
        self.discard(slot);
        if let Some(copy) = fork().map_err(|error| no_copy(&error))? {
            self.roster.keep(slot, copy);
            return Ok(Saved::Kept);
        }
        let kept = loop {
            sleep(bell, &self.lifeline);
            // Another copy keeps the state for the next time; this one goes on with it.
            match fork() {
                Ok(None) => {}
                Ok(Some(copy)) => {
                    self.roster.keep(slot, copy);
                    break Ok(());
                }
                Err(error) => break Err(no_copy(&error)),
            }
        };
        self.take_over();
        files.rewind();
        let (sequence, spent) = self.roster.request();
        self.wasted = Effort {
            inner_steps: spent.inner_steps.saturating_sub(own.inner_steps),
            evaluations: spent.evaluations.saturating_sub(own.evaluations),
            ..Effort::default()
        };
        Ok(Saved::Restored { sequence, kept })
    }

    /// Goes back: wakes the copy in a slot, which answers the request of that number. Comes back only if it cannot.
    pub(crate) fn restore(&mut self, slot: Slot, sequence: u64, own: Effort) -> Failure {
        let Some(copy) = self.roster.keeper(slot) else {
            return Failure::failed(format!("Nothing was saved in slot {slot}."));
        };
        let (Ok(peer), Some(bell)) = (Peer::of(copy), self.bells.get(slot)) else {
            return lost(slot);
        };
        self.roster.ask(sequence, self.effort(own));
        // Its counter is far from full.
        let _ = rustix::io::write(bell, &1_u64.to_ne_bytes());
        // The copy ends this process when it has taken over.
        while !peer.wait(Duration::from_secs(3600)) {}
        self.roster.wake(getpid());
        lost(slot)
    }

    /// Ends what sleeps in a slot.
    fn discard(&self, slot: Slot) {
        let Some(copy) = self.roster.forget(slot) else {
            return;
        };
        // Gone before the next one is there, whose bell it might hear.
        end(copy);
        // Copies that were made by another one are reaped by the warden.
        let _ = waitpid(Some(copy), WaitOptions::empty());
    }

    /// From now on this process is the one that is awake.
    fn take_over(&self) {
        if let Some(before) = self.roster.wake(getpid()) {
            end(before);
        }
        // Whoever made this copy is gone by now, so it is a child of the warden, and is to end with it whatever the model
        // does then. Asked for any earlier, that would have been an end with the one before.
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
        if getppid() != Some(self.warden) {
            leave(1);
        }
    }
}

/// Ends a process of this family and waits until it is gone.
fn end(process: Pid) {
    let peer = Peer::of(process);
    let _ = kill_process(process, Signal::KILL);
    if let Ok(peer) = peer {
        while !peer.wait(Duration::from_secs(3600)) {}
    }
}

/// Until the bell rings. Ends the process if the warden is gone.
fn sleep(bell: &OwnedFd, lifeline: &OwnedFd) {
    let mut fds = [
        PollFd::new(bell, PollFlags::IN),
        PollFd::new(lifeline, PollFlags::IN),
    ];
    loop {
        match poll(&mut fds, None) {
            Err(Errno::INTR) => continue,
            Err(_) => leave(1),
            Ok(_) => {}
        }
        let [rung, orphaned] = [&fds[0], &fds[1]].map(|fd| !fd.revents().is_empty());
        if orphaned {
            leave(1);
        }
        if rung {
            let _ = rustix::io::read(bell, &mut [0; 8]);
            return;
        }
    }
}

fn no_copy(error: &std::io::Error) -> Failure {
    Failure::failed(format!(
        "The state cannot be kept, because no copy of its process can be made: {error}."
    ))
    .advise("is there memory left, and may this user have more processes (ulimit -u)?")
}

fn unknown(error: &std::io::Error) -> Failure {
    Failure::failed(format!(
        "The state cannot be kept, because it cannot be seen what its process holds: {error}."
    ))
    .advise("rollback of models that do not save their state needs /proc")
}

fn lost(slot: Slot) -> Failure {
    Failure::failed(format!(
        "The state in slot {slot} is lost: the process that kept it was ended."
    ))
    .advise("somebody killed it, or the system did because memory ran out")
}
