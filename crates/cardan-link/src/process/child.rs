//! A copy of this process that does one thing.

use super::descendants::signal_groups_below;
use super::end::End;
use super::fork::{by_default, fork, leave};
use rustix::process::{
    Pid, Signal, WaitOptions, getpid, getppid, kill_process, kill_process_group, setpgid, waitpid,
};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The code of a child whose work panicked.
const PANICKED: i32 = 101;

/// A process forked from this one, in a group of its own. It is killed when dropped before its end, and by the kernel
/// when this process ends.
#[derive(Debug)]
pub struct Child {
    pid: Pid,
    end: Option<End>,
}

impl Child {
    /// Lets a copy of this process do `work` and end with the code it returns.
    ///
    /// The copy has no threads but the calling one. What other threads hold at this moment stays held in it: start
    /// children before threads that print, log or allocate in libraries that do not expect it.
    pub fn start(work: impl FnOnce() -> i32) -> io::Result<Self> {
        let parent = getpid();
        match fork()? {
            None => {
                let code = if settle(parent).is_ok() {
                    catch_unwind(AssertUnwindSafe(work)).unwrap_or(PANICKED)
                } else {
                    PANICKED
                };
                leave(code)
            }
            Some(pid) => {
                // Both sides do it, so that it is done whoever comes first.
                let _ = setpgid(Some(pid), Some(pid));
                Ok(Child { pid, end: None })
            }
        }
    }

    /// Its number.
    pub fn id(&self) -> Pid {
        self.pid
    }

    /// Has it ended, and how?
    pub fn try_wait(&mut self) -> io::Result<Option<End>> {
        self.wait_with(WaitOptions::NOHANG)
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> io::Result<End> {
        loop {
            if let Some(end) = self.wait_with(WaitOptions::empty())? {
                return Ok(end);
            }
        }
    }

    fn wait_with(&mut self, options: WaitOptions) -> io::Result<Option<End>> {
        if self.end.is_some() {
            return Ok(self.end);
        }
        let changed = loop {
            match waitpid(Some(self.pid), options) {
                Err(rustix::io::Errno::INTR) => {}
                other => break other?,
            }
        };
        if let Some((_, status)) = changed {
            self.end = End::of(status);
        }
        Ok(self.end)
    }

    /// Ends it and all processes of its group at once.
    pub fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Lets it stand still, with all processes below it and their groups.
    pub fn pause(&self) {
        self.signal(Signal::STOP);
        signal_groups_below(self.pid, Signal::STOP);
    }

    /// Lets all of them go on.
    pub fn resume(&self) {
        // Itself last: nobody is waited for who stands still.
        signal_groups_below(self.pid, Signal::CONT);
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        // Where the group has no member any more there is nobody to tell.
        let _ = kill_process_group(self.pid, signal);
        if self.end.is_none() {
            let _ = kill_process(self.pid, signal);
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if self.end.is_none() {
            self.kill();
            let _ = self.wait();
        }
    }
}

/// The first things a copy does: a group of its own, and an end with its parent's.
fn settle(parent: Pid) -> io::Result<()> {
    setpgid(None, None)?;
    for signal in [
        libc::SIGINT,
        libc::SIGTERM,
        libc::SIGHUP,
        libc::SIGTSTP,
        libc::SIGCHLD,
    ] {
        // What the original wanted to hear of is not this process's affair.
        by_default(signal);
    }
    for signal in [libc::SIGSEGV, libc::SIGBUS] {
        // Rust listens to these to tell of a stack that overflows, and swallows the first one that somebody sent. A
        // model that is hit by them is to end by them.
        by_default(signal);
    }
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // The parent may have ended before that.
    if getppid() == Some(parent) {
        Ok(())
    } else {
        Err(io::ErrorKind::NotConnected.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::test_kill_process;

    #[test]
    fn ends_are_told_apart() {
        assert_eq!(Child::start(|| 7).unwrap().wait().unwrap(), End::Exited(7));
        let mut panics = Child::start(|| panic!("quietly")).unwrap();
        assert_eq!(panics.wait().unwrap(), End::Exited(PANICKED));
        let mut aborts = Child::start(|| std::process::abort()).unwrap();
        let end = aborts.wait().unwrap();
        assert_eq!(end.signal(), Some("SIGABRT"));
        assert_eq!(end.to_string(), "it gave up by abort() (SIGABRT)");
    }

    #[test]
    fn a_signal_that_was_sent_is_not_swallowed() {
        for (signal, name) in [(Signal::SEGV, "SIGSEGV"), (Signal::BUS, "SIGBUS")] {
            let mut child = Child::start(|| {
                let _ = kill_process(getpid(), signal);
                0
            })
            .unwrap();
            assert_eq!(child.wait().unwrap().signal(), Some(name));
        }
    }

    /// What the system says of a process: `T` is for those that stand still.
    fn state(process: Pid) -> Option<char> {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        stat.rsplit(") ").next()?.chars().next()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn groups_below_a_child_stand_still_with_it() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let child = Child::start(|| {
            let below = Child::start(|| {
                loop {
                    std::thread::sleep(std::time::Duration::from_millis(1));
                }
            });
            let below = below.unwrap();
            std::fs::write(file.path(), format!("{}.", below.id())).unwrap();
            std::thread::sleep(std::time::Duration::from_secs(60));
            0
        })
        .unwrap();
        let eventually = |what: &dyn Fn() -> bool| {
            // Seen once is enough: a process that sleeps wakes up now and then.
            let began = std::time::Instant::now();
            while !what() {
                assert!(began.elapsed() < std::time::Duration::from_secs(30));
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        };
        let told = || std::fs::read_to_string(file.path()).unwrap();
        eventually(&|| told().ends_with('.'));
        let below = Pid::from_raw(told().trim_end_matches('.').parse().unwrap()).unwrap();
        child.pause();
        eventually(&|| [child.id(), below].map(state) == [Some('T'); 2]);
        child.resume();
        eventually(&|| [child.id(), below].map(state) == [Some('S'); 2]);
    }

    #[test]
    fn a_child_that_is_forgotten_is_ended() {
        let child = Child::start(|| {
            loop {
                std::thread::sleep(std::time::Duration::from_secs(1));
            }
        })
        .unwrap();
        let pid = child.id();
        assert!(test_kill_process(pid).is_ok());
        drop(child);
        assert!(test_kill_process(pid).is_err());
    }
}
