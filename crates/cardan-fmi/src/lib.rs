//! FMUs as participants: FMI 2 and 3, Co-Simulation and Model Exchange.

pub mod archive;
mod binding;
pub mod build;
pub mod co_simulation;
pub mod description;
pub mod ffi;
mod fmu;
pub mod interface;
pub mod model_exchange;
pub mod trial;

pub use co_simulation::CoSimulation;
pub use description::ModelDescription;
pub use fmu::{BinaryError, Fmu, platform};
pub use interface::FmuInterface;
pub use model_exchange::ModelExchange;
