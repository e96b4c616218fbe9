//! Why a component could not take part to the end.

use crate::Error;
use crate::error::DEFECT;
use cardan_core::participant::{Failure, FailureKind};
use cardan_tlm::general::seconds;
use cardan_tlm::plugin::PluginError;

/// Why a component could not take part to the end.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The component cannot be made, or does not fit.
    #[error("{0}")]
    Description(Error),
    /// The manager, the connection or what came over it.
    #[error(transparent)]
    Manager(#[from] PluginError),
    /// The component itself.
    #[error("`{component}` failed in `{call}` at {} s: {failure}", seconds(*time))]
    Component {
        /// Its name.
        component: String,
        /// What it was asked for.
        call: &'static str,
        /// When.
        time: f64,
        /// What it says.
        failure: Failure,
    },
}

impl ClientError {
    /// What the process tells the shell: 2 for a wrong description or call, 3 for whatever failed, 4 for numbers, 130 if the
    /// end was asked for.
    pub fn exit_code(&self) -> u8 {
        match self {
            ClientError::Description(error) => error.exit_code(),
            ClientError::Manager(error) if error.is_interruption() => 130,
            ClientError::Manager(PluginError::BadAddress { .. }) => 2,
            ClientError::Manager(PluginError::NotFinite { .. }) => 4,
            ClientError::Manager(_) => 3,
            ClientError::Component { failure, .. } => match failure.kind {
                FailureKind::Failed => 3,
                FailureKind::Numbers => 4,
                FailureKind::Engine => DEFECT,
            },
        }
    }

    /// What the user may do about it.
    pub fn advice(&self) -> Option<&str> {
        match self {
            ClientError::Component { failure, .. } => failure.advice.as_deref(),
            _ => None,
        }
    }
}

impl From<Error> for ClientError {
    fn from(error: Error) -> Self {
        ClientError::Description(error)
    }
}
