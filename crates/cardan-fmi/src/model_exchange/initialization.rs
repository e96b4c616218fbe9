//! The initialisation, and the event at its end.

use std::sync::Arc;

use cardan_core::interface::PortId;
use cardan_core::participant::{Outcome, RunWindow, Settings};
use cardan_core::planes::Planes;
use cardan_core::shell::{Idle, NEAR, Recording, Slots, span};
use cardan_core::time::SimTime;
use cardan_ode::SolverSettings;

use super::chatter::Chatter;
use super::drive::Drive;
use super::events::Occasion;
use super::motion::{Mode, Motion, Traits};
use super::partials::Partials;
use super::plant::Plant;
use crate::clocks::OwnClock;
use crate::discrete::Told;
use crate::ffi::{Experiment, Instance};
use crate::interface::FmuInterface;
use crate::parameters;
use crate::ports::{BoundInputs, BoundOutputs};

/// What is bound, and how the run goes.
pub(super) struct Plan<'a> {
    pub(super) fmu: &'a Arc<FmuInterface>,
    pub(super) ports: &'a [PortId],
    pub(super) inputs: &'a BoundInputs,
    pub(super) outputs: &'a BoundOutputs,
    pub(super) settings: &'a Settings,
    pub(super) solver: &'a SolverSettings,
    pub(super) traits: Traits,
}

impl Motion {
    /// Gives an instance its parameters and begins its initialisation.
    pub(super) fn begin(mut instance: Instance, plan: &Plan<'_>, run: &RunWindow) -> Outcome<Self> {
        parameters::give(&mut instance, plan.fmu, plan.settings)?;
        let adaptive = !plan.solver.method.is_fixed_step();
        instance.enter_initialization_mode(&Experiment {
            start: run.start.seconds(),
            stop: Some(run.stop.seconds()).filter(|stop| stop.is_finite()),
            tolerance: adaptive.then_some(plan.solver.rtol),
        })?;
        let clocks = OwnClock::all(plan.fmu);
        let start = run.start.seconds();
        Ok(Motion {
            fmu: Arc::clone(plan.fmu),
            plant: Plant::new(instance, Drive::new(plan.inputs)),
            solver: Box::new(Idle::default()),
            mode: Mode::Initializing,
            start,
            time: start,
            near: NEAR * span(run),
            told: Told::new(plan.inputs.extent),
            rest: Planes::new(plan.outputs.extent),
            rest_is_stale: true,
            room: Planes::new(plan.inputs.extent),
            inputs: plan.inputs.clone(),
            outputs: plan.outputs.clone(),
            next_event: None,
            ticking: vec![false; clocks.len()],
            clocks,
            pending: false,
            crossed: false,
            indicators: (Vec::new(), Vec::new()),
            attended: false,
            event: Occasion::first(),
            chatter: Chatter::default(),
            ended: false,
            stride: 0.0,
            nominals: Vec::new(),
            traits: plan.traits,
            input_ports: plan.ports.to_vec(),
            recording: Recording::new(plan.outputs.extent),
            slots: Slots::default(),
            x: Vec::new(),
        })
    }

    /// Ends the initialisation. Its event follows at once, unless others take part in it.
    pub(super) fn start(&mut self, settings: &SolverSettings, offers_partials: bool) -> Outcome<()> {
        self.plant.instance.exit_initialization_mode()?;
        self.mode = Mode::Event;
        self.event = Occasion::first();
        self.pending = true;
        let (states, indicators) = self.count()?;
        let description = self.fmu.description();
        let partials = if offers_partials {
            Partials::new(description, states)
        } else {
            None
        };
        self.plant.resize(states, indicators, partials);
        self.traits.switches = indicators > 0;
        self.indicators = (vec![0.0; indicators], vec![0.0; indicators]);
        self.nominals = vec![1.0; states];
        self.x = vec![0.0; states];
        if states + indicators > 0 {
            let built = cardan_ode::build(settings, states, indicators);
            self.solver = built.map_err(super::refuse)?;
        }
        let start = SimTime::from_seconds(self.start);
        for clock in &mut self.clocks {
            clock.begin(&mut self.plant.instance, start)?;
        }
        if !self.traits.coupled {
            while self.round()? {}
            self.resume_time()?;
            // What it has announced is an instant for all, too: from now on others take part.
            self.traits.coupled = self.traits.watched && self.next_event.is_some();
        }
        Ok(())
    }

    /// Numbers of states and event indicators. FMI 3 lets them depend on structural parameters.
    fn count(&mut self) -> Outcome<(usize, usize)> {
        let structure = &self.fmu.description().structure;
        let (states, indicators) = (structure.derivatives.len(), structure.event_indicators);
        let instance = &mut self.plant.instance;
        Ok((
            instance.number_of_states()?.unwrap_or(states),
            instance.number_of_event_indicators()?.unwrap_or(indicators),
        ))
    }
}
