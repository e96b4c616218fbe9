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
///
/// A model of your own becomes a participant like this:
///
/// ```
/// use cardan_core::interface::{Interface, Parameter, Port};
/// use cardan_core::participant::{Participant, Settings};
/// use cardan_core::value::Value;
/// use cardan_models::{Blueprint, Model, Native};
/// use cardan_ode::SolverSettings;
///
/// /// A tank that runs empty through a hole.
/// struct Tank { area: f64 }
///
/// impl Model for Tank {
///     fn states(&self) -> usize { 1 }
///     fn initial(&self, x: &mut [f64]) { x[0] = 1.0; }
///     fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
///         dx[0] = (u[0] - 0.01 * x[0].max(0.0).sqrt()) / self.area;
///     }
///     fn outputs(&self, _t: f64, x: &[f64], _u: &[f64], y: &mut [f64]) { y[0] = x[0]; }
/// }
///
/// let tank = Blueprint {
///     name: "tank".to_owned(),
///     parameters: vec![Parameter::new("area").unit("m2").default(Value::real(0.5)).above(0.0).tunable()],
///     ports: Box::new(|_| {
///         let mut ports = Interface::default();
///         ports.port(Port::input("inflow").unit("m3/s").start(Value::real(0.0)));
///         ports.port(Port::output("level").unit("m"));
///         Ok(ports)
///     }),
///     model: Box::new(|values| Ok(Box::new(Tank { area: values.real("area")? }))),
/// };
/// let participant = Native::new(tank, &Settings::default(), &SolverSettings::default())?;
/// assert!(participant.interface().find_port("level").is_some());
/// # Ok::<(), cardan_models::BuildError>(())
/// ```
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
