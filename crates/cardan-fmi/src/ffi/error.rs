//! Calls that fail, and binaries that cannot be used.

use std::fmt;
use std::path::{Path, PathBuf};

use cardan_core::participant::Failure;

use super::status::Status;
use crate::description::Kind;

/// What a call into an FMU gives. The error is boxed: it is rare, and calls are many.
pub type Called<T> = Result<T, Box<CallError>>;

/// Why a call did not work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The FMU answered so.
    Status(Status),
    /// The binary does not have the function.
    Missing,
    /// After an answer of fatal or pending nothing may be called.
    Dead,
    /// The call made no sense; nothing was called.
    Refused(String),
    /// A variable cannot hold a number that it should; nothing was called.
    Unfit(Unfit),
    /// The FMU gave a number that we cannot hold.
    TooLarge(Unfit),
}

/// A whole number that does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfit {
    /// Which of the numbers of the call.
    pub place: usize,
    /// The name of its variable, once somebody has [said](CallError::naming) it.
    pub variable: Option<String>,
    /// The number.
    pub value: i128,
    /// The type of the variable.
    pub kind: Kind,
}

impl Unfit {
    fn name(&self) -> String {
        let name = self.variable.as_ref();
        name.map_or_else(|| "a variable".to_owned(), |name| format!("`{name}`"))
    }
}

/// A call into an FMU that did not work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallError {
    /// By its name in the standard.
    pub function: &'static str,
    /// What was wrong.
    pub trouble: Trouble,
    /// The last things the FMU had to say, oldest first.
    pub messages: Vec<String>,
    /// Would it say more if it were asked to?
    pub says_more: bool,
}

impl CallError {
    /// What the FMU answered, if it was asked.
    pub fn status(&self) -> Option<Status> {
        match self.trouble {
            Trouble::Status(status) => Some(status),
            _ => None,
        }
    }

    /// Where the error is about one number of the call: names its variable, by the place of the number.
    #[must_use]
    pub fn naming<'n>(mut self: Box<Self>, name: impl FnOnce(usize) -> Option<&'n str>) -> Box<Self> {
        if let Trouble::Unfit(unfit) | Trouble::TooLarge(unfit) = &mut self.trouble {
            unfit.variable = name(unfit.place).map(str::to_owned);
        }
        self
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let function = self.function;
        match &self.trouble {
            Trouble::Status(status) => write!(f, "{function} answered with status {status}")?,
            Trouble::Missing => write!(f, "the binary of the FMU has no function {function}")?,
            Trouble::Dead => write!(
                f,
                "{function} cannot be called: an earlier call answered with status fatal or pending"
            )?,
            Trouble::Refused(why) => write!(f, "{function} was not called: {why}")?,
            Trouble::Unfit(unfit) => {
                let (low, high) = unfit.kind.whole_range();
                write!(
                    f,
                    "{function} was not called: {} cannot be {}, since {:?} goes from {low} to {high}",
                    unfit.name(),
                    unfit.value,
                    unfit.kind
                )?;
            }
            Trouble::TooLarge(unfit) => write!(
                f,
                "{function} gave {} for {}: 64-bit unsigned values above {} cannot be carried",
                unfit.value,
                unfit.name(),
                i64::MAX
            )?,
        }
        quote(f, &self.messages)
    }
}

impl std::error::Error for CallError {}

impl From<Box<CallError>> for Failure {
    fn from(error: Box<CallError>) -> Self {
        let failure = Failure::failed(error.to_string());
        match &error.trouble {
            Trouble::Status(Status::Pending) => failure.advise(
                "the FMU wants to step asynchronously, which is not supported; export it without that",
            ),
            Trouble::Status(Status::Discard) => {
                failure.advise("the FMU does not take this value here; look at its documentation")
            }
            Trouble::Status(_) if error.messages.is_empty() && error.says_more => failure.advise(
                "the FMU gave no reason; switch on its log categories, and check its parameters and inputs",
            ),
            Trouble::Status(_) if error.messages.is_empty() => {
                failure.advise("the FMU gave no reason; check its parameters and inputs")
            }
            Trouble::Status(_) => failure.advise("check the parameters and inputs of the FMU"),
            Trouble::Missing => failure.advise("export the FMU anew, or leave out what needs this function"),
            Trouble::Unfit(_) => failure.advise("keep what drives it within this range"),
            Trouble::TooLarge(_) => failure.advise(
                "leave the variable out of connections and results, or let the FMU give smaller values",
            ),
            Trouble::Dead | Trouble::Refused(_) => failure,
        }
    }
}

/// A binary by its place in the FMU: where the FMU was unpacked says nothing to its user.
fn inside(path: &Path) -> String {
    let parts: Vec<_> = path.components().collect();
    let begin = parts.iter().rposition(|part| part.as_os_str() == "binaries");
    let shown: PathBuf = parts[begin.unwrap_or(parts.len().saturating_sub(1))..]
        .iter()
        .collect();
    shown.display().to_string()
}

/// A binary that cannot be used, or an instance that did not come into being.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    /// The system does not load it.
    #[error("the binary {} cannot be loaded: {reason}", inside(path))]
    Open {
        /// The file.
        path: PathBuf,
        /// In the words of the system.
        reason: String,
    },
    /// It is written in Python, which cannot be had.
    #[error("the binary {} needs the library of Python: {reason}", inside(path))]
    Python {
        /// The file.
        path: PathBuf,
        /// Why there is none.
        reason: String,
    },
    /// It lacks functions.
    #[error("the binary {} lacks the functions {}", inside(path), functions.join(", "))]
    Missing {
        /// The file.
        path: PathBuf,
        /// All that are missing.
        functions: Vec<&'static str>,
    },
    /// It follows another standard than its description.
    #[error(
        "the binary {} says that it follows FMI {found}, its description says FMI {expected}",
        inside(path)
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// What the description says.
        expected: &'static str,
        /// What the binary says.
        found: String,
    },
    /// FMI 2: it was compiled with types of its own.
    #[error(
        "the binary {} was compiled for the types of the platform `{found}`, not for `default`",
        inside(path)
    )]
    Platform {
        /// The file.
        path: PathBuf,
        /// What the binary says.
        found: String,
    },
    /// It did not make an instance.
    #[error("{function} made no instance{}", Quoted(messages))]
    Instantiate {
        /// By its name in the standard.
        function: &'static str,
        /// The last things the FMU had to say.
        messages: Vec<String>,
    },
    /// There is an instance already, and the FMU says that it takes one only.
    #[error("the FMU can be instantiated only once per process, and an instance of it exists already")]
    Crowded,
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        let failure = Failure::failed(error.to_string());
        match &error {
            LoadError::Open { .. } => failure.advise(
                "check that it was built for this platform and that the libraries it needs are installed",
            ),
            LoadError::Python { .. } => failure.advise(
                "install the shared library of Python (Debian: libpython3.11; pyenv: build with --enable-shared), or \
                 name it in CARDAN_LIBPYTHON; PYTHON may name the interpreter to ask, and PYTHONHOME the folder of a \
                 Python that does not find its own packages",
            ),
            LoadError::Instantiate { messages, .. } if messages.is_empty() => {
                failure.advise("the FMU gave no reason; a licence or a token that does not fit is often one")
            }
            LoadError::Instantiate { .. } => failure,
            LoadError::Crowded => failure.advise("use the FMU for one component only"),
            _ => failure.advise("export the FMU anew"),
        }
    }
}

struct Quoted<'a>(&'a [String]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        quote(f, self.0)
    }
}

fn quote(f: &mut fmt::Formatter<'_>, messages: &[String]) -> fmt::Result {
    let mut before = "; the FMU said: ";
    for message in messages {
        write!(f, "{before}\"{message}\"")?;
        before = ", ";
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_hears_everything_is_not_sent_to_the_log() {
        let advice = |says_more| {
            let error = CallError {
                function: "fmi3DoStep",
                trouble: Trouble::Status(Status::Error),
                messages: Vec::new(),
                says_more,
            };
            Failure::from(Box::new(error)).advice.unwrap_or_default()
        };
        assert!(advice(true).contains("switch on its log categories"));
        assert!(!advice(false).contains("log"), "{}", advice(false));
    }
}
