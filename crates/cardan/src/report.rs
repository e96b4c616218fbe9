//! What a run was like: the summary for people and machines.

use crate::line_report::LineReport;
use cardan_core::error::{Call, RunError};
use cardan_core::monitor::{BondAccount, ConnectionAccount, LoopAccount, PredictionAccount, Warning};
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// The summary of a run; its serialised form is what `cardan run --json` prints.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The name of the system.
    pub system: String,
    /// "ok" or "failed"; a run that was interrupted failed, with exit code 130.
    pub status: Cow<'static, str>,
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
    #[serde(deserialize_with = "number")]
    pub real_time_factor: f64,
    /// The result file.
    pub results: Option<PathBuf>,
    /// What is needed to draw mechanisms, beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<PathBuf>,
    /// The last checkpoint of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<CheckpointReport>,
    /// Where the run went on from a checkpoint, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumed_from: Option<f64>,
    /// By component.
    pub components: BTreeMap<String, ComponentReport>,
    /// What the run noticed.
    pub warnings: Vec<WarningReport>,
    /// Outputs that depend on each other at one instant, and how well they were found.
    pub loops: Vec<LoopReport>,
    /// How far off the readings of each connection were; none for those that foretell nothing.
    pub coupling: Vec<ConnectionReport>,
    /// What became of the energy that crossed each bond.
    pub bonds: Vec<BondReport>,
    /// The transmission lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LineReport>,
    /// What the leader of the glue was told to expect, against what its followers computed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub predictions: Vec<PredictionReport>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// Method and steps in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pace: String,
    /// Why the method was chosen, where the user left it open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The exit code that goes with it.
    #[serde(skip)]
    pub exit_code: u8,
}

impl Report {
    /// Of a run of which nothing is known but that it failed.
    pub(crate) fn unknown() -> Self {
        Report {
            system: String::new(),
            status: "failed".into(),
            method: String::new(),
            time: 0.0,
            steps: 0,
            rejected: 0,
            iterations: 0,
            evaluations: 0,
            setup_s: 0.0,
            run_s: 0.0,
            cpu_s: 0.0,
            real_time_factor: 0.0,
            results: None,
            scene: None,
            checkpoint: None,
            resumed_from: None,
            components: BTreeMap::new(),
            warnings: Vec::new(),
            loops: Vec::new(),
            coupling: Vec::new(),
            bonds: Vec::new(),
            lines: Vec::new(),
            predictions: Vec::new(),
            error: None,
            pace: String::new(),
            reason: None,
            exit_code: 0,
        }
    }
}

/// A number that may be missing because it was none: JSON has no way to write those.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

/// A checkpoint that was kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CheckpointReport {
    /// Where.
    pub file: String,
    /// Where the run stood, in seconds.
    pub time: f64,
}

/// What one component did.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ComponentReport {
    /// Calls of `step`.
    pub steps: u64,
    /// Evaluations of its right-hand side.
    pub rhs: u64,
    /// Steps of its own solver.
    pub inner_steps: u64,
    /// Newton corrections of its own solver, where that is one for mechanical systems and in this process.
    #[serde(default)]
    pub iterations: u64,
    /// Time spent in its steps, estimated from a sample where they are short.
    pub wall_s: f64,
    /// Time its thread stood idle while others stepped; in the glue, while it waited for others.
    pub wait_s: f64,
    /// In the glue: for whom it waited, and how long.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub waited_for: BTreeMap<String, f64>,
}

/// Something the run noticed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WarningReport {
    /// What sort.
    pub kind: Cow<'static, str>,
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
            kind: warning.kind.name().into(),
            place: warning.place.clone(),
            time: warning.time.seconds(),
            message: warning.message.clone(),
            count: warning.count,
        }
    }
}

/// A loop that was solved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LoopReport {
    /// The outputs of the loop.
    pub outputs: Vec<String>,
    /// How often it was solved.
    pub solved: u64,
    /// Rounds of the solver in all.
    pub rounds: u64,
    /// The largest residual that was left, relative to the size of the values.
    #[serde(deserialize_with = "number")]
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

/// How far off the readings of a connection were: what they foretold for the end of a step against what came.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ConnectionReport {
    /// The output; of a vector the element that was off most.
    pub from: String,
    /// The input.
    pub to: String,
    /// The largest defect, as a part of the range of the signal.
    #[serde(deserialize_with = "number")]
    pub largest: f64,
    /// The root of their mean square, as a part of that of the signal about its mean.
    #[serde(deserialize_with = "number")]
    pub mean: f64,
    /// When it was largest; none if it never was off.
    pub time: Option<f64>,
    /// The range of the signal, in the unit of the output.
    #[serde(deserialize_with = "number")]
    pub size: f64,
    /// At how many steps it was looked at.
    pub looks: u64,
}

impl From<&ConnectionAccount> for ConnectionReport {
    fn from(account: &ConnectionAccount) -> Self {
        ConnectionReport {
            from: account.from.clone(),
            to: account.to.clone(),
            largest: account.largest,
            mean: account.mean,
            time: (account.largest > 0.0).then(|| account.time.seconds()),
            size: account.size,
            looks: account.looks,
        }
    }
}

/// What became of the energy that crossed a bond, in joules.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BondReport {
    /// The bond.
    pub name: String,
    /// Energy that the coupling made in all; below zero, that it lost.
    #[serde(deserialize_with = "number")]
    pub residual: f64,
    /// The same with every step counted by its magnitude.
    #[serde(deserialize_with = "number")]
    pub absolute: f64,
    /// The largest magnitude of a step.
    #[serde(deserialize_with = "number")]
    pub largest: f64,
    /// The end of that step; none if there was no residual.
    pub time: Option<f64>,
    /// Energy that crossed, whatever its direction.
    #[serde(deserialize_with = "number")]
    pub crossed: f64,
}

impl From<&BondAccount> for BondReport {
    fn from(account: &BondAccount) -> Self {
        BondReport {
            name: account.name.clone(),
            residual: account.residual,
            absolute: account.absolute,
            largest: account.largest,
            time: (account.largest > 0.0).then(|| account.time.seconds()),
            crossed: account.crossed,
        }
    }
}

/// What a leader was told to expect of a follower, against what that computed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PredictionReport {
    /// The interaction.
    pub interaction: String,
    /// Which number of it.
    pub component: String,
    /// How often both were compared.
    pub compared: u64,
    /// How often they were too far apart.
    pub exceeded: u64,
    /// How far they were apart at most.
    #[serde(deserialize_with = "number")]
    pub largest: f64,
    /// What was predicted there.
    #[serde(deserialize_with = "number")]
    pub predicted: f64,
    /// What was computed there.
    #[serde(deserialize_with = "number")]
    pub computed: f64,
    /// When that was.
    pub time: f64,
    /// When the coupling was first found unstable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unstable: Option<f64>,
}

impl From<&PredictionAccount> for PredictionReport {
    fn from(account: &PredictionAccount) -> Self {
        PredictionReport {
            interaction: account.name.clone(),
            component: account.component.clone(),
            compared: account.compared,
            exceeded: account.exceeded,
            largest: account.largest(),
            predicted: account.predicted,
            computed: account.computed,
            time: account.time.seconds(),
            unstable: account.unstable.map(|time| time.seconds()),
        }
    }
}

/// Why a run failed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
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

impl ErrorReport {
    /// A failure that is nobody's in particular.
    pub fn plain(message: String) -> Self {
        ErrorReport {
            participant: None,
            call: None,
            time: None,
            message,
            advice: None,
        }
    }
}

impl ErrorReport {
    /// With a word on how to go on, where there is a checkpoint.
    pub(crate) fn with_way_on(mut self, checkpoint: Option<&CheckpointReport>) -> Self {
        if let Some(CheckpointReport { file, time }) = checkpoint {
            let way_on = format!("`--resume {file}` goes on from the checkpoint at t = {time} s");
            self.advice = Some(match self.advice {
                Some(advice) => format!("{advice}; {way_on}"),
                None => way_on,
            });
        }
        self
    }
}

impl fmt::Display for ErrorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time.map(|time| format!("at t = {time} s"));
        let call = self.call.as_ref().map(|call| format!("in {call}"));
        let place: Vec<String> = [self.participant.clone(), time, call]
            .into_iter()
            .flatten()
            .collect();
        match place.is_empty() {
            true => f.write_str(&self.message),
            false => write!(f, "{}: {}", place.join(" "), self.message),
        }
    }
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
