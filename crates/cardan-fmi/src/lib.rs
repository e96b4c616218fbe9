//! FMUs as participants: FMI 2 and 3, Co-Simulation and Model Exchange.

pub mod archive;
pub mod build;
pub mod description;
pub mod ffi;
mod fmu;
pub mod trial;

pub use description::ModelDescription;
pub use fmu::{BinaryError, Fmu, platform};
