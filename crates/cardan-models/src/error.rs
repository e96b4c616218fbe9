//! Why a model could not be built.

use cardan_ode::SettingsError;
use thiserror::Error;

use crate::multibody::Mistake;

/// A model cannot be built as asked: a parameter is missing, out of range, or does not go with the others.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}{message}", self.place())]
pub struct BuildError {
    /// The parameter at fault, where it is one.
    pub parameter: Option<String>,
    /// What is wrong with it, to be read after its name.
    pub message: String,
}

impl BuildError {
    /// One parameter is at fault.
    pub fn of(parameter: impl Into<String>, message: impl Into<String>) -> Self {
        BuildError {
            parameter: Some(parameter.into()),
            message: message.into(),
        }
    }

    /// No single parameter is.
    pub fn general(message: impl Into<String>) -> Self {
        BuildError {
            parameter: None,
            message: message.into(),
        }
    }

    fn place(&self) -> String {
        match &self.parameter {
            Some(name) => format!("parameter {name}: "),
            None => String::new(),
        }
    }
}

impl From<Mistake> for BuildError {
    fn from(mistake: Mistake) -> Self {
        BuildError::general(match &mistake.advice {
            Some(advice) => format!("{mistake}; {advice}"),
            None => mistake.to_string(),
        })
    }
}

impl From<SettingsError> for BuildError {
    fn from(error: SettingsError) -> Self {
        BuildError::general(format!("the solver: {error}"))
    }
}
