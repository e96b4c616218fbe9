//! Short words for the declarations at the head of each model.

use cardan_core::interface::{Parameter, Port};
use cardan_core::value::Value;

/// A real parameter with a default; an empty unit means none.
pub(crate) fn real(name: &str, unit: &str, default: f64, description: &str) -> Parameter {
    with_unit(Parameter::new(name), unit)
        .default(Value::real(default))
        .described(description)
}

/// Reals, as many as the user likes, that must be given.
pub(crate) fn list(name: &str, unit: &str, description: &str) -> Parameter {
    with_unit(Parameter::new(name), unit)
        .any_size()
        .described(description)
}

/// A real parameter that may be left out: no parameter may be infinite, so "none" is the empty list.
pub(crate) fn optional(name: &str, unit: &str, description: &str) -> Parameter {
    list(name, unit, description).default(Value::Reals(Vec::new()))
}

/// A real input that must be connected.
pub(crate) fn input(name: &str, unit: &str, description: &str) -> Port {
    port(Port::input(name), unit, description)
}

/// A real output.
pub(crate) fn output(name: &str, unit: &str, description: &str) -> Port {
    port(Port::output(name), unit, description)
}

fn port(port: Port, unit: &str, description: &str) -> Port {
    let port = port.described(description);
    if unit.is_empty() { port } else { port.unit(unit) }
}

fn with_unit(parameter: Parameter, unit: &str) -> Parameter {
    if unit.is_empty() {
        parameter
    } else {
        parameter.unit(unit)
    }
}
