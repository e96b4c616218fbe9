//! Runs that go on later: checkpoints taken at accepted points, and going on from one.

use super::{Run, Status};
use crate::checkpoint::{Keeper, Keeping, Mark, Reader, ResumeError, Writer};
use crate::error::RunError;
use crate::monitor::WarningKind;
use crate::participant::Settings;
use crate::rows::Rows;
use std::time::Duration;

impl Run {
    /// Initialises everybody and then goes on from a [checkpoint](Self::checkpoint) of a run of the same plan. Only the end of the
    /// run may be another one.
    pub fn resume(&mut self, settings: Vec<Settings>, checkpoint: &[u8]) -> Result<(), ResumeError> {
        self.guarded(|run| Ok(run.go_on_from(settings, checkpoint)))?
    }

    fn go_on_from(&mut self, settings: Vec<Settings>, checkpoint: &[u8]) -> Result<(), ResumeError> {
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

    #[inline]
    pub(super) fn keep_if_due(&mut self) -> Result<(), RunError> {
        let due = self.keeping.as_mut().is_some_and(Keeping::is_due);
        if due { self.keep_now() } else { Ok(()) }
    }

    /// A run that ended can be prolonged, and one that was interrupted goes on later.
    pub(super) fn keep_at_end(&mut self) -> Result<Status, RunError> {
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
}
