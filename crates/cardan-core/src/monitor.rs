//! What a run noticed that did not stop it.

use crate::time::SimTime;

/// What sort of thing was noticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WarningKind {
    /// A participant ended a step early and the method could not let the others know at once.
    EarlyReturn,
    /// A participant asked for the end of the simulation.
    Terminated,
}

impl WarningKind {
    /// A short name for machines.
    pub fn name(self) -> &'static str {
        match self {
            WarningKind::EarlyReturn => "early-return",
            WarningKind::Terminated => "terminated",
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

/// Collects warnings: the first of a kind at a place is kept, the others are counted.
#[derive(Clone, Debug, Default)]
pub struct Monitor {
    warnings: Vec<Warning>,
}

impl Monitor {
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

    /// Everything noticed so far.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}
