//! FMUs as participants: FMI 2 and 3, Co-Simulation and Model Exchange.

pub mod archive;
pub mod description;
pub mod ffi;

pub use description::ModelDescription;
