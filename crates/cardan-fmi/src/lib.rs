//! FMUs as participants: FMI 2 and 3, Co-Simulation and Model Exchange.
//!
//! ```text
//! Fmu::open ──► archive::unpack ──► folder, private and gone with its last user
//!     │
//!     ├─ ModelDescription::read ──► variables, structure, usage ── validate
//!     └─ Fmu::binary ──► a library for this machine, compiled from sources if need be
//! ```
//!
//! A description is read leniently, with a word on whatever was odd about it:
//!
//! ```
//! use cardan_describe::{Reporter, Source};
//! use cardan_fmi::ModelDescription;
//!
//! let text = r#"<fmiModelDescription fmiVersion="2.0" modelName="ball" guid="{1}">
//!   <CoSimulation modelIdentifier="ball"/>
//!   <ModelVariables>
//!     <ScalarVariable name="h" valueReference="0" causality="output"><Real unit="m"/></ScalarVariable>
//!   </ModelVariables>
//! </fmiModelDescription>"#;
//! let mut reporter = Reporter::new();
//! let ball = ModelDescription::read(Source::new("modelDescription.xml", text), &mut reporter).unwrap();
//! assert_eq!(ball.variables[0].unit.as_deref(), Some("m"));
//! assert_eq!(ball.structure.outputs[0].dependencies, None, "nothing is said, so it may depend on all");
//! assert_eq!(reporter.sorted().len(), 1, "there is no <ModelStructure>");
//! ```

pub mod archive;
mod binding;
pub mod build;
mod clocks;
pub mod co_simulation;
pub mod description;
mod discrete;
pub mod ffi;
mod fmu;
pub mod interface;
mod listed;
mod loading;
pub mod model_exchange;
mod parameters;
mod ports;
mod saved;
pub mod trial;
mod values;

pub use co_simulation::CoSimulation;
pub use description::ModelDescription;
pub use fmu::{BinaryError, Fmu, platform};
pub use interface::FmuInterface;
pub use model_exchange::ModelExchange;
