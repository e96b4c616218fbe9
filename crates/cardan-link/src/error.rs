//! Why a link does not work.

use crate::wire::Malformed;
use cardan_core::participant::Failure;
use std::fmt;

/// Why a link could not be made or broke: a sentence, and what to do.
///
/// One word wide, so that the success path of a call stays cheap.
#[derive(Clone, PartialEq, Debug)]
pub struct Error(Box<Report>);

#[derive(Clone, PartialEq, Debug)]
struct Report {
    kind: ErrorKind,
    message: String,
    advice: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ErrorKind {
    Closed,
    TimedOut,
    Malformed,
    Refused,
    Unreachable,
    Other,
}

impl Error {
    #[cold]
    fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error(Box::new(Report {
            kind,
            message: message.into(),
            advice: None,
        }))
    }

    /// The other side is gone.
    pub(crate) fn closed(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Closed, message)
    }

    /// The other side does not answer in time.
    pub(crate) fn timed_out(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::TimedOut, message)
    }

    /// The other side does not speak the protocol.
    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Malformed, message)
    }

    /// One side does not take the other.
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Refused, message)
    }

    /// There is nobody at that address, or it cannot be had.
    pub(crate) fn unreachable(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Unreachable, message)
    }

    /// The system said no to something.
    pub(crate) fn system(what: &str, error: impl fmt::Display) -> Self {
        Error::new(ErrorKind::Other, format!("{what}: {error}."))
    }

    /// Anything else.
    pub(crate) fn other(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Other, message)
    }

    /// With a word on what to do.
    #[must_use]
    pub(crate) fn advise(mut self, advice: impl Into<String>) -> Self {
        self.0.advice = Some(advice.into());
        self
    }

    /// With another sentence, of the same kind.
    #[must_use]
    pub(crate) fn reworded(mut self, message: impl Into<String>) -> Self {
        self.0.message = message.into();
        self
    }

    /// Is the other side gone?
    pub fn is_closed(&self) -> bool {
        self.0.kind == ErrorKind::Closed
    }

    /// Did the other side not answer in time?
    pub fn is_timeout(&self) -> bool {
        self.0.kind == ErrorKind::TimedOut
    }

    /// Did the other side send what is not the protocol?
    pub fn is_malformed(&self) -> bool {
        self.0.kind == ErrorKind::Malformed
    }

    /// Did one side not take the other: another version, another secret?
    pub fn is_refused(&self) -> bool {
        self.0.kind == ErrorKind::Refused
    }

    /// Is nobody at that address, or can it not be had?
    pub fn is_unreachable(&self) -> bool {
        self.0.kind == ErrorKind::Unreachable
    }

    /// What happened.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What to do.
    pub fn advice(&self) -> Option<&str> {
        self.0.advice.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}

impl From<Malformed> for Error {
    #[cold]
    fn from(malformed: Malformed) -> Self {
        if let Malformed::Contradiction(words) = &malformed {
            // The connection is well: it is what the participant says that cannot be.
            let message = format!("What the participant says contradicts itself: {words}.");
            return Error::new(ErrorKind::Malformed, message).advise(
                "mend it in the program of the participant, where its ports and parameters are declared",
            );
        }
        let message = format!("What arrived is not the protocol: {malformed}.");
        Error::new(ErrorKind::Malformed, message).advise(
            "does something else write into its connection, and is its client of this version of the protocol?",
        )
    }
}

impl From<Error> for Failure {
    #[cold]
    fn from(error: Error) -> Self {
        let Report { message, advice, .. } = *error.0;
        let failure = Failure::failed(message);
        match advice {
            Some(advice) => failure.advise(advice),
            None => failure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contradiction_is_no_matter_of_the_connection() {
        let twins = Error::from(Malformed::Contradiction("two ports are named `x`".into()));
        assert_eq!(
            twins.message(),
            "What the participant says contradicts itself: two ports are named `x`."
        );
        assert!(twins.is_malformed() && !twins.advice().unwrap().contains("connection"));
        assert!(
            Error::from(Malformed::Text)
                .advice()
                .unwrap()
                .contains("connection")
        );
    }
}
