//! Test FMUs as components.

use cardan_testkit::fmus::{Fmi, build, without_state};
use std::path::PathBuf;

/// A component that is an FMU.
pub(super) struct Fmu {
    path: PathBuf,
    interface: &'static str,
    parameters: String,
}

impl Fmu {
    /// By Model Exchange.
    pub(super) fn exchange(name: &str, version: Fmi) -> Self {
        Fmu {
            path: build(name, version),
            interface: "model-exchange",
            parameters: String::new(),
        }
    }

    /// By Co-Simulation.
    pub(super) fn steps(name: &str, version: Fmi) -> Self {
        Fmu {
            interface: "co-simulation",
            ..Fmu::exchange(name, version)
        }
    }

    /// By Co-Simulation, of one that cannot go back.
    pub(super) fn without_state(name: &str, version: Fmi) -> Self {
        Fmu {
            path: without_state(name, version),
            ..Fmu::steps(name, version)
        }
    }

    /// With parameters, as in a table of TOML.
    pub(super) fn with(mut self, parameters: &str) -> Self {
        parameters.clone_into(&mut self.parameters);
        self
    }

    /// Its line in a description.
    pub(super) fn named(&self, name: &str) -> String {
        let Fmu {
            path,
            interface,
            parameters,
        } = self;
        format!(
            "{name} = {{ fmu = {path:?}, interface = \"{interface}\", parameters = {{ {parameters} }} }}\n"
        )
    }
}
