//! The run loop: advance, record, tell how far it is, stop when asked.

use crate::checkpoint::{Keeper, Keeping, Mark, Reader, ResumeError, Writer};
use crate::error::RunError;
use crate::flight::Flight;
use crate::master::{Master, master};
use crate::monitor::WarningKind;
use crate::participant::{Participant, Settings};
use crate::plan::Plan;
use crate::record::{Outlet, Recorder};
use crate::rows::Rows;
use crate::time::SimTime;
use crate::world::World;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A handle on a run for other threads: how far it is, and to stop it. All zeros is a valid one.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Control {
    /// Not zero once it was asked to.
    stop: AtomicU64,
    frontier: AtomicU64,
    steps: AtomicU64,
}

impl Control {
    /// Asks the run to stop at the next accepted point.
    pub fn stop(&self) {
        self.stop.store(1, Ordering::Relaxed);
    }

    /// Was the run asked to stop?
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) != 0
    }

    /// How far the run is.
    pub fn frontier(&self) -> SimTime {
        SimTime::from_seconds(f64::from_bits(self.frontier.load(Ordering::Relaxed)))
    }

    /// Accepted steps so far.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }
}

/// What ties a run to whoever watches over it.
#[derive(Clone, Debug)]
pub enum Ties {
    /// Somebody in this process.
    Here(Arc<Control>),
    /// Another process, through memory that both of them map.
    Elsewhere(&'static Control, Flight),
}

impl Default for Ties {
    fn default() -> Self {
        Ties::Here(Arc::default())
    }
}

impl Ties {
    fn flight(&self) -> Flight {
        match self {
            Ties::Here(_) => Flight::default(),
            Ties::Elsewhere(_, flight) => *flight,
        }
    }
}

impl Deref for Ties {
    type Target = Control;

    #[inline]
    fn deref(&self) -> &Control {
        match self {
            Ties::Here(control) => control,
            Ties::Elsewhere(control, _) => control,
        }
    }
}

/// Where a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It can go on.
    Running,
    /// It reached the end, or a participant asked for the end.
    Finished,
    /// It was asked to stop.
    Interrupted,
}

/// A run: the world, its master and the way of its rows out.
pub struct Run {
    world: World,
    master: Box<dyn Master>,
    rows: Option<Rows>,
    ties: Ties,
    steps: u64,
    status: Status,
    keeping: Option<Keeping>,
}

impl Run {
    /// Prepares a run. The recorder begins here, so that a result that cannot be written is known before anything runs.
    pub fn new(
        plan: Arc<Plan>,
        participants: Vec<Box<dyn Participant>>,
        threads: usize,
        recorder: Option<Box<dyn Recorder>>,
    ) -> Result<Self, RunError> {
        let outlet = recorder.map(Outlet::Recorder);
        Run::tied(plan, participants, threads, outlet, Ties::default())
    }

    /// Prepares a run that somebody watches over.
    pub fn tied(
        plan: Arc<Plan>,
        participants: Vec<Box<dyn Participant>>,
        threads: usize,
        outlet: Option<Outlet>,
        ties: Ties,
    ) -> Result<Self, RunError> {
        let rows = outlet.map(|o| Rows::start(Arc::clone(&plan), o)).transpose()?;
        Ok(Run {
            master: master(&plan),
            world: World::new(plan, participants, threads, ties.flight())?,
            rows,
            ties,
            steps: 0,
            status: Status::Running,
            keeping: None,
        })
    }

    /// Initialises everybody and writes the first row.
    pub fn initialize(&mut self, settings: Vec<Settings>) -> Result<(), RunError> {
        self.world.initialize(settings)?;
        self.show_progress();
        match &mut self.rows {
            Some(rows) => rows.emit(&self.world),
            None => Ok(()),
        }
    }

    /// Initialises everybody and then goes on from a [checkpoint](Self::checkpoint) of a run of the same plan. Only the end of the
    /// run may be another one.
    pub fn resume(&mut self, settings: Vec<Settings>, checkpoint: &[u8]) -> Result<(), ResumeError> {
        self.world.initialize(settings)?;
        let mut reader = Reader::new(checkpoint);
        self.steps = reader.count("counters")?;
        let ended = reader.boolean("the end of a run")?;
        let last = reader.time("rows")?;
        self.world.resume_from(&mut reader)?;
        self.master.resume(&self.world, &mut reader)?;
        reader.end()?;
        let (plan, frontier) = (self.world.plan(), self.world.frontier());
        if ended || plan.resolution.reached(frontier, plan.window.stop) {
            self.status = Status::Finished;
        }
        self.show_progress();
        if let Some(rows) = &mut self.rows {
            rows.resume(last.min(frontier), frontier)?;
        }
        Ok(())
    }

    /// Everything that decides how the run goes on, as bytes. It stands at an accepted point; all participants must be
    /// able to export their states.
    pub fn checkpoint(&mut self) -> Result<Vec<u8>, RunError> {
        // Whoever goes on from here relies on the rows up to here.
        if let Some(rows) = &mut self.rows {
            rows.secure()?;
        }
        let mut writer = Writer::new();
        writer.count(self.steps);
        let plan = self.world.plan();
        let at_end = plan.resolution.reached(self.world.frontier(), plan.window.stop);
        // An end that a participant asked for is one for every run.
        writer.boolean(self.status == Status::Finished && !at_end);
        writer.time(self.mark().last_row);
        self.world.keep(&mut writer)?;
        self.master.keep(&mut writer);
        Ok(writer.into_bytes())
    }

    /// Where the run stands, for whoever keeps a checkpoint.
    pub fn mark(&self) -> Mark {
        let at = self.world.frontier();
        Mark {
            at,
            // Where no rows are written, all that is settled counts as written.
            last_row: self.rows.as_ref().map_or(at, Rows::last),
            steps: self.steps,
        }
    }

    /// Has checkpoints kept, one in every so much time of the clock, and one when the run ends or is interrupted.
    pub fn keep_with(&mut self, keeper: Box<dyn Keeper>, every: Duration) {
        self.keeping = Some(Keeping::new(keeper, every));
    }

    /// Has a checkpoint kept now, if somebody [keeps](Self::keep_with) any.
    pub fn keep_checkpoint(&mut self) -> Result<Status, RunError> {
        self.guarded(|run| run.keep_now().map(|()| run.status))
    }

    /// A handle for other threads.
    pub fn control(&self) -> Ties {
        self.ties.clone()
    }

    /// The world, to look at.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, to change between steps.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// Processor time of all threads that step participants.
    pub fn cpu_time(&mut self) -> Duration {
        self.world.cpu_time()
    }

    /// Accepted master steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Where the run is.
    pub fn status(&self) -> Status {
        self.status
    }

    /// One accepted step of the master.
    pub fn step(&mut self) -> Result<Status, RunError> {
        self.guarded(|run| {
            run.step_once()?;
            run.keep_if_due()?;
            run.keep_at_end()
        })
    }

    /// Goes on until the frontier reaches `limit`, the end, or somebody asks to stop.
    pub fn advance(&mut self, limit: SimTime) -> Result<Status, RunError> {
        // Two loops, so that runs without checkpoints do not even ask.
        self.guarded(|run| match run.keeping {
            None => run.go(limit, |_| Ok(())),
            Some(_) => run.go(limit, Run::keep_if_due).and_then(|_| run.keep_at_end()),
        })
    }

    #[inline]
    fn go(
        &mut self,
        limit: SimTime,
        accepted: impl Fn(&mut Self) -> Result<(), RunError>,
    ) -> Result<Status, RunError> {
        let resolution = self.world.plan().resolution;
        while self.status == Status::Running && resolution.before(self.world.frontier(), limit) {
            if self.ties.is_stopped() {
                self.status = Status::Interrupted;
                break;
            }
            self.step_once()?;
            accepted(self)?;
        }
        Ok(self.status)
    }

    #[inline]
    fn keep_if_due(&mut self) -> Result<(), RunError> {
        let due = self.keeping.as_mut().is_some_and(Keeping::is_due);
        if due { self.keep_now() } else { Ok(()) }
    }

    /// A run that ended can be prolonged, and one that was interrupted goes on later.
    fn keep_at_end(&mut self) -> Result<Status, RunError> {
        let frontier = self.world.frontier();
        let kept = self.keeping.as_ref().is_none_or(|keeping| keeping.has(frontier));
        if self.status != Status::Running && !kept {
            self.keep_now()?;
        }
        Ok(self.status)
    }

    #[cold]
    fn keep_now(&mut self) -> Result<(), RunError> {
        let Some(mut keeping) = self.keeping.take() else {
            return Ok(());
        };
        let state = self.checkpoint();
        let mark = self.mark();
        let kept = state.map(|state| keeping.keeper.keep(mark, &state));
        keeping.done(mark.at);
        self.keeping = Some(keeping);
        // A disk that is full is no reason to give up hours of work.
        if let Err(why) = kept? {
            self.world
                .monitor
                .notice(WarningKind::Unkept, "the run", mark.at, || why);
        }
        Ok(())
    }

    #[inline]
    fn step_once(&mut self) -> Result<Status, RunError> {
        if self.status == Status::Finished {
            return Ok(Status::Finished);
        }
        let advanced = self.master.advance(&mut self.world)?;
        self.steps += advanced.steps;
        if let Some(rows) = &mut self.rows {
            rows.emit(&self.world)?;
        }
        self.show_progress();
        let plan = self.world.plan();
        let at_end = plan.resolution.reached(advanced.frontier, plan.window.stop);
        self.status = if at_end || advanced.terminated {
            Status::Finished
        } else {
            Status::Running
        };
        Ok(self.status)
    }

    #[inline]
    fn show_progress(&self) {
        let bits = self.world.frontier().seconds().to_bits();
        self.ties.frontier.store(bits, Ordering::Relaxed);
        self.ties.steps.store(self.steps, Ordering::Relaxed);
    }

    /// Turns a panic of a participant on this thread into its failure.
    fn guarded(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<Status, RunError>,
    ) -> Result<Status, RunError> {
        match catch_unwind(AssertUnwindSafe(|| work(self))) {
            Ok(result) => result,
            Err(cause) => Err(self.world.panicked(&*cause)),
        }
    }

    /// Ends the run: participants that did not fail are terminated, the last rows are written. Call it after a failure
    /// too, to keep the rows so far.
    pub fn finish(&mut self, failed: bool) -> Result<(), RunError> {
        let terminated = if failed { Ok(()) } else { self.world.terminate() };
        let recorded = self.rows.take().map_or(Ok(()), Rows::finish);
        terminated.and(recorded)
    }
}
