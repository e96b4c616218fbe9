//! What the engine sees of an FMU, and the way back from ports and parameters to variables.
//!
//! - Inputs and outputs are ports; so are triggered clocks. Time-based input clocks are not: the participant lets them
//!   tick by itself.
//! - Locals and calculated parameters can be recorded. They show the state at the end of the last step or event and
//!   count as reacting to nothing at once, so that recording them adds no work to the exchange of values.
//! - Parameters are parameters, structural ones too; and so are the start values of states and other variables that may
//!   be set before the initialisation.
//!
//! An [`FmuInterface`] is made once and shared by all instances with the same structural parameters.

mod feedthrough;
mod shapes;

use std::sync::Arc;

use cardan_core::interface::{
    Causality as Direction, Interface, Parameter, ParameterId, Port, PortId, Terminal, UnitDefinition,
};
use cardan_core::participant::{Failure, Settings};
use cardan_core::value::{Shape, Value, ValueType};

use self::shapes::Sizes;
use crate::description::{Causality, Initial, ModelDescription, Variability, Variable};
use crate::fmu::Fmu;

/// The interface of an FMU together with the variables behind it.
#[derive(Clone, Debug)]
pub struct FmuInterface {
    fmu: Arc<Fmu>,
    interface: Interface,
    ports: Vec<usize>,
    parameters: Vec<usize>,
    /// For each variable, its port.
    port_of: Vec<Option<PortId>>,
    clocks: Vec<usize>,
    structural: Vec<(usize, Value)>,
}

impl FmuInterface {
    /// The interface that follows from a description and the values of structural parameters in `settings`; other
    /// settings have no influence. The numbers of ports and parameters do not depend on the settings.
    pub fn new(fmu: Arc<Fmu>, settings: &Settings) -> Result<Self, Failure> {
        let description = fmu.description();
        let parameters = parameters_of(description);
        let structural = structural_values(description, &parameters, settings)?;
        let sizes = Sizes::new(description, &structural)?;
        let mut interface = Interface::default();
        let mut ports = Vec::new();
        let mut port_of = vec![None; description.variables.len()];
        let mut clocks = Vec::new();
        for (index, variable) in description.variables.iter().enumerate() {
            if is_own_clock(variable) {
                clocks.push(index);
            } else if let Some(direction) = direction(variable) {
                port_of[index] = Some(interface.port(port(variable, direction, sizes.shape(index))));
                ports.push(index);
            }
        }
        for &index in &parameters {
            interface.parameter(parameter(&description.variables[index], sizes.shape(index)));
        }
        feedthrough::declare(&mut interface, description, &port_of);
        interface.terminals = terminals(description, &port_of);
        interface.units = units(description);
        Ok(FmuInterface {
            fmu,
            interface,
            ports,
            parameters,
            port_of,
            clocks,
            structural,
        })
    }

    /// The FMU behind it.
    pub fn fmu(&self) -> &Arc<Fmu> {
        &self.fmu
    }

    /// What the FMU says about itself.
    pub fn description(&self) -> &ModelDescription {
        self.fmu.description()
    }

    /// As the engine sees it.
    pub fn interface(&self) -> &Interface {
        &self.interface
    }

    /// The variable behind a port.
    pub fn port(&self, id: PortId) -> Option<&Variable> {
        let index = self.ports.get(id.index())?;
        self.description().variables.get(*index)
    }

    /// The variable behind a parameter.
    pub fn parameter(&self, id: ParameterId) -> Option<&Variable> {
        let index = self.parameters.get(id.index())?;
        self.description().variables.get(*index)
    }

    /// The port in front of a variable, by the variable's index.
    pub fn port_of(&self, variable: usize) -> Option<PortId> {
        self.port_of.get(variable).copied().flatten()
    }

    /// Which outputs react at once to which inputs, as far as both are among the given ones.
    pub(crate) fn feedthrough_among(
        &self,
        inputs: &[PortId],
        outputs: &[PortId],
    ) -> impl Iterator<Item = (PortId, PortId)> {
        // A mark for each port: FMUs may have thousands of them, and pairs by the million.
        let marks = |ids: &[PortId]| {
            let mut marks = vec![false; self.interface.ports.len()];
            for id in ids {
                if let Some(mark) = marks.get_mut(id.index()) {
                    *mark = true;
                }
            }
            marks
        };
        let (inputs, outputs) = (marks(inputs), marks(outputs));
        let pairs = self.interface.feedthrough.iter().copied();
        pairs.filter(move |(output, input)| outputs[output.index()] && inputs[input.index()])
    }

    /// The input clocks that tick by time, as indices of variables.
    pub fn clocks(&self) -> &[usize] {
        &self.clocks
    }

    /// The structural parameters that were given, as indices of variables.
    pub fn structural(&self) -> &[(usize, Value)] {
        &self.structural
    }
}

/// Which port a variable becomes, if any.
fn direction(variable: &Variable) -> Option<Direction> {
    let is_clock = variable.clock.is_some();
    match variable.causality {
        Causality::Input => Some(Direction::Input),
        Causality::Output => Some(Direction::Output),
        Causality::Local | Causality::CalculatedParameter if !is_clock => Some(Direction::Local),
        _ => None,
    }
}

/// Is it an input clock that ticks by time?
fn is_own_clock(variable: &Variable) -> bool {
    let by_time = |clock: &crate::description::ClockProperties| clock.interval_variability.is_time_based();
    variable.causality == Causality::Input && variable.clock.as_ref().is_some_and(by_time)
}

fn is_parameter(variable: &Variable) -> bool {
    match variable.causality {
        Causality::Parameter | Causality::StructuralParameter => {
            variable.variability != Variability::Constant
        }
        // A start value that may be set before the initialisation.
        Causality::Output | Causality::Local => {
            variable.clock.is_none()
                && variable.variability != Variability::Constant
                && matches!(variable.initial, Some(Initial::Exact | Initial::Approx))
        }
        _ => false,
    }
}

fn parameters_of(description: &ModelDescription) -> Vec<usize> {
    let all = description.variables.iter().enumerate();
    all.filter(|(_, v)| is_parameter(v))
        .map(|(index, _)| index)
        .collect()
}

/// The structural parameters in the settings, each with its last value.
fn structural_values(
    description: &ModelDescription,
    parameters: &[usize],
    settings: &Settings,
) -> Result<Vec<(usize, Value)>, Failure> {
    let mut values = Vec::new();
    for (place, &index) in parameters.iter().enumerate() {
        let variable = &description.variables[index];
        if variable.causality != Causality::StructuralParameter {
            continue;
        }
        let Some(value) = settings.get(ParameterId(place as u32)) else {
            continue;
        };
        if !matches!(value, Value::Integers(v) if v.iter().all(|&i| i >= 0)) {
            return Err(Failure::failed(format!(
                "the structural parameter {} must be a whole number that is not negative, found {value}",
                variable.name
            )));
        }
        values.push((index, value.clone()));
    }
    Ok(values)
}

/// Terminals with those of their members that are ports.
fn terminals(description: &ModelDescription, port_of: &[Option<PortId>]) -> Vec<Terminal> {
    let members = |terminal: &crate::description::Terminal| {
        let known = terminal.members.iter().filter_map(|member| {
            let variable = description.variables.get(member.variable)?;
            let name = member.name.as_ref().unwrap_or(&variable.name);
            Some((name.clone(), port_of.get(member.variable).copied()??))
        });
        known.collect()
    };
    let all = description.terminals.iter();
    all.map(|terminal| Terminal {
        name: terminal.name.clone(),
        members: members(terminal),
    })
    .collect()
}

/// Units that say what they are.
fn units(description: &ModelDescription) -> Vec<UnitDefinition> {
    let all = description.units.iter();
    all.filter_map(|unit| {
        Some(UnitDefinition {
            name: unit.name.clone(),
            exponents: unit.base?,
            factor: unit.factor,
            offset: unit.offset,
        })
    })
    .collect()
}

fn port(variable: &Variable, direction: Direction, shape: Shape) -> Port {
    let value_type = variable.kind.value_type();
    let base = match direction {
        Direction::Input => Port::input(&variable.name),
        Direction::Output => Port::output(&variable.name),
        Direction::Local => Port::local(&variable.name),
    };
    let mut port = base.typed(value_type);
    if variable.variability != Variability::Continuous {
        port = port.discrete();
    }
    if direction == Direction::Input {
        port.start = match value_type {
            // A clock that nobody sets off does not tick.
            ValueType::Clock => Some(Value::boolean(false)),
            _ => variable.start.as_ref().map(|start| fitted(start, &shape)),
        };
    }
    port.untold = variable.large_start.as_ref().map(|start| {
        format!(
            "its own value for it, {start}, cannot be carried: it is above {}",
            i64::MAX
        )
    });
    port.range = narrow_range(variable);
    port.unit = variable.unit.clone();
    port.nominal = nominal(variable);
    port.choices = variable.choices.clone();
    port.description = variable.description.clone().unwrap_or_default();
    port.shaped(shape)
}

/// The whole numbers that it can hold, where we know of others.
fn narrow_range(variable: &Variable) -> Option<(i64, i64)> {
    let (low, high) = variable.kind.whole_range();
    // Of unsigned numbers with 64 bits we know half.
    let known = |number: i128| number.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    let range = (known(low), known(high));
    (variable.kind.is_whole() && range != (i64::MIN, i64::MAX)).then_some(range)
}

/// Scales of tolerances are positive.
fn nominal(variable: &Variable) -> f64 {
    let given = variable.nominal.map(f64::abs);
    given.filter(|n| *n > 0.0 && n.is_finite()).unwrap_or(1.0)
}

fn parameter(variable: &Variable, shape: Shape) -> Parameter {
    let mut parameter = Parameter::new(&variable.name).typed(variable.kind.value_type());
    parameter.unit = variable.unit.clone();
    // Defaults are shown, not set: what is not given the FMU knows by itself.
    parameter.default = variable.start.as_ref().map(|start| fitted(start, &shape));
    if variable.large_start.is_some() {
        parameter.default = Some(Value::Integers(vec![i64::MAX; shape.len()]));
    }
    parameter.choices = variable.choices.clone();
    parameter.minimum = variable.minimum;
    parameter.maximum = variable.maximum;
    if let Some((low, high)) = narrow_range(variable) {
        let (low, high) = (low as f64, high as f64);
        parameter.minimum = Some(variable.minimum.map_or(low, |minimum| minimum.max(low)));
        parameter.maximum = Some(variable.maximum.map_or(high, |maximum| maximum.min(high)));
    }
    parameter.tunable =
        variable.causality == Causality::Parameter && variable.variability == Variability::Tunable;
    parameter.description = variable.description.clone().unwrap_or_default();
    parameter.shaped(shape)
}

/// A start value with as many elements as the shape has: a single one stands for all, and of one that was written for
/// another size the first is taken.
fn fitted(start: &Value, shape: &Shape) -> Value {
    fn fit<T: Clone>(values: &[T], count: usize) -> Vec<T> {
        if values.len() == count {
            return values.to_vec();
        }
        values
            .first()
            .map_or_else(Vec::new, |first| vec![first.clone(); count])
    }
    let count = shape.len();
    match start {
        Value::Reals(v) => Value::Reals(fit(v, count)),
        Value::Integers(v) => Value::Integers(fit(v, count)),
        Value::Booleans(v) => Value::Booleans(fit(v, count)),
        Value::Strings(v) => Value::Strings(fit(v, count)),
        Value::Binaries(v) => Value::Binaries(fit(v, count)),
    }
}
