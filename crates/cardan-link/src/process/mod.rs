//! A part of the program in a process of its own, and watching over it.

mod child;
mod descendants;
mod end;
mod stdio;

pub use child::Child;
pub use descendants::{bury_orphans, resident_bytes, take_in_orphans};
pub use end::End;
pub(crate) use end::meaning;
pub use stdio::output_to_errors;
