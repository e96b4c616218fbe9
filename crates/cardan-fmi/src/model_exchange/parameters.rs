//! Parameters and start values, before the run and during it.

use cardan_core::interface::ParameterId;
use cardan_core::participant::{Failure, Outcome, Settings};
use cardan_core::planes::{Extent, Planes};

use super::motion::{Mode, Motion};
use crate::binding::Groups;
use crate::description::{Causality, Variable};
use crate::ffi::Instance;
use crate::interface::FmuInterface;

/// Sets structural parameters in configuration mode, then all others.
pub(super) fn give(instance: &mut Instance, fmu: &FmuInterface, settings: &Settings) -> Outcome<()> {
    let variables = &fmu.description().variables;
    if !fmu.structural().is_empty() {
        instance.enter_configuration_mode()?;
        for (index, value) in fmu.structural() {
            let parameter = fmu
                .interface()
                .parameters
                .iter()
                .position(|p| p.name == variables[*index].name);
            if let Some(place) = parameter {
                let single = Settings(vec![(ParameterId(place as u32), value.clone())]);
                assign(instance, fmu, &single, is_structural)?;
            }
        }
        instance.exit_configuration_mode()?;
    }
    assign(instance, fmu, settings, |variable| !is_structural(variable))?;
    let structural = |id: &ParameterId| fmu.parameter(*id).filter(|v| is_structural(v));
    for (id, value) in &settings.0 {
        let Some(variable) = structural(id) else {
            continue;
        };
        let given = fmu
            .structural()
            .iter()
            .find(|(index, _)| variables[*index].name == variable.name);
        let present = given.map(|(_, value)| value).or(variable.start.as_ref());
        if present != Some(value) && settings.get(*id) == Some(value) {
            return Err(Failure::failed(format!(
                "the structural parameter {} cannot change any more: the ports were made for another value",
                variable.name
            ))
            .advise("give it where the FMU is described"));
        }
    }
    Ok(())
}

fn is_structural(variable: &Variable) -> bool {
    variable.causality == Causality::StructuralParameter
}

/// Sets those of the settings that are wanted, each with its last value.
fn assign(
    instance: &mut Instance,
    fmu: &FmuInterface,
    settings: &Settings,
    wanted: impl Fn(&Variable) -> bool,
) -> Outcome<()> {
    for (place, parameter) in fmu.interface().parameters.iter().enumerate() {
        let id = ParameterId(place as u32);
        let (Some(value), Some(variable)) = (settings.get(id), fmu.parameter(id)) else {
            continue;
        };
        if let Some(objection) = parameter.objection(value) {
            return Err(Failure::failed(format!(
                "parameter {}: {objection}",
                parameter.name
            )));
        }
        if wanted(variable) {
            let (mut groups, mut planes) = lone(variable, value.len());
            planes.view_mut().set(0, value);
            let mut kept = planes.clone();
            groups.set_all(instance, planes.view(), &mut kept.view_mut())?;
        }
    }
    Ok(())
}

/// A variable on planes of its own.
fn lone(variable: &Variable, count: usize) -> (Groups, Planes) {
    let mut groups = Groups::default();
    groups.push(variable, 0..count);
    // Only one of the planes is looked at.
    let extent = Extent {
        reals: count,
        integers: count,
        booleans: count,
        bytes: count,
    };
    (groups, Planes::new(extent))
}

impl Motion {
    /// Changes tunable parameters, as an event. What has its value already changes nothing.
    pub(super) fn tune(&mut self, fmu: &FmuInterface, changes: &Settings) -> Outcome<()> {
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
                return Err(Failure::failed(format!("parameter {name}: {objection}")));
            }
        }
        for (id, value) in &changes.0 {
            let Some(variable) = fmu.parameter(*id) else {
                continue;
            };
            let (mut groups, mut present) = lone(variable, value.len());
            groups.get(&mut self.plant.instance, &mut present.view_mut())?;
            let mut wanted = present.clone();
            wanted.view_mut().set(0, value);
            if !groups.changed(wanted.view(), present.view()) {
                continue;
            }
            if self.mode != Mode::Initializing {
                self.stop_time()?;
                self.event.disturbed = true;
                self.rest_is_stale = true;
            }
            groups.set_changed(&mut self.plant.instance, wanted.view(), &mut present.view_mut())?;
        }
        Ok(())
    }
}
