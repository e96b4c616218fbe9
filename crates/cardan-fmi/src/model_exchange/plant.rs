//! The FMU as the solver sees it: equations, indicators and a Jacobian, with the inputs as functions of time.

use cardan_ode::{Equations, Trouble};

use super::drive::{Drive, same_bits};
use super::partials::Partials;
use crate::ffi::{CallError, Called, Instance, Status};

/// An instance, what drives it, and what it was told last. Nothing is told twice.
pub(super) struct Plant {
    pub(super) instance: Instance,
    pub(super) drive: Drive,
    states: usize,
    indicators: usize,
    /// What the FMU was told; not numbers where it was told nothing.
    time: f64,
    x: Vec<f64>,
    partials: Option<Partials>,
    /// Why the last evaluation that failed did.
    refusal: Option<Box<CallError>>,
}

impl Plant {
    pub(super) fn new(instance: Instance, drive: Drive) -> Self {
        Plant {
            instance,
            drive,
            states: 0,
            indicators: 0,
            time: f64::NAN,
            x: Vec::new(),
            partials: None,
            refusal: None,
        }
    }

    /// Once the sizes are known.
    pub(super) fn resize(&mut self, states: usize, indicators: usize, partials: Option<Partials>) {
        self.states = states;
        self.indicators = indicators;
        self.x = vec![f64::NAN; states];
        self.partials = partials;
        self.time = f64::NAN;
    }

    /// Sets time, states and inputs, as far as they are other ones. In continuous-time mode only.
    #[inline]
    pub(super) fn move_to(&mut self, t: f64, x: &[f64]) -> Called<()> {
        self.place(t, x)?;
        self.drive.laws.read(t);
        self.drive.tell(&mut self.instance)
    }

    /// The same with the inputs as they are.
    #[inline]
    pub(super) fn place(&mut self, t: f64, x: &[f64]) -> Called<()> {
        if t.to_bits() != self.time.to_bits() {
            self.time = f64::NAN;
            self.instance.set_time(t)?;
            self.time = t;
        }
        if !same_bits(x, &self.x) {
            self.x.fill(f64::NAN);
            self.instance.set_continuous_states(x)?;
            self.x.copy_from_slice(x);
        }
        Ok(())
    }

    /// Sets the inputs that are in force, which is allowed while time stands still as well.
    pub(super) fn tell_inputs(&mut self) -> Called<()> {
        self.drive.tell(&mut self.instance)
    }

    /// The states as an event has left them.
    pub(super) fn reread_states(&mut self, x: &mut [f64]) -> Called<()> {
        if self.states > 0 {
            self.instance.get_continuous_states(x)?;
            self.x.copy_from_slice(x);
        }
        Ok(())
    }

    /// The slopes of the states where the FMU stands.
    pub(super) fn slopes(&mut self, dx: &mut [f64]) -> Called<()> {
        if self.states == 0 {
            return Ok(());
        }
        self.instance.get_derivatives(dx)
    }

    /// What the FMU was told of time and states: a part of what decides how things go on.
    pub(super) fn told(&self) -> (f64, &[f64]) {
        (self.time, &self.x)
    }

    /// The FMU went back to where it was told that.
    pub(super) fn went_back(&mut self, time: f64, x: &[f64]) {
        self.time = time;
        self.x.copy_from_slice(x);
    }

    /// Why the last evaluation that failed did.
    pub(super) fn take_refusal(&mut self) -> Option<Box<CallError>> {
        self.refusal.take()
    }

    #[cold]
    fn refused(&mut self, error: Box<CallError>) -> Trouble {
        let trouble = match error.status() {
            Some(Status::Discard) => Trouble::Discard,
            _ => Trouble::Fatal,
        };
        self.refusal = Some(error);
        trouble
    }

    fn try_derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Called<()> {
        self.move_to(t, x)?;
        self.instance.get_derivatives(dx)
    }

    fn try_indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Called<()> {
        self.move_to(t, x)?;
        self.instance.get_event_indicators(z)
    }

    fn try_jacobian(&mut self, t: f64, x: &[f64], jacobian: &mut [f64]) -> Called<bool> {
        self.move_to(t, x)?;
        match &mut self.partials {
            Some(partials) => partials.write(&mut self.instance, jacobian).map(|()| true),
            None => Ok(false),
        }
    }
}

impl Equations for Plant {
    fn states(&self) -> usize {
        self.states
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        let outcome = self.try_derivatives(t, x, dx);
        outcome.map_err(|error| self.refused(error))
    }

    fn jacobian(&mut self, t: f64, x: &[f64], jac: &mut [f64]) -> Result<bool, Trouble> {
        if self.partials.is_none() {
            return Ok(false);
        }
        let outcome = self.try_jacobian(t, x, jac);
        outcome.map_err(|error| self.refused(error))
    }

    fn roots(&self) -> usize {
        self.indicators
    }

    /// Between events an FMU stays on the branches that it took in the last one, so it must hear of every change of a
    /// sign; and to the standard zero is not positive.
    fn keeps_sides(&self) -> bool {
        true
    }

    fn root_values(&mut self, t: f64, x: &[f64], g: &mut [f64]) -> Result<(), Trouble> {
        let outcome = self.try_indicators(t, x, g);
        outcome.map_err(|error| self.refused(error))
    }
}
