//! The run loop: advance, record, tell how far it is, stop when asked.

mod change;
mod later;

pub use change::{Change, Changed};

use crate::checkpoint::Keeping;
use crate::error::RunError;
use crate::flight::Flight;
use crate::method::{Master, master};
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
    changes: Vec<Changed>,
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
            changes: Vec::new(),
        })
    }

    /// Initialises everybody and writes the first row.
    pub fn initialize(&mut self, settings: Vec<Settings>) -> Result<(), RunError> {
        self.world.initialize(settings)?;
        self.show_progress();
        self.guarded(|run| match &mut run.rows {
            Some(rows) => rows.emit(&run.world),
            None => Ok(()),
        })
    }

    /// Goes on with another plan for the same participants, ports and rows, before the first step.
    pub fn replan(&mut self, plan: Arc<Plan>) -> Result<(), RunError> {
        self.world.replan(Arc::clone(&plan))?;
        self.master = master(&plan);
        if let Some(rows) = &mut self.rows {
            rows.replan(plan);
        }
        Ok(())
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
            run.step_once(SimTime::FUTURE)?;
            run.keep_if_due()?;
            run.keep_at_end()
        })
    }

    /// Goes on until the frontier reaches `limit`, the end, or somebody asks to stop. The last step ends at the limit.
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
        // The end of the run is no limit that anything has to be cut for.
        let at_end = resolution.reached(limit, self.world.plan().window.stop);
        let limit = if at_end { SimTime::FUTURE } else { limit };
        while self.status == Status::Running && resolution.before(self.world.frontier(), limit) {
            if self.ties.is_stopped() {
                self.status = Status::Interrupted;
                break;
            }
            self.step_once(limit)?;
            accepted(self)?;
        }
        Ok(self.status)
    }

    #[inline]
    fn step_once(&mut self, limit: SimTime) -> Result<Status, RunError> {
        if self.status == Status::Finished {
            return Ok(Status::Finished);
        }
        let advanced = self.master.advance(&mut self.world, limit)?;
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

    /// Turns a panic on this thread into a failure of whoever it was: a participant, or the engine.
    fn guarded<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, RunError>) -> Result<T, RunError> {
        match catch_unwind(AssertUnwindSafe(|| work(self))) {
            Ok(result) => result,
            Err(cause) => Err(self.world.panicked(&*cause)),
        }
    }

    /// Ends the run: participants that did not fail are terminated, the last rows are written. Call it after a failure
    /// too, to keep the rows so far.
    pub fn finish(&mut self, failed: bool) -> Result<(), RunError> {
        let finished = self.guarded(|run| run.part(failed));
        // Rows that are on their way are kept whatever else goes wrong.
        let recorded = self.rows.take().map_or(Ok(()), Rows::finish);
        finished.and(recorded)
    }

    /// Ends the participants.
    fn part(&mut self, failed: bool) -> Result<(), RunError> {
        // Of a run that failed there is worse to tell.
        if !failed {
            self.world.judge_coupling();
        }
        if failed { Ok(()) } else { self.world.terminate() }
    }
}
