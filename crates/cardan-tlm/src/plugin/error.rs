//! Why a client cannot take part, or go on.

use super::line_end::Objection;
use crate::general::seconds;

/// Why a client cannot take part, or go on.
#[derive(Debug, thiserror::Error)]
pub enum PluginError {
    /// What was given as an address is none.
    #[error("`{address}` is no address of a manager: write host:port, such as 127.0.0.1:11111")]
    BadAddress {
        /// As given.
        address: String,
    },
    /// Nobody listens.
    #[error("there is no manager at {address}: {reason} (tried for {seconds:.1} s)")]
    Unreachable {
        /// As given.
        address: String,
        /// The last answer.
        reason: std::io::Error,
        /// How long it was tried.
        seconds: f64,
    },
    /// The connection broke.
    #[error("the connection to the manager is lost while {during}: {reason}")]
    Lost {
        /// What was going on.
        during: String,
        /// What the system says.
        reason: std::io::Error,
    },
    /// The other side does not speak the protocol.
    #[error("what listens at {address} is no manager: {what}")]
    Stranger {
        /// As given.
        address: String,
        /// What came instead.
        what: String,
    },
    /// Nothing came for too long.
    #[error("nothing came from the manager in {seconds} s while {during}")]
    Silent {
        /// How long it was waited.
        seconds: f64,
        /// What was going on.
        during: String,
    },
    /// The manager answers something that makes no sense.
    #[error("the manager sent {what} while {during}")]
    Unexpected {
        /// What came.
        what: String,
        /// What was going on.
        during: String,
    },
    /// The model as a whole is not right.
    #[error(
        "the manager's check of the model failed: a component or an interface point of the meta-model has not been registered; \
         its log says which"
    )]
    CheckFailed,
    /// The line cannot be.
    #[error("the line at `{interface}` cannot be used: {what}")]
    BadLine {
        /// Which interface point.
        interface: String,
        /// What is wrong.
        what: String,
    },
    /// What came over a line is not right.
    #[error("the other end of the line at `{interface}` sent {what}")]
    BadData {
        /// Which interface point.
        interface: String,
        /// What is wrong.
        what: String,
    },
    /// What is to be sent is not right.
    #[error("the motion at `{interface}` at {} s is not finite", seconds(*time))]
    NotFinite {
        /// Which interface point.
        interface: String,
        /// When.
        time: f64,
    },
    /// Somebody asked for the end.
    #[error("interrupted while {during}")]
    Interrupted {
        /// What was going on.
        during: String,
    },
}

impl PluginError {
    /// Was the end asked for?
    pub fn is_interruption(&self) -> bool {
        matches!(self, PluginError::Interrupted { .. })
    }

    pub(super) fn of(objection: Objection, interface: &str, sample: &[f64]) -> Self {
        let what = match objection {
            Objection::NotFinite => format!("numbers that are not finite, at {} s", seconds(sample[0])),
            Objection::OutOfOrder => format!("a sample at {} s after a later one", seconds(sample[0])),
        };
        PluginError::BadData {
            interface: interface.to_owned(),
            what,
        }
    }
}
