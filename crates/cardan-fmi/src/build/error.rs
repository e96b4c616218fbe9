//! Why sources were not compiled.

use crate::archive::Refusal;
use std::io;
use std::path::{Path, PathBuf};

/// Why the sources of an FMU were not compiled.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// There is nothing to compile.
    #[error("the FMU brings no sources for `{0}`")]
    NoSources(String),
    /// A file of the list is not there.
    #[error("the source file `{0}` is listed but not there")]
    Missing(String),
    /// The description of the build cannot be used.
    #[error("sources/buildDescription.xml: {0}")]
    Description(String),
    /// A name of a file or folder is refused.
    #[error("`{name}` {refusal}")]
    Name {
        /// As written.
        name: String,
        /// Why.
        refusal: Refusal,
    },
    /// Something that goes into the command of the compiler is refused.
    #[error("`{0}` cannot be given to a compiler")]
    Word(String),
    /// There is no compiler.
    #[error("the FMU must be compiled, but `{command}` does not start: {message}")]
    NoCompiler {
        /// What was tried.
        command: String,
        /// What the system said.
        message: String,
    },
    /// The compiler did not accept the sources.
    #[error("`{command}` failed on {file}:\n{messages}")]
    Failed {
        /// The compiler.
        command: String,
        /// Which file, or the last step.
        file: String,
        /// What it said, cut where it gets long.
        messages: String,
    },
    /// A file could not be read or written.
    #[error("{}: {message}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        message: String,
    },
    /// There is no place for the result.
    #[error("there is no folder to keep compiled FMUs in: set CARDAN_CACHE")]
    NoCache,
}

impl BuildError {
    pub(super) fn io(path: &Path, error: &io::Error) -> Self {
        BuildError::Io {
            path: path.to_owned(),
            message: error.to_string(),
        }
    }
}
