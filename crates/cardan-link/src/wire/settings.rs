//! Bindings, the window of a run, values of parameters.

use super::MOST_ELEMENTS;
use super::malformed::Malformed;
use super::reader::Reader;
use super::value::{read_value, write_value};
use super::writer::Writer;
use cardan_core::interface::{Causality, Interface, ParameterId, PortId};
use cardan_core::participant::{RunWindow, Settings};

/// Writes which ports are used.
pub fn write_binding(inputs: &[PortId], outputs: &[PortId], writer: &mut Writer<'_>) {
    for ports in [inputs, outputs] {
        writer.count(ports.len());
        for port in ports {
            writer.u32(port.0);
        }
    }
}

/// Reads which ports are used: inputs that are inputs, outputs that are none. An output may be bound twice.
pub fn read_binding(
    interface: &Interface,
    reader: &mut Reader<'_>,
) -> Result<(Vec<PortId>, Vec<PortId>), Malformed> {
    let inputs = read_ports(interface, true, reader)?;
    Ok((inputs, read_ports(interface, false, reader)?))
}

fn read_ports(
    interface: &Interface,
    inputs: bool,
    reader: &mut Reader<'_>,
) -> Result<Vec<PortId>, Malformed> {
    let count = reader.count(4, "the number of bound ports")?;
    let mut ports = Vec::with_capacity(count);
    let mut elements = 0;
    for _ in 0..count {
        let number = reader.u32("a port")?;
        let port = interface.ports.get(number as usize);
        let Some(port) = port.filter(|port| (port.causality == Causality::Input) == inputs) else {
            return Err(Malformed::Unknown {
                what: "port that can be bound here",
                number: number.into(),
            });
        };
        elements += port.shape.len();
        if elements > MOST_ELEMENTS {
            return Err(Malformed::TooMuch {
                what: "the size of all bound ports",
                found: elements as u64,
                most: MOST_ELEMENTS as u64,
            });
        }
        ports.push(PortId(number));
    }
    Ok(ports)
}

/// Writes the window of a run; no tolerance is written as one that is not a number.
pub fn write_window(window: &RunWindow, writer: &mut Writer<'_>) {
    writer.time(window.start).time(window.stop);
    writer.f64(window.tolerance.unwrap_or(f64::NAN));
}

/// Reads the window of a run.
pub fn read_window(reader: &mut Reader<'_>) -> Result<RunWindow, Malformed> {
    let (start, stop) = (reader.time()?, reader.time()?);
    let tolerance = reader.f64("the tolerance")?;
    Ok(RunWindow {
        start,
        stop,
        tolerance: (!tolerance.is_nan()).then_some(tolerance),
    })
}

/// Writes values of parameters.
pub fn write_settings(settings: &Settings, writer: &mut Writer<'_>) {
    writer.count(settings.0.len());
    for (parameter, value) in &settings.0 {
        writer.u32(parameter.0);
        write_value(value, writer);
    }
}

/// Reads values of parameters that exist and take them.
pub fn read_settings(interface: &Interface, reader: &mut Reader<'_>) -> Result<Settings, Malformed> {
    let count = reader.count(9, "the number of parameters")?;
    let mut settings = Settings(Vec::with_capacity(count));
    for _ in 0..count {
        let number = reader.u32("a parameter")?;
        let value = read_value(reader)?;
        let Some(parameter) = interface.parameters.get(number as usize) else {
            return Err(Malformed::Unknown {
                what: "parameter",
                number: number.into(),
            });
        };
        if let Some(words) = parameter.objection(&value) {
            let words = format!("parameter `{}`: {words}", parameter.name);
            return Err(Malformed::Contradiction(words));
        }
        settings.0.push((ParameterId(number), value));
    }
    Ok(settings)
}
