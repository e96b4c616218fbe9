//! MAT, level 4: the oldest and simplest of MATLAB's formats, which everything that knows MATLAB can read.
//!
//! One column vector per column of the result, named as MATLAB allows, `time` first. Two matrices of characters, `names`
//! and `units`, have a row for each of them, with the name as it was and its unit.

mod matrix;
mod names;
mod reader;
mod spool;
mod writer;

pub(crate) use reader::read;
pub use writer::MatWriter;
