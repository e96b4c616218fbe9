//! Loading, parameters, and the beginning of the initialisation.

use cardan_core::participant::{Outcome, RunWindow, Settings};
use cardan_core::shell::Slots;
use cardan_core::time::SimTime;

use super::drive::Telling;
use super::{CoSimulation, Stage};
use crate::ffi::{Experiment, Instance, Usage};
use crate::loading::Order;
use crate::{parameters, values};

impl CoSimulation {
    /// Loads the FMU, gives it its parameters and begins the initialisation.
    pub(super) fn initialize(&mut self, run: &RunWindow, settings: &Settings) -> Outcome<()> {
        // What is left of an earlier run goes first: some FMUs take one instance only.
        self.slots = Slots::default();
        self.instance = None;
        self.stage = Stage::Fresh;
        let settings = Settings(self.settings.0.iter().chain(&settings.0).cloned().collect());
        let tolerance = self.inner_tolerance(run);
        let instance = self.load()?;
        let instance = self.instance.insert(instance);
        parameters::give(instance, &self.fmu, &settings)?;
        instance.enter_initialization_mode(&Experiment {
            start: run.start.seconds(),
            stop: Some(run.stop.seconds()).filter(|stop| stop.is_finite()),
            tolerance,
        })?;
        self.begin_at(run.start);
        Ok(())
    }

    /// What the FMU's own solver is to keep to: no looser than the run is asked to be, nor than the FMU wants by itself.
    fn inner_tolerance(&self, run: &RunWindow) -> Option<f64> {
        let own = self.fmu.description().default_experiment.tolerance;
        let wanted = run.tolerance.into_iter().chain(own);
        wanted.filter(|tolerance| *tolerance > 0.0).reduce(f64::min)
    }

    fn begin_at(&mut self, start: SimTime) {
        (self.start, self.time) = (start, start);
        self.stage = Stage::Initializing;
        self.told.any = false;
        self.moving = 0;
        self.rest_is_stale = true;
        self.steps = 0;
        if let Some(events) = &mut self.events {
            events.forget();
        }
    }

    fn load(&self) -> Outcome<Instance> {
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
        let order = Order {
            fmu: &self.fmu,
            binary: &self.binary,
            name: &self.name,
            log_categories: self.options.log_categories.as_deref(),
            abilities: &self.abilities.usage,
        };
        order.load(usage)
    }

    /// Changes tunable parameters. With an event mode that is an event of its own.
    pub(super) fn tune(&mut self, at: SimTime, changes: &Settings) -> Outcome<()> {
        if changes.0.is_empty() {
            return Ok(());
        }
        let fmu = std::sync::Arc::clone(&self.fmu);
        parameters::expect_tunable(&fmu, changes)?;
        let alone = self.stage == Stage::Running && self.events.is_some() && !self.in_event_mode();
        if alone {
            self.enter_event_mode(at)?;
        }
        let instance = Self::running(&mut self.instance)?;
        for (id, value) in &changes.0 {
            if let Some(variable) = fmu.parameter(*id) {
                values::set(instance, variable, value)?;
            }
        }
        if alone {
            self.finish_rounds(at)?;
        }
        self.rest_is_stale = true;
        Ok(())
    }
}
