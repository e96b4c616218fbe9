//! One request, one reply.

use super::Manner;
use crate::error::Error;
use crate::launch::Process;
use crate::transport::{Deadline, Transport};
use crate::wire::{
    Flags, Header, Kind, Level, Malformed, Message, Reader, Standing, Writer, read_failure, read_log,
};
use cardan_core::participant::{Failure, Outcome};
use std::fmt;
use std::time::Duration;

/// The line to a participant in another process.
pub(super) struct Channel {
    /// None after the line broke or was closed: whatever comes then is told at once.
    transport: Option<Box<dyn Transport>>,
    process: Option<Process>,
    component: String,
    call: Option<Duration>,
    sequence: u64,
    pub(super) message: Message,
    last: Flags,
}

impl fmt::Debug for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Channel")
            .field("component", &self.component)
            .field("process", &self.process)
            .field("sequence", &self.sequence)
            .finish_non_exhaustive()
    }
}

impl Channel {
    pub(super) fn new(transport: Box<dyn Transport>, process: Option<Process>, manner: &Manner) -> Self {
        Channel {
            transport: Some(transport),
            process,
            component: manner.component.clone(),
            call: manner.call,
            sequence: 0,
            message: Message::default(),
            last: Flags::default(),
        }
    }

    pub(super) fn accompany(&mut self, process: Option<Process>) {
        self.process = process;
    }

    pub(super) fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// The number for the next request.
    pub(super) fn next(&mut self) -> u64 {
        self.sequence = self.sequence.wrapping_add(1);
        self.sequence
    }

    /// Asks, and waits for the reply, which [`payload`](Self::payload) then shows.
    pub(super) fn ask(&mut self, kind: Kind, write: impl FnOnce(&mut Writer<'_>)) -> Outcome<()> {
        let sequence = self.next();
        write(&mut self.message.begin(kind, Flags::default(), sequence));
        self.exchange(kind)
    }

    /// Sends the message that was put together and waits for the reply to it.
    pub(super) fn exchange(&mut self, kind: Kind) -> Outcome<()> {
        let deadline = Deadline::within(self.call);
        match self.try_exchange(kind, &deadline) {
            Ok(Ok(flags)) => {
                self.last = flags;
                Ok(())
            }
            Ok(Err(failure)) => Err(failure),
            Err(error) => Err(self.broke(error)),
        }
    }

    /// The inner result is what the participant answered, the outer one what became of the line.
    fn try_exchange(&mut self, kind: Kind, deadline: &Deadline) -> Result<Result<Flags, Failure>, Error> {
        let Some(transport) = self.transport.as_mut() else {
            return Err(Error::closed("The connection to the participant is closed."));
        };
        transport.send(self.message.frame(), deadline)?;
        loop {
            let header: Header = transport.receive(deadline)?;
            match header.kind {
                Kind::Log => relay(&self.component, transport.payload())?,
                Kind::Failure => return Ok(Err(read_failure(transport.payload())?)),
                found if found == kind && header.reply => {
                    if header.sequence != self.sequence {
                        return Err(Malformed::Sequence {
                            expected: self.sequence,
                            found: header.sequence,
                        }
                        .into());
                    }
                    return Ok(Ok(header.flags));
                }
                found => {
                    return Err(Malformed::Unexpected {
                        expected: "the reply to a request",
                        found: found as u16,
                    }
                    .into());
                }
            }
        }
    }

    /// The flags of the last reply.
    pub(super) fn flags(&self) -> Flags {
        self.last
    }

    /// The payload of the last reply.
    pub(super) fn payload(&self) -> &[u8] {
        self.transport
            .as_ref()
            .map_or(&[], |transport| transport.payload())
    }

    /// Reads the last reply: how the participant stands, and the rest by `read`.
    pub(super) fn reply<T>(
        &mut self,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, Malformed>,
    ) -> Outcome<(Standing, T)> {
        let parsed = || {
            let mut reader = Reader::new(self.payload());
            let standing = Standing::read(self.last, &mut reader)?;
            let value = read(&mut reader)?;
            reader.finish()?;
            Ok((standing, value))
        };
        parsed().map_err(|malformed: Malformed| self.broke(malformed.into()))
    }

    /// Says goodbye and lets the process end.
    pub(super) fn close(&mut self) {
        if let Some(mut transport) = self.transport.take() {
            let sequence = self.next();
            self.message.begin(Kind::Goodbye, Flags::default(), sequence);
            // Whether it hears it or not, the line is cut.
            let soon = Deadline::within(Some(Duration::from_millis(200)));
            let _ = transport.send(self.message.frame(), &soon);
        }
        if let Some(process) = self.process.take() {
            process.end();
        }
    }

    /// The line is of no use any more: cuts it, ends the process and says what happened.
    #[cold]
    pub(super) fn broke(&mut self, error: Error) -> Failure {
        self.transport = None;
        let error = match (self.call, error.is_timeout()) {
            (Some(call), true) => error
                .reworded(format!(
                    "The call did not return within {} s.",
                    call.as_secs_f64()
                ))
                .advise(format!(
                    "if its calls may take longer, raise the limit: `call` in [limits], or `limits = {{ call = … }}` for \
                     this component alone (now {})",
                    call.as_secs_f64()
                )),
            _ => error,
        };
        let advice = |_: &str| "this is a defect of what runs in that process, or somebody ended it; the others were not touched";
        told(error, self.process.take(), advice).into()
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        self.close();
    }
}

/// What went wrong before there was a participant.
pub(super) fn told_at_start(
    error: Error,
    transport: Box<dyn Transport>,
    process: Option<Process>,
    start: Option<Duration>,
) -> Error {
    drop(transport);
    let error = match (start, error.is_timeout()) {
        (Some(start), true) => error
            .reworded(format!(
                "It did not introduce itself within {} s.",
                start.as_secs_f64()
            ))
            .advise("raise `start` if it needs longer to begin; does it use a client of Cardan at all?"),
        _ => error,
    };
    told_before_the_run(error, process)
}

/// What became of a process that should have introduced itself.
pub(crate) fn told_before_the_run(error: Error, process: Option<Process>) -> Error {
    told(error, process, |words| match words.is_empty() {
        true => "it ended before it introduced itself: run its command by hand to see why",
        false => "it ended before it introduced itself; its last words should tell why",
    })
}

/// Ends the process and adds what it said and how it ended, where that explains the error. What to do then depends on its
/// last words.
fn told(error: Error, process: Option<Process>, advice: impl Fn(&str) -> &'static str) -> Error {
    let Some(process) = process else {
        return error;
    };
    if error.is_closed() {
        let message = match process.ending() {
            Some(ending) => format!("The process {ending}."),
            None => "The process closed its connection but did not end.".to_owned(),
        };
        let words = process.finish();
        let told = error.reworded(format!("{message}{words}"));
        return match told.advice() {
            Some(_) => told,
            None => told.advise(advice(&words)),
        };
    }
    let words = process.finish();
    if words.is_empty() {
        return error;
    }
    let message = format!("{}{words}", error.message());
    error.reworded(message)
}

/// Passes a message of the participant on to the log.
fn relay(component: &str, payload: &[u8]) -> Result<(), Error> {
    let (level, message) = read_log(payload)?;
    match level {
        Level::Error => tracing::error!(component, "{message}"),
        Level::Warning => tracing::warn!(component, "{message}"),
        Level::Info => tracing::info!(component, "{message}"),
        Level::Debug => tracing::debug!(component, "{message}"),
    }
    Ok(())
}
