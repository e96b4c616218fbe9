//! Why a result file could not be read.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// A result file could not be read: which one, where in it, and what to do.
#[derive(Debug)]
pub struct ReadError {
    path: PathBuf,
    line: Option<u64>,
    column: Option<usize>,
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ReadError {
    pub(crate) fn new(path: &Path, message: impl Into<String>) -> Self {
        ReadError {
            path: path.to_path_buf(),
            line: None,
            column: None,
            message: message.into(),
            source: None,
        }
    }

    pub(crate) fn because(
        path: &Path,
        message: impl Into<String>,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        ReadError {
            source: Some(source.into()),
            ..ReadError::new(path, message)
        }
    }

    pub(crate) fn at_line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    pub(crate) fn at_column(mut self, column: usize) -> Self {
        self.column = Some(column);
        self
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The line in a text file, counted from one.
    pub fn line(&self) -> Option<u64> {
        self.line
    }

    /// The column of the table in a text file, counted from one (a cell, not a character).
    pub fn column(&self) -> Option<usize> {
        self.column
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(f, ", line {line}, column {column}")?,
            (Some(line), None) => write!(f, ", line {line}")?,
            _ => {}
        }
        write!(f, ": {}", self.message)?;
        match &self.source {
            Some(source) => write!(f, ": {source}"),
            None => Ok(()),
        }
    }
}

// The message holds the cause, so a chain of causes would say it twice.
impl Error for ReadError {}
