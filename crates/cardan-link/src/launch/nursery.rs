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

struct Order {
    command: Command,
    answer: Sender<io::Result<Child>>,
}

/// The thread that takes orders, and the process it belongs to: after a fork it is there no more.
static NURSERY: Mutex<Option<(Pid, Sender<Order>)>> = Mutex::new(None);

/// Starts a process that dies when Cardan does.
///
/// The system ties such a process to the *thread* that started it, and simulations move between threads: hence one
/// thread that starts all of them and lives as long as Cardan.
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
    let (answer, answered) = channel();
    let orders = orders(parent)?;
    let order = Order { command, answer };
    let gone = || io::Error::other("the thread that starts processes is gone");
    orders.send(order).map_err(|_| gone())?;
    answered.recv().map_err(|_| gone())?
}

fn orders(parent: Pid) -> io::Result<Sender<Order>> {
    // Whoever panicked while holding the lock left a sender or none; both are fine.
    let mut nursery = NURSERY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((pid, orders)) = nursery.as_ref()
        && *pid == parent
    {
        return Ok(orders.clone());
    }
    let (orders, ordered) = channel::<Order>();
    std::thread::Builder::new()
        .name("cardan-nursery".into())
        .spawn(move || {
            for Order { mut command, answer } in ordered {
                // Whoever asked may have gone; a child that nobody takes is dropped, not left.
                if let Err(unclaimed) = answer.send(command.spawn())
                    && let Ok(mut child) = unclaimed.0
                {
                    let _ = child.kill();
                    let _ = child.wait();
                }
            }
        })?;
    *nursery = Some((parent, orders.clone()));
    Ok(orders)
}
