//! The Jacobian of the equations from directional derivatives.

use crate::description::ModelDescription;
use crate::ffi::{Called, Instance};

/// References of states and their derivatives, and room for a column.
pub(super) struct Partials {
    states: Vec<u32>,
    derivatives: Vec<u32>,
    seed: Vec<f64>,
    column: Vec<f64>,
}

impl Partials {
    /// None where the description does not tell which variables the states are.
    pub(super) fn new(description: &ModelDescription, count: usize) -> Option<Self> {
        let mut states = Vec::new();
        let mut derivatives = Vec::new();
        for unknown in &description.structure.derivatives {
            let derivative = description.variables.get(unknown.variable)?;
            let state = description.variables.get(derivative.derivative_of?)?;
            states.push(state.value_reference);
            derivatives.push(derivative.value_reference);
        }
        if states.is_empty() || count == 0 {
            return None;
        }
        Some(Partials {
            states,
            derivatives,
            seed: vec![0.0; count],
            column: vec![0.0; count],
        })
    }

    /// Writes the row-major Jacobian where the FMU stands, a column a call.
    pub(super) fn write(&mut self, instance: &mut Instance, jacobian: &mut [f64]) -> Called<()> {
        let count = self.seed.len();
        for j in 0..count {
            self.seed.fill(0.0);
            self.seed[j] = 1.0;
            instance.directional_derivative(&self.derivatives, &self.states, &self.seed, &mut self.column)?;
            for (i, &entry) in self.column.iter().enumerate() {
                jacobian[i * count + j] = entry;
            }
        }
        Ok(())
    }
}
