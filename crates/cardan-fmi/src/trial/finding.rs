//! What a trial finds.

use std::fmt;

/// How a check ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// It holds.
    Passed,
    /// There was nothing to check.
    Skipped,
    /// It runs, but not as promised.
    Warning,
    /// It cannot be used, or not for what it claims.
    Error,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Passed => "passed",
            Verdict::Skipped => "skipped",
            Verdict::Warning => "warning",
            Verdict::Error => "error",
        })
    }
}

/// One finding. It is plain data, so that a trial can be held in another process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The name of the check.
    pub check: &'static str,
    /// How it ended.
    pub verdict: Verdict,
    /// What was found.
    pub message: String,
    /// What to do about it.
    pub advice: Option<String>,
    /// The variable it is about, by its index.
    pub variable: Option<usize>,
}

impl Finding {
    /// The check holds.
    pub fn passed(check: &'static str, message: impl Into<String>) -> Self {
        Finding::new(check, Verdict::Passed, message)
    }

    /// There was nothing to check.
    pub fn skipped(check: &'static str, message: impl Into<String>) -> Self {
        Finding::new(check, Verdict::Skipped, message)
    }

    /// It runs, but not as promised.
    pub fn warning(check: &'static str, message: impl Into<String>) -> Self {
        Finding::new(check, Verdict::Warning, message)
    }

    /// It cannot be used, or not for what it claims.
    pub fn error(check: &'static str, message: impl Into<String>) -> Self {
        Finding::new(check, Verdict::Error, message)
    }

    fn new(check: &'static str, verdict: Verdict, message: impl Into<String>) -> Self {
        Finding {
            check,
            verdict,
            message: message.into(),
            advice: None,
            variable: None,
        }
    }

    /// Adds what to do about it.
    pub fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// Adds the variable it is about.
    pub fn about(mut self, variable: usize) -> Self {
        self.variable = Some(variable);
        self
    }
}
