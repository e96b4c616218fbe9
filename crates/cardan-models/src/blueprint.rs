//! What a native participant is built from.

use cardan_core::interface::{Causality, Interface, Parameter};
use cardan_core::value::ValueType;

use crate::error::BuildError;
use crate::model::Model;
use crate::values::Values;

/// Ports of a model whose parameters have these values.
pub type MakePorts = Box<dyn Fn(&Values) -> Result<Interface, BuildError> + Send>;

/// The model itself.
pub type MakeModel = Box<dyn Fn(&Values) -> Result<Box<dyn Model>, BuildError> + Send>;

/// How to make a model from the values of its parameters, once at the beginning and again whenever one is tuned.
pub struct Blueprint {
    /// The name of the model, for messages and to tell saved states apart.
    pub name: String,
    /// All parameters.
    pub parameters: Vec<Parameter>,
    /// Makes ports, feedthrough and period; the parameters are added to it.
    pub ports: MakePorts,
    /// Makes the model.
    pub model: MakeModel,
}

impl Blueprint {
    pub(crate) fn interface(&self, values: &Values) -> Result<Interface, BuildError> {
        let mut interface = (self.ports)(values)?;
        interface.parameters.clone_from(&self.parameters);
        if let Some(port) = interface.ports.iter().find(|p| p.value_type != ValueType::Real) {
            return Err(BuildError::general(format!(
                "port {} is of type {}; native models have real ports only",
                port.name, port.value_type
            )));
        }
        Ok(interface)
    }
}

/// Number of elements of all inputs, or of all other ports.
pub(crate) fn width(interface: &Interface, inputs: bool) -> usize {
    interface
        .ports
        .iter()
        .filter(|port| (port.causality == Causality::Input) == inputs)
        .map(|port| port.shape.len())
        .sum()
}
