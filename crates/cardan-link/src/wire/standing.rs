//! What every reply begins with.

use super::header::Flags;
use super::malformed::Malformed;
use super::reader::Reader;
use super::writer::Writer;
use cardan_core::participant::{Effort, Participant};
use cardan_core::time::SimTime;

/// How a participant stands after a call. It comes with each reply, so that nobody has to ask.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Standing {
    /// The next instant at which it acts by itself.
    pub next_instant: Option<SimTime>,
    /// The work done so far.
    pub effort: Effort,
    /// Does an event wait to be handled? Travels in the flags.
    pub pending: bool,
}

impl Standing {
    /// Of a participant of this process.
    pub fn of(participant: &mut dyn Participant) -> Self {
        Standing {
            next_instant: participant.next_instant(),
            effort: participant.effort(),
            pending: participant.events().is_some_and(|events| events.pending()),
        }
    }

    /// The flags of the reply.
    pub fn flags(&self) -> Flags {
        Flags::default().with(Flags::PENDING, self.pending)
    }

    /// Writes it; no next instant is written as one that never comes.
    pub fn write(&self, writer: &mut Writer<'_>) {
        writer
            .time(self.next_instant.unwrap_or(SimTime::FUTURE))
            .u64(self.effort.inner_steps)
            .u64(self.effort.evaluations);
    }

    /// Reads it.
    #[inline]
    pub fn read(flags: Flags, reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let next = reader.time()?;
        Ok(Standing {
            next_instant: (next != SimTime::FUTURE).then_some(next),
            effort: Effort {
                inner_steps: reader.u64("a count of steps")?,
                evaluations: reader.u64("a count of evaluations")?,
                ..Effort::default()
            },
            pending: flags.has(Flags::PENDING),
        })
    }
}
