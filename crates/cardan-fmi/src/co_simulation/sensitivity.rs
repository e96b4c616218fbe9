//! How outputs react to inputs, and how fast they change.

use cardan_core::interface::{Causality, PortId, Variability};
use cardan_core::participant::{Derivatives, Outcome, Slopes};
use cardan_core::planes::Planes;
use cardan_core::time::SimTime;

use super::{CoSimulation, Stage};
use crate::description::{self, Kind};
use crate::interface::FmuInterface;
use crate::listed::{Listed, Reacting};

/// What the FMU can be asked for, as it is bound.
#[derive(Clone, Debug, Default)]
pub(super) struct Sensitivity {
    pub(super) offers_derivatives: bool,
    pub(super) offers_slopes: bool,
    reacting: Reacting,
    /// Outputs that move by themselves.
    moving: Listed,
    orders: Vec<i32>,
}

impl Sensitivity {
    pub(super) fn new(
        fmu: &FmuInterface,
        inputs: &[PortId],
        outputs: &[PortId],
        abilities: &description::CoSimulation,
    ) -> Self {
        let ports = &fmu.interface().ports;
        let is_real = |id: &PortId| fmu.port(*id).is_some_and(|variable| variable.kind.is_float());
        let is_double = |id: PortId| {
            fmu.port(id)
                .is_some_and(|variable| variable.kind == Kind::Float64)
        };
        let reacting = Reacting::new(fmu, inputs, outputs);
        // Slopes are those the FMU had in its last step. Outputs that react to the slopes of inputs would want other
        // ones, and of locals it does not tell them.
        let quiet = |id: &PortId| {
            let port = &ports[id.index()];
            let moves = port.variability == Variability::Continuous;
            !moves || (port.causality == Causality::Output && is_double(*id))
        };
        let moves = |id: PortId| is_double(id) && ports[id.index()].variability == Variability::Continuous;
        let moving = Listed::new(fmu, outputs, moves);
        Sensitivity {
            offers_derivatives: abilities.usage.directional_derivatives && reacting.complete,
            offers_slopes: abilities.output_derivative_order >= 1
                && reacting.is_empty()
                && outputs.iter().filter(|id| is_real(id)).all(quiet),
            reacting,
            orders: vec![1; moving.references.len()],
            moving,
        }
    }
}

impl Derivatives for CoSimulation {
    fn directional(
        &mut self,
        _at: SimTime,
        inputs: &Planes,
        direction: &[f64],
        change: &mut [f64],
    ) -> Outcome<()> {
        let reacting = &self.sensitivity.reacting;
        if reacting.is_empty() {
            change.fill(0.0);
            return Ok(());
        }
        self.read_rest()?;
        self.set_inputs(inputs.view())?;
        let instance = Self::running(&mut self.instance)?;
        let reacting = &mut self.sensitivity.reacting;
        reacting.directional(instance, direction, change)
    }
}

impl Slopes for CoSimulation {
    fn slopes(
        &mut self,
        _at: SimTime,
        inputs: &Planes,
        _input_slopes: &[f64],
        slopes: &mut [f64],
    ) -> Outcome<()> {
        if self.sensitivity.moving.references.is_empty() {
            slopes.fill(0.0);
            return Ok(());
        }
        if self.stage != Stage::Running || self.in_event_mode() {
            // It can be asked between steps alone. What is not a number is not known.
            slopes.fill(f64::NAN);
            return Ok(());
        }
        self.read_rest()?;
        self.set_inputs(inputs.view())?;
        let instance = Self::running(&mut self.instance)?;
        let Sensitivity { moving, orders, .. } = &mut self.sensitivity;
        let asked = instance.get_output_derivatives(&moving.references, orders, &mut moving.room);
        match asked {
            Ok(()) => moving.scatter(slopes),
            Err(error) if !instance.is_alive() => return Err(error.into()),
            Err(error) => {
                let name = &self.name;
                tracing::warn!(
                    target: "fmu",
                    instance = name,
                    "{name} declares derivatives of its outputs, but does not give them: the run goes on without; {error}"
                );
                self.sensitivity.offers_slopes = false;
                slopes.fill(f64::NAN);
            }
        }
        Ok(())
    }
}
