//! The model as the solver sees it: with the inputs as functions of time.

use cardan_ode::mechanical::Mechanics;
use cardan_ode::{Equations, Trouble};

use super::binding::Binding;
use super::drive::Drive;
use super::reacting::Reacting;
use crate::model::Model;

/// A model and what drives it. Every stage of the solver reads the inputs at its own time.
pub(super) struct Driven<'a> {
    pub(super) model: &'a dyn Model,
    pub(super) drive: &'a mut Drive,
    pub(super) reacting: &'a mut Reacting,
    pub(super) binding: &'a Binding,
    /// The sides of the switches.
    pub(super) on: &'a [bool],
}

impl Driven<'_> {
    /// All inputs of the model.
    #[inline]
    pub(super) fn inputs(&mut self, t: f64, x: &[f64]) -> &[f64] {
        let u = self.drive.laws.read(t);
        self.reacting.inputs(self.model, self.binding, (t, x), u)
    }
}

impl Equations for Driven<'_> {
    fn states(&self) -> usize {
        self.model.states()
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        let model = self.model;
        model.derivatives(t, x, self.inputs(t, x), dx);
        Ok(())
    }

    fn jacobian(&mut self, t: f64, x: &[f64], jac: &mut [f64]) -> Result<bool, Trouble> {
        // The model does not know what its inputs make of its state.
        Ok(self.reacting.is_idle() && self.model.jacobian(t, x, self.drive.laws.read(t), jac))
    }

    fn mechanics(&mut self) -> Option<&mut dyn Mechanics> {
        match self.model.mechanical() {
            Some(_) => Some(self),
            None => None,
        }
    }

    fn roots(&self) -> usize {
        self.model.switches()
    }

    fn root_values(&mut self, t: f64, x: &[f64], g: &mut [f64]) -> Result<(), Trouble> {
        let model = self.model;
        model.switch_values(t, x, self.inputs(t, x), g);
        // Whatever its side, a switch that leaves it falls.
        for (value, on) in g.iter_mut().zip(self.on) {
            if !on {
                *value = -*value;
            }
        }
        Ok(())
    }
}
