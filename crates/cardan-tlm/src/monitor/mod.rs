//! The monitor: looks at every line of a run and writes down what is sent over it.

mod columns;
mod error;
mod run_file;
mod session;
mod sheet;

pub use columns::{Domain, Watched};
pub use error::MonitorError;
pub use run_file::{RunFile, status};
pub use session::{Assignment, Audience, Candidate, Summary, watch};
pub use sheet::{Sheet, Span, Style};
