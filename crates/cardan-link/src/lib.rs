//! Other processes: running a part of the program in one, watching over it, and memory that both see.

pub mod process;
pub mod shared;
