//! The participants that one thread calls.

use super::Account;
use super::desk::Desk;
use crate::defect::{self, Place};
use crate::error::Call;
use crate::flight::Pen;
use crate::graph::ParticipantId;
use crate::participant::{Failure, FailureKind, Outcome, Participant, StepEnd, StepRequest};
use crate::planes::Planes;
use crate::time::SimTime;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Steps of a member are timed one in so many while they are short, so that looking at the clock costs
/// next to nothing. The first, the third, the seventh and so on are timed before: short runs are runs too.
const TIMING_STRIDE: u32 = 128;
/// Steps longer than this are all timed.
const LONG_STEP: Duration = Duration::from_micros(2);

/// What a crew is to do for its members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    /// Step, and give the outputs where they do not need an exchange.
    Step,
    /// Take one step of its own, as far as to the end of the desk's at most, and the same.
    OwnStep,
    /// Let inputs react by the law on the desk.
    React,
    /// Tell how the outputs change with the inputs along the desk's direction.
    Derivatives,
    /// Give the outputs with the exchanged inputs.
    Outputs,
    /// Tell how fast the outputs change.
    Slopes,
    /// Hear what is settled.
    Accept,
    /// Keep the state in a slot.
    Save,
    /// Go back to the state in a slot.
    Restore,
}

/// A participant with its account. Two of them fill a cache line.
#[repr(align(32))]
pub(crate) struct Member {
    pub(crate) participant: Box<dyn Participant>,
    /// From one timed step to the next: one where steps are long.
    stride: u32,
    /// Steps until the next one that is timed.
    countdown: u32,
    /// Few steps touch it, so it lies elsewhere.
    timing: Box<Timing>,
}

/// What is known after a timed step.
#[derive(Default)]
struct Timing {
    /// All steps up to there.
    steps: u64,
    timed_steps: u64,
    timed: Duration,
}

impl Member {
    pub(crate) fn account(&self) -> Account {
        let timing = &self.timing;
        let steps = timing.steps + u64::from(self.stride - self.countdown);
        let share = if timing.timed_steps == 0 {
            0.0
        } else {
            steps as f64 / timing.timed_steps as f64
        };
        Account {
            steps,
            wall: timing.timed.mul_f64(share),
            effort: self.participant.effort(),
            wait: Duration::ZERO,
        }
    }

    #[inline]
    pub(crate) fn step(&mut self, request: StepRequest<'_>) -> Result<StepEnd, Failure> {
        self.countdown -= 1;
        if self.countdown > 0 {
            return self.participant.step(request);
        }
        self.timed_step(|participant| participant.step(request))
    }

    /// One step of its own.
    fn step_once(&mut self, request: StepRequest<'_>) -> Result<StepEnd, Failure> {
        let step = |participant: &mut dyn Participant| match participant.own_steps() {
            Some(own) => own.step_once(request),
            None => Err(Failure::failed("It has no steps of its own.")),
        };
        self.countdown -= 1;
        match self.countdown > 0 {
            true => step(&mut *self.participant),
            false => self.timed_step(step),
        }
    }

    #[cold]
    fn timed_step(
        &mut self,
        step: impl FnOnce(&mut dyn Participant) -> Result<StepEnd, Failure>,
    ) -> Result<StepEnd, Failure> {
        let before = Instant::now();
        let end = step(&mut *self.participant);
        let took = before.elapsed();
        self.timing.steps += u64::from(self.stride);
        self.timing.timed_steps += 1;
        self.timing.timed += took;
        self.stride = match took > LONG_STEP {
            true => 1,
            false => (2 * self.stride).min(TIMING_STRIDE),
        };
        self.countdown = self.stride;
        end
    }
}

/// Participants that one thread calls, from load to unload.
#[derive(Default)]
pub(crate) struct Crew {
    pub(crate) members: Vec<Member>,
    /// Who the members are in the run.
    ids: Vec<ParticipantId>,
    pen: Pen,
}

impl Crew {
    /// A crew that notes down whom it calls.
    pub(crate) fn new(pen: Pen) -> Self {
        Crew {
            pen,
            ..Crew::default()
        }
    }

    pub(crate) fn join(&mut self, id: ParticipantId, participant: Box<dyn Participant>) {
        self.ids.push(id);
        self.members.push(Member {
            participant,
            stride: 1,
            countdown: 1,
            timing: Box::default(),
        });
    }

    /// Does `task` for one member. Failures stay on the desk.
    pub(crate) fn perform(&mut self, task: Task, index: usize, desk: &mut Desk) {
        let member = &mut self.members[index];
        let (id, pen) = (self.ids[index], self.pen);
        match task {
            Task::Step | Task::OwnStep => {
                pen.calling_again(id, Call::Step, desk.from);
                let request = desk.request(desk.from, desk.to);
                let end = match task {
                    Task::OwnStep => member.step_once(request),
                    _ => member.step(request),
                };
                match end {
                    Ok(end) => desk.end = end,
                    Err(failure) => return desk.fail(Call::Step, failure),
                }
                match desk.end {
                    StepEnd::Completed => {}
                    // Where one has steps of its own, the end of one is all that was asked for.
                    StepEnd::Early { at } if task == Task::OwnStep && at > desk.from && at <= desk.to => {
                        desk.to = at;
                        desk.end = StepEnd::Completed;
                    }
                    _ => return,
                }
                if desk.shows_inner {
                    show_inner(member, desk);
                } else if !desk.watch.is_empty() {
                    watch(member, desk);
                }
                if desk.outputs_at_once {
                    pen.calling(id, Call::Outputs, desk.to);
                    outputs(member, desk);
                }
            }
            Task::Outputs => {
                pen.calling_again(id, Call::Outputs, desk.to);
                outputs(member, desk);
            }
            Task::Slopes => {
                pen.calling_again(id, Call::Slopes, desk.to);
                slopes(member, desk);
            }
            Task::React => {
                pen.calling_again(id, Call::Step, desk.from);
                let outcome = match member.participant.reactive() {
                    Some(ability) => ability.react(&desk.reaction),
                    None => Err(Failure::failed("Its inputs cannot react to its outputs.")),
                };
                if let Err(failure) = outcome {
                    desk.fail(Call::Step, failure);
                }
            }
            Task::Derivatives => {
                pen.calling_again(id, Call::Derivatives, desk.to);
                derivatives(member, desk);
            }
            Task::Accept => member.participant.accepted(desk.settled),
            Task::Save | Task::Restore => {
                let call = match task {
                    Task::Save => Call::Save,
                    _ => Call::Restore,
                };
                pen.calling_again(id, call, desk.from);
                let slot = desk.slot;
                let outcome = match member.participant.rollback() {
                    Some(rollback) if task == Task::Save => rollback.save(slot),
                    Some(rollback) => rollback.restore(slot),
                    None => Err(Failure::failed("It cannot go back to a saved state.")),
                };
                if let Err(failure) = outcome {
                    desk.fail(call, failure);
                }
            }
        }
    }

    /// A rare call of one member, with a panic turned into its failure.
    pub(crate) fn call<R>(
        &mut self,
        index: usize,
        (call, at): (Call, SimTime),
        what: impl FnOnce(&mut dyn Participant) -> Outcome<R>,
    ) -> Outcome<R> {
        self.pen.calling_again(self.ids[index], call, at);
        let member = &mut *self.members[index].participant;
        let done = catch_unwind(AssertUnwindSafe(|| what(member)));
        self.pen.idle();
        done.unwrap_or_else(|cause| Err(panicked(&*cause)))
    }

    /// The same, with a panic in a participant turned into its failure.
    pub(crate) fn perform_guarded(&mut self, task: Task, index: usize, desk: &mut Desk) {
        let result = catch_unwind(AssertUnwindSafe(|| self.perform(task, index, desk)));
        self.pen.idle();
        if let Err(cause) = result {
            let call = if matches!(task, Task::Step | Task::OwnStep) {
                Call::Step
            } else {
                Call::Outputs
            };
            desk.fail(call, panicked(&*cause));
        }
    }
}

/// The failure that a panic is: of a participant, or of the engine where that is its place.
#[cold]
pub(crate) fn panicked(cause: &(dyn std::any::Any + Send)) -> Failure {
    let place = defect::place();
    if place.as_ref().is_some_and(Place::is_engine) {
        let failure = Failure {
            kind: FailureKind::Engine,
            message: defect::described(cause, place.as_ref()),
            advice: None,
        };
        return failure.advise(defect::ADVICE);
    }
    let words = defect::words(cause);
    let message = match place {
        Some(place) => format!("panicked at {place}: {words}"),
        None => format!("panicked: {words}"),
    };
    Failure::failed(message).advise("this is a defect of the participant; please report it")
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

fn derivatives(member: &mut Member, desk: &mut Desk) {
    let Some(ability) = member.participant.derivatives() else {
        desk.change.fill(0.0);
        return;
    };
    let told = ability.directional(desk.to, &desk.current, &desk.direction, &mut desk.change);
    if let Err(failure) = told {
        desk.fail(Call::Derivatives, failure);
    }
}

/// Lays the participant's own steps inside the last one on the desk.
fn show_inner(member: &mut Member, desk: &mut Desk) {
    desk.watch.clear();
    if let Some(trace) = member.participant.trace() {
        desk.watch.extend_from_slice(trace.instants());
        desk.forced.clear();
        desk.forced
            .extend((0..desk.watch.len()).map(|index| trace.is_forced(index)));
        watch(member, desk);
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
