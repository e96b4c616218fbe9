//! The built-in model library of Cardan.
//!
//! A model states its equations once, as a [`Model`]; [`Native`] adds a solver and makes it a
//! [`Participant`](cardan_core::participant::Participant) with every ability the engine knows. The
//! [`catalogue`] lists what is there, with parameters, units and ports.
//!
//! ```
//! use cardan_core::interface::ParameterId;
//! use cardan_core::participant::{Participant, Settings};
//! use cardan_core::value::Value;
//! use cardan_models::find;
//! use cardan_ode::SolverSettings;
//!
//! let mass = find("mass").ok_or("no such model")?;
//! let ten_kilograms = Settings(vec![(ParameterId(0), Value::real(10.0))]);
//! let participant = mass.build(&ten_kilograms, &SolverSettings::default())?;
//! assert!(participant.interface().find_port("force").is_some());
//!
//! let none = Settings(vec![(ParameterId(0), Value::real(0.0))]);
//! let refused = mass.build(&none, &SolverSettings::default()).err();
//! assert_eq!(
//!     refused.map(|e| e.to_string()),
//!     Some("parameter mass: must be greater than 0, found 0".to_owned())
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blueprint;
mod catalogue;
mod control;
mod declare;
mod error;
mod hydraulics;
mod mechanics;
mod model;
pub mod multibody;
mod native;
mod sources;
mod values;
mod vehicle;

pub use blueprint::{Blueprint, MakeModel, MakePorts};
pub use catalogue::{ModelInfo, catalogue, find};
pub use error::BuildError;
pub use model::{Mechanical, Model};
pub use native::Native;
pub use sources::{Column, Interpolation, table_from_columns};
pub use values::Values;
