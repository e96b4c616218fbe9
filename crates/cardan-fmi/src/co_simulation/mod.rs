//! An FMU in Co-Simulation as a participant.
//!
//! Nothing foreign is loaded before the initialisation begins: a system can be described and checked without running
//! a line of its FMUs.

mod drive;
mod events;
mod initialization;
mod options;
mod rollback;
mod sensitivity;
mod telling;
mod travel;
mod usual;

use std::path::PathBuf;
use std::sync::Arc;

use cardan_core::interface::{Interface, PortId};
use cardan_core::participant::{
    Derivatives, Effort, EventMode, Failure, Outcome, Participant, Rollback, RunWindow, Settings, Slopes,
    StepEnd, StepRequest,
};
use cardan_core::planes::{Planes, PlanesMut, PlanesRef};
use cardan_core::shell::Slots;
use cardan_core::time::SimTime;

pub use self::options::Options;

use self::drive::Telling;
use self::events::Events;
use self::rollback::Saved;
use self::sensitivity::Sensitivity;
use self::telling::Lists;
use self::usual::{Pace, Usual};
use crate::description;
use crate::discrete::Told;
use crate::ffi::Instance;
use crate::interface::FmuInterface;
use crate::loading::{self, not_initialized};
use crate::ports::{BoundInputs, BoundOutputs};

/// An FMU in Co-Simulation.
///
/// In the order of declaration, so that what every step touches lies together at the beginning.
#[repr(C, align(64))]
pub struct CoSimulation {
    time: SimTime,
    steps: u64,
    /// The size of the first step.
    first_size: f64,
    /// The usual case of a step, if this is one.
    usual: Option<Usual>,
    slots: Slots<Saved>,
    /// Dropped before the FMU and its files.
    instance: Option<Instance>,
    fmu: Arc<FmuInterface>,
    binary: PathBuf,
    name: String,
    options: Options,
    /// What the description says about its abilities.
    abilities: description::CoSimulation,
    settings: Settings,
    inputs: BoundInputs,
    outputs: BoundOutputs,
    sensitivity: Sensitivity,
    telling: Telling,
    /// Is a step no more than one set and one doStep?
    plain: bool,
    /// Real inputs on their way to the FMU.
    reals: Vec<f64>,
    lists: Lists,
    stage: Stage,
    start: SimTime,
    /// The inputs that are set when they change, as they were last set.
    told: Told,
    /// Up to which order derivatives of inputs are in force that are not zero (FMI 2).
    moving: u32,
    /// Locals where the FMU came to rest, and whether they have to be read anew.
    rest: Planes,
    rest_is_stale: bool,
    /// Used if and only if the FMU has an event mode.
    events: Option<Events>,
}

/// Where it is in its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Fresh,
    Initializing,
    Running,
    Ended,
}

impl CoSimulation {
    /// An instance of that name, not loaded yet. `settings` hold here as they do at the initialisation; structural
    /// parameters among them must be those the interface was made with.
    pub fn new(
        fmu: Arc<FmuInterface>,
        name: impl Into<String>,
        settings: Settings,
        options: Options,
    ) -> Result<Self, Failure> {
        let description = fmu.description();
        let Some(abilities) = description.co_simulation.clone() else {
            return Err(Failure::failed("the FMU does not offer Co-Simulation"));
        };
        let identifier = &abilities.usage.model_identifier;
        let binary = fmu.fmu().binary(identifier)?;
        let telling = if abilities.interpolates_inputs && description.version == description::Version::V2 {
            Telling::Derivatives(3)
        } else {
            Telling::Mean
        };
        let events = abilities.event_mode.then(|| Events::new(&fmu));
        Ok(CoSimulation {
            name: name.into(),
            options,
            settings,
            inputs: BoundInputs::default(),
            outputs: BoundOutputs::default(),
            sensitivity: Sensitivity::default(),
            telling,
            usual: None,
            first_size: 0.0,
            plain: false,
            reals: Vec::new(),
            lists: Lists::default(),
            instance: None,
            stage: Stage::Fresh,
            start: SimTime::default(),
            time: SimTime::default(),
            told: Told::default(),
            moving: 0,
            rest: Planes::default(),
            rest_is_stale: true,
            events,
            slots: Slots::default(),
            steps: 0,
            abilities,
            fmu,
            binary,
        })
    }

    #[inline(always)]
    fn running(instance: &mut Option<Instance>) -> Outcome<&mut Instance> {
        match instance {
            Some(instance) => Ok(instance),
            None => Err(not_initialized()),
        }
    }

    /// Is the FMU in event mode, be it because its initialisation has just ended?
    fn in_event_mode(&self) -> bool {
        self.events.as_ref().is_some_and(|events| events.inside)
    }

    /// Sets the inputs as far as they may be set now.
    #[inline]
    fn set_inputs(&mut self, planes: PlanesRef<'_>) -> Outcome<()> {
        let instance = Self::running(&mut self.instance)?;
        for group in &mut self.inputs.steady.reals {
            group.set(instance, planes.reals)?;
        }
        if self.inputs.has_discrete() && (self.events.is_none() || self.may_set_discrete()) {
            self.set_discrete(planes)?;
        }
        Ok(())
    }

    fn may_set_discrete(&self) -> bool {
        self.stage == Stage::Initializing || self.in_event_mode()
    }

    /// Reads what shows the FMU at rest, before inputs are set that must not show in it.
    fn read_rest(&mut self) -> Outcome<()> {
        if self.rest_is_stale && !self.outputs.resting.is_empty() {
            let instance = Self::running(&mut self.instance)?;
            self.outputs.resting.get(instance, &mut self.rest.view_mut())?;
        }
        self.rest_is_stale = false;
        Ok(())
    }
}

impl CoSimulation {
    /// A step that is not the usual one. Kept apart, so that the usual one stays small.
    #[inline(never)]
    fn any_step(&mut self, request: &StepRequest<'_>) -> Outcome<StepEnd> {
        if self.plain && self.telling == Telling::Mean && request.inputs.next_break(request.from).is_none() {
            return self.plain_step(request);
        }
        self.travel(request)
    }

    /// Outputs of every sort.
    #[inline(never)]
    fn all_outputs(&mut self, inputs: &Planes, mut values: PlanesMut<'_>) -> Outcome<()> {
        if self.outputs.plain && self.stage == Stage::Running {
            let instance = Self::running(&mut self.instance)?;
            for group in &mut self.outputs.direct.reals {
                group.get(instance, values.reals)?;
            }
            return Ok(());
        }
        let initializing = self.stage == Stage::Initializing;
        let rounds = self.events.as_ref().is_some_and(|events| events.round);
        if self.outputs.reacts || initializing || rounds {
            if !initializing {
                self.read_rest()?;
            }
            self.set_inputs(inputs.view())?;
        } else if self.rest_is_stale && !self.outputs.resting.is_empty() {
            self.read_rest()?;
        }
        let instance = Self::running(&mut self.instance)?;
        self.outputs.direct.get(instance, &mut values)?;
        if !self.outputs.resting.is_empty() {
            if initializing {
                self.outputs.resting.get(instance, &mut values)?;
            } else {
                self.outputs.resting.copy(self.rest.view(), &mut values);
            }
        }
        for group in &mut self.outputs.clocks.booleans {
            if rounds {
                group.get(instance, values.booleans)?;
            } else {
                // Outside of a round no clock ticks.
                group.places().for_each(|place| values.booleans[place] = false);
            }
        }
        Ok(())
    }
}

impl Participant for CoSimulation {
    fn interface(&self) -> &Interface {
        self.fmu.interface()
    }

    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        let fmu = &self.fmu;
        self.inputs = BoundInputs::new(fmu, inputs, self.events.is_some())?;
        self.outputs = BoundOutputs::new(fmu, inputs, outputs, self.events.is_some())?;
        self.sensitivity = Sensitivity::new(fmu, inputs, outputs, &self.abilities);
        self.plain =
            self.events.is_none() && !self.inputs.has_discrete() && self.options.substeps.unwrap_or(1) <= 1;
        self.told = Told::new(self.inputs.extent);
        self.rest = Planes::new(self.outputs.extent);
        self.reals = vec![0.0; self.inputs.extent.reals];
        if self.abilities.intermediate_update && !self.inputs.intermediate.is_empty() {
            self.telling = Telling::Intermediate;
        }
        Ok(())
    }

    fn begin_initialization(&mut self, run: &RunWindow, settings: &Settings) -> Outcome<()> {
        self.usual = None;
        self.initialize(run, settings)
    }

    fn finish_initialization(&mut self) -> Outcome<()> {
        let instance = Self::running(&mut self.instance)?;
        instance.exit_initialization_mode()?;
        self.stage = Stage::Running;
        self.rest_is_stale = true;
        if let Some(events) = &mut self.events {
            events.begin(instance, self.start)?;
        }
        self.usual = self.find_usual();
        Ok(())
    }

    #[inline]
    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        if let Some(segments) = request.inputs.one_each() {
            match self.usual_step(request.from, request.to, segments) {
                Pace::Arrived => return Ok(StepEnd::Completed),
                Pace::Unusual => return self.after_unusual(&request),
                Pace::NotUsual => {}
            }
        }
        self.any_step(&request)
    }

    #[inline]
    fn outputs(&mut self, _at: SimTime, inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        if let (Some(usual), Some(instance)) = (&self.usual, &mut self.instance) {
            return Ok(instance.get_f64(usual.outputs(), values.reals)?);
        }
        self.all_outputs(inputs, values)
    }

    fn set_parameters(&mut self, at: SimTime, changes: &Settings) -> Outcome<()> {
        self.tune(at, changes)
    }

    fn next_instant(&self) -> Option<SimTime> {
        self.events.as_ref()?.next_after(self.time)
    }

    fn takes_any_step(&self) -> bool {
        let offer = self.fmu.description().co_simulation.as_ref();
        offer.is_none_or(|offer| offer.variable_step)
    }

    /// How it looks at its inputs within a step is its own business.
    fn follows_inputs(&self) -> bool {
        false
    }

    fn thread_mates(&self) -> Option<u64> {
        (!self.options.parallel).then(|| loading::thread_mates(&self.binary))
    }

    fn terminate(&mut self) -> Outcome<()> {
        self.stage = Stage::Ended;
        match &mut self.instance {
            Some(instance) => Ok(instance.terminate()?),
            None => Ok(()),
        }
    }

    fn effort(&self) -> Effort {
        Effort {
            inner_steps: self.steps,
            ..Effort::default()
        }
    }

    fn rollback(&mut self) -> Option<&mut dyn Rollback> {
        if self.abilities.usage.saves_state {
            Some(self)
        } else {
            None
        }
    }

    fn events(&mut self) -> Option<&mut dyn EventMode> {
        if self.events.is_some() { Some(self) } else { None }
    }

    fn derivatives(&mut self) -> Option<&mut dyn Derivatives> {
        if self.sensitivity.offers_derivatives {
            Some(self)
        } else {
            None
        }
    }

    fn slopes(&mut self) -> Option<&mut dyn Slopes> {
        if self.sensitivity.offers_slopes {
            Some(self)
        } else {
            None
        }
    }
}
