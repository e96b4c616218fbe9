//! Parameters and start values, before the run and during it.

use cardan_core::interface::ParameterId;
use cardan_core::participant::{Failure, Outcome, Settings};
use cardan_core::value::Value;

use crate::description::{Causality, Variable};
use crate::ffi::Instance;
use crate::interface::FmuInterface;
use crate::values;

/// Sets structural parameters in configuration mode, then all others, each with its last value.
pub(crate) fn give(instance: &mut Instance, fmu: &FmuInterface, settings: &Settings) -> Outcome<()> {
    let variables = &fmu.description().variables;
    if !fmu.structural().is_empty() {
        instance.enter_configuration_mode()?;
        for (index, value) in fmu.structural() {
            values::set(instance, &variables[*index], value)?;
        }
        instance.exit_configuration_mode()?;
    }
    for (place, parameter) in fmu.interface().parameters.iter().enumerate() {
        let id = ParameterId(place as u32);
        let (Some(value), Some(variable)) = (settings.get(id), fmu.parameter(id)) else {
            continue;
        };
        if let Some(objection) = parameter.objection(value) {
            return Err(objects(&parameter.name, &objection));
        }
        if variable.causality == Causality::StructuralParameter {
            expect_structural(fmu, variable, value)?;
        } else {
            values::set(instance, variable, value)?;
        }
    }
    Ok(())
}

/// Refuses changes during the run that a parameter does not take.
pub(crate) fn expect_tunable(fmu: &FmuInterface, changes: &Settings) -> Outcome<()> {
    for (id, value) in &changes.0 {
        let Some(parameter) = fmu.interface().parameters.get(id.index()) else {
            return Err(Failure::failed(format!("there is no parameter number {}", id.0)));
        };
        let name = &parameter.name;
        if !parameter.tunable {
            return Err(Failure::failed(format!(
                "parameter {name} cannot change during the run"
            )));
        }
        if let Some(objection) = parameter.objection(value) {
            return Err(objects(name, &objection));
        }
    }
    Ok(())
}

fn objects(name: &str, objection: &impl std::fmt::Display) -> Failure {
    Failure::failed(format!("parameter {name}: {objection}"))
}

/// Ports were made for certain sizes, so these must not change any more.
fn expect_structural(fmu: &FmuInterface, variable: &Variable, value: &Value) -> Outcome<()> {
    let variables = &fmu.description().variables;
    let mut structural = fmu.structural().iter();
    let given = structural.find(|(index, _)| variables[*index].name == variable.name);
    let present = given.map(|(_, value)| value).or(variable.start.as_ref());
    if present == Some(value) {
        return Ok(());
    }
    Err(Failure::failed(format!(
        "the structural parameter {} cannot change any more: the ports were made for another value",
        variable.name
    ))
    .advise("give it where the FMU is described"))
}
