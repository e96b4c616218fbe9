//! Ports and parameters.

use super::malformed::Malformed;
use super::reader::Reader;
use super::value::{
    read_choices, read_shape, read_type, read_value, write_choices, write_shape, write_type, write_value,
};
use super::writer::Writer;
use cardan_core::form::Form;
use cardan_core::interface::{Causality, Parameter, Port, Variability};
use cardan_core::value::{Shape, Value, ValueType};
use std::borrow::Cow;

/// Bits of a port.
const ROTATION: u8 = 1;
const GIVEN: u8 = 2;
const FRAME: u8 = 4;
const LOAD: u8 = 8;

/// Bits of a parameter.
const TUNABLE: u8 = 1;
const ABOVE_MINIMUM: u8 = 2;
const ANY_SIZE: u8 = 4;

pub(super) fn write_port(port: &Port, writer: &mut Writer<'_>) {
    writer.text(&port.name).u8(match port.causality {
        Causality::Input => 0,
        Causality::Output => 1,
        Causality::Local => 2,
    });
    write_type(port.value_type, writer);
    writer.u8(match port.variability {
        Variability::Continuous => 0,
        Variability::Discrete => 1,
    });
    let form = match port.form {
        Form::Plain => 0,
        Form::Rotation => ROTATION,
        Form::Frame => FRAME,
        Form::Load => LOAD,
    };
    let given = if port.given { GIVEN } else { 0 };
    writer.u8(form | given);
    write_shape(&port.shape, writer);
    write_unit(port.unit.as_deref(), writer);
    writer.optional(port.start.as_ref(), |writer, value| write_value(value, writer));
    writer.f64(port.nominal);
    write_choices(&port.choices, writer);
    writer.text(&port.description);
    writer.optional(port.untold.as_deref(), |writer, reason| {
        writer.text(reason);
    });
    writer.optional(port.range, |writer, (low, high)| {
        writer.i64(low).i64(high);
    });
}

pub(super) fn read_port(reader: &mut Reader<'_>) -> Result<Port, Malformed> {
    let name = reader.text("the name of a port")?.to_owned();
    let causality = match reader.u8("a causality")? {
        0 => Causality::Input,
        1 => Causality::Output,
        2 => Causality::Local,
        other => return unknown("causality", other),
    };
    let value_type = read_type(reader)?;
    let variability = match reader.u8("a variability")? {
        0 => Variability::Continuous,
        1 => Variability::Discrete,
        other => return unknown("variability", other),
    };
    let bits = reader.u8("the bits of a port")?;
    let port = Port {
        name,
        causality,
        value_type,
        variability,
        shape: read_shape(reader)?,
        unit: read_unit(reader)?,
        start: reader.optional(read_value)?,
        nominal: reader.f64("a nominal value")?,
        form: read_form(bits)?,
        given: bits & GIVEN != 0,
        choices: read_choices(reader)?,
        description: reader.text("a description")?.to_owned(),
        untold: reader.optional(|reader| reader.text("a reason").map(str::to_owned))?,
        range: reader
            .optional(|reader| Ok((reader.i64("a smallest value")?, reader.i64("a largest value")?)))?,
    };
    match objection(&port) {
        Some(words) => Err(Malformed::Contradiction(format!(
            "port `{}` {words}",
            port.name.escape_debug()
        ))),
        None => Ok(port),
    }
}

fn read_form(bits: u8) -> Result<Form, Malformed> {
    match bits & (ROTATION | FRAME | LOAD) {
        0 => Ok(Form::Plain),
        ROTATION => Ok(Form::Rotation),
        FRAME => Ok(Form::Frame),
        LOAD => Ok(Form::Load),
        several => unknown("form of a port", several),
    }
}

/// Names head the columns of tables: a line break in one would tear them apart.
fn misnamed(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("has no name")
    } else if name.contains(char::is_control) {
        Some("has a control character in its name")
    } else {
        None
    }
}

fn objection(port: &Port) -> Option<Cow<'static, str>> {
    if let Some(words) = port.misformed() {
        return Some(words.into());
    }
    let words = if let Some(words) = misnamed(&port.name) {
        Some(words)
    } else if port.value_type != ValueType::Real && port.variability == Variability::Continuous {
        Some("is no real and yet moves continuously")
    } else if !(port.nominal > 0.0 && port.nominal.is_finite()) {
        Some("has a nominal value that is not positive and finite")
    } else if !fits(port.start.as_ref(), port.value_type, Some(&port.shape)) {
        Some("has a start value of another type or size")
    } else {
        None
    };
    words.map(Cow::Borrowed)
}

pub(super) fn write_parameter(parameter: &Parameter, writer: &mut Writer<'_>) {
    writer.text(&parameter.name);
    write_type(parameter.value_type, writer);
    let bit = |set: bool, bit: u8| if set { bit } else { 0 };
    writer.u8(bit(parameter.tunable, TUNABLE)
        | bit(!parameter.minimum_allowed, ABOVE_MINIMUM)
        | bit(parameter.shape.is_none(), ANY_SIZE));
    write_shape(parameter.shape.as_ref().unwrap_or(&Shape::SCALAR), writer);
    write_unit(parameter.unit.as_deref(), writer);
    writer.optional(parameter.default.as_ref(), |writer, value| {
        write_value(value, writer);
    });
    for bound in [parameter.minimum, parameter.maximum] {
        writer.optional(bound, |writer, bound| {
            writer.f64(bound);
        });
    }
    write_choices(&parameter.choices, writer);
    writer.text(&parameter.description);
}

pub(super) fn read_parameter(reader: &mut Reader<'_>) -> Result<Parameter, Malformed> {
    let name = reader.text("the name of a parameter")?.to_owned();
    let value_type = read_type(reader)?;
    let bits = reader.u8("the bits of a parameter")?;
    let shape = read_shape(reader)?;
    let parameter = Parameter {
        name,
        value_type,
        shape: (bits & ANY_SIZE == 0).then_some(shape),
        unit: read_unit(reader)?,
        default: reader.optional(read_value)?,
        minimum: reader.optional(|reader| reader.f64("a minimum"))?,
        minimum_allowed: bits & ABOVE_MINIMUM == 0,
        maximum: reader.optional(|reader| reader.f64("a maximum"))?,
        tunable: bits & TUNABLE != 0,
        choices: read_choices(reader)?,
        description: reader.text("a description")?.to_owned(),
    };
    let words = if let Some(words) = misnamed(&parameter.name) {
        words
    } else if !fits(
        parameter.default.as_ref(),
        parameter.value_type,
        parameter.shape.as_ref(),
    ) {
        "has a default of another type or size"
    } else {
        return Ok(parameter);
    };
    Err(Malformed::Contradiction(format!(
        "parameter `{}` {words}",
        parameter.name.escape_debug()
    )))
}

/// Does a value suit its port or parameter?
fn fits(value: Option<&Value>, value_type: ValueType, shape: Option<&Shape>) -> bool {
    value.is_none_or(|value| {
        value.value_type().plane() == value_type.plane()
            && (value.value_type() == ValueType::Binary) == (value_type == ValueType::Binary)
            && shape.is_none_or(|shape| shape.len() == value.len())
    })
}

fn write_unit(unit: Option<&str>, writer: &mut Writer<'_>) {
    writer.optional(unit, |writer, unit| {
        writer.text(unit);
    });
}

fn read_unit(reader: &mut Reader<'_>) -> Result<Option<String>, Malformed> {
    reader.optional(|reader| reader.text("a unit").map(str::to_owned))
}

fn unknown<T>(what: &'static str, number: u8) -> Result<T, Malformed> {
    Err(Malformed::Unknown {
        what,
        number: number.into(),
    })
}
