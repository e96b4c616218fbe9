//! The monitor: looks at every line of a run and writes down what is sent over it.

mod columns;
mod run_file;
mod sheet;

pub use columns::{Domain, Watched};
pub use run_file::{RunFile, status};
pub use sheet::{Sheet, Span, Style};
