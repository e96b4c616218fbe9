//! Why a simulation could not be opened or go on.

use cardan_core::error::{RunError, RunErrorKind};
use cardan_describe::{Diagnostic, Reporter};
use std::fmt;

/// What the process tells the shell of a defect of our own: the code that Rust programs have for it.
pub(crate) const DEFECT: u8 = 101;

/// Why a simulation could not be opened or go on.
///
/// One type for all, since callers mostly pass it on; the questions they do ask have methods: was it the description
/// ([`Error::diagnostics`]), or the run ([`Error::run_error`])?
#[derive(Debug)]
pub struct Error(Box<Kind>);

#[derive(Debug)]
enum Kind {
    Description {
        system: Option<String>,
        diagnostics: Vec<Diagnostic>,
        text: String,
    },
    Run(RunError),
    Record(String),
    Usage {
        system: Option<String>,
        message: String,
    },
}

impl Error {
    pub(crate) fn description(reporter: Reporter) -> Self {
        let text = reporter.render_all(false);
        Error(Box::new(Kind::Description {
            system: None,
            diagnostics: reporter.finish(),
            text,
        }))
    }

    /// The mistakes of a description that another process has read.
    pub(crate) fn refused(system: Option<String>, diagnostics: Vec<Diagnostic>, text: String) -> Self {
        Error(Box::new(Kind::Description {
            system,
            diagnostics,
            text,
        }))
    }

    /// The name of the system that cannot be run, as far as it could be read.
    pub fn system(&self) -> Option<&str> {
        match &*self.0 {
            Kind::Description { system, .. } | Kind::Usage { system, .. } => system.as_deref(),
            _ => None,
        }
    }

    pub(crate) fn record(message: impl Into<String>) -> Self {
        Error(Box::new(Kind::Record(message.into())))
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Error(Box::new(Kind::Usage {
            system: None,
            message: message.into(),
        }))
    }

    /// The same for a system that was read.
    pub(crate) fn usage_of(system: &str, message: impl Into<String>) -> Self {
        Error(Box::new(Kind::Usage {
            system: Some(system.to_owned()),
            message: message.into(),
        }))
    }

    /// The mistakes of the description, if that was it.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match &*self.0 {
            Kind::Description { diagnostics, .. } => diagnostics,
            _ => &[],
        }
    }

    /// What happened in the run, if it had started.
    pub fn run_error(&self) -> Option<&RunError> {
        match &*self.0 {
            Kind::Run(error) => Some(error),
            _ => None,
        }
    }

    /// Can the results not be written where they are to go?
    pub fn is_about_results(&self) -> bool {
        matches!(&*self.0, Kind::Record(_))
    }

    /// The exit code that tells a shell the same: 2 for a wrong description or call, 3 for a participant that failed,
    /// 4 for numbers that did, 101 for the engine.
    pub fn exit_code(&self) -> u8 {
        match &*self.0 {
            Kind::Description { .. } | Kind::Record(_) | Kind::Usage { .. } => 2,
            Kind::Run(error) => match error.kind() {
                RunErrorKind::Participant | RunErrorKind::Record => 3,
                RunErrorKind::Numbers => 4,
                RunErrorKind::Engine => DEFECT,
            },
        }
    }
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Self {
        Error(Box::new(Kind::Run(error)))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Kind::Description { text, .. } => f.write_str(text),
            Kind::Run(error) => fmt::Display::fmt(error, f),
            Kind::Record(message) | Kind::Usage { message, .. } => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.0 {
            Kind::Run(error) => Some(error),
            _ => None,
        }
    }
}
