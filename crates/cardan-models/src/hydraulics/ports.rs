//! Pressures and flows as ports.

use cardan_core::interface::Port;
use cardan_core::value::Value;

use crate::declare::{input, output};

/// A megapascal and a litre a second: what such circuits have.
const PRESSURE: f64 = 1e6;
const FLOW: f64 = 1e-3;

fn of_size(mut port: Port, nominal: f64) -> Port {
    port.nominal = nominal;
    port
}

/// A pressure that the part is told; an open tank where nothing is connected.
pub(super) fn pressure_in(name: &str, description: &str) -> Port {
    of_size(input(name, "Pa", description), PRESSURE).start(Value::real(0.0))
}

/// A pressure that the part answers with.
pub(super) fn pressure_out(name: &str, description: &str) -> Port {
    of_size(output(name, "Pa", description), PRESSURE)
}

/// A flow that the part is told; closed where nothing is connected.
pub(super) fn flow_in(name: &str, description: &str) -> Port {
    of_size(input(name, "m3/s", description), FLOW).start(Value::real(0.0))
}

/// A flow that the part answers with.
pub(super) fn flow_out(name: &str, description: &str) -> Port {
    of_size(output(name, "m3/s", description), FLOW)
}
