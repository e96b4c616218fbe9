//! Groups of processes that must not outlive this one.

use super::fork::{close_all_but, fork, leave};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, setpgid, waitpid};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::IntoRawFd;

/// A process that does nothing but wait for the end of this one, however it comes, and then ends the groups that are
/// entrusted to it.
///
/// The kernel ends the children of a process with it where they asked for that, but not theirs: a tool that a script has
/// started would go on. Nothing below can end this one by mistake, since it is in a group of its own.
#[derive(Debug)]
pub struct Groups {
    /// Closed when this process ends.
    line: Option<File>,
    pid: Pid,
}

impl Groups {
    /// Starts the process. It has no memory but a list of numbers and makes no calls but reading and ending.
    pub fn watch() -> io::Result<Self> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
        match fork()? {
            None => {
                // The other end is closed with everything else.
                let _ = write.into_raw_fd();
                let _ = setpgid(None, None);
                close_all_but(&read);
                wait_for_end(File::from(read));
                leave(0)
            }
            Some(pid) => {
                // Both sides do it, so that it is done whoever comes first.
                let _ = setpgid(Some(pid), Some(pid));
                Ok(Groups {
                    line: Some(File::from(write)),
                    pid,
                })
            }
        }
    }

    /// Entrusts a group to it.
    pub fn entrust(&mut self, leader: u32) -> io::Result<()> {
        self.say(i32::try_from(leader).unwrap_or(0))
    }

    /// Takes a group back: to be called before its leader is reaped, since its number may mean others after that.
    pub fn take_back(&mut self, leader: u32) -> io::Result<()> {
        self.say(-i32::try_from(leader).unwrap_or(0))
    }

    fn say(&mut self, number: i32) -> io::Result<()> {
        match &mut self.line {
            Some(line) => line.write_all(&number.to_ne_bytes()),
            None => Ok(()),
        }
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        // It ends as soon as the line is closed.
        self.line = None;
        while matches!(
            waitpid(Some(self.pid), WaitOptions::empty()),
            Err(rustix::io::Errno::INTR)
        ) {}
    }
}

fn wait_for_end(mut line: File) {
    let mut groups: Vec<i32> = Vec::new();
    let mut number = [0; 4];
    while line.read_exact(&mut number).is_ok() {
        let number = i32::from_ne_bytes(number);
        groups.retain(|group| *group != number.abs());
        if number > 0 {
            groups.push(number);
        }
    }
    for group in groups.into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}
