//! A run in a process of its own, watched over by this one.
//!
//! The child loads the system and runs it. Before every call into foreign code it notes down whom it calls, and every
//! accepted row goes into memory that both processes map; this process takes the rows out and writes them. So whatever a
//! model does to the child, this process can tell who it was, in which call and at which time, and every accepted row is
//! in the results.
//!
//! ```no_run
//! use cardan::supervised::{self, Quiet};
//!
//! let report = supervised::run("pump.fmu".as_ref(), &Default::default(), &mut Quiet::to("pump.csv"))?;
//! if let Some(error) = &report.error {
//!     println!("{error}");
//! }
//! # Ok::<(), cardan::Error>(())
//! ```

mod audience;
mod board;
mod channel;
mod child;
mod limits;
mod obituary;
mod prepared;
mod rows;

pub use audience::{Audience, Destination, Moment, Quiet, Wish};
pub use prepared::Prepared;

use crate::checkpoint::{self, Checkpoints};
use crate::error::Error;
use crate::report::{ErrorReport, Report};
use board::Board;
use cardan_core::error::RunError;
use cardan_describe::Overrides;
use cardan_link::process::{self, Child, End};
use channel::{Channel, News};
use limits::{Excess, Limits};
use obituary::Scene;
use rows::{Intake, Written};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Between two looks at a run of which nothing is heard.
const LOOK: Duration = Duration::from_millis(50);
/// How long a run may take to stop after it was asked to: the rest of a step.
const GRACE: Duration = Duration::from_secs(5);
/// How long a child may take to unload its models after the run.
const FAREWELL: Duration = Duration::from_secs(10);
/// How long the removal of unpacked files may take.
const CLEANING: Duration = Duration::from_secs(10);

/// How to run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What differs from the description.
    pub overrides: Overrides,
    /// Threads that step participants side by side; 0 means as many as [usual](crate::Options::threads).
    pub threads: usize,
    /// Notices about the description are rendered with colours.
    pub coloured: bool,
    /// This process does nothing else: processes that models leave behind are ended and waited for.
    pub keep_house: bool,
    /// Where checkpoints go, and how often; see [`crate::Options::checkpoints`].
    pub checkpoints: Option<Checkpoints>,
    /// A checkpoint to go on from.
    pub resume: Option<PathBuf>,
}

/// Runs the system at `path` in a child and tells what the run was like. It is an error if the system cannot be run at
/// all; a run that failed, whatever took it down, is a report.
///
/// The child is a copy of the calling thread alone: see [`Child::start`] for what that asks of programs with threads.
pub fn run(path: &Path, options: &Options, audience: &mut dyn Audience) -> Result<Report, Error> {
    if options.keep_house {
        // Without it what models leave behind is left behind; nothing else changes.
        let _ = process::take_in_orphans();
    }
    let result = Watch::begin(path, options)
        .map_err(|error| {
            Error::usage(format!(
                "the run cannot be started in a process of its own: {error}"
            ))
        })
        .and_then(|watch| watch.keep(audience));
    if options.keep_house {
        process::bury_orphans(cardan_fmi::archive::JANITOR, CLEANING);
    }
    result
}

/// This side of a run.
struct Watch {
    board: Board,
    child: Child,
    channel: Channel,
    began: Instant,
    /// The same on the calendar.
    began_at: SystemTime,
    /// Where checkpoints go.
    checkpoints: Option<PathBuf>,
    /// When the system was read and the run itself began.
    running_since: Option<Instant>,
    /// Kills by the kernel for lack of memory, in the whole system, before the run.
    kills_before: Option<u64>,
    prepared: Option<Prepared>,
    limits: Limits,
    report: Option<Report>,
    wish: Wish,
    stopping_since: Option<Instant>,
    ended_since: Option<Instant>,
}

/// Why the child had to be ended.
#[derive(Clone, Copy, Debug)]
enum Verdict {
    /// A limit was passed.
    Excess(Excess),
    /// The user asked for the end, and it did not come.
    Impatience,
}

impl Watch {
    fn begin(path: &Path, options: &Options) -> io::Result<Self> {
        let board = Board::new()?;
        let kills_before = obituary::kernel_kills();
        let (channel, far_end) = Channel::pair()?;
        let mut channel = Some(channel);
        let child = Child::start(|| {
            // The ends of this side are not for models to find.
            drop(channel.take());
            child::work(path, options, board.for_child(), far_end)
        })?;
        let channel = channel.ok_or(io::ErrorKind::Other)?;
        Ok(Watch {
            board,
            child,
            channel,
            began: Instant::now(),
            began_at: SystemTime::now(),
            checkpoints: options.checkpoints.as_ref().map(|c| c.file.clone()),
            running_since: None,
            kills_before,
            prepared: None,
            limits: Limits::default(),
            report: None,
            wish: Wish::GoOn,
            stopping_since: None,
            ended_since: None,
        })
    }

    fn keep(mut self, audience: &mut dyn Audience) -> Result<Report, Error> {
        let mut intake = Intake::none();
        let mut verdict = None;
        let mut more = false;
        let end = loop {
            if !more {
                self.wait_for_news();
            }
            more = match intake.take_many(&self.board) {
                Ok(more) => more,
                Err(error) => {
                    self.child.kill();
                    return Err(self.unwritable(error.to_string(), intake));
                }
            };
            while let Some(news) = self.channel.receive() {
                match news {
                    News::Refused {
                        system,
                        diagnostics,
                        text,
                    } => return Err(Error::refused(system, diagnostics, text)),
                    News::Unfit { system, message } => {
                        return Err(Error::usage_of(&system, message));
                    }
                    News::Prepared(prepared) => {
                        intake = self.prepare(*prepared, audience)?;
                    }
                    News::Ended { report, exit_code } => {
                        self.report = Some(Report { exit_code, ..*report });
                        self.ended_since = Some(Instant::now());
                    }
                }
            }
            // What is on its way belongs to the run, so its end is asked for before the rest is taken.
            if let Some(end) = self.child.try_wait().unwrap_or(Some(End::Exited(0))) {
                break end;
            }
            if verdict.is_none() {
                verdict = self.judge(audience);
                if verdict.is_some() {
                    self.child.kill();
                }
            }
        };
        while let Some(news) = self.channel.receive() {
            if let News::Ended { report, exit_code } = news {
                self.report = Some(Report { exit_code, ..*report });
            }
        }
        let gap = intake.gap();
        // A run that went on may have had nothing left to do, but its results are the earlier rows.
        let goes_on = self.prepared.as_ref().is_some_and(|p| p.resumed.is_some());
        let is_done = self.report.as_ref().is_some_and(|report| report.exit_code == 0);
        let written = intake.finish(&self.board, goes_on && is_done);
        let mut report = self.conclude(end, verdict);
        report.warnings.splice(0..0, gap);
        audience.finished();
        Ok(match written {
            Ok(Written { results, scene }) => Report {
                results,
                scene,
                ..report
            },
            Err(error) => unwritten(report, error.to_string()),
        })
    }

    /// Sleeps until the child has something to say, or rows to be taken, or for a while.
    fn wait_for_news(&self) {
        let (news, bell) = (self.channel.news(), self.board.bell());
        let mut sources = [
            PollFd::new(&news, PollFlags::IN),
            PollFd::new(&bell, PollFlags::IN),
        ];
        let patience = Timespec {
            tv_sec: 0,
            tv_nsec: LOOK.subsec_nanos().into(),
        };
        // A signal may cut it short, which is as good.
        let _ = poll(&mut sources, Some(&patience));
        self.board.silence();
    }

    /// The child has read the system: everything on this side gets ready, and it may go on.
    fn prepare(&mut self, prepared: Prepared, audience: &mut dyn Audience) -> Result<Intake, Error> {
        let destination = audience.prepared(&prepared).map_err(Error::usage)?;
        let intake = Intake::begin(
            destination,
            &prepared.schema(),
            prepared.resumed,
            self.checkpoints.is_some(),
            &prepared.scenes,
        )
        .map_err(|e| Error::record(e.to_string()))?;
        self.limits = Limits::new(&prepared);
        self.prepared = Some(prepared);
        self.running_since = Some(Instant::now());
        self.channel.go();
        Ok(intake)
    }

    /// Looks after limits and wishes.
    fn judge(&mut self, audience: &mut dyn Audience) -> Option<Verdict> {
        if let Some(since) = self.ended_since {
            // Only unloading is left; nobody is to blame by name any more.
            return (since.elapsed() > FAREWELL).then_some(Verdict::Impatience);
        }
        if let Some(excess) = self.limits.look(&self.board, self.child.id()) {
            return Some(Verdict::Excess(excess));
        }
        self.wish = self.wish.max(audience.look(&self.moment()));
        match self.wish {
            Wish::GoOn => None,
            Wish::Pause => {
                self.pause(audience);
                None
            }
            Wish::Stop => {
                self.board.control().stop();
                let since = *self.stopping_since.get_or_insert_with(Instant::now);
                // Nothing runs yet that would be asked to stop.
                let loading = self.prepared.is_none();
                (loading || since.elapsed() > GRACE).then_some(Verdict::Impatience)
            }
            Wish::Kill => Some(Verdict::Impatience),
        }
    }

    /// Stands still together with the child, until somebody lets both go on.
    fn pause(&mut self, audience: &mut dyn Audience) {
        self.child.pause();
        audience.pause();
        self.child.resume();
        self.limits.rest();
        self.wish = Wish::GoOn;
    }

    fn moment(&self) -> Moment {
        // What lies before a checkpoint is no progress.
        let prepared = self.prepared.as_ref();
        let window = prepared.map(|prepared| (prepared.begin(), prepared.window.1));
        Moment {
            window,
            time: self.board.control().frontier().seconds(),
            passed: self.began.elapsed(),
        }
    }

    /// What became of the run.
    fn conclude(&mut self, end: End, verdict: Option<Verdict>) -> Report {
        let scene = Scene {
            end,
            verdict,
            seen: self.board.sighting(),
            prepared: self.prepared.as_ref(),
            kernel_killed: end.is_kill() && obituary::kernel_kills() > self.kills_before,
        };
        if let Some(mut report) = self.report.take() {
            report.warnings.extend(scene.after_the_run(&report));
            return report;
        }
        let (error, exit_code) = scene.describe();
        let control = self.board.control();
        let prepared = self.prepared.as_ref();
        let begin = prepared.map_or(0.0, Prepared::begin);
        let time = match control.steps() {
            0 => begin,
            _ => control.frontier().seconds(),
        };
        let running = self.running_since.unwrap_or_else(Instant::now);
        let took = running.elapsed().as_secs_f64();
        let file = self.checkpoints.as_ref();
        let checkpoint = file.and_then(|file| checkpoint::written_since(file, self.began_at));
        Report {
            time,
            steps: control.steps(),
            setup_s: (running - self.began).as_secs_f64(),
            run_s: took,
            real_time_factor: (time - begin) / took,
            error: Some(error.with_way_on(checkpoint.as_ref())),
            exit_code,
            checkpoint,
            ..prepared.map_or_else(Report::unknown, Prepared::report)
        }
    }

    /// The results could not be written while the run went on.
    fn unwritable(&mut self, message: String, intake: Intake) -> Error {
        drop(intake);
        let _ = self.child.wait();
        RunError::record(message, Some(self.board.control().frontier())).into()
    }
}

fn unwritten(report: Report, message: String) -> Report {
    let failed = report.error.is_some();
    let exit_code = if failed { report.exit_code } else { 3 };
    let time = report.time;
    Report {
        status: "failed".into(),
        results: None,
        scene: None,
        error: report.error.or(Some(ErrorReport {
            participant: None,
            call: None,
            time: Some(time),
            message,
            advice: None,
        })),
        exit_code,
        ..report
    }
}
