//! Whoever looks on while a run goes on in another process.

use super::prepared::Prepared;
use cardan_core::record::Recorder;
use std::path::PathBuf;
use std::time::Duration;

/// Where the results of a run go.
pub enum Destination {
    /// Into a file: `.csv`, `.parquet` or `.mat`.
    File(PathBuf),
    /// To a recorder.
    Recorder(Box<dyn Recorder>),
    /// Nowhere.
    Nowhere,
}

/// Where a run is.
#[derive(Clone, PartialEq, Debug)]
pub struct Moment {
    /// The first and the last instant, as soon as they are known.
    pub window: Option<(f64, f64)>,
    /// Everything before it is settled.
    pub time: f64,
    /// Since the run began.
    pub passed: Duration,
}

/// What is to become of a run. Of several wishes the strongest counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wish {
    /// Nothing special.
    GoOn,
    /// Stand still for a while; see [`Audience::pause`].
    Pause,
    /// Stop at the next accepted point.
    Stop,
    /// Stop at once.
    Kill,
}

/// Whoever looks on.
pub trait Audience {
    /// The system was read and will run. Answers where its results go, or why it must not run.
    fn prepared(&mut self, prepared: &Prepared) -> Result<Destination, String>;

    /// Called many times a second while the run goes on.
    fn look(&mut self, _now: &Moment) -> Wish {
        Wish::GoOn
    }

    /// The run stands still. Returns when it is to go on.
    fn pause(&mut self) {}

    /// The run is over.
    fn finished(&mut self) {}
}

/// Looks on without a word.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Quiet {
    out: Option<PathBuf>,
}

impl Quiet {
    /// With the results in a file.
    pub fn to(out: impl Into<PathBuf>) -> Self {
        Quiet {
            out: Some(out.into()),
        }
    }
}

impl Audience for Quiet {
    fn prepared(&mut self, _: &Prepared) -> Result<Destination, String> {
        Ok(match &self.out {
            Some(path) => Destination::File(path.clone()),
            None => Destination::Nowhere,
        })
    }
}
