//! The participant around a native model: a solver, a place in time, and every ability the engine knows.

mod binding;
mod bytes;
mod differences;
mod drive;
mod equations;
mod failure;
mod influence;
mod mechanics;
mod reacting;
mod rollback;
mod sensitivity;
mod switching;
mod travel;
mod unburdening;

use std::sync::Arc;

use cardan_core::interface::{Interface, PortId};
use cardan_core::participant::{
    Derivatives, Effort, EventMode, Failure, Outcome, OwnSteps, Participant, Past, Reactive, Rollback,
    RunWindow, Settings, Slopes, StepEnd, StepRequest, Trace,
};
use cardan_core::planes::{Extent, Planes, PlanesMut};
use cardan_core::shell::{Idle, Pace, Recording, Slots, expect_present, span};
use cardan_core::time::SimTime;
use cardan_ode::{Method, Solver, SolverSettings};

use self::binding::Binding;
use self::differences::Differences;
use self::drive::Drive;
use self::influence::Influence;
pub(crate) use self::mechanics::Held;
use self::reacting::Reacting;
use self::rollback::Saved;
use self::switching::Sides;
use crate::blueprint::{Blueprint, width};
use crate::error::BuildError;
use crate::model::Model;
use crate::values::Values;

/// A native model as a participant, built from a [`Blueprint`].
pub struct Native {
    blueprint: Blueprint,
    interface: Interface,
    values: Arc<Values>,
    model: Box<dyn Model>,
    method: Method,
    /// Idle for a model without states: then there is nothing to do in a step.
    solver: Box<dyn Solver>,
    /// The step of a solver that has one and the same; as long as anything for one that chooses.
    stride: f64,
    start: f64,
    /// The length of the run.
    span: f64,
    time: f64,
    initialized: bool,
    binding: Binding,
    drive: Drive,
    influence: Influence,
    reacting: Reacting,
    recording: Recording,
    sides: Sides,
    slots: Slots<Saved>,
    scratch: Scratch,
}

/// Room for one evaluation of the model. Nothing in it outlives a call.
struct Scratch {
    x: Vec<f64>,
    u: Vec<f64>,
    y: Vec<f64>,
    differences: Differences,
}

impl Native {
    /// Builds the model with these settings; what they leave out has its default.
    pub fn new(
        blueprint: Blueprint,
        settings: &Settings,
        solver: &SolverSettings,
    ) -> Result<Self, BuildError> {
        solver.validate()?;
        let values = Values::new(&blueprint.parameters, settings)?;
        let interface = blueprint.interface(&values)?;
        let model = (blueprint.model)(&values)?;
        let states = model.states();
        let method = solver.method;
        let fixed = solver.step.filter(|_| solver.method.is_fixed_step());
        let solver = match states {
            0 => Box::new(Idle::default()),
            states => match model.mechanical() {
                Some(mechanical) => {
                    cardan_ode::build_mechanical(solver, mechanical.structure(), model.switches())?
                }
                None => cardan_ode::build(solver, states, model.switches())?,
            },
        };
        let (inputs, outputs) = (width(&interface, true), width(&interface, false));
        Ok(Native {
            binding: Binding::default(),
            drive: Drive::new(&interface),
            influence: Influence::default(),
            reacting: Reacting::default(),
            recording: Recording::default(),
            sides: Sides::of(&*model),
            slots: Slots::default(),
            scratch: Scratch {
                x: vec![0.0; states],
                u: vec![0.0; inputs],
                y: vec![0.0; outputs],
                differences: Differences::new(states, inputs, outputs),
            },
            blueprint,
            interface,
            values: Arc::new(values),
            model,
            method,
            solver,
            stride: fixed.unwrap_or(f64::INFINITY),
            start: 0.0,
            span: 0.0,
            time: 0.0,
            initialized: false,
        })
    }

    /// Makes the model anew with other values. The ports and the number of states stay what they were.
    fn adopt(&mut self, values: Arc<Values>) -> Outcome<()> {
        let refuse = |error: BuildError| Failure::failed(error.to_string());
        let interface = self.blueprint.interface(&values).map_err(refuse)?;
        let mut model = (self.blueprint.model)(&values).map_err(refuse)?;
        if interface != self.interface
            || model.states() != self.model.states()
            || model.switches() != self.model.switches()
        {
            return Err(Failure::failed(
                "the new values change the ports, the feedthrough or the number of states or switches",
            )
            .advise("give such values in the description, before the model is built"));
        }
        model.begin(self.start);
        self.sides.tell(&mut *model);
        self.model = model;
        self.values = values;
        self.influence.forget();
        Ok(())
    }

    /// Writes all outputs at `t` to the scratch, with the bound inputs as given.
    fn evaluate(&mut self, t: f64, inputs: &[f64]) {
        self.scratch.u.copy_from_slice(self.drive.starts());
        self.binding.scatter(inputs, &mut self.scratch.u);
        self.look_at_sides(t);
        let scratch = &mut self.scratch;
        let x = self.solver.state();
        if self.sides.settled {
            self.sides.feel(&*self.model, t, x, &scratch.u);
        }
        let u = match self.reacting.comes_on_top() {
            true => self
                .reacting
                .inputs(&*self.model, &self.binding, (t, x), &scratch.u),
            false => &scratch.u,
        };
        self.model.outputs(t, x, u, &mut scratch.y);
    }

    /// Refuses to speak about another instant than the present one, unless time is all that counts.
    fn expect_present(&self, at: SimTime) -> Outcome<f64> {
        if self.moves() {
            expect_present(at, self.time)?;
        }
        Ok(at.seconds())
    }

    /// Has it states that move by themselves?
    fn moves(&self) -> bool {
        self.model.states() > 0
    }
}

impl Participant for Native {
    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        self.binding = Binding::new(&self.interface, inputs, outputs)?;
        self.drive.bind(self.binding.inputs());
        let (states, inputs, outputs) = (self.model.states(), self.scratch.u.len(), self.scratch.y.len());
        let nominals = self.binding.nominals(&self.interface);
        self.influence.bind(nominals, (states, inputs));
        self.reacting.bind(&self.binding, (inputs, outputs));
        self.recording = Recording::new(Extent {
            reals: self.binding.width(),
            ..Extent::default()
        });
        Ok(())
    }

    fn begin_initialization(&mut self, run: &RunWindow, settings: &Settings) -> Outcome<()> {
        self.start = run.start.seconds();
        self.span = span(run);
        self.time = self.start;
        let values = if settings.0.is_empty() {
            Arc::clone(&self.values)
        } else {
            let changed = self.values.with(settings);
            Arc::new(changed.map_err(|error| Failure::failed(error.to_string()))?)
        };
        self.adopt(values)?;
        self.drive.forget();
        self.influence.forget();
        self.sides.settled = false;
        self.sides.stay();
        self.recording.clear();
        if self.moves() {
            self.model.initial(&mut self.scratch.x);
            self.solver.restart(self.start, &self.scratch.x)?;
        }
        self.initialized = true;
        Ok(())
    }

    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        self.travel(&request, Pace::Request)
    }

    fn outputs(&mut self, at: SimTime, inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        let t = self.expect_present(at)?;
        self.evaluate(t, &inputs.reals);
        self.binding.gather(&self.scratch.y, values.reals);
        Ok(())
    }

    fn set_parameters(&mut self, _at: SimTime, changes: &Settings) -> Outcome<()> {
        let parameters = &self.interface.parameters;
        let fixed = changes
            .0
            .iter()
            .filter_map(|(id, _)| parameters.get(id.index()))
            .find(|p| !p.tunable);
        if let Some(parameter) = fixed {
            return Err(Failure::failed(format!(
                "parameter {} cannot change during the run",
                parameter.name
            )));
        }
        let values = self.values.with(changes);
        let values = values.map_err(|error| Failure::failed(error.to_string()))?;
        if values == *self.values {
            return Ok(());
        }
        self.adopt(Arc::new(values))?;
        self.solver.disturb();
        Ok(())
    }

    fn next_instant(&self) -> Option<SimTime> {
        self.model.next_instant(self.time).map(SimTime::from_seconds)
    }

    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn effort(&self) -> Effort {
        let mut effort = Effort::from(self.solver.counts());
        effort.evaluations += self.influence.evaluations;
        effort
    }

    fn rollback(&mut self) -> Option<&mut dyn Rollback> {
        Some(self)
    }

    fn events(&mut self) -> Option<&mut dyn EventMode> {
        match self.sides.on.is_empty() {
            true => None,
            false => Some(self),
        }
    }

    fn derivatives(&mut self) -> Option<&mut dyn Derivatives> {
        Some(self)
    }

    fn slopes(&mut self) -> Option<&mut dyn Slopes> {
        Some(self)
    }

    fn trace(&mut self) -> Option<&mut dyn Trace> {
        Some(&mut self.recording)
    }

    fn past(&mut self) -> Option<&mut dyn Past> {
        if self.model.knows_its_past() {
            Some(self)
        } else {
            None
        }
    }

    fn own_steps(&mut self) -> Option<&mut dyn OwnSteps> {
        match self.moves() {
            true => Some(self),
            false => None,
        }
    }

    fn reactive(&mut self) -> Option<&mut dyn Reactive> {
        match self.moves() {
            true => Some(self),
            false => None,
        }
    }
}

impl Past for Native {
    fn outputs_before(&mut self, at: SimTime, values: PlanesMut<'_>) -> Outcome<()> {
        self.evaluate(at.seconds(), &[]);
        self.binding.gather(&self.scratch.y, values.reals);
        Ok(())
    }
}
