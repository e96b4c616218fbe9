//! Couples simulators into one simulation.
//!
//! Open a description, run it, and look at what came out:
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("system.toml");
//! # std::fs::write(&path, r#"
//! # [system]
//! # stop = 1.0
//! # [components.source]
//! # model = "sine"
//! # [components.mass]
//! # model = "mass-spring-damper"
//! # parameters = { mass = 1.0, stiffness = 40.0, damping = 0.5 }
//! # [[connections]]
//! # from = "source.y"
//! # to = "mass.force"
//! # [method]
//! # kind = "gauss-seidel"
//! # step = 0.01
//! # "#)?;
//! let mut simulation = cardan::Simulation::open(&path)?;
//! simulation.advance_to(0.5)?;
//! let half_way = simulation.value("mass.position")?;
//! simulation.set("mass.stiffness", cardan::Value::real(80.0))?;
//! let report = simulation.run();
//! assert_eq!(report.status, "ok");
//! assert_ne!(simulation.value("mass.position")?, half_way);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checkpoint;
mod components;
mod coupling;
pub mod doctor;
mod equal_steps;
mod error;
mod input_file;
mod line_report;
mod load;
mod memory;
mod report;
mod simulation;
pub mod supervised;
mod system;
pub mod tlm_client;

pub use cardan_core::run::{Control, Status, Ties};
pub use cardan_core::value::Value;
pub use cardan_describe::{Diagnostic, Overrides, Reporter, Severity, Span, SystemSpec, schema};
pub use cardan_record::Table;
pub use checkpoint::{CheckpointError, Checkpoints, Header as CheckpointHeader, Resumed};
pub use components::multibody::MechanismSize;
pub use error::Error;
pub use line_report::LineReport;
pub use load::{lines_of_tools, meta_model_of_tools};
pub use memory::{MemoryHandle, MemoryRecorder};
pub use report::{
    BondReport, CheckpointReport, ComponentReport, ConnectionReport, ErrorReport, LoopReport,
    PredictionReport, Report, WarningReport,
};
pub use simulation::{Options, Simulation};
pub use system::System;

pub use cardan_core as core;
pub use cardan_models as models;
pub use cardan_record as record;
pub use cardan_tlm as tlm;
