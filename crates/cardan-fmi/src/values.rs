//! The value of a variable of any type, one variable at a time.

use cardan_core::value::{Value, ValueType};

use crate::description::{Kind, Variable};
use crate::ffi::{Called, Instance};

/// Its value, of that many elements.
pub(crate) fn get(instance: &mut Instance, variable: &Variable, count: usize) -> Called<Value> {
    let reference = [variable.value_reference];
    Ok(match variable.kind.value_type() {
        ValueType::Real => {
            let mut values = vec![0.0; count];
            match variable.kind {
                Kind::Float32 => instance.get_f32(&reference, &mut values)?,
                _ => instance.get_f64(&reference, &mut values)?,
            }
            Value::Reals(values)
        }
        ValueType::Integer | ValueType::Enumeration => {
            let mut values = vec![0; count];
            let done = instance.get_integers(variable.kind, &reference, &mut values);
            done.map_err(|error| error.naming(|_| Some(&variable.name)))?;
            Value::Integers(values)
        }
        ValueType::Boolean => {
            let mut values = vec![false; count];
            instance.get_booleans(&reference, &mut values)?;
            Value::Booleans(values)
        }
        ValueType::Clock => {
            let mut values = vec![false; count];
            instance.get_clocks(&reference, &mut values)?;
            Value::Booleans(values)
        }
        ValueType::String => {
            let mut values = vec![Vec::new(); count];
            instance.get_strings(&reference, &mut values)?;
            let texts = values
                .iter()
                .map(|text| String::from_utf8_lossy(text).into_owned());
            Value::Strings(texts.collect())
        }
        ValueType::Binary => {
            let mut values = vec![Vec::new(); count];
            instance.get_binaries(&reference, &mut values)?;
            Value::Binaries(values)
        }
    })
}

/// Gives it a value.
pub(crate) fn set(instance: &mut Instance, variable: &Variable, value: &Value) -> Called<()> {
    let reference = [variable.value_reference];
    match value {
        Value::Reals(values) if variable.kind == Kind::Float32 => instance.set_f32(&reference, values),
        Value::Reals(values) => instance.set_f64(&reference, values),
        Value::Integers(values) => {
            let done = instance.set_integers(variable.kind, &reference, values);
            done.map_err(|error| error.naming(|_| Some(&variable.name)))
        }
        Value::Booleans(values) => instance.set_booleans(&reference, values),
        Value::Strings(values) => {
            let texts: Vec<Vec<u8>> = values.iter().map(|text| text.clone().into_bytes()).collect();
            instance.set_strings(&reference, &texts)
        }
        Value::Binaries(values) => instance.set_binaries(&reference, values),
    }
}
