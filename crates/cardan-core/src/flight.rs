//! The flight record: who is being called, in which call, at which time.
//!
//! Before every call into a participant the calling thread notes it down, in memory that another process may map too.
//! If the call ends the process, or never returns, whoever watches over the run reads there whose doing it was. A note
//! is two plain stores, so it can be made before every step.

use crate::error::Call;
use crate::graph::ParticipantId;
use crate::time::SimTime;
use std::sync::atomic::{AtomicU64, Ordering};

/// The notes of one thread. All zeros is a valid slot: nobody is called.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct Slot {
    /// The call in the low byte, above it the participant, counted from one.
    who: AtomicU64,
    /// The bits of the time.
    time: AtomicU64,
    /// Counts calls that may follow each other without a change of the other two.
    turn: AtomicU64,
}

/// What a slot said when it was looked at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sighting {
    /// Who was being called; none while the engine itself was at work.
    pub participant: Option<ParticipantId>,
    /// The call.
    pub call: Call,
    /// Where the participant stood.
    pub time: SimTime,
    turn: u64,
}

impl Slot {
    /// Looks at the slot, from whatever thread or process.
    pub fn read(&self) -> Sighting {
        let who = self.who.load(Ordering::Relaxed);
        Sighting {
            participant: (who >> 8).checked_sub(1).map(|index| ParticipantId(index as u32)),
            call: Call::numbered(who as u8),
            time: SimTime::from_seconds(f64::from_bits(self.time.load(Ordering::Relaxed))),
            turn: self.turn.load(Ordering::Relaxed),
        }
    }
}

/// The slots of a run, one for each thread that calls participants; none where nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flight(Option<&'static [Slot]>);

impl Flight {
    /// A record in the given slots. They live as long as the process: whoever watches may look at any time.
    pub fn new(slots: &'static [Slot]) -> Self {
        Flight(Some(slots))
    }

    /// For the thread of that number.
    pub(crate) fn pen(self, thread: usize) -> Pen {
        Pen(self.0.and_then(|slots| slots.get(thread).or(slots.last())))
    }
}

/// Makes the notes of one thread.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pen(Option<&'static Slot>);

impl Pen {
    /// The participant is called next.
    #[inline(always)]
    pub(crate) fn calling(self, participant: ParticipantId, call: Call, time: SimTime) {
        if let Some(slot) = self.0 {
            let who = (u64::from(participant.0) + 1) << 8 | call as u64;
            slot.who.store(who, Ordering::Relaxed);
            slot.time.store(time.seconds().to_bits(), Ordering::Relaxed);
        }
    }

    /// The same for calls that may come again and again at one instant.
    #[inline]
    pub(crate) fn calling_again(self, participant: ParticipantId, call: Call, time: SimTime) {
        self.calling(participant, call, time);
        if let Some(slot) = self.0 {
            slot.turn.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Nobody is being called.
    #[inline]
    pub(crate) fn idle(self) {
        if let Some(slot) = self.0 {
            slot.who.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_reads_back() {
        let slots: &'static [Slot] = Box::leak(Box::new([Slot::default(), Slot::default()]));
        let pen = Flight::new(slots).pen(1);
        assert_eq!(slots[1].read().participant, None);
        for call in [Call::Bind, Call::Step, Call::Terminate] {
            pen.calling(ParticipantId(7), call, SimTime::from_seconds(0.25));
            let seen = slots[1].read();
            assert_eq!(seen.participant, Some(ParticipantId(7)));
            assert_eq!((seen.call, seen.time.seconds()), (call, 0.25));
        }
        assert_eq!(slots[0].read().participant, None, "another thread's slot");
        pen.idle();
        assert_eq!(slots[1].read().participant, None);
    }

    #[test]
    fn calls_that_repeat_can_be_told_apart() {
        let slots: &'static [Slot] = Box::leak(Box::new([Slot::default()]));
        let pen = Flight::new(slots).pen(0);
        pen.calling_again(ParticipantId(0), Call::Outputs, SimTime::from_seconds(1.0));
        let first = slots[0].read();
        assert_eq!(first, slots[0].read(), "nothing has happened in between");
        pen.calling_again(ParticipantId(0), Call::Outputs, SimTime::from_seconds(1.0));
        assert_ne!(first, slots[0].read());
    }
}
