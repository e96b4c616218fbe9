//! The values of all parameters of one model, checked and complete.

use std::sync::Arc;

use cardan_core::interface::Parameter;
use cardan_core::participant::Settings;
use cardan_core::value::Value;

use crate::error::BuildError;

/// A value for each parameter of a model, read by name.
#[derive(Clone, PartialEq, Debug)]
pub struct Values {
    parameters: Arc<[Parameter]>,
    values: Vec<Value>,
}

impl Values {
    /// The settings where there are any, the defaults elsewhere.
    pub fn new(parameters: &[Parameter], settings: &Settings) -> Result<Self, BuildError> {
        known(parameters, settings)?;
        let values = parameters
            .iter()
            .enumerate()
            .map(|(index, parameter)| {
                let set = settings.0.iter().rev().find(|(id, _)| id.index() == index);
                match (set, &parameter.default) {
                    (Some((_, value)), _) => checked(parameter, value),
                    (None, Some(default)) => Ok(default.clone()),
                    (None, None) => Err(BuildError::of(
                        &parameter.name,
                        "must be given; it has no default",
                    )),
                }
            })
            .collect::<Result<_, _>>()?;
        Ok(Values {
            parameters: parameters.into(),
            values,
        })
    }

    /// These values with some of them changed.
    pub fn with(&self, changes: &Settings) -> Result<Self, BuildError> {
        known(&self.parameters, changes)?;
        let mut changed = self.clone();
        for (id, value) in &changes.0 {
            changed.values[id.index()] = checked(&self.parameters[id.index()], value)?;
        }
        Ok(changed)
    }

    /// Other values for the same parameters.
    pub(crate) fn replaced(&self, values: Vec<Value>) -> Result<Self, BuildError> {
        if values.len() != self.values.len() {
            return Err(BuildError::general(format!(
                "expected values for {} parameters, found {}",
                self.values.len(),
                values.len()
            )));
        }
        for (parameter, value) in self.parameters.iter().zip(&values) {
            checked(parameter, value)?;
        }
        Ok(Values {
            parameters: Arc::clone(&self.parameters),
            values,
        })
    }

    /// The parameters these are the values of.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The values in the order of the parameters.
    pub fn all(&self) -> &[Value] {
        &self.values
    }

    /// A single real.
    pub fn real(&self, name: &str) -> Result<f64, BuildError> {
        self.find(name)?
            .as_real()
            .ok_or_else(|| BuildError::of(name, "expected a single real number"))
    }

    /// Any number of reals.
    pub fn reals(&self, name: &str) -> Result<&[f64], BuildError> {
        self.find(name)?
            .as_reals()
            .ok_or_else(|| BuildError::of(name, "expected real numbers"))
    }

    /// A single real, or none at all where the list is empty.
    pub fn optional_real(&self, name: &str) -> Result<Option<f64>, BuildError> {
        match self.reals(name)? {
            [] => Ok(None),
            [one] => Ok(Some(*one)),
            many => Err(BuildError::of(
                name,
                format!("expected one value or none, found {}", many.len()),
            )),
        }
    }

    /// A text.
    pub fn text(&self, name: &str) -> Result<&str, BuildError> {
        self.find(name)?
            .as_str()
            .ok_or_else(|| BuildError::of(name, "expected a text"))
    }

    fn find(&self, name: &str) -> Result<&Value, BuildError> {
        self.parameters
            .iter()
            .zip(&self.values)
            .find(|(parameter, _)| parameter.name == name)
            .map(|(_, value)| value)
            .ok_or_else(|| BuildError::of(name, "the model reads it without declaring it"))
    }
}

fn known(parameters: &[Parameter], settings: &Settings) -> Result<(), BuildError> {
    match settings.0.iter().find(|(id, _)| id.index() >= parameters.len()) {
        None => Ok(()),
        Some((id, _)) => Err(BuildError::general(format!(
            "there is no parameter number {}; the model has {}",
            id.0,
            parameters.len()
        ))),
    }
}

fn checked(parameter: &Parameter, value: &Value) -> Result<Value, BuildError> {
    match parameter.objection(value) {
        None => Ok(value.clone()),
        Some(objection) => Err(BuildError::of(&parameter.name, objection)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cardan_core::interface::ParameterId;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::new("mass").default(Value::real(2.0)).above(0.0),
            Parameter::new("force"),
            Parameter::new("limit").any_size().default(Value::Reals(vec![])),
        ]
    }

    fn set(id: u32, value: f64) -> Settings {
        Settings(vec![(ParameterId(id), Value::real(value))])
    }

    #[test]
    fn defaults_fill_what_is_not_set() {
        let values = Values::new(&parameters(), &set(1, 5.0)).unwrap();
        assert_eq!(values.real("mass"), Ok(2.0));
        assert_eq!(values.real("force"), Ok(5.0));
        assert_eq!(values.optional_real("limit"), Ok(None));
        let values = values.with(&set(2, 7.0)).unwrap();
        assert_eq!(values.optional_real("limit"), Ok(Some(7.0)));
    }

    #[test]
    fn mistakes_name_their_parameter() {
        let missing = Values::new(&parameters(), &set(0, 1.0)).unwrap_err();
        assert_eq!(missing.parameter.as_deref(), Some("force"));
        let negative = Values::new(&parameters(), &set(0, -1.0)).unwrap_err();
        assert_eq!(
            negative.to_string(),
            "parameter mass: must be greater than 0, found -1"
        );
        assert!(Values::new(&parameters(), &set(3, 1.0)).is_err());
    }
}
