//! An FMU on trial: does it keep what its description promises?

mod contents;

pub use contents::{Contents, Platform, contents};
