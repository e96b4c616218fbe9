//! FMUs as participants: FMI 2 and 3, Co-Simulation and Model Exchange.

pub mod archive;
mod binding;
pub mod co_simulation;
pub mod description;
pub mod ffi;
pub mod interface;

pub use co_simulation::CoSimulation;
pub use description::ModelDescription;
pub use interface::FmuInterface;
