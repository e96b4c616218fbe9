//! What became of a run.

use crate::mode::Mode;

/// What became of a run.
pub(crate) enum Outcome {
    /// It came to its end.
    Finished {
        /// The largest error over all columns and rows, as a part of the range of the column.
        error: f64,
        /// Where that was.
        place: String,
        /// Calls of `step`.
        calls: u64,
        /// What it took.
        seconds: f64,
        /// The method that was used.
        method: String,
        /// What the run said of a tolerance that it does not keep.
        warnings: Vec<String>,
    },
    /// It ended with a message, or never began.
    Failed { message: String, seconds: f64 },
}

impl Outcome {
    /// Is it within the bound?
    pub(crate) fn is_right(&self, mode: &Mode) -> bool {
        matches!(self, Outcome::Finished { error, .. } if *error <= mode.bound())
    }

    /// What it said against itself: why it failed, or what it does not keep.
    #[allow(dead_code, reason = "the benchmark shows errors, whatever was said of them")]
    pub(crate) fn words(&self) -> &[String] {
        match self {
            Outcome::Finished { warnings, .. } => warnings,
            Outcome::Failed { message, .. } => std::slice::from_ref(message),
        }
    }

    /// In a line.
    pub(crate) fn told(&self, mode: &Mode) -> String {
        match self {
            Outcome::Finished {
                error,
                place,
                calls,
                seconds,
                method,
                warnings,
            } => format!(
                "{:>9.2e} tolerances {calls:>8} calls {seconds:>7.3} s  {place}{}{}",
                error / mode.tolerance(),
                // By default it is worth knowing what was chosen.
                if matches!(mode, Mode::Default) {
                    format!(", {method}")
                } else {
                    String::new()
                },
                if warnings.is_empty() {
                    ""
                } else {
                    ", and the run says so"
                }
            ),
            Outcome::Failed { message, seconds } => format!("fails after {seconds:.3} s: {message}"),
        }
    }
}
