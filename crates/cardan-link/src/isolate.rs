//! A participant of this process, moved into one of its own.
//!
//! The worker is a copy of this process, forked before anything foreign is loaded, that serves the participant over a
//! pair of sockets. Whatever the participant does to it, this process hears of its end and can say who it was.
//!
//! A participant that cannot save its state becomes one that can: the state is kept by a sleeping copy of the worker.

use crate::copies::{self, Copies};
use crate::error::Error;
use crate::launch::{Process, in_nursery};
use crate::process::{self, Child};
use crate::remote::{Manner, Remote};
use crate::serve::serve_with;
use crate::transport::{Descriptors, Framed};
use cardan_core::participant::Participant;
use std::ffi::CString;
use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// How long a worker may take to unload its model after the run.
const GRACE: Duration = Duration::from_secs(10);

/// Moves a participant that has not begun its initialisation into a process of its own.
///
/// See [`Child::start`] for what that asks of programs with threads.
pub fn isolate(participant: Box<dyn Participant>, manner: &Manner) -> Result<Remote, Error> {
    let (near, far) =
        UnixStream::pair().map_err(|error| Error::system("No pair of sockets can be made", error))?;
    let name = manner.component.clone();
    let (worker, original) = in_nursery(move || start(participant, far, &name))
        .map_err(|error| Error::system("No process can be started", error))?;
    let worker = worker.map_err(|error| Error::system("No process can be started", error))?;
    let process = Process::forked(worker, GRACE)?;
    let transport = Framed::new(Descriptors::unix(near)?);
    let remote = Remote::meet(Box::new(transport), Some(process), manner)?;
    // Files that it works with live as long as the original.
    Ok(remote.in_place_of(original))
}

/// The worker, and the participant that it has a copy of.
fn start(
    participant: Box<dyn Participant>,
    far: UnixStream,
    name: &str,
) -> (io::Result<Child>, Option<Box<dyn Participant>>) {
    let mut original = Some(participant);
    let worker = Child::start(|| {
        let Some(mut participant) = original.take() else {
            return 1;
        };
        // What the model prints must not spoil what this program answers with; it is no matter if that fails.
        let _ = process::output_to_errors();
        // So that `ps` and `top` tell workers apart; names longer than the system likes are cut.
        let shown = CString::new(name).unwrap_or_default();
        let _ = rustix::thread::set_name(&shown);
        let saves = participant.rollback().is_some();
        let work = |copies: Option<Copies>| {
            let served = Descriptors::unix(far)
                .map(Framed::new)
                .and_then(|mut transport| serve_with(&mut *participant, &mut transport, name, None, copies));
            i32::from(served.is_err())
        };
        if saves {
            return work(None);
        }
        let Err(_no_copies) = copies::watched(|copies| work(Some(copies)));
        1
    });
    (worker, original)
}
