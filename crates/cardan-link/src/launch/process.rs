//! A process from its start to its end.

use super::nursery;
use super::words::Words;
use crate::error::Error;
use crate::process;
use crate::transport::Peer;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

/// How long the end of a process whose line broke is waited for, to tell how it ended.
const SOON: Duration = Duration::from_millis(500);

/// A process that was started for a participant. It leads a group of its own, which ends with it.
#[derive(Debug)]
pub struct Process {
    body: Body,
    pid: Pid,
    peer: Peer,
    words: Option<Words>,
    grace: Duration,
}

/// Where a process came from.
#[derive(Debug)]
enum Body {
    /// It was started from a program.
    Launched(Child),
    /// It is a copy of this one.
    Forked(process::Child),
}

impl Body {
    fn wait(&mut self) {
        // However it ended, it is reaped.
        match self {
            Body::Launched(child) => drop(child.wait()),
            Body::Forked(child) => drop(child.wait()),
        }
    }

    fn is_over(&mut self) -> bool {
        match self {
            Body::Launched(child) => matches!(child.try_wait(), Ok(Some(_))),
            Body::Forked(child) => matches!(child.try_wait(), Ok(Some(_))),
        }
    }
}

impl Process {
    /// A copy of this process. What it says goes where this one's words go.
    pub(crate) fn forked(child: process::Child, grace: Duration) -> Result<Self, Error> {
        let pid = child.id();
        let peer = Peer::of(pid).map_err(|error| Error::system("The process cannot be watched", error))?;
        Ok(Process {
            body: Body::Forked(child),
            pid,
            peer,
            words: None,
            grace,
        })
    }

    /// Starts a command in a group of its own, which dies with Cardan. What comes out of `said` goes to the log.
    pub fn start(
        mut command: Command,
        said: OwnedFd,
        component: &str,
        log: Option<&Path>,
        grace: Duration,
    ) -> Result<Self, Error> {
        let program = command.get_program().to_string_lossy().into_owned();
        let words = Words::listen(said, component, log)?;
        command.process_group(0);
        let mut child = nursery::spawn(command).map_err(|error| not_started(&program, &error))?;
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let peer = pid
            .ok_or(rustix::io::Errno::SRCH)
            .and_then(|pid| Ok((pid, Peer::of(pid)?)));
        match peer {
            Ok((pid, peer)) => Ok(Process {
                body: Body::Launched(child),
                pid,
                peer,
                words: Some(words),
                grace,
            }),
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(Error::system("The process cannot be watched", error))
            }
        }
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// Its standard input and output, if they were asked for.
    pub(super) fn take_pipes(&mut self) -> Option<(OwnedFd, OwnedFd)> {
        let Body::Launched(child) = &mut self.body else {
            return None;
        };
        let (input, output) = (child.stdout.take()?, child.stdin.take()?);
        Some((input.into(), output.into()))
    }

    /// To see whether it lives.
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// How it ended, in words that follow "the process"; none if it does not end soon.
    pub fn ending(&self) -> Option<String> {
        if !self.peer.wait(SOON) {
            return None;
        }
        // Looked at only: while it is not reaped, its number and that of its group mean nobody else.
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        match waitid(WaitId::Pid(self.pid), look) {
            Ok(Some(status)) => Some(described(&status)),
            _ => Some("ended".to_owned()),
        }
    }

    /// Is somebody left of what it has started: in its group, or with its standard streams?
    pub fn has_company(&self) -> bool {
        let is_heard = self.words.as_ref().is_some_and(Words::is_open);
        is_heard || process::group_lives(self.pid)
    }

    /// Ends it now, with all its children. Returns its last words.
    pub fn finish(mut self) -> String {
        self.kill();
        self.words
            .take()
            .map_or_else(String::new, |words| words.last(SOON))
    }

    /// Waits for its end, which it was told of; helps after the time of grace.
    pub fn end(mut self) {
        if !self.peer.wait(self.grace) {
            tracing::warn!(
                process = self.id(),
                "a process did not end by itself within {} s and is ended",
                self.grace.as_secs_f64()
            );
            // First the polite signal, for those who tidy up.
            let _ = kill_process_group(self.pid, Signal::TERM);
            self.peer.wait(SOON);
        }
        self.kill();
        if let Some(words) = self.words.take() {
            words.last(SOON);
        }
    }

    /// Kills the group and reaps its leader. The leader is not reaped before, so the number of the group is still its.
    fn kill(&mut self) {
        let _ = kill_process_group(self.pid, Signal::KILL);
        self.body.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // After `finish` and `end` it is reaped and this does nothing: the status is remembered.
        if !self.body.is_over() {
            self.kill();
        }
    }
}

fn described(status: &WaitIdStatus) -> String {
    if let Some(signal) = status.terminating_signal() {
        let meaning = process::meaning(signal).map(|(name, words)| format!(" ({name}): {words}"));
        return format!("was ended by signal {signal}{}", meaning.unwrap_or_default());
    }
    match status.exit_status() {
        Some(0) => "ended by itself, with exit status 0".to_owned(),
        Some(code) => format!("ended with exit status {code}"),
        None => "ended".to_owned(),
    }
}

fn not_started(program: &str, error: &std::io::Error) -> Error {
    let found = found(program);
    let folder = found.as_ref().is_some_and(|path| path.is_dir());
    let (message, advice) = match (error.kind(), &found) {
        (_, Some(_)) if folder => (
            format!("`{program}` is a folder, not a program."),
            "name the program in it",
        ),
        (ErrorKind::NotFound, Some(path)) => return not_interpreted(program, path),
        (ErrorKind::NotFound, None) => (
            format!("There is no program `{program}`."),
            "check the spelling; a name without a slash is looked for in PATH, one with a slash from the folder of the \
             description",
        ),
        (ErrorKind::PermissionDenied, _) => (
            format!("`{program}` may not be executed."),
            "make it executable (chmod +x), or put its interpreter first in the command",
        ),
        _ => return Error::system(&format!("`{program}` cannot be started"), error),
    };
    Error::unreachable(message).advise(advice)
}

/// Where the system finds a program.
fn found(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|path| path.exists());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).map(|folder| folder.join(program));
    places.into_iter().find(|place| place.is_file())
}

/// The program is there, but not what it needs to be executed.
fn not_interpreted(program: &str, path: &Path) -> Error {
    // First lines are short; of a binary that has none the rest is of no use either.
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(1 << 10).read_to_end(&mut start));
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let interpreter = line
        .strip_prefix("#!")
        .filter(|_| read.is_ok())
        .map(|rest| rest.trim_start_matches([' ', '\t']));
    match interpreter {
        Some(rest) if rest.ends_with('\r') => Error::unreachable(format!(
            "`{program}` cannot be started: its lines end as on Windows, so the system looks for an interpreter whose name \
             ends with a carriage return."
        ))
        .advise("save it with Unix line ends, for instance by `sed -i 's/\\r$//'`"),
        Some(rest) => {
            let name = rest.split_whitespace().next().unwrap_or_default();
            Error::unreachable(format!(
                "`{program}` cannot be started: its first line asks for the interpreter `{name}`, which is not there."
            ))
            .advise("install it, or correct the first line")
        }
        None => Error::unreachable(format!(
            "`{program}` cannot be started: it is there, but the loader that it asks for is not."
        ))
        .advise("it was probably built for another system: build it here, or install what it needs"),
    }
}
