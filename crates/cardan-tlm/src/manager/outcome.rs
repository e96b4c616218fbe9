//! What became of a co-simulation.

use super::survey::Survey;
use std::net::SocketAddr;
use std::time::Duration;

/// What a manager tells while it works.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// The ports are open.
    Listening {
        /// For tools.
        components: SocketAddr,
        /// For monitors.
        monitors: Option<SocketAddr>,
    },
    /// All are ready, and the co-simulation begins.
    Begun,
    /// Something that the user should know; the co-simulation goes on.
    Warning(String),
    /// How it goes: who is waited for.
    Progress(String),
    /// Something worth knowing.
    Note(String),
}

/// How it ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// All came to their end.
    Completed,
    /// Somebody failed.
    Failed(Failure),
    /// It was stopped.
    Interrupted,
}

/// Why a co-simulation did not come to its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// Whose fault it is, if it is that of one.
    pub component: Option<String>,
    /// The simulated time of the last sample that it sent.
    pub time: Option<f64>,
    /// What happened, as a sentence.
    pub message: String,
    /// What to do.
    pub advice: Option<String>,
}

impl Failure {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Failure {
            component: None,
            time: None,
            message: message.into(),
            advice: None,
        }
    }

    pub(super) fn of(component: &str, message: impl Into<String>) -> Self {
        Failure {
            component: Some(component.to_owned()),
            ..Failure::new(message)
        }
    }

    pub(super) fn at(self, time: Option<f64>) -> Self {
        Failure { time, ..self }
    }

    pub(super) fn advise(self, advice: impl Into<String>) -> Self {
        Failure {
            advice: Some(advice.into()),
            ..self
        }
    }
}

/// What one component did.
#[derive(Clone, PartialEq, Debug)]
pub struct ComponentReport {
    /// Its name.
    pub name: String,
    /// The simulated time of the last sample that it sent.
    pub time: Option<f64>,
    /// Messages with samples that it sent.
    pub messages: u64,
}

/// What became of a co-simulation.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// What each component did.
    pub components: Vec<ComponentReport>,
    /// From the opening of the ports until all were ready.
    pub setup: Duration,
    /// From then until the end.
    pub run: Duration,
    /// What tools said of their interface points, where they were asked.
    pub survey: Option<Survey>,
}

impl Outcome {
    /// The time that all have come to: the smallest of their last samples, of those who sent any.
    pub fn time(&self) -> Option<f64> {
        let times = self.components.iter().filter_map(|component| component.time);
        times.min_by(f64::total_cmp)
    }

    /// Messages with samples in all.
    pub fn messages(&self) -> u64 {
        self.components.iter().map(|component| component.messages).sum()
    }
}
