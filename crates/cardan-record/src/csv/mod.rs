//! CSV: the format everything opens, with every digit that matters.

mod cell;
mod earlier;
mod reader;
mod records;
mod writer;

pub(crate) use earlier::read_earlier;
pub(crate) use reader::{read, read_text};
pub use writer::CsvWriter;
