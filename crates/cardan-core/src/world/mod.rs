//! The participants at work: their times, their histories, and the two things a master does with them.
//!
//! A master moves a group of participants forward with [`World::step_group`] and then lets them show what they reached
//! with [`World::exchange`]. Which points a reading may see depends on simulated times and the order of the plan alone,
//! never on who was faster, so a run gives the same bits on any number of threads.

mod assume;
mod bends;
mod books;
mod correction;
mod crew;
mod desk;
mod drives;
mod events;
mod exchange;
mod filling;
mod inner;
mod landing;
mod lines;
mod looks;
mod loops;
mod own;
mod read;
mod resume;
mod review;
mod rollback;
mod silent;
mod slopes;
mod start;
mod team;
mod trial;

use crate::defect;
use crate::error::{Call, RunError};
use crate::flight::{Flight, Pen};
use crate::graph::ParticipantId;
use crate::inputs::Inputs;
use crate::interface::PortId;
use crate::monitor::{BondAccount, Monitor};
use crate::participant::{Effort, Failure, Participant, Settings, StepEnd, StepRequest, Watch};
use crate::plan::{Plan, RealInput};
use crate::planes::{Planes, PlanesRef};
use crate::signal::History;
use crate::time::{Grid, SimTime};
use books::{Balance, Books};
use correction::Corrections;
use crew::Task;
use events::Actor;
use looks::Looks;
use loops::LoopMemory;
use read::Feeds;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
use team::Team;

pub use bends::Bend;
pub use drives::Undrivable;
pub(crate) use read::row_value;
pub use silent::SilentJump;

/// Participants hear what is settled once in so many accepted points: they may then forget, but need not hurry.
const ACCEPT_STRIDE: u64 = 32;

/// The participants of a run with everything they published.
pub struct World {
    plan: Arc<Plan>,
    team: Team,
    histories: Vec<History>,
    /// Rows inside steps, from participants with a trace, where results are wanted on a finer grid.
    samples: Vec<Option<History>>,
    at: Vec<SimTime>,
    /// What the solvers of the loops keep, parallel to the loops of the present phase.
    loops: Vec<LoopMemory>,
    /// Those that act while time stands still.
    actors: Vec<Actor>,
    feeds: Feeds,
    frontier: SimTime,
    /// What the run noticed.
    pub monitor: Monitor,
    /// Steps that did not simply complete, of the last group.
    unusual: Vec<(ParticipantId, StepEnd)>,
    /// Places of the sequence to be evaluated, for the exchange; kept to reuse its memory.
    worklist: Vec<u32>,
    /// Who can go back to a saved state.
    repeatable: Vec<bool>,
    /// Do steps that are chosen end at rows?
    lands_on_rows: bool,
    /// Those whose discrete outputs may jump anywhere inside a step, without a word.
    silent: Vec<silent::Silent>,
    /// The same of those who have an event mode, in which they should.
    outspoken: Vec<silent::Silent>,
    /// By slot, where everybody stood when it was saved.
    saved: Vec<rollback::Standing>,
    /// Who is being called, should it panic.
    called: ParticipantId,
    /// Notes down the same for others to see.
    pen: Pen,
    step_calls: u64,
    /// How often steps were taken back.
    rejected: u64,
    /// How often steps were repeated so that values fit together.
    iterations: u64,
    /// Is a step under way at whose end what jumps there is not seen yet?
    arriving: bool,
    /// Participants whose laws have corners in time, and the next of these.
    corners: Vec<ParticipantId>,
    corner: SimTime,
    /// Those of them who are nothing but a law of time, and can be asked for any instant.
    laws: Vec<ParticipantId>,
    /// Those who do not follow the course of their inputs within a step.
    blunt: Vec<ParticipantId>,
    /// How they set off where steps end.
    courses: bends::Courses,
    /// How often the frontier moved.
    settled: u64,
    /// What everybody did before a checkpoint.
    earlier: resume::Earlier,
    /// The settled step at which to look at the coupling next.
    next_look: u64,
    looks: Looks,
    corrections: Corrections,
    books: Books,
    /// Are there bonds?
    keeps_books: bool,
    /// Where one that leads lets laws change: no slope is kept there.
    kink: SimTime,
    /// What the one that leads was told of those that are behind it.
    told: own::Told,
    /// Where one waits for the other: how long each kept the others waiting.
    busy: Vec<Duration>,
    /// Transmission lines.
    lines: lines::Lines,
    /// Inputs that the engine itself writes.
    drives: drives::Drives,
}

/// What a participant did in a run.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Account {
    /// Calls of `step`.
    pub steps: u64,
    /// Its own work.
    pub effort: Effort,
    /// Time spent in its steps; an estimate from a sample where steps are short.
    pub wall: Duration,
    /// Time its thread stood idle while others of its group stepped.
    pub wait: Duration,
}

impl World {
    /// Seats the participants, in the order of the plan, on `threads` threads, which note down whom they call.
    pub fn new(
        plan: Arc<Plan>,
        participants: Vec<Box<dyn Participant>>,
        threads: usize,
        flight: Flight,
    ) -> Result<Self, RunError> {
        // Whoever panics is to be told by the place.
        defect::watch();
        let team = Team::gather(&plan, participants, threads, flight)
            .map_err(|error| RunError::record(format!("cannot start a thread: {error}"), None))?;
        let start = plan.window.start;
        let (books, corrections, looks) = (Books::of(&plan), Corrections::of(&plan), Looks::of(&plan));
        let every_step = !(books.is_empty() && corrections.is_empty());
        Ok(World {
            feeds: Feeds::of(&plan, &corrections),
            next_look: if every_step { 1 } else { looks.due() },
            keeps_books: !books.is_empty(),
            books,
            corrections,
            looks,
            histories: plan.seats.iter().map(start::history).collect(),
            samples: vec![None; plan.seats.len()],
            busy: vec![Duration::ZERO; plan.seats.len()],
            kink: SimTime::PAST,
            told: own::Told::default(),
            lines: lines::Lines::of(&plan),
            drives: drives::Drives::default(),
            at: vec![start; plan.seats.len()],
            loops: Vec::new(),
            actors: Vec::new(),
            frontier: start,
            monitor: Monitor::default(),
            unusual: Vec::new(),
            worklist: Vec::with_capacity(plan.exchange.feedthrough.sequence.len()),
            repeatable: vec![false; plan.seats.len()],
            lands_on_rows: false,
            outspoken: Vec::new(),
            silent: Vec::new(),
            saved: Vec::new(),
            called: ParticipantId(0),
            pen: flight.pen(0),
            step_calls: 0,
            rejected: 0,
            iterations: 0,
            arriving: false,
            corners: Vec::new(),
            corner: SimTime::PAST,
            laws: Vec::new(),
            blunt: Vec::new(),
            courses: bends::Courses::default(),
            settled: 0,
            earlier: resume::Earlier::default(),
            team,
            plan,
        })
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// A shared handle on the plan, to look at while the world changes.
    pub fn shared_plan(&self) -> Arc<Plan> {
        Arc::clone(&self.plan)
    }

    /// Where a participant stands.
    #[inline]
    pub fn time_of(&self, participant: ParticipantId) -> SimTime {
        self.at[participant.index()]
    }

    /// What lies behind it is settled.
    #[inline]
    pub fn frontier(&self) -> SimTime {
        self.frontier
    }

    /// The published points of a participant.
    pub fn history(&self, participant: ParticipantId) -> &History {
        &self.histories[participant.index()]
    }

    /// Rows inside its steps, where it has a trace and results are wanted on a finer grid.
    pub(crate) fn samples(&self, participant: ParticipantId) -> Option<&History> {
        self.samples[participant.index()].as_ref()
    }

    /// All calls of `step` so far.
    pub fn step_calls(&self) -> u64 {
        self.step_calls
    }

    /// How often steps were taken back so far.
    pub fn rejected(&self) -> u64 {
        self.rejected
    }

    /// How often steps were repeated so far so that values fit together.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Steps of the last group that did not simply complete.
    pub fn unusual(&self) -> &[(ParticipantId, StepEnd)] {
        &self.unusual
    }

    /// Lets a group of participants step to `to`, side by side where they are on several threads. Returns those
    /// that did not simply complete; they have published nothing, and the master decides.
    #[inline(always)]
    pub fn step_group(
        &mut self,
        group: &[ParticipantId],
        to: SimTime,
    ) -> Result<&[(ParticipantId, StepEnd)], RunError> {
        if self.keeps_books {
            self.open_books(group, to)?;
        }
        self.unusual.clear();
        self.step_calls += group.len() as u64;
        if self.team.is_local() {
            for &participant in group {
                self.step_at_home(participant, to)?;
            }
        } else {
            for &participant in group {
                self.read_inputs(participant, to);
            }
            self.team.perform(Task::Step, group.iter().copied());
            for &participant in group {
                self.take_step(participant)?;
            }
        }
        Ok(&self.unusual)
    }

    /// The same as a task of the team, without the way over the desk: this is where a run spends its time.
    #[inline]
    fn step_at_home(&mut self, participant: ParticipantId, to: SimTime) -> Result<(), RunError> {
        let from = self.at[participant.index()];
        self.called = participant;
        let inputs = self.feeds.for_step_only(participant, &self.histories, (from, to));
        let Some(segments) = inputs else {
            return self.step_by_desk(participant, from, to);
        };
        let request = StepRequest {
            from,
            to,
            inputs: Inputs::single(segments),
            watch: Watch::Nothing,
        };
        self.pen.calling(participant, Call::Step, from);
        let (member, desk) = self.team.at_home(participant);
        match member.step(request) {
            Ok(StepEnd::Completed) => {
                self.at[participant.index()] = to;
                self.outputs_at_home(participant, to)
            }
            end => {
                // A step that goes on finds its inputs on the desk.
                desk.take_inputs(from, to, segments);
                self.take_end(participant, end)
            }
        }
    }

    /// A step whose inputs are looked at again after it, or are more than a segment each.
    fn step_by_desk(
        &mut self,
        participant: ParticipantId,
        from: SimTime,
        to: SimTime,
    ) -> Result<(), RunError> {
        let (_, desk) = self.team.at_home(participant);
        if let Some(rest) = self.feeds.read(participant, &self.histories, (from, to), desk) {
            self.read_rest(participant, from, to, rest);
        }
        if !self.silent.is_empty() {
            self.hold_inputs_of_silent(participant, from);
        }
        self.pen.calling(participant, Call::Step, from);
        let (member, desk) = self.team.at_home(participant);
        let end = member.step(desk.request(from, to));
        if !matches!(end, Ok(StepEnd::Completed)) {
            return self.take_end(participant, end);
        }
        self.at[participant.index()] = to;
        let outputs_at_once = desk.outputs_at_once;
        if !desk.watch.is_empty() {
            crew::watch(member, desk);
            self.keep_samples(participant)?;
        }
        if outputs_at_once {
            return self.outputs_at_home(participant, to);
        }
        Ok(())
    }

    /// Takes over how a step ended that did not simply complete.
    #[cold]
    fn take_end(
        &mut self,
        participant: ParticipantId,
        end: Result<StepEnd, Failure>,
    ) -> Result<(), RunError> {
        match end {
            Ok(unusual) => {
                self.unusual.push((participant, unusual));
                Ok(())
            }
            Err(failure) => {
                self.team.desk(participant).fail(Call::Step, failure);
                Err(self.failure(participant))
            }
        }
    }

    /// Outputs straight into the history.
    #[inline(always)]
    fn outputs_at_home(&mut self, participant: ParticipantId, at: SimTime) -> Result<(), RunError> {
        let (member, desk) = self.team.at_home(participant);
        let history = &mut self.histories[participant.index()];
        let row = history.publish(at, self.frontier);
        self.pen.calling(participant, Call::Outputs, at);
        if let Err(failure) = member.participant.outputs(at, &desk.current, row) {
            (desk.from, desk.to) = (at, at);
            desk.fail(Call::Outputs, failure);
            return Err(self.failure(participant));
        }
        match first_not_finite(history.latest_reals()) {
            Some(bad) => Err(self.not_finite(participant, bad)),
            None => Ok(()),
        }
    }

    /// Goes on with the step of a participant that ended early, with the inputs it already has.
    pub fn resume(&mut self, participant: ParticipantId, from: SimTime) -> Result<StepEnd, RunError> {
        self.step_calls += 1;
        let desk = self.team.desk(participant);
        desk.from = from;
        // Instants it has passed were not delivered: an early end leaves no trace of them.
        desk.watch.retain(|instant| *instant > from);
        self.team.perform(Task::Step, std::iter::once(participant));
        self.unusual.clear();
        self.take_step(participant)?;
        Ok(self.unusual.first().map_or(StepEnd::Completed, |(_, end)| *end))
    }

    /// Takes the step of a participant as complete that ended early at its very end.
    pub fn complete(&mut self, participant: ParticipantId) -> Result<(), RunError> {
        let to = self.team.desk(participant).to;
        self.at[participant.index()] = to;
        self.evaluate(participant, to)
    }

    /// Cuts the step of a participant short: it stands at `at` and the run will end there.
    pub fn end_at(&mut self, participant: ParticipantId, at: SimTime) -> Result<(), RunError> {
        self.at[participant.index()] = at;
        self.evaluate(participant, at)
    }

    /// Takes over what a step left on the desk.
    #[inline]
    fn take_step(&mut self, participant: ParticipantId) -> Result<(), RunError> {
        let desk = self.team.desk(participant);
        if desk.failure.is_some() {
            return Err(self.failure(participant));
        }
        if desk.end != StepEnd::Completed {
            self.unusual.push((participant, desk.end));
            return Ok(());
        }
        self.at[participant.index()] = desk.to;
        if desk.shows_inner {
            self.publish_inner(participant)?;
        } else if !desk.watch.is_empty() {
            self.keep_samples(participant)?;
        }
        if self.team.desk(participant).outputs_at_once {
            self.publish(participant)?;
        }
        Ok(())
    }

    /// Publishes the outputs that lie on the desk.
    #[inline]
    fn publish(&mut self, participant: ParticipantId) -> Result<(), RunError> {
        let desk = self.team.desk(participant);
        let history = &mut self.histories[participant.index()];
        history
            .publish(desk.to, self.frontier)
            .copy_from(desk.outputs.view());
        match first_not_finite(&desk.outputs.reals) {
            Some(bad) => Err(self.not_finite(participant, bad)),
            None => Ok(()),
        }
    }

    /// Everybody has reached `frontier`, and nobody will go back behind it.
    #[inline]
    pub fn settle(&mut self, frontier: SimTime) {
        self.frontier = frontier;
        self.pen.idle();
        self.settled += 1;
        if self.settled == self.next_look {
            self.look(self.settled);
        }
        if self.settled.is_multiple_of(ACCEPT_STRIDE) {
            self.accept();
        }
    }

    /// Tells everybody what is settled.
    #[cold]
    fn accept(&mut self) {
        self.team.accept(self.frontier);
    }

    /// Changes tunable parameters where the participant stands; its outputs there are evaluated anew.
    pub fn set_parameters(&mut self, participant: ParticipantId, changes: Settings) -> Result<(), RunError> {
        let at = self.at[participant.index()];
        self.call(participant, Call::SetParameters, Some(at), move |p| {
            p.set_parameters(at, &changes)
        })?;
        self.evaluate(participant, at)?;
        self.exchange(&[participant], at)
    }

    /// The present value of a bound output, if the port is one.
    pub fn output(&self, participant: ParticipantId, port: PortId) -> Option<(PlanesRef<'_>, usize)> {
        let place = self.plan.output_place(participant, port)?;
        Some((self.histories[participant.index()].latest_row(), place))
    }

    /// Ends the run for everybody. The first failure is reported, the others end all the same.
    pub fn terminate(&mut self) -> Result<(), RunError> {
        let mut result = Ok(());
        for index in 0..self.at.len() {
            let participant = ParticipantId(index as u32);
            let at = self.at[index];
            let end = self.call(participant, Call::Terminate, Some(at), |p| p.terminate());
            if result.is_ok() {
                result = end;
            }
        }
        result
    }

    /// What became of the energy that crossed the bonds so far.
    pub fn bonds(&self) -> &[BondAccount] {
        self.books.accounts()
    }

    /// What a bond did since everybody last settled.
    pub(crate) fn balance(&self, bond: usize) -> Balance {
        self.books.balance(&self.plan, bond)
    }

    /// Processor time of all threads that step participants, the caller's own included.
    pub fn cpu_time(&mut self) -> Duration {
        self.team.cpu_time()
    }

    /// The inputs of a participant as exchanged at `at`.
    pub(crate) fn inputs_at(&mut self, participant: ParticipantId, at: SimTime) -> Planes {
        self.exchange_inputs(participant, at);
        self.team.desk(participant).current.clone()
    }

    /// A rare call on a participant's own thread, with the failure named.
    pub(crate) fn call<R: Send + 'static>(
        &mut self,
        participant: ParticipantId,
        call: Call,
        time: Option<SimTime>,
        what: impl FnOnce(&mut dyn Participant) -> Result<R, Failure> + Send + 'static,
    ) -> Result<R, RunError> {
        let name = &self.plan.seats[participant.index()].name;
        let at = time.unwrap_or(self.at[participant.index()]);
        self.team
            .call(participant, (call, at), what)
            .map_err(|failure| RunError::participant(name, call, time, failure))
    }

    #[cold]
    fn failure(&mut self, participant: ParticipantId) -> RunError {
        let desk = self.team.desk(participant);
        let time = if desk.from < desk.to { desk.from } else { desk.to };
        let (call, failure) = match desk.failure.take() {
            Some(report) => *report,
            None => (Call::None, Failure::failed("failed without a reason")),
        };
        RunError::participant(
            &self.plan.seats[participant.index()].name,
            call,
            Some(time),
            failure,
        )
    }

    /// Does something with a panic on the way turned into a failure: of the participant that was called last, or of the
    /// engine.
    pub(crate) fn guarded<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, RunError>,
    ) -> Result<T, RunError> {
        match catch_unwind(AssertUnwindSafe(|| work(self))) {
            Ok(result) => result,
            Err(cause) => Err(self.panicked(&*cause)),
        }
    }

    /// The failure that a panic on this thread is.
    #[cold]
    pub(crate) fn panicked(&mut self, cause: &(dyn std::any::Any + Send)) -> RunError {
        let name = &self.plan.seats[self.called.index()].name;
        let time = self.at[self.called.index()];
        RunError::participant(name, Call::Step, Some(time), crew::panicked(cause))
    }

    #[cold]
    fn not_finite(&mut self, participant: ParticipantId, column: usize) -> RunError {
        let history = &mut self.histories[participant.index()];
        let (value, time) = (history.latest_row().reals[column], history.latest());
        // What is not a number is nobody's result.
        history.rewind(self.frontier);
        let seats = &self.plan.seats;
        let seat = &seats[participant.index()];
        let variable = seat.real_names.get(column).map_or("an output", String::as_str);
        // What is known ahead does not react, so nothing can build up with it.
        let mut sources = seat.real_inputs.iter().filter_map(RealInput::source);
        let on_a_line = seat.real_inputs.iter().any(RealInput::is_line);
        let advice = match sources.any(|source| !seats[source.index()].foretold) {
            _ if on_a_line => {
                "a line acts on it: its step must stay below half of its inertia over the impedance of the line, or below \
                 2.7 times that with an explicit solver that feels the line; try a smaller step"
            }
            true => {
                "the coupling or the model is unstable at this step: try a smaller step, another reading, or check the \
                 model's parameters"
            }
            false => "nothing is coupled to it: check its parameters and inputs, or try a smaller step",
        };
        let failure =
            Failure::numbers(format!("the output {}.{variable} became {value}", seat.name)).advise(advice);
        RunError::participant(&seat.name, Call::Outputs, Some(time), failure)
    }

    /// Row instants of `grid` truly inside the coming step of a participant that has a trace.
    fn watch_inside(grid: Grid, plan: &Plan, from: SimTime, to: SimTime, watch: &mut Vec<SimTime>) {
        watch.clear();
        let mut index = grid.count_to(from, plan.resolution) + 1;
        while plan.resolution.before(grid.at(index), to) {
            watch.push(grid.at(index));
            index += 1;
        }
    }

    #[cold]
    fn keep_samples(&mut self, participant: ParticipantId) -> Result<(), RunError> {
        let desk = self.team.desk(participant);
        if desk.failure.is_some() {
            return Err(self.failure(participant));
        }
        if let Some(samples) = &mut self.samples[participant.index()] {
            for (instant, row) in desk.watch.iter().zip(&desk.watched) {
                samples
                    .publish(*instant, self.frontier)
                    .copy_from(Planes::view(row));
            }
        }
        Ok(())
    }
}

/// The place of the first value that is infinite or not a number.
#[inline]
fn first_not_finite(values: &[f64]) -> Option<usize> {
    values.iter().position(|value| !value.is_finite())
}
