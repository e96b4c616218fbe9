//! How a process ended.

use rustix::process::WaitStatus;
use std::fmt;

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By itself, with that code.
    Exited(i32),
    /// By a signal.
    Signalled(i32),
}

/// Signals that end processes, with what they mostly mean.
const SIGNALS: [(i32, &str, &str); 13] = [
    (
        libc::SIGSEGV,
        "SIGSEGV",
        "it touched memory that is not its own, or ran out of stack",
    ),
    (libc::SIGABRT, "SIGABRT", "it gave up by abort()"),
    (
        libc::SIGFPE,
        "SIGFPE",
        "it divided a whole number by zero, or similar",
    ),
    (
        libc::SIGILL,
        "SIGILL",
        "it met an instruction that this processor does not know",
    ),
    (
        libc::SIGBUS,
        "SIGBUS",
        "it touched memory that is no longer there",
    ),
    (libc::SIGTRAP, "SIGTRAP", "it stopped at a breakpoint"),
    (libc::SIGSYS, "SIGSYS", "it made a forbidden system call"),
    (libc::SIGKILL, "SIGKILL", "it was killed from outside"),
    (libc::SIGTERM, "SIGTERM", "it was asked to end from outside"),
    (libc::SIGINT, "SIGINT", "it was interrupted from outside"),
    (libc::SIGHUP, "SIGHUP", "its terminal went away"),
    (libc::SIGPIPE, "SIGPIPE", "it wrote to a pipe that nobody reads"),
    (
        libc::SIGXCPU,
        "SIGXCPU",
        "it used more processor time than allowed",
    ),
];

/// The name of a signal that is known, and what it mostly means.
pub(crate) fn meaning(signal: i32) -> Option<(&'static str, &'static str)> {
    let known = SIGNALS.iter().find(|(known, ..)| *known == signal);
    known.map(|(_, name, words)| (*name, *words))
}

impl End {
    /// What a wait for a process says; nothing if the process was only stopped.
    pub(crate) fn of(status: WaitStatus) -> Option<Self> {
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Some(End::Exited(code)),
            (_, Some(signal)) => Some(End::Signalled(signal)),
            _ => None,
        }
    }

    /// The name of the signal, if it was one that is known.
    pub fn signal(self) -> Option<&'static str> {
        match self {
            End::Exited(_) => None,
            End::Signalled(number) => meaning(number).map(|(name, _)| name),
        }
    }

    /// Was it killed, by the kernel or by somebody?
    pub fn is_kill(self) -> bool {
        self == End::Signalled(libc::SIGKILL)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            End::Exited(code) => write!(f, "it called exit({code})"),
            End::Signalled(number) => match meaning(number) {
                Some((name, words)) => write!(f, "{words} ({name})"),
                None => write!(f, "it was ended by signal {number}"),
            },
        }
    }
}
