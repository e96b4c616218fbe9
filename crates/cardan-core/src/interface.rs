//! What a participant shows to the outside: ports, parameters, and which output reacts at once to which input.

use crate::form::Form;
use crate::graph::Phase;
use crate::value::{Shape, Value, ValueType};

/// Index of a port in its [`Interface`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PortId(pub u32);

impl PortId {
    /// As an index into [`Interface::ports`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Index of a parameter in its [`Interface`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ParameterId(pub u32);

impl ParameterId {
    /// As an index into [`Interface::parameters`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The direction of a port.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Causality {
    /// Driven from outside.
    Input,
    /// Drives others.
    Output,
    /// Can be recorded, not connected.
    Local,
}

/// How a port's value moves between the points at which it is published.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variability {
    /// Smoothly: may be interpolated and extrapolated.
    Continuous,
    /// In jumps: the last value holds until the next one.
    Discrete,
}

/// A port of a participant.
#[derive(Clone, PartialEq, Debug)]
pub struct Port {
    /// Unique among the ports of the participant.
    pub name: String,
    /// Its direction.
    pub causality: Causality,
    /// What it carries.
    pub value_type: ValueType,
    /// How much of it.
    pub shape: Shape,
    /// How it moves in time.
    pub variability: Variability,
    /// The physical unit of a real, as written by the participant.
    pub unit: Option<String>,
    /// For an input: the value it has when nothing is connected. Without one it must be connected.
    pub start: Option<Value>,
    /// Is that value the user's, so that the participant has to be told?
    pub given: bool,
    /// For an input without such a value: why its own cannot be used.
    pub untold: Option<String>,
    /// The smallest and the largest whole number that it can hold, where these are not all.
    pub range: Option<(i64, i64)>,
    /// A typical magnitude, used to scale tolerances.
    pub nominal: f64,
    /// What its elements are together.
    pub form: Form,
    /// The names and numbers of an enumeration.
    pub choices: Vec<(String, i64)>,
    /// One line for people.
    pub description: String,
}

impl Port {
    fn new(name: impl Into<String>, causality: Causality) -> Self {
        Port {
            name: name.into(),
            causality,
            value_type: ValueType::Real,
            shape: Shape::SCALAR,
            variability: Variability::Continuous,
            unit: None,
            start: None,
            given: false,
            untold: None,
            range: None,
            nominal: 1.0,
            form: Form::Plain,
            choices: Vec::new(),
            description: String::new(),
        }
    }

    /// A continuous real scalar input.
    pub fn input(name: impl Into<String>) -> Self {
        Port::new(name, Causality::Input)
    }

    /// A continuous real scalar output.
    pub fn output(name: impl Into<String>) -> Self {
        Port::new(name, Causality::Output)
    }

    /// A continuous real scalar that can be recorded but not connected.
    pub fn local(name: impl Into<String>) -> Self {
        Port::new(name, Causality::Local)
    }

    /// With another type; everything but reals is discrete.
    #[must_use]
    pub fn typed(mut self, value_type: ValueType) -> Self {
        self.value_type = value_type;
        if value_type != ValueType::Real {
            self.variability = Variability::Discrete;
        }
        self
    }

    /// With a shape.
    #[must_use]
    pub fn shaped(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }

    /// With a unit.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = Some(unit.into());
        self
    }

    /// Changing in jumps only.
    #[must_use]
    pub fn discrete(mut self) -> Self {
        self.variability = Variability::Discrete;
        self
    }

    /// With a value for when nothing is connected.
    #[must_use]
    pub fn start(mut self, value: Value) -> Self {
        self.start = Some(value);
        self
    }

    /// What keeps a whole number from being a value of this port, if anything does.
    pub fn objection(&self, number: i64) -> Option<String> {
        let (low, high) = self.range?;
        let outside = number < low || number > high;
        outside.then(|| format!("must be a whole number from {low} to {high}, found {number}"))
    }

    /// A unit quaternion (w, x, y, z).
    #[must_use]
    pub fn rotation(self) -> Self {
        self.formed(Form::Rotation)
    }

    /// The motion of a body at a point.
    #[must_use]
    pub fn frame(self) -> Self {
        self.formed(Form::Frame)
    }

    /// Force and moment at a point of a body.
    #[must_use]
    pub fn load(self) -> Self {
        self.formed(Form::Load)
    }

    fn formed(mut self, form: Form) -> Self {
        self.form = form;
        if let Some(length) = form.width() {
            self.shape = Shape::vector(length);
        }
        self
    }

    /// What the name of an element adds to that of the port: `[2]`, or `.qw` where the form names it.
    pub fn element_suffix(&self, element: usize) -> String {
        match self.form.names().nth(element) {
            Some(name) => format!(".{name}"),
            None => self.shape.element_suffix(element),
        }
    }

    /// The unit of an element: the port's, else what its form knows.
    pub fn element_unit(&self, element: usize) -> Option<&str> {
        self.unit.as_deref().or_else(|| self.form.unit(element))
    }

    /// Is an element one of a quaternion's four?
    pub fn is_turning(&self, element: usize) -> bool {
        let first = self.form.quaternion();
        first.is_some_and(|first| (first..first + 4).contains(&element))
    }

    /// What keeps the port from having its form, if anything does.
    pub fn misformed(&self) -> Option<String> {
        let length = self.form.width()?;
        let wrong = self.value_type != ValueType::Real || self.shape.len() != length;
        wrong.then(|| format!("is {} but not {length} reals", self.form.described()))
    }

    /// With a line for people.
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }
}

/// A parameter of a participant.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Unique among the parameters of the participant.
    pub name: String,
    /// What it carries.
    pub value_type: ValueType,
    /// How much of it; `None` where any size is taken (a table, coefficients).
    pub shape: Option<Shape>,
    /// The physical unit of a real.
    pub unit: Option<String>,
    /// The value when none is given. Without one it must be given.
    pub default: Option<Value>,
    /// Smallest allowed value of a real or integer.
    pub minimum: Option<f64>,
    /// May the value equal the minimum?
    pub minimum_allowed: bool,
    /// Largest allowed value of a real or integer.
    pub maximum: Option<f64>,
    /// Can it change between steps?
    pub tunable: bool,
    /// The names and numbers of an enumeration.
    pub choices: Vec<(String, i64)>,
    /// One line for people.
    pub description: String,
}

impl Parameter {
    /// A real scalar that must be given.
    pub fn new(name: impl Into<String>) -> Self {
        Parameter {
            name: name.into(),
            value_type: ValueType::Real,
            shape: Some(Shape::SCALAR),
            unit: None,
            default: None,
            minimum: None,
            minimum_allowed: true,
            maximum: None,
            tunable: false,
            choices: Vec::new(),
            description: String::new(),
        }
    }

    /// With another type.
    #[must_use]
    pub fn typed(mut self, value_type: ValueType) -> Self {
        self.value_type = value_type;
        self
    }

    /// With a fixed shape.
    #[must_use]
    pub fn shaped(mut self, shape: Shape) -> Self {
        self.shape = Some(shape);
        self
    }

    /// Of any size.
    #[must_use]
    pub fn any_size(mut self) -> Self {
        self.shape = None;
        self
    }

    /// With a unit.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = Some(unit.into());
        self
    }

    /// With a default.
    #[must_use]
    pub fn default(mut self, value: Value) -> Self {
        self.default = Some(value);
        self
    }

    /// Not below `minimum`.
    #[must_use]
    pub fn at_least(mut self, minimum: f64) -> Self {
        self.minimum = Some(minimum);
        self
    }

    /// Greater than `minimum`.
    #[must_use]
    pub fn above(mut self, minimum: f64) -> Self {
        self.minimum = Some(minimum);
        self.minimum_allowed = false;
        self
    }

    /// Can change between steps.
    #[must_use]
    pub fn tunable(mut self) -> Self {
        self.tunable = true;
        self
    }

    /// With a line for people.
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// What is wrong with `value` for this parameter, if anything; whole numbers are taken for reals by the
    /// readers of descriptions, not here.
    pub fn objection(&self, value: &Value) -> Option<String> {
        if !value.value_type().drives(self.value_type) {
            return Some(format!(
                "expected {}, found {}",
                self.value_type,
                value.value_type()
            ));
        }
        if let Some(shape) = &self.shape
            && shape.len() != value.len()
        {
            return Some(format!(
                "expected {} value(s), found {}",
                shape.len(),
                value.len()
            ));
        }
        let numbers: Vec<f64> = match value {
            Value::Reals(v) => v.clone(),
            Value::Integers(v) => v.iter().map(|&i| i as f64).collect(),
            _ => Vec::new(),
        };
        for number in numbers {
            if !number.is_finite() {
                return Some(format!("must be finite, found {number}"));
            }
            if let Some(minimum) = self.minimum {
                if self.minimum_allowed && number < minimum {
                    return Some(format!("must be at least {minimum}, found {number}"));
                }
                if !self.minimum_allowed && number <= minimum {
                    return Some(format!("must be greater than {minimum}, found {number}"));
                }
            }
            if let Some(maximum) = self.maximum
                && number > maximum
            {
                return Some(format!("must be at most {maximum}, found {number}"));
            }
        }
        None
    }
}

/// Ports that belong together, such as the position and the force of a flange.
#[derive(Clone, PartialEq, Debug)]
pub struct Terminal {
    /// Unique among the terminals of the participant.
    pub name: String,
    /// Each member's name in the terminal, and the port behind it.
    pub members: Vec<(String, PortId)>,
}

/// What a participant means by the name of a unit: `SI value = factor · value + offset`.
#[derive(Clone, PartialEq, Debug)]
pub struct UnitDefinition {
    /// As ports and parameters write it.
    pub name: String,
    /// Powers of kg, m, s, A, K, mol, cd, rad.
    pub exponents: [i32; 8],
    /// The factor.
    pub factor: f64,
    /// The offset.
    pub offset: f64,
}

/// Everything a participant shows to the outside.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Interface {
    /// In the participant's own order; a [`PortId`] is an index here.
    pub ports: Vec<Port>,
    /// In the participant's own order; a [`ParameterId`] is an index here.
    pub parameters: Vec<Parameter>,
    /// Pairs of (output or local, input): the output's value at an instant depends on the input's at the same.
    pub feedthrough: Vec<(PortId, PortId)>,
    /// The same while the participant initialises, where that differs.
    pub initial_feedthrough: Option<Vec<(PortId, PortId)>>,
    /// The sampling period of a participant that acts only at multiples of it.
    pub period: Option<f64>,
    /// Do its outputs depend on time alone, and are they known ahead? Then it steps before everybody else, whatever the
    /// method, and its readers look between its points instead of beyond them.
    pub foretold: bool,
    /// Ports that can be connected as one.
    pub terminals: Vec<Terminal>,
    /// Units that the participant defines.
    pub units: Vec<UnitDefinition>,
}

impl Interface {
    /// Adds a port.
    pub fn port(&mut self, port: Port) -> PortId {
        let id = PortId(self.ports.len() as u32);
        self.ports.push(port);
        id
    }

    /// Adds a parameter.
    pub fn parameter(&mut self, parameter: Parameter) -> ParameterId {
        let id = ParameterId(self.parameters.len() as u32);
        self.parameters.push(parameter);
        id
    }

    /// Declares that `output` reacts at once to `input`.
    pub fn feeds_through(&mut self, output: PortId, input: PortId) {
        self.feedthrough.push((output, input));
    }

    /// The port of that name.
    pub fn find_port(&self, name: &str) -> Option<PortId> {
        let index = self.ports.iter().position(|p| p.name == name)?;
        Some(PortId(index as u32))
    }

    /// The parameter of that name.
    pub fn find_parameter(&self, name: &str) -> Option<ParameterId> {
        let index = self.parameters.iter().position(|p| p.name == name)?;
        Some(ParameterId(index as u32))
    }

    /// The terminal of that name.
    pub fn find_terminal(&self, name: &str) -> Option<&Terminal> {
        self.terminals.iter().find(|terminal| terminal.name == name)
    }

    /// All ports of one direction.
    pub fn ports_of(&self, causality: Causality) -> impl Iterator<Item = (PortId, &Port)> {
        self.ports
            .iter()
            .enumerate()
            .filter(move |(_, p)| p.causality == causality)
            .map(|(i, p)| (PortId(i as u32), p))
    }

    /// What reacts at once to what in a phase of the run.
    pub fn feedthrough_in(&self, phase: Phase) -> &[(PortId, PortId)] {
        match (phase, &self.initial_feedthrough) {
            (Phase::Initial, Some(initial)) => initial,
            _ => &self.feedthrough,
        }
    }

    /// The inputs on which `output` depends at the same instant.
    pub fn feedthrough_of(&self, output: PortId) -> impl Iterator<Item = PortId> {
        self.feedthrough
            .iter()
            .filter(move |(o, _)| *o == output)
            .map(|(_, i)| *i)
    }
}
