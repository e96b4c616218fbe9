//! What a run noticed that did not stop it.

use crate::time::SimTime;

/// What sort of thing was noticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WarningKind {
    /// A participant ended a step early and the method could not let the others know at once.
    EarlyReturn,
    /// A participant asked for the end of the simulation.
    Terminated,
    /// Events at one instant did not come to an end.
    Chattering,
    /// A checkpoint could not be kept.
    Unkept,
}

impl WarningKind {
    /// All of them.
    pub(crate) const ALL: &[WarningKind] = &[
        WarningKind::EarlyReturn,
        WarningKind::Terminated,
        WarningKind::Chattering,
        WarningKind::Unkept,
    ];

    /// A short name for machines.
    pub fn name(self) -> &'static str {
        match self {
            WarningKind::EarlyReturn => "early-return",
            WarningKind::Terminated => "terminated",
            WarningKind::Chattering => "chattering",
            WarningKind::Unkept => "checkpoint",
        }
    }
}

/// Something a run noticed.
#[derive(Clone, PartialEq, Debug)]
pub struct Warning {
    /// What sort.
    pub kind: WarningKind,
    /// Which component, connection or variable.
    pub place: String,
    /// When it was first noticed.
    pub time: SimTime,
    /// A full sentence.
    pub message: String,
    /// How often.
    pub count: u64,
}

/// How a loop of outputs was solved so far.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopAccount {
    /// Its outputs.
    pub outputs: Vec<String>,
    /// At how many instants, and repeats of them, it was solved.
    pub solved: u64,
    /// Rounds of the solver in all.
    pub rounds: u64,
    /// The largest residual that was left, against the size of the values.
    pub residual: f64,
    /// When that was.
    pub time: SimTime,
}

/// Collects warnings: the first of a kind at a place is kept, the others are counted.
#[derive(Clone, Debug, Default)]
pub struct Monitor {
    warnings: Vec<Warning>,
    loops: Vec<LoopAccount>,
}

impl Monitor {
    /// With what another one has collected.
    pub(crate) fn of(warnings: Vec<Warning>, loops: Vec<LoopAccount>) -> Self {
        Monitor { warnings, loops }
    }

    /// Notices something; `message` is made only the first time.
    pub fn notice(
        &mut self,
        kind: WarningKind,
        place: &str,
        time: SimTime,
        message: impl FnOnce() -> String,
    ) {
        if let Some(known) = self
            .warnings
            .iter_mut()
            .find(|w| w.kind == kind && w.place == place)
        {
            known.count += 1;
            return;
        }
        let message = message();
        tracing::warn!(place, time = time.seconds(), "{message}");
        self.warnings.push(Warning {
            kind,
            place: place.to_owned(),
            time,
            message,
            count: 1,
        });
    }

    /// A loop of outputs was solved.
    pub fn solved(&mut self, outputs: &[String], time: SimTime, rounds: u32, residual: f64) {
        let index = self.loops.iter().position(|l| l.outputs == outputs);
        let index = index.unwrap_or_else(|| {
            tracing::info!(rounds, residual, "solved the loop of {}", outputs.join(", "));
            self.loops.push(LoopAccount {
                outputs: outputs.to_vec(),
                solved: 0,
                rounds: 0,
                residual: 0.0,
                time,
            });
            self.loops.len() - 1
        });
        let account = &mut self.loops[index];
        account.solved += 1;
        account.rounds += u64::from(rounds);
        if residual > account.residual {
            account.residual = residual;
            account.time = time;
        }
    }

    /// The loops that were solved so far.
    pub fn loops(&self) -> &[LoopAccount] {
        &self.loops
    }

    /// Everything noticed so far.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}
