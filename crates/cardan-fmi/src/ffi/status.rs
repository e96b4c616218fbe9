//! What a function of an FMU answers.

use std::ffi::c_int;
use std::fmt;

/// `fmi2Status` and `fmi3Status`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// All is well.
    Ok,
    /// It worked, but there is something to say.
    Warning,
    /// It was not done; another try may work.
    Discard,
    /// It failed, and the instance cannot go on.
    Error,
    /// It failed, and no instance of the binary may be called any more.
    Fatal,
    /// FMI 2: it is being done by another thread.
    Pending,
}

impl Status {
    /// A number that the standard does not know is no good news.
    pub(super) fn from_raw(raw: c_int) -> Self {
        match raw {
            0 => Status::Ok,
            1 => Status::Warning,
            2 => Status::Discard,
            4 => Status::Fatal,
            5 => Status::Pending,
            _ => Status::Error,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Status::Ok => "OK",
            Status::Warning => "warning",
            Status::Discard => "discard",
            Status::Error => "error",
            Status::Fatal => "fatal",
            Status::Pending => "pending",
        })
    }
}
