//! All crews: the caller's own and those on other threads.

use super::Account;
use super::crew::{Crew, Member, Task};
use super::desk::Desk;
use crate::error::Call;
use crate::flight::Flight;
use crate::graph::ParticipantId;
use crate::participant::{Failure, Outcome, Participant};
use crate::plan::Plan;
use crate::time::SimTime;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Work that travels to a crew on another thread, and back when it is done.
struct Shift {
    task: Task,
    members: Vec<u32>,
    desks: Vec<Desk>,
    /// How long the task took.
    busy: Duration,
}

enum Order {
    Work(Shift),
    Call(Box<dyn FnOnce(&mut Crew) + Send>),
}

/// A crew on a thread of its own.
struct Remote {
    orders: Option<SyncSender<Order>>,
    done: Receiver<Shift>,
    thread: Option<JoinHandle<()>>,
    /// Home of the shift between two tasks.
    shift: Option<Shift>,
    /// How long it stood idle while others of its group worked.
    idle: Duration,
}

impl Remote {
    fn start(mut crew: Crew, desks: Vec<Desk>) -> std::io::Result<Self> {
        // Bounded channels of one place: nothing is allocated for a task.
        let (orders, inbox) = sync_channel::<Order>(1);
        let (outbox, done) = sync_channel::<Shift>(1);
        let thread = std::thread::Builder::new()
            .name("cardan-crew".into())
            .spawn(move || {
                for order in inbox {
                    match order {
                        Order::Call(call) => call(&mut crew),
                        Order::Work(mut shift) => {
                            let began = Instant::now();
                            for &member in &shift.members {
                                let index = member as usize;
                                crew.perform_guarded(shift.task, index, &mut shift.desks[index]);
                            }
                            shift.busy = began.elapsed();
                            if outbox.send(shift).is_err() {
                                return;
                            }
                        }
                    }
                }
            })?;
        let members = Vec::with_capacity(desks.len());
        Ok(Remote {
            orders: Some(orders),
            done,
            thread: Some(thread),
            shift: Some(Shift {
                task: Task::Step,
                members,
                desks,
                busy: Duration::ZERO,
            }),
            idle: Duration::ZERO,
        })
    }

    fn dispatch(&mut self, task: Task) {
        if let (Some(mut shift), Some(orders)) = (self.shift.take(), &self.orders) {
            shift.task = task;
            // The thread ends only with the team, so the send cannot fail while we are here.
            let _ = orders.send(Order::Work(shift));
        }
    }

    fn collect(&mut self) {
        if let Ok(shift) = self.done.recv() {
            self.shift = Some(shift);
        }
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// All participants with their desks, spread over threads. With one thread everything is called directly.
pub(crate) struct Team {
    home: Crew,
    home_desks: Vec<Desk>,
    home_idle: Duration,
    remotes: Vec<Remote>,
    /// For each participant its crew (0 is home) and its place there.
    places: Vec<(u32, u32)>,
    plan: Arc<Plan>,
    /// The desk of one whose thread is gone: all that lies on it is its failure.
    lost: Option<Box<Desk>>,
}

impl Team {
    /// Spreads participants in turn over `threads` threads, the caller's being the first. Thread mates stay together.
    pub(crate) fn gather(
        plan: &Arc<Plan>,
        participants: Vec<Box<dyn Participant>>,
        threads: usize,
        flight: Flight,
    ) -> std::io::Result<Self> {
        let parties = parties(&participants);
        let count = parties.iter().max().map_or(1, |last| last + 1);
        let crews = threads.clamp(1, count);
        let mut places = Vec::with_capacity(participants.len());
        let mut staffed: Vec<Crew> = (0..crews).map(|thread| Crew::new(flight.pen(thread))).collect();
        let mut desks: Vec<Vec<Desk>> = (0..crews).map(|_| Vec::new()).collect();
        for (index, (participant, seat)) in participants.into_iter().zip(&plan.seats).enumerate() {
            let crew = parties[index] % crews;
            places.push((crew as u32, desks[crew].len() as u32));
            staffed[crew].join(ParticipantId(index as u32), participant);
            desks[crew].push(Desk::new(seat));
        }
        let mut staffed = staffed.into_iter().zip(desks);
        let (home, home_desks) = staffed.next().unwrap_or_default();
        let remotes = staffed
            .map(|(crew, desks)| Remote::start(crew, desks))
            .collect::<std::io::Result<_>>()?;
        Ok(Team {
            home,
            home_desks,
            home_idle: Duration::ZERO,
            remotes,
            places,
            plan: Arc::clone(plan),
            lost: None,
        })
    }

    /// Is everything called by this thread?
    #[inline]
    pub(crate) fn is_local(&self) -> bool {
        self.remotes.is_empty()
    }

    /// The desk of a participant. Between tasks every desk is here.
    #[inline]
    pub(crate) fn desk(&mut self, participant: ParticipantId) -> &mut Desk {
        if self.remotes.is_empty() {
            return &mut self.home_desks[participant.index()];
        }
        let (crew, place) = self.places[participant.index()];
        match crew {
            0 => &mut self.home_desks[place as usize],
            remote => match &mut self.remotes[remote as usize - 1].shift {
                Some(shift) => &mut shift.desks[place as usize],
                // Only a crew whose thread is gone has no shift.
                None => {
                    let mut desk = Desk::new(&self.plan.seats[participant.index()]);
                    desk.fail(Call::None, gone());
                    self.lost.insert(Box::new(desk))
                }
            },
        }
    }

    /// A member of a local team with its desk.
    #[inline]
    pub(crate) fn at_home(&mut self, participant: ParticipantId) -> (&mut Member, &mut Desk) {
        let index = participant.index();
        (&mut self.home.members[index], &mut self.home_desks[index])
    }

    /// A group does its task, side by side where it is spread over threads.
    pub(crate) fn perform(&mut self, task: Task, group: impl Iterator<Item = ParticipantId> + Clone) {
        if self.remotes.is_empty() {
            // Nobody waits for anybody, so there is nothing to time.
            for participant in group {
                let index = participant.index();
                let desk = &mut self.home_desks[index];
                self.home.perform_guarded(task, index, desk);
            }
            return;
        }
        for remote in &mut self.remotes {
            if let Some(shift) = &mut remote.shift {
                shift.members.clear();
            }
        }
        for participant in group.clone() {
            let (crew, place) = self.places[participant.index()];
            if crew > 0
                && let Some(shift) = &mut self.remotes[crew as usize - 1].shift
            {
                shift.members.push(place);
            }
        }
        let began = Instant::now();
        let busy = |remote: &Remote| remote.shift.as_ref().is_some_and(|s| !s.members.is_empty());
        for remote in self.remotes.iter_mut().filter(|r| busy(r)) {
            remote.dispatch(task);
        }
        for participant in group {
            let (crew, place) = self.places[participant.index()];
            if crew == 0 {
                let desk = &mut self.home_desks[place as usize];
                self.home.perform_guarded(task, place as usize, desk);
            }
        }
        let home_busy = began.elapsed();
        for remote in self.remotes.iter_mut().filter(|r| r.shift.is_none()) {
            remote.collect();
        }
        let whole = began.elapsed();
        self.home_idle += whole.saturating_sub(home_busy);
        for remote in &mut self.remotes {
            if let Some(shift) = remote.shift.as_ref().filter(|s| !s.members.is_empty()) {
                remote.idle += whole.saturating_sub(shift.busy);
            }
        }
    }

    /// Tells everybody what is settled.
    pub(crate) fn accept(&mut self, at: SimTime) {
        for member in &mut self.home.members {
            member.participant.accepted(at);
        }
        for remote in &mut self.remotes {
            if let Some(shift) = &mut remote.shift {
                shift.members.clear();
                shift.members.extend(0..shift.desks.len() as u32);
                shift.desks.iter_mut().for_each(|desk| desk.settled = at);
            }
            remote.dispatch(Task::Accept);
        }
        self.remotes.iter_mut().for_each(Remote::collect);
    }

    /// A rare call on the participant's own thread.
    pub(crate) fn call<R: Send + 'static>(
        &mut self,
        participant: ParticipantId,
        note: (Call, SimTime),
        call: impl FnOnce(&mut dyn Participant) -> Outcome<R> + Send + 'static,
    ) -> Outcome<R> {
        let (crew, place) = self.places[participant.index()];
        let guarded = move |crew: &mut Crew| crew.call(place as usize, note, call);
        if crew == 0 {
            return guarded(&mut self.home);
        }
        let (answer, result) = sync_channel(1);
        let orders = self.remotes[crew as usize - 1].orders.as_ref().ok_or_else(gone)?;
        let order = Order::Call(Box::new(move |crew| {
            let _ = answer.send(guarded(crew));
        }));
        orders.send(order).map_err(|_| gone())?;
        result.recv().map_err(|_| gone())?
    }

    /// What each participant did so far.
    pub(crate) fn accounts(&mut self) -> Vec<Account> {
        let by_crew = self.ask_everyone(|crew| crew.members.iter().map(Member::account).collect::<Vec<_>>());
        let mut accounts = vec![Account::default(); self.places.len()];
        for (account, (crew, place)) in accounts.iter_mut().zip(&self.places) {
            if let Some(known) = by_crew[*crew as usize]
                .as_ref()
                .and_then(|list| list.get(*place as usize))
            {
                *account = *known;
                account.wait = match crew {
                    0 => self.home_idle,
                    remote => self.remotes[*remote as usize - 1].idle,
                };
            }
        }
        accounts
    }

    /// Processor time of all threads of the team.
    pub(crate) fn cpu_time(&mut self) -> Duration {
        let times = self.ask_everyone(|_| thread_cpu_time());
        times.into_iter().flatten().sum()
    }

    /// The answer of each crew, home first, given on its own thread.
    fn ask_everyone<R: Send + 'static>(&mut self, question: fn(&mut Crew) -> R) -> Vec<Option<R>> {
        let mut answers = vec![Some(question(&mut self.home))];
        for remote in &self.remotes {
            let (answer, result) = sync_channel(1);
            let order = Order::Call(Box::new(move |crew: &mut Crew| {
                let _ = answer.send(question(crew));
            }));
            let sent = remote
                .orders
                .as_ref()
                .is_some_and(|orders| orders.send(order).is_ok());
            answers.push(if sent { result.recv().ok() } else { None });
        }
        answers
    }
}

/// What there is to say of one whose thread is not there any more.
fn gone() -> Failure {
    Failure::failed("its thread has ended")
}

/// Numbers participants so that thread mates, and only they, have the same number.
fn parties(participants: &[Box<dyn Participant>]) -> Vec<usize> {
    let mut known = HashMap::new();
    let mut count = 0;
    let mut found = Vec::with_capacity(participants.len());
    for participant in participants {
        let party = match participant.thread_mates() {
            Some(mates) => *known.entry(mates).or_insert(count),
            None => count,
        };
        count = count.max(party + 1);
        found.push(party);
    }
    found
}

/// Processor time of the calling thread, where the system tells it.
fn thread_cpu_time() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
    }
    #[cfg(not(unix))]
    Duration::ZERO
}
