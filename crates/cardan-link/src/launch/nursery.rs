//! The thread that starts processes.

#![allow(
    unsafe_code,
    reason = "what a process does between its birth and its program is unsafe, and it is done here alone"
)]

use rustix::process::{Pid, Signal, getpid, getppid, set_parent_process_death_signal};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

type Task = Box<dyn FnOnce() + Send>;

/// The thread that takes tasks, and the process it belongs to: after a fork it is there no more.
static NURSERY: Mutex<Option<(Pid, Sender<Task>)>> = Mutex::new(None);

/// Starts a process that dies when Cardan does.
pub(super) fn spawn(mut command: Command) -> io::Result<Child> {
    let parent = getpid();
    let tie = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // Too late if Cardan is gone already.
        match getppid() == Some(parent) {
            true => Ok(()),
            false => Err(io::Error::from(io::ErrorKind::BrokenPipe)),
        }
    };
    // SAFETY: between fork and exec only two system calls are made, neither of which allocates or takes a lock.
    unsafe { command.pre_exec(tie) };
    in_nursery(move || command.spawn())?
}

/// Does something in the thread that starts processes, and waits for it.
///
/// The system ties a process that is to die with Cardan to the *thread* that started it, and simulations move between
/// threads: hence one thread that starts all of them and lives as long as Cardan.
pub(crate) fn in_nursery<T: Send + 'static>(task: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    let (answer, answered) = channel();
    let gone = || io::Error::other("the thread that starts processes is gone");
    let task = move || {
        // Whoever asked waits for it.
        let _ = answer.send(task());
    };
    tasks()?.send(Box::new(task)).map_err(|_| gone())?;
    answered.recv().map_err(|_| gone())
}

fn tasks() -> io::Result<Sender<Task>> {
    let here = getpid();
    // Whoever panicked while holding the lock left a sender or none; both are fine.
    let mut nursery = NURSERY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((process, tasks)) = nursery.as_ref()
        && *process == here
    {
        return Ok(tasks.clone());
    }
    let (tasks, given) = channel::<Task>();
    let builder = std::thread::Builder::new().name("cardan-nursery".into());
    builder.spawn(move || given.into_iter().for_each(|task| task()))?;
    *nursery = Some((here, tasks.clone()));
    Ok(tasks)
}
