//! An FMU in Model Exchange as a participant: its equations, solved by `cardan-ode`.
//!
//! Between events the FMU is a set of equations and the solver goes as it likes; inputs are read from the step's
//! segments at whatever time it asks for. Events stop it: a root of an event indicator, an instant that the FMU has
//! announced, a wish of the FMU after an inner step, an input that jumps. If the FMU has clocks or bound discrete inputs,
//! others may take part in its events, and a step ends where one is; else they are its own business.
//!
//! Nothing foreign is loaded before the initialisation begins.
//!
//! | file | holds |
//! | --- | --- |
//! | `initialization.rs`, `options.rs` | up to the first step |
//! | `motion.rs` | instance and solver, and where both stand |
//! | `plant.rs`, `drive.rs`, `partials.rs` | the FMU as equations |
//! | `travel.rs` | a step, and what is seen of it |
//! | `events.rs`, `chatter.rs` | events, and too many of them |
//! | `exchange.rs`, `tuning.rs` | inputs, outputs and parameters at an instant |
//! | `rollback.rs`, `portable.rs`, `sensitivity.rs` | going back, derivatives |

mod chatter;
mod drive;
mod events;
mod exchange;
mod failure;
mod initialization;
mod motion;
mod options;
mod partials;
mod plant;
mod portable;
mod rollback;
mod sensitivity;
mod travel;
mod tuning;

use std::path::PathBuf;
use std::sync::Arc;

use cardan_core::interface::{Interface, PortId};
use cardan_core::participant::{
    Derivatives, Effort, EventMode, Failure, Outcome, OwnSteps, Participant, Rollback, RunWindow, Settings,
    Slopes, StepEnd, StepRequest, Trace,
};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::shell::{Pace, Recording};
use cardan_core::time::SimTime;
use cardan_ode::{SettingsError, SolverSettings};

pub use self::options::{Options, default_solver};

use self::initialization::Plan;
use self::motion::{Motion, Traits};
use crate::description::{self, Kind};
use crate::ffi::Usage;
use crate::interface::FmuInterface;
use crate::listed::Reacting;
use crate::loading::{self, Order, not_initialized};
use crate::ports::{BoundInputs, BoundOutputs};

/// An FMU in Model Exchange.
pub struct ModelExchange {
    /// Dropped before the FMU and its files. None before the initialisation.
    motion: Option<Motion>,
    fmu: Arc<FmuInterface>,
    binary: PathBuf,
    name: String,
    options: Options,
    solver: SolverSettings,
    /// What the description says about its abilities.
    abilities: description::ModelExchange,
    settings: Settings,
    input_ports: Vec<PortId>,
    inputs: BoundInputs,
    outputs: BoundOutputs,
    reacting: Reacting,
    /// Is a value in single precision bound, of which differences tell nothing?
    coarse: bool,
    coupled: bool,
    /// What there is to see before the initialisation: nothing.
    unmoved: Recording,
    /// Does somebody read its outputs?
    watched: bool,
}

impl ModelExchange {
    /// An instance of that name, not loaded yet. `settings` hold here as they do at the initialisation; structural
    /// parameters among them must be those the interface was made with.
    pub fn new(
        fmu: Arc<FmuInterface>,
        name: impl Into<String>,
        settings: Settings,
        options: Options,
    ) -> Result<Self, Failure> {
        let description = fmu.description();
        let Some(abilities) = description.model_exchange.clone() else {
            return Err(Failure::failed("the FMU does not offer Model Exchange"));
        };
        let solver = options
            .solver
            .clone()
            .unwrap_or_else(|| default_solver(description));
        let solver = SolverSettings {
            nominal: None, // the FMU knows them
            ..solver
        };
        solver.validate().map_err(refuse)?;
        let binary = fmu.fmu().binary(&abilities.usage.model_identifier)?;
        Ok(ModelExchange {
            motion: None,
            unmoved: Recording::default(),
            // Until it is bound, anything may be.
            coupled: true,
            watched: false,
            binary,
            name: name.into(),
            options,
            solver,
            abilities,
            settings,
            input_ports: Vec::new(),
            inputs: BoundInputs::default(),
            outputs: BoundOutputs::default(),
            reacting: Reacting::default(),
            coarse: false,
            fmu,
        })
    }

    /// Do its events concern others: can they tick its clocks, hear them tick, or switch something in it?
    fn shares_events(&self) -> bool {
        let mut variables = self.fmu.description().variables.iter();
        self.inputs.has_discrete() || variables.any(|variable| variable.kind == Kind::Clock)
    }

    fn motion(&mut self) -> Outcome<&mut Motion> {
        self.motion.as_mut().ok_or_else(not_initialized)
    }
}

fn refuse(error: SettingsError) -> Failure {
    Failure::failed(format!("the solver cannot be built: {error}"))
}

impl Participant for ModelExchange {
    fn interface(&self) -> &Interface {
        self.fmu.interface()
    }

    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        // Inputs that are discrete are set in event mode only.
        let event_mode = true;
        self.inputs = BoundInputs::new(&self.fmu, inputs, event_mode)?;
        self.outputs = BoundOutputs::new(&self.fmu, inputs, outputs, event_mode)?;
        self.reacting = Reacting::new(&self.fmu, inputs, outputs);
        let mut bound = inputs.iter().chain(outputs).filter_map(|id| self.fmu.port(*id));
        self.coarse = bound.any(|variable| variable.kind == Kind::Float32);
        self.input_ports = inputs.to_vec();
        self.coupled = self.shares_events();
        Ok(())
    }

    /// Its outputs may jump where an indicator changes its sign, or at an instant that it announces.
    fn share_events(&mut self) -> Outcome<()> {
        self.coupled |= self.fmu.description().structure.event_indicators > 0;
        self.watched = true;
        Ok(())
    }

    fn begin_initialization(&mut self, run: &RunWindow, settings: &Settings) -> Outcome<()> {
        // What is left of an earlier run goes first: some FMUs take one instance only.
        self.motion = None;
        let settings = Settings(self.settings.0.iter().chain(&settings.0).cloned().collect());
        let order = Order {
            fmu: &self.fmu,
            binary: &self.binary,
            name: &self.name,
            log_categories: self.options.log_categories.as_deref(),
            abilities: &self.abilities.usage,
        };
        let instance = order.load(Usage::ModelExchange)?;
        let plan = Plan {
            fmu: &self.fmu,
            ports: &self.input_ports,
            inputs: &self.inputs,
            outputs: &self.outputs,
            settings: &settings,
            solver: &self.solver,
            traits: Traits {
                coupled: self.coupled,
                watched: self.watched,
                needs_completed_step: self.abilities.needs_completed_step,
                saves_state: self.abilities.usage.saves_state,
                switches: false,
            },
        };
        self.motion = Some(Motion::begin(instance, &plan, run)?);
        Ok(())
    }

    fn finish_initialization(&mut self) -> Outcome<()> {
        let partials = self.abilities.usage.directional_derivatives;
        let solver = self.solver.clone();
        self.motion()?.start(&solver, partials)
    }

    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        self.motion()?.travel(&request, Pace::Request)
    }

    fn outputs(&mut self, at: SimTime, inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        let motion = self.motion()?;
        motion.expect_present(at)?;
        motion.outputs(inputs, values)
    }

    fn set_parameters(&mut self, at: SimTime, changes: &Settings) -> Outcome<()> {
        let fmu = Arc::clone(&self.fmu);
        let motion = self.motion()?;
        motion.expect_present(at)?;
        motion.tune(&fmu, changes)
    }

    fn next_instant(&self) -> Option<SimTime> {
        self.motion.as_ref()?.next_instant()
    }

    fn thread_mates(&self) -> Option<u64> {
        (!self.options.parallel).then(|| loading::thread_mates(&self.binary))
    }

    fn terminate(&mut self) -> Outcome<()> {
        match &mut self.motion {
            Some(motion) => Ok(motion.plant.instance.terminate()?),
            None => Ok(()),
        }
    }

    fn effort(&self) -> Effort {
        let motion = self.motion.as_ref();
        motion.map_or(Effort::default(), |motion| motion.solver.counts().into())
    }

    fn rollback(&mut self) -> Option<&mut dyn Rollback> {
        if self.abilities.usage.saves_state {
            Some(self)
        } else {
            None
        }
    }

    fn events(&mut self) -> Option<&mut dyn EventMode> {
        match self
            .motion
            .as_ref()
            .map_or(self.coupled, |motion| motion.traits.coupled)
        {
            true => Some(self),
            false => None,
        }
    }

    fn derivatives(&mut self) -> Option<&mut dyn Derivatives> {
        if self.abilities.usage.directional_derivatives && self.reacting.complete {
            Some(self)
        } else {
            None
        }
    }

    fn slopes(&mut self) -> Option<&mut dyn Slopes> {
        if self.coarse { None } else { Some(self) }
    }

    fn trace(&mut self) -> Option<&mut dyn Trace> {
        let motion = self.motion.as_mut();
        Some(motion.map_or(&mut self.unmoved, |motion| &mut motion.recording))
    }

    fn own_steps(&mut self) -> Option<&mut dyn OwnSteps> {
        // The solver comes with the initialisation; whether there will be one is known before.
        match self.fmu.description().structure.derivatives.is_empty() {
            true => None,
            false => Some(self),
        }
    }
}

impl OwnSteps for ModelExchange {
    fn step_once(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        self.motion()?.travel(&request, Pace::OwnStep)
    }
}
