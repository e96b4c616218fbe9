//! What a run was like: the summary for people and machines.

use cardan_core::error::{Call, RunError};
use cardan_core::monitor::{LoopAccount, Warning};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The summary of a run; its serialised form is what `cardan run --json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The name of the system.
    pub system: String,
    /// "ok" or "failed"; a run that was interrupted failed, with exit code 130.
    pub status: &'static str,
    /// The method that was used.
    pub method: String,
    /// The frontier in seconds: all before it is settled.
    pub time: f64,
    /// Accepted steps of the master.
    pub steps: u64,
    /// Rejected steps of the master.
    pub rejected: u64,
    /// Repeats of a step.
    pub iterations: u64,
    /// All calls of `step`.
    pub evaluations: u64,
    /// Wall time before the first step.
    pub setup_s: f64,
    /// Wall time of the stepping.
    pub run_s: f64,
    /// CPU time of the stepping.
    pub cpu_s: f64,
    /// Simulated time over wall time.
    pub real_time_factor: f64,
    /// The result file.
    pub results: Option<PathBuf>,
    /// By component.
    pub components: BTreeMap<String, ComponentReport>,
    /// What the run noticed.
    pub warnings: Vec<WarningReport>,
    /// Outputs that depend on each other at one instant, and how well they were found.
    pub loops: Vec<LoopReport>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// The exit code that goes with it.
    #[serde(skip)]
    pub exit_code: u8,
}

/// What one component did.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct ComponentReport {
    /// Calls of `step`.
    pub steps: u64,
    /// Evaluations of its right-hand side.
    pub rhs: u64,
    /// Steps of its own solver.
    pub inner_steps: u64,
    /// Time spent in its steps, estimated from a sample where they are short.
    pub wall_s: f64,
    /// Time its thread stood idle while others stepped.
    pub wait_s: f64,
}

/// Something the run noticed.
#[derive(Clone, Debug, Serialize)]
pub struct WarningReport {
    /// What sort.
    pub kind: &'static str,
    /// Component, connection or variable.
    #[serde(rename = "where")]
    pub place: String,
    /// When it was first noticed.
    pub time: f64,
    /// A full sentence.
    pub message: String,
    /// How often.
    pub count: u64,
}

impl From<&Warning> for WarningReport {
    fn from(warning: &Warning) -> Self {
        WarningReport {
            kind: warning.kind.name(),
            place: warning.place.clone(),
            time: warning.time.seconds(),
            message: warning.message.clone(),
            count: warning.count,
        }
    }
}

/// A loop that was solved.
#[derive(Clone, Debug, Serialize)]
pub struct LoopReport {
    /// The outputs of the loop.
    pub outputs: Vec<String>,
    /// How often it was solved.
    pub solved: u64,
    /// Rounds of the solver in all.
    pub rounds: u64,
    /// The largest residual that was left, relative to the size of the values.
    pub residual: f64,
    /// When that was.
    pub time: f64,
}

impl From<&LoopAccount> for LoopReport {
    fn from(account: &LoopAccount) -> Self {
        LoopReport {
            outputs: account.outputs.clone(),
            solved: account.solved,
            rounds: account.rounds,
            residual: account.residual,
            time: account.time.seconds(),
        }
    }
}

/// Why a run failed.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorReport {
    /// Who.
    pub participant: Option<String>,
    /// In which call.
    pub call: Option<String>,
    /// When.
    pub time: Option<f64>,
    /// What happened.
    pub message: String,
    /// What to do.
    pub advice: Option<String>,
}

impl From<&RunError> for ErrorReport {
    fn from(error: &RunError) -> Self {
        ErrorReport {
            participant: error.who().map(str::to_owned),
            call: (error.call() != Call::None).then(|| error.call().to_string()),
            time: error.time().map(|t| t.seconds()),
            message: error.message().to_owned(),
            advice: error.advice().map(str::to_owned),
        }
    }
}
