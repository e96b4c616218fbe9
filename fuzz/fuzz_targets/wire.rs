//! Messages of other processes, in both directions.
#![no_main]

use cardan_core::interface::{Interface, Parameter, Port};
use cardan_core::value::{Shape, ValueType};
use cardan_link::wire::examine;
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

/// Ports of every kind of storage, so that every branch can be reached.
fn interface() -> &'static Interface {
    static INTERFACE: OnceLock<Interface> = OnceLock::new();
    INTERFACE.get_or_init(|| {
        let mut interface = Interface::default();
        for value_type in [ValueType::Real, ValueType::Integer, ValueType::Boolean, ValueType::String] {
            interface.port(Port::input(format!("{value_type}_in")).typed(value_type));
            interface.port(Port::output(format!("{value_type}_out")).typed(value_type).shaped(Shape::vector(2)));
            interface.parameter(Parameter::new(format!("{value_type}")).typed(value_type).any_size());
        }
        interface
    })
}

fuzz_target!(|frame: &[u8]| {
    let _ = examine(frame, interface());
});
