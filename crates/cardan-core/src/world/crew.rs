//! The participants that one thread calls.

use super::Account;
use super::desk::Desk;
use crate::error::Call;
use crate::participant::{Failure, Participant, StepEnd};
use crate::planes::Planes;
use crate::time::SimTime;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Steps of a member are timed one in so many while they are short, so that looking at the clock costs
/// next to nothing.
const TIMING_STRIDE: u64 = 128;
/// Steps longer than this are all timed.
const LONG_STEP: Duration = Duration::from_micros(2);

/// What a crew is to do for its members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    /// Step, and give the outputs where they do not need an exchange.
    Step,
    /// Give the outputs with the exchanged inputs.
    Outputs,
    /// Tell how fast the outputs change.
    Slopes,
    /// Hear what is settled.
    Accept,
}

#[repr(align(64))]
pub(crate) struct Member {
    pub(crate) participant: Box<dyn Participant>,
    steps: u64,
    timed_steps: u64,
    timed: Duration,
    /// Are its steps long enough to time them all?
    long: bool,
}

impl Member {
    pub(crate) fn account(&self) -> Account {
        let share = if self.timed_steps == 0 {
            0.0
        } else {
            self.steps as f64 / self.timed_steps as f64
        };
        Account {
            steps: self.steps,
            wall: self.timed.mul_f64(share),
            effort: self.participant.effort(),
            wait: Duration::ZERO,
        }
    }

    #[inline]
    pub(crate) fn step(&mut self, desk: &Desk, from: SimTime, to: SimTime) -> Result<StepEnd, Failure> {
        self.steps += 1;
        if !self.long && !self.steps.is_multiple_of(TIMING_STRIDE) {
            return self.participant.step(desk.request(from, to));
        }
        self.timed_step(desk, from, to)
    }

    #[cold]
    fn timed_step(&mut self, desk: &Desk, from: SimTime, to: SimTime) -> Result<StepEnd, Failure> {
        let before = Instant::now();
        let end = self.participant.step(desk.request(from, to));
        let took = before.elapsed();
        self.timed += took;
        self.timed_steps += 1;
        self.long = took > LONG_STEP;
        end
    }
}

/// Participants that one thread calls, from load to unload.
#[derive(Default)]
pub(crate) struct Crew {
    pub(crate) members: Vec<Member>,
}

impl Crew {
    pub(crate) fn join(&mut self, participant: Box<dyn Participant>) {
        self.members.push(Member {
            participant,
            steps: 0,
            timed_steps: 0,
            timed: Duration::ZERO,
            long: false,
        });
    }

    /// Does `task` for one member. Failures stay on the desk.
    pub(crate) fn perform(&mut self, task: Task, index: usize, desk: &mut Desk) {
        let member = &mut self.members[index];
        match task {
            Task::Step => {
                match member.step(desk, desk.from, desk.to) {
                    Ok(end) => desk.end = end,
                    Err(failure) => return desk.fail(Call::Step, failure),
                }
                if desk.end != StepEnd::Completed {
                    return;
                }
                if !desk.watch.is_empty() {
                    watch(member, desk);
                }
                if desk.outputs_at_once {
                    outputs(member, desk);
                }
            }
            Task::Outputs => outputs(member, desk),
            Task::Slopes => slopes(member, desk),
            Task::Accept => member.participant.accepted(desk.settled),
        }
    }

    /// The same, with a panic in a participant turned into its failure.
    pub(crate) fn perform_guarded(&mut self, task: Task, index: usize, desk: &mut Desk) {
        let result = catch_unwind(AssertUnwindSafe(|| self.perform(task, index, desk)));
        if let Err(cause) = result {
            let call = if task == Task::Step {
                Call::Step
            } else {
                Call::Outputs
            };
            desk.fail(call, panicked(&*cause));
        }
    }
}

/// The failure of a participant that panicked.
#[cold]
pub(crate) fn panicked(cause: &(dyn std::any::Any + Send)) -> Failure {
    let text = cause
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| cause.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".into());
    Failure::failed(format!("panicked: {text}"))
        .advise("this is a defect of the participant; please report it")
}

fn outputs(member: &mut Member, desk: &mut Desk) {
    let result = member
        .participant
        .outputs(desk.to, &desk.current, desk.outputs.view_mut());
    if let Err(failure) = result {
        desk.fail(Call::Outputs, failure);
    }
}

fn slopes(member: &mut Member, desk: &mut Desk) {
    let Some(ability) = member.participant.slopes() else {
        desk.slopes.fill(f64::NAN);
        return;
    };
    let inputs = &desk.current;
    if let Err(failure) = ability.slopes(desk.to, inputs, &desk.input_slopes, &mut desk.slopes) {
        desk.fail(Call::Slopes, failure);
    }
}

#[cold]
pub(crate) fn watch(member: &mut Member, desk: &mut Desk) {
    let Some(trace) = member.participant.trace() else {
        desk.watch.clear();
        return;
    };
    let count = trace.instants().len().min(desk.watch.len());
    desk.watch.truncate(count);
    while desk.watched.len() < count {
        desk.watched.push(Planes::clone(&desk.outputs));
    }
    for index in 0..count {
        if let Err(failure) = trace.point(index, desk.watched[index].view_mut()) {
            return desk.fail(Call::Trace, failure);
        }
    }
}
