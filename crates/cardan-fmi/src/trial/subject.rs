//! An instance on trial, from its start to its end.

use super::{Way, values};
use crate::description::{Causality, Initial, Kind, ModelDescription, Variability, Variable, Version};
use crate::ffi::{Called, Experiment, Instance, Library, Logging, Setup, Usage};
use crate::fmu::Fmu;
use cardan_core::participant::Failure;
use cardan_core::value::Value;
use std::sync::Arc;

/// More rounds of one event are an endless loop.
const MOST_ROUNDS: usize = 100;

/// An instance on trial.
pub(super) struct Subject<'a> {
    pub(super) description: &'a ModelDescription,
    pub(super) way: Way,
    pub(super) instance: Instance,
    /// Where it is, in seconds.
    pub(super) time: f64,
    /// The step it is tried with.
    pub(super) step: f64,
    /// Does it have an event mode, and do we use it?
    pub(super) has_events: bool,
    /// Its next time event.
    pub(super) next_event: Option<f64>,
    /// It has asked for the end of the simulation.
    pub(super) wants_to_end: bool,
    /// A step of Euler's method that keeps to the equations, where we solve them.
    pub(super) calm: f64,
    outputs: Vec<usize>,
}

impl<'a> Subject<'a> {
    /// Loads the binary.
    pub(super) fn library(fmu: &Fmu, way: Way) -> Result<Arc<Library>, Failure> {
        let Some(offer) = way.usage(fmu) else {
            return Err(Failure::failed("the FMU does not offer this"));
        };
        let path = fmu.binary(&offer.model_identifier).map_err(Failure::from)?;
        let description = fmu.description();
        Ok(Library::open(
            &path,
            description.version,
            &usage(description, way),
        )?)
    }

    /// Loads the binary and makes an instance.
    pub(super) fn make(fmu: &'a Fmu, way: Way) -> Result<Self, Failure> {
        let library = Subject::library(fmu, way)?;
        let description: &ModelDescription = fmu.description();
        let usage = usage(description, way);
        let resources = fmu.resources();
        let setup = Setup {
            name: "trial",
            token: &description.token,
            resources: resources.is_dir().then_some(resources.as_path()),
            logging: &Logging::All,
            once_per_process: way.usage(fmu).is_some_and(|offer| offer.once_per_process),
            usage,
        };
        Ok(Subject {
            description,
            way,
            instance: Instance::new(library, &setup)?,
            time: description.default_experiment.start.unwrap_or(0.0),
            step: step(description),
            has_events: match usage {
                Usage::CoSimulation { event_mode, .. } => event_mode,
                Usage::ModelExchange => true,
            },
            next_event: None,
            wants_to_end: false,
            calm: f64::INFINITY,
            outputs: values::all(description, Causality::Output),
        })
    }

    /// Makes an instance and brings it to the start of the simulation.
    pub(super) fn start(fmu: &'a Fmu, way: Way) -> Result<Self, Failure> {
        let mut subject = Subject::make(fmu, way)?;
        subject.set_starts()?;
        subject.initialize()?;
        Ok(subject)
    }

    /// Sets what the description gives a start value and the FMU does not calculate by itself. They are the values it
    /// has already, so nothing may change but that it is asked to take them.
    pub(super) fn set_starts(&mut self) -> Called<usize> {
        let variables = &self.description.variables;
        let structural = |v: &&Variable| v.causality == Causality::StructuralParameter;
        let mut count = 0;
        if self.description.version == Version::V3 && variables.iter().any(|v| structural(&v)) {
            self.instance.enter_configuration_mode()?;
            for variable in variables.iter().filter(structural) {
                count += self.set_start(variable)?;
            }
            self.instance.exit_configuration_mode()?;
        }
        for variable in variables.iter().filter(|v| !structural(v) && is_settable(v)) {
            count += self.set_start(variable)?;
        }
        Ok(count)
    }

    fn set_start(&mut self, variable: &Variable) -> Called<usize> {
        let Some(start) = &variable.start else {
            return Ok(0);
        };
        // A single value for an array stands for all its elements, which not every importer spreads out.
        if start.len() != values::count(variable, self.description) {
            return Ok(0);
        }
        values::set(&mut self.instance, variable, start).map(|()| 1)
    }

    /// From start values to the first instant of the simulation.
    pub(super) fn initialize(&mut self) -> Called<()> {
        let experiment = self.description.default_experiment;
        let stop = experiment.stop.filter(|stop| *stop > self.time);
        self.instance.enter_initialization_mode(&Experiment {
            start: self.time,
            stop,
            tolerance: experiment.tolerance,
        })?;
        self.instance.exit_initialization_mode()?;
        if self.has_events {
            self.leave_event_mode()?;
        }
        Ok(())
    }

    /// Stops the time, where the FMU has a mode for that: then every input may be set and everything read.
    pub(super) fn hold_time(&mut self) -> Called<()> {
        if self.has_events {
            self.instance.enter_event_mode()?;
        }
        Ok(())
    }

    /// Lets the time go on, after all events of this instant.
    pub(super) fn release_time(&mut self) -> Called<()> {
        if self.has_events {
            self.leave_event_mode()?;
        }
        Ok(())
    }

    fn leave_event_mode(&mut self) -> Called<()> {
        for _ in 0..MOST_ROUNDS {
            let update = self.instance.update_discrete_states()?;
            self.next_event = update.next_event;
            self.wants_to_end |= update.terminate;
            if !update.again || update.terminate {
                break;
            }
        }
        match self.way {
            Way::CoSimulation => self.instance.enter_step_mode(),
            Way::ModelExchange => self.instance.enter_continuous_time_mode(),
        }
    }

    /// All outputs that are there without a clock, by their indices.
    pub(super) fn outputs(&mut self) -> Called<Vec<(usize, Value)>> {
        let indices = self.outputs.iter();
        let mut found = Vec::with_capacity(indices.len());
        for &index in indices {
            let Some(variable) = self.description.variables.get(index) else {
                continue;
            };
            let count = values::count(variable, self.description);
            found.push((index, values::get(&mut self.instance, variable, count)?));
        }
        Ok(found)
    }

    /// The name of a variable.
    pub(super) fn name(&self, variable: usize) -> &'a str {
        self.description.variables.get(variable).map_or("?", |v| &v.name)
    }
}

/// Co-Simulation is used with all that the FMU has for events.
fn usage(description: &ModelDescription, way: Way) -> Usage<'static> {
    let offer = description.co_simulation.as_ref();
    let is_new = description.version == Version::V3;
    match way {
        Way::CoSimulation => Usage::CoSimulation {
            event_mode: is_new && offer.is_some_and(|offer| offer.event_mode),
            early_return: is_new && offer.is_some_and(|offer| offer.returns_early),
            intermediate: &[],
        },
        Way::ModelExchange => Usage::ModelExchange,
    }
}

/// May its start value be set before the initialisation?
fn is_settable(variable: &Variable) -> bool {
    let is_given = matches!(variable.initial, Some(Initial::Exact | Initial::Approx));
    let is_input = variable.causality == Causality::Input;
    variable.variability != Variability::Constant
        && variable.causality != Causality::Independent
        && variable.kind != Kind::Clock
        && (is_given || is_input)
}

/// A step that suits the FMU, as far as it says.
fn step(description: &ModelDescription) -> f64 {
    let experiment = &description.default_experiment;
    let own = description
        .co_simulation
        .as_ref()
        .and_then(|cs| cs.fixed_internal_step);
    let length = experiment.stop.map(|stop| stop - experiment.start.unwrap_or(0.0));
    let part = length.filter(|length| *length > 0.0).map(|length| length / 500.0);
    experiment.step.or(own).or(part).unwrap_or(0.01)
}
