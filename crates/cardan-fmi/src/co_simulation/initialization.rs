//! Loading, parameters, and the beginning of the initialisation.

use cardan_core::interface::ParameterId;
use cardan_core::participant::{Failure, Outcome, RunWindow, Settings};
use cardan_core::time::SimTime;
use cardan_core::value::Value;

use super::drive::Telling;
use super::{CoSimulation, Stage};
use crate::description::{Causality, Kind, Variable, Version};
use crate::ffi::{Called, Experiment, Instance, Library, Logging, Setup, Usage};

impl CoSimulation {
    /// Loads the FMU, gives it its parameters and begins the initialisation.
    pub(super) fn initialize(&mut self, run: &RunWindow, settings: &Settings) -> Outcome<()> {
        // What is left of an earlier run goes first: some FMUs take one instance only.
        self.slots.clear();
        self.instance = None;
        self.stage = Stage::Fresh;
        let settings = Settings(self.settings.0.iter().chain(&settings.0).cloned().collect());
        let instance = self.load()?;
        let instance = self.instance.insert(instance);

        let fmu = &self.fmu;
        let variables = &fmu.description().variables;
        if !fmu.structural().is_empty() {
            instance.enter_configuration_mode()?;
            for (index, value) in fmu.structural() {
                assign(instance, &variables[*index], value)?;
            }
            instance.exit_configuration_mode()?;
        }
        for place in 0..fmu.interface().parameters.len() {
            let id = ParameterId(place as u32);
            let (Some(value), Some(variable)) = (settings.get(id), fmu.parameter(id)) else {
                continue;
            };
            if let Some(objection) = fmu.interface().parameters[place].objection(value) {
                return Err(Failure::failed(format!(
                    "parameter {}: {objection}",
                    variable.name
                )));
            }
            if variable.causality == Causality::StructuralParameter {
                expect_structural(fmu.structural(), variable, value, variables)?;
            } else {
                assign(instance, variable, value)?;
            }
        }
        instance.enter_initialization_mode(&Experiment {
            start: run.start.seconds(),
            stop: Some(run.stop.seconds()).filter(|stop| stop.is_finite()),
            tolerance: run.tolerance,
        })?;
        self.begin_at(run.start);
        Ok(())
    }

    fn begin_at(&mut self, start: SimTime) {
        (self.start, self.time) = (start, start);
        self.stage = Stage::Initializing;
        self.told = false;
        self.moving = 0;
        self.rest_is_stale = true;
        self.steps = 0;
        if let Some(events) = &mut self.events {
            events.forget();
        }
    }

    fn load(&self) -> Outcome<Instance> {
        let description = self.fmu.description();
        let intermediate = match (self.telling, self.inputs.intermediate.reals.first()) {
            (Telling::Intermediate, Some(group)) => group.references(),
            _ => &[],
        };
        let event_mode = self.events.is_some();
        let usage = Usage::CoSimulation {
            event_mode,
            early_return: event_mode,
            intermediate,
        };
        let library = Library::open(&self.binary, description.version, &usage)?;
        // FMI 3 wants to know whether there are any; FMI 2 always wants a place to look for them.
        let resources = self.fmu.fmu().resources();
        let told = description.version == Version::V2 || resources.is_dir();
        let setup = Setup {
            name: &self.name,
            token: &description.token,
            resources: told.then_some(resources.as_path()),
            logging: &self.logging(),
            once_per_process: self.abilities.usage.once_per_process,
            usage,
        };
        Ok(Instance::new(library, &setup)?)
    }

    /// Without a word of the user, what an FMU has to say about trouble.
    fn logging(&self) -> Logging {
        match &self.options.log_categories {
            Some(categories) if categories.is_empty() => Logging::Off,
            Some(categories) => Logging::Categories(categories.clone()),
            None => {
                let known = self.fmu.description().log_categories.iter();
                let troubles = known.map(|(name, _)| name).filter(|name| speaks_of_trouble(name));
                let troubles: Vec<String> = troubles.cloned().collect();
                if troubles.is_empty() {
                    Logging::All
                } else {
                    Logging::Categories(troubles)
                }
            }
        }
    }

    /// Changes tunable parameters. With an event mode that is an event of its own.
    pub(super) fn tune(&mut self, at: SimTime, changes: &Settings) -> Outcome<()> {
        if changes.0.is_empty() {
            return Ok(());
        }
        let fmu = std::sync::Arc::clone(&self.fmu);
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
        let alone = self.stage == Stage::Running && self.events.is_some() && !self.in_event_mode();
        if alone {
            self.enter_event_mode(at)?;
        }
        let instance = Self::running(&mut self.instance)?;
        for (id, value) in &changes.0 {
            if let Some(variable) = fmu.parameter(*id) {
                assign(instance, variable, value)?;
            }
        }
        if alone {
            self.finish_rounds(at)?;
        }
        self.rest_is_stale = true;
        Ok(())
    }
}

fn speaks_of_trouble(category: &str) -> bool {
    let category = category.to_ascii_lowercase();
    ["error", "fatal", "warning", "discard"]
        .iter()
        .any(|word| category.contains(word))
}

/// Ports were made for certain sizes, so these must not change any more.
fn expect_structural(
    structural: &[(usize, Value)],
    variable: &Variable,
    value: &Value,
    variables: &[Variable],
) -> Outcome<()> {
    let given = structural
        .iter()
        .find(|(index, _)| variables[*index].name == variable.name);
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

/// Sets one variable.
pub(super) fn assign(instance: &mut Instance, variable: &Variable, value: &Value) -> Called<()> {
    let reference = [variable.value_reference];
    match value {
        Value::Reals(v) if variable.kind == Kind::Float32 => instance.set_f32(&reference, v),
        Value::Reals(v) => instance.set_f64(&reference, v),
        Value::Integers(v) => instance.set_integers(variable.kind, &reference, v),
        Value::Booleans(v) => instance.set_booleans(&reference, v),
        Value::Strings(v) => {
            let bytes: Vec<Vec<u8>> = v.iter().map(|text| text.clone().into_bytes()).collect();
            instance.set_strings(&reference, &bytes)
        }
        Value::Binaries(v) => instance.set_binaries(&reference, v),
    }
}
