//! What an FMU says about itself, in one shape for both versions of the standard.

mod dependencies;
mod gathered;
mod kind;
mod root;
mod rules;
mod structure;
mod terminals;
mod types;
mod units;
mod usage;
mod validate;
mod variable;
mod variables;
mod version;
mod words;

pub use root::FILE;
pub use structure::{ModelStructure, Unknown};
pub use terminals::FILE as TERMINALS_FILE;
pub use validate::validate;
pub use variable::{
    Causality, ClockInterval, ClockProperties, Dimension, Initial, Kind, Variability, Variable,
};

use cardan_describe::Span;

/// The versions of the standard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Version {
    /// FMI 2.0.x
    V2,
    /// FMI 3.0.x
    V3,
}

/// The content of a `modelDescription.xml`.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelDescription {
    /// Which standard it follows.
    pub version: Version,
    /// `fmiVersion` as written.
    pub fmi_version: String,
    /// The model's name.
    pub model_name: String,
    /// `guid` or `instantiationToken`: proves that binary and description belong together.
    pub token: String,
    /// One line for people.
    pub description: Option<String>,
    /// Who made it.
    pub author: Option<String>,
    /// The model's own version.
    pub model_version: Option<String>,
    /// The tool that exported it.
    pub generation_tool: Option<String>,
    /// When it was exported.
    pub generation_date: Option<String>,
    /// Do names show a hierarchy (`a.b[1]`, `der(x)`)?
    pub structured_names: bool,
    /// How it can be used in co-simulation.
    pub co_simulation: Option<CoSimulation>,
    /// How it can be used in model exchange.
    pub model_exchange: Option<ModelExchange>,
    /// Does it offer scheduled execution?
    pub scheduled_execution: bool,
    /// Units of its variables.
    pub units: Vec<Unit>,
    /// Names and meanings of its log categories.
    pub log_categories: Vec<(String, Option<String>)>,
    /// How its author would simulate it.
    pub default_experiment: DefaultExperiment,
    /// All variables, in the order of the file.
    pub variables: Vec<Variable>,
    /// What depends on what.
    pub structure: ModelStructure,
    /// Groups of variables that are connected together.
    pub terminals: Vec<Terminal>,
    /// The place of its root element, for what is missing in it.
    pub span: Span,
}

impl ModelDescription {
    /// The variable of that name, aliases included, by its index.
    pub fn find(&self, name: &str) -> Option<usize> {
        let own = self.variables.iter().position(|v| v.name == name);
        own.or_else(|| {
            self.variables
                .iter()
                .position(|v| v.aliases.iter().any(|alias| alias == name))
        })
    }
}

/// What both ways of use have in common.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Usage {
    /// The name of the binary, and the prefix of function names in static libraries.
    pub model_identifier: String,
    /// Is the FMU only a connection to a tool that must be installed?
    pub needs_execution_tool: bool,
    /// Can there be only one instance in a process?
    pub once_per_process: bool,
    /// Can states be saved and restored?
    pub saves_state: bool,
    /// Can saved states be turned into bytes?
    pub serializes_state: bool,
    /// Are there directional derivatives?
    pub directional_derivatives: bool,
    /// Source files, as FMI 2 lists them.
    pub source_files: Vec<String>,
}

/// Co-Simulation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CoSimulation {
    /// Common properties.
    pub usage: Usage,
    /// May steps differ in size?
    pub variable_step: bool,
    /// The step of its own solver, where that is fixed and known.
    pub fixed_internal_step: Option<f64>,
    /// FMI 2: does it take derivatives of inputs?
    pub interpolates_inputs: bool,
    /// Up to which order it gives derivatives of outputs.
    pub output_derivative_order: u32,
    /// FMI 3: does it call back at its inner steps?
    pub intermediate_update: bool,
    /// FMI 3: may it end a step early?
    pub returns_early: bool,
    /// FMI 3: does it have an event mode?
    pub event_mode: bool,
}

/// Model Exchange.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ModelExchange {
    /// Common properties.
    pub usage: Usage,
    /// Must it be told of every completed step?
    pub needs_completed_step: bool,
}

/// A unit: its value in base units is `factor · value + offset`.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    /// As variables name it.
    pub name: String,
    /// Exponents of kg, m, s, A, K, mol, cd, rad, if they are given.
    pub base: Option<[i32; 8]>,
    /// To base units.
    pub factor: f64,
    /// To base units.
    pub offset: f64,
}

/// How an author would simulate the model.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct DefaultExperiment {
    /// In seconds.
    pub start: Option<f64>,
    /// In seconds.
    pub stop: Option<f64>,
    /// Relative.
    pub tolerance: Option<f64>,
    /// In seconds.
    pub step: Option<f64>,
}

/// A group of variables that are connected together.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Terminal {
    /// Its name; nested ones are written `outer.inner`.
    pub name: String,
    /// `plug`, `bus` or `sequence`.
    pub matching_rule: String,
    /// What sort of terminal it is.
    pub kind: Option<String>,
    /// Its variables.
    pub members: Vec<TerminalMember>,
}

/// A variable in a terminal.
#[derive(Clone, PartialEq, Debug)]
pub struct TerminalMember {
    /// Index of the variable.
    pub variable: usize,
    /// The name by which the other side finds it.
    pub name: Option<String>,
    /// What sort of variable: `signal`, `inflow`, `outflow` …
    pub kind: String,
}
