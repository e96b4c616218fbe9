//! Parameters that the meta-model gives to a component.

use super::error::ClientError;
use crate::Error;
use cardan_core::interface::{Interface, Parameter, ParameterId};
use cardan_core::participant::Settings;
use cardan_core::value::{Value, ValueType};
use cardan_tlm::plugin::Plugin;

/// A manager of another make takes a fifth of a second for each that it does not know.
const MOST: usize = 256;

/// Offers all single parameters to the manager, and takes over the values it has for them.
pub(super) fn take_over(
    plugin: &mut Plugin,
    interface: &Interface,
    settings: &mut Settings,
) -> Result<(), ClientError> {
    if interface.parameters.len() > MOST {
        tracing::warn!(
            "only the first {MOST} of {} parameters can be set by the meta-model",
            interface.parameters.len()
        );
    }
    for (index, parameter) in interface.parameters.iter().enumerate().take(MOST) {
        let id = ParameterId(index as u32);
        let single = match &parameter.shape {
            Some(shape) => shape.is_scalar(),
            None => false,
        };
        // The protocol joins name and value by a colon.
        if !single || parameter.name.contains([':', '\0']) {
            continue;
        }
        let present = settings.get(id).or(parameter.default.as_ref());
        let default = present.and_then(text_of).unwrap_or_default();
        let Some(text) = plugin.register_parameter(&parameter.name, &default)? else {
            continue;
        };
        // The manager of an interface request echoes what it was told.
        if text == default {
            continue;
        }
        let value = value_of(&text, parameter).map_err(|objection| {
            Error::usage(format!(
                "the meta-model sets the parameter `{}` to `{text}`, which {objection}",
                parameter.name
            ))
        })?;
        settings.0.push((id, value));
    }
    Ok(())
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Reals(v) => v.first().map(f64::to_string),
        Value::Integers(v) => v.first().map(i64::to_string),
        Value::Booleans(v) => v.first().map(bool::to_string),
        Value::Strings(v) => v.first().cloned(),
        Value::Binaries(_) => None,
    }
}

pub(super) fn value_of(text: &str, parameter: &Parameter) -> Result<Value, String> {
    let trimmed = text.trim();
    let value = match parameter.value_type {
        ValueType::Real => trimmed.parse().ok().map(Value::real),
        ValueType::Integer | ValueType::Enumeration => trimmed.parse().ok().map(Value::integer),
        ValueType::Boolean | ValueType::Clock => match trimmed {
            "true" | "1" => Some(Value::boolean(true)),
            "false" | "0" => Some(Value::boolean(false)),
            _ => None,
        },
        ValueType::String => Some(Value::string(text)),
        ValueType::Binary => None,
    };
    let value = value.ok_or_else(|| format!("is not {}", parameter.value_type))?;
    match parameter.objection(&value) {
        Some(objection) => Err(format!("does not fit: {objection}")),
        None => Ok(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_values() {
        let mass = Parameter::new("mass").above(0.0);
        assert_eq!(value_of(" 2.5e-1 ", &mass), Ok(Value::real(0.25)));
        assert!(value_of("-1", &mass).unwrap_err().contains("greater than 0"));
        assert!(value_of("heavy", &mass).is_err() && value_of("nan", &mass).is_err());
        let on = Parameter::new("on").typed(ValueType::Boolean);
        assert_eq!(value_of("1", &on), Ok(Value::boolean(true)));
    }
}
