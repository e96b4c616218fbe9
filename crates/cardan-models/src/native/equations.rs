//! The model as the solver sees it: with the inputs as functions of time.

use cardan_ode::{Equations, Trouble};

use super::drive::Drive;
use crate::model::Model;

/// A model and what drives it. Every stage of the solver reads the inputs at its own time.
pub(super) struct Driven<'a> {
    pub(super) model: &'a dyn Model,
    pub(super) drive: &'a mut Drive,
    /// The sides of the switches.
    pub(super) on: &'a [bool],
}

impl Equations for Driven<'_> {
    fn states(&self) -> usize {
        self.model.states()
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        self.model.derivatives(t, x, self.drive.read(t), dx);
        Ok(())
    }

    fn jacobian(&mut self, t: f64, x: &[f64], jac: &mut [f64]) -> Result<bool, Trouble> {
        Ok(self.model.jacobian(t, x, self.drive.read(t), jac))
    }

    fn roots(&self) -> usize {
        self.model.switches()
    }

    fn root_values(&mut self, t: f64, x: &[f64], g: &mut [f64]) -> Result<(), Trouble> {
        self.model.switch_values(t, x, self.drive.read(t), g);
        // Whatever its side, a switch that leaves it falls.
        for (value, on) in g.iter_mut().zip(self.on) {
            if !on {
                *value = -*value;
            }
        }
        Ok(())
    }
}
