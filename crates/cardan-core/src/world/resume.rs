//! The world as bytes: what everybody has published, where everybody stands, and their own states.

use super::desk::Desk;
use super::events::Actor;
use super::loops::LoopMemory;
use super::{Account, World};
use crate::checkpoint::{self, Damage, Reader, Resumable, ResumeError, Writer};
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::participant::{Effort, Failure, Outcome, Participant, Portable, Rollback};
use crate::signal::{History, Segment};

const TIMES: &str = "times";
/// Whole numbers of steps cannot be told apart beyond this.
const MOST_STEPS: f64 = 1e15;

/// What participants did before this run, and what their counters said when it began.
#[derive(Default)]
pub(super) struct Earlier {
    accounts: Vec<Account>,
    efforts: Vec<Effort>,
}

impl World {
    /// Writes everything down. Time stands still at an accepted point; all participants must be portable.
    pub(crate) fn keep(&mut self, writer: &mut Writer) -> Result<(), RunError> {
        writer.time(self.frontier);
        for counter in [self.step_calls, self.rejected, self.iterations, self.settled] {
            writer.count(counter);
        }
        let accounts = self.accounts();
        writer.length(accounts.len());
        for (index, account) in accounts.iter().enumerate() {
            let participant = ParticipantId(index as u32);
            let at = self.at[index];
            writer.time(at);
            self.histories[index].keep(writer);
            writer.boolean(self.samples[index].is_some());
            if let Some(samples) = &self.samples[index] {
                samples.keep(writer);
            }
            self.team.desk(participant).keep(writer);
            account.keep(writer);
            writer.blob(&self.call(participant, Call::Save, Some(at), exported)?);
        }
        writer.length(self.loops.len());
        self.loops.iter().for_each(|memory| memory.keep(writer));
        writer.length(self.actors.len());
        self.actors.iter().for_each(|actor| actor.keep(writer));
        self.monitor.keep(writer);
        writer.count(self.next_look);
        self.looks.keep(writer);
        self.corrections.keep(writer);
        self.books.keep(writer);
        self.lines.keep(writer);
        self.drives.keep(writer);
        Ok(())
    }

    /// Takes everything over. Everybody has been initialised.
    pub(crate) fn resume_from(&mut self, reader: &mut Reader<'_>) -> Result<(), ResumeError> {
        self.frontier = reader.time(TIMES)?;
        let window = self.plan.window;
        if self.plan.resolution.before(self.frontier, window.start) {
            return Err(Damage::Nonsense { what: TIMES }.into());
        }
        if self.plan.resolution.before(window.stop, self.frontier) {
            let (time, stop) = (self.frontier.seconds(), window.stop.seconds());
            return Err(Damage::Beyond { time, stop }.into());
        }
        let counters = [
            &mut self.step_calls,
            &mut self.rejected,
            &mut self.iterations,
            &mut self.settled,
        ];
        for counter in counters {
            *counter = reader.count("counters")?;
        }
        reader.exactly(self.at.len(), "components")?;
        self.earlier = Earlier::default();
        for index in 0..self.at.len() {
            self.resume_participant(ParticipantId(index as u32), reader)?;
        }
        reader.exactly(self.loops.len(), "loops")?;
        for memory in &mut self.loops {
            memory.resume(reader)?;
        }
        reader.exactly(self.actors.len(), "components with events")?;
        for actor in &mut self.actors {
            actor.resume(reader)?;
            if self.plan.resolution.before(actor.next, self.frontier) {
                return Err(Damage::Nonsense { what: TIMES }.into());
            }
        }
        self.monitor.resume(reader)?;
        self.next_look = reader.count("looks at the coupling")?;
        if self.next_look <= self.settled {
            let what = "looks at the coupling";
            return Err(Damage::Nonsense { what }.into());
        }
        self.looks.resume(reader)?;
        self.corrections.resume(reader)?;
        self.books.resume(reader)?;
        self.lines.resume(reader)?;
        self.resume_drives(reader)?;
        match self.lines.are_sane(&self.plan, &self.at) {
            true => Ok(()),
            false => Err(Damage::Nonsense { what: "waves" }.into()),
        }
    }

    fn resume_participant(
        &mut self,
        participant: ParticipantId,
        reader: &mut Reader<'_>,
    ) -> Result<(), ResumeError> {
        let index = participant.index();
        let at = reader.time(TIMES)?;
        let (plan, start) = (&self.plan, self.plan.window.start);
        let steps = at.since(start) / plan.seats[index].grid.step();
        // Only where everybody has steps of its own somebody is ahead of what is settled.
        let together = plan.single_rate || plan.needs.meets;
        let ahead = together && plan.resolution.before(self.frontier, at);
        if ahead || plan.resolution.before(at, start) || steps > MOST_STEPS {
            return Err(Damage::Nonsense { what: TIMES }.into());
        }
        if plan.resolution.before(plan.window.stop, at) {
            let (time, stop) = (at.seconds(), plan.window.stop.seconds());
            return Err(Damage::Beyond { time, stop }.into());
        }
        self.at[index] = at;
        self.histories[index].resume(reader)?;
        // Everybody has shown what it reached, and nobody knows the future.
        if !self.plan.resolution.same(self.histories[index].latest(), at) {
            return Err(Damage::Nonsense { what: TIMES }.into());
        }
        if reader.boolean("rows inside steps")? {
            // A run with another end may have no use for them.
            let blank = || History::new(self.plan.seats[index].output_extent);
            let samples = self.samples[index].get_or_insert_with(blank);
            samples.resume(reader)?;
            if samples.latest() > at {
                return Err(Damage::Nonsense { what: TIMES }.into());
            }
        }
        self.team.desk(participant).resume(reader)?;
        let mut account = Account::default();
        account.resume(reader)?;
        let state = reader.blob("states of components")?.to_vec();
        let effort = self.call(participant, Call::Restore, Some(at), move |p| imported(p, &state))?;
        self.earlier.accounts.push(account);
        self.earlier.efforts.push(effort);
        Ok(())
    }

    /// What each participant did so far, before a checkpoint too.
    pub fn accounts(&mut self) -> Vec<Account> {
        let mut accounts = self.team.accounts();
        let earlier = self.earlier.accounts.iter().zip(&self.earlier.efforts);
        for (account, (before, then)) in accounts.iter_mut().zip(earlier) {
            let since = |now: u64, then: u64, before: u64| before.saturating_add(now.saturating_sub(then));
            let (effort, known) = (&mut account.effort, before.effort);
            effort.inner_steps = since(effort.inner_steps, then.inner_steps, known.inner_steps);
            effort.evaluations = since(effort.evaluations, then.evaluations, known.evaluations);
            effort.iterations = since(effort.iterations, then.iterations, known.iterations);
            account.steps = account.steps.saturating_add(before.steps);
        }
        accounts
    }
}

/// The state of a participant as bytes.
fn exported(participant: &mut dyn Participant) -> Outcome<Vec<u8>> {
    let rollback = able(participant.rollback())?;
    rollback.save(checkpoint::SLOT)?;
    let mut bytes = Vec::new();
    portable(rollback)?.export(checkpoint::SLOT, &mut bytes)?;
    Ok(bytes)
}

/// Lets a participant go to a state; answers with what its counters say then.
fn imported(participant: &mut dyn Participant, state: &[u8]) -> Outcome<Effort> {
    let rollback = able(participant.rollback())?;
    portable(rollback)?.import(checkpoint::SLOT, state)?;
    rollback.restore(checkpoint::SLOT)?;
    Ok(participant.effort())
}

fn able<T>(ability: Option<T>) -> Outcome<T> {
    let failure = || Failure::failed("it cannot write its state down, so there are no checkpoints of it");
    ability.ok_or_else(failure)
}

fn portable(rollback: &mut dyn Rollback) -> Outcome<&mut dyn Portable> {
    able(rollback.portable())
}

impl Resumable for Account {
    fn keep(&self, writer: &mut Writer) {
        let effort = &self.effort;
        for counter in [
            self.steps,
            effort.inner_steps,
            effort.evaluations,
            effort.iterations,
        ] {
            writer.count(counter);
        }
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        let effort = &mut self.effort;
        for counter in [
            &mut self.steps,
            &mut effort.inner_steps,
            &mut effort.evaluations,
            &mut effort.iterations,
        ] {
            *counter = reader.count("counters")?;
        }
        Ok(())
    }
}

impl Resumable for Desk {
    /// The inputs as exchanged last, which outputs that do not react to them see as well, and the laws of the last step,
    /// from which slopes may be taken.
    fn keep(&self, writer: &mut Writer) {
        writer.planes(&self.current);
        writer.length(self.ends.len());
        self.ends.iter().for_each(|end| writer.count(u64::from(*end)));
        writer.length(self.segments.len());
        self.segments.iter().for_each(|segment| segment.keep(writer));
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "pieces of signals";
        let inputs = self.current.reals.len();
        reader.replace(&mut self.current, "inputs")?;
        let ends = reader.list(8, WHAT, |reader| {
            u32::try_from(reader.count(WHAT)?).map_err(|_| Damage::Nonsense { what: WHAT })
        })?;
        let segments = reader.list(49, WHAT, Segment::read)?;
        let fits = match ends.as_slice() {
            [] => segments.len() == inputs,
            [first, .., last] => {
                *first > 0 && ends.is_sorted() && *last as usize == segments.len() && ends.len() == inputs
            }
            [only] => *only > 0 && *only as usize == segments.len() && inputs == 1,
        };
        if !fits {
            return Err(Damage::Nonsense { what: WHAT });
        }
        (self.ends, self.segments) = (ends, segments);
        Ok(())
    }
}

impl Resumable for Actor {
    fn keep(&self, writer: &mut Writer) {
        writer.time(self.next);
        writer.planes(&self.seen);
        writer.booleans(&self.ticked);
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        self.next = reader.time("an event")?;
        self.seen = reader.planes("inputs")?;
        reader.fill_booleans(&mut self.ticked, "clocks")
    }
}

impl Resumable for LoopMemory {
    fn keep(&self, writer: &mut Writer) {
        self.newton.keep(writer);
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        self.newton.resume(reader)
    }
}
