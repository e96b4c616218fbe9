//! What a change of the inputs does to the rates of the states.
//!
//! A solver that remembers the past of the states can go on where a law of the inputs is replaced by a slightly different one,
//! if it is told by how much the right-hand side changes. That is asked at every replacement, so the answer must not cost
//! an evaluation each time: the derivatives with respect to the inputs are kept for a while, as a stiff solver keeps its
//! Jacobian. If they are out of date, the solver's error test tells.

use super::binding::Binding;
use super::drive::Law;
use crate::model::Model;

/// The step of the differences, as a part of the size of an input. Nearly all models are linear in their inputs, so a
/// large step is no harm, and the larger it is the less is lost to rounding.
const STEP: f64 = 1.0 / 8192.0;

/// For so many changes the derivatives are kept.
const LIFE: usize = 50;

#[derive(Default)]
pub(super) struct Influence {
    /// For each bound input, one after the other, the derivatives of the rates of all states.
    columns: Vec<f64>,
    /// How many changes they may still serve.
    left: usize,
    /// By bound input: a size that matters.
    nominals: Vec<f64>,
    /// By bound input: how its law has changed.
    pub(super) changes: Vec<Law>,
    /// By state: how its rate changes.
    rates: Vec<Law>,
    /// Evaluations of the model's equations for the derivatives.
    pub(super) evaluations: u64,
    base: Vec<f64>,
    shifted: Vec<f64>,
    u: Vec<f64>,
}

impl Influence {
    pub(super) fn bind(&mut self, nominals: Vec<f64>, (states, inputs): (usize, usize)) {
        *self = Influence {
            columns: vec![0.0; nominals.len() * states],
            left: 0,
            changes: vec![Law::default(); nominals.len()],
            nominals,
            rates: vec![Law::default(); states],
            evaluations: 0,
            base: vec![0.0; states],
            shifted: vec![0.0; states],
            u: vec![0.0; inputs],
        };
    }

    /// What is known belongs to another law.
    pub(super) fn forget(&mut self) {
        self.left = 0;
    }

    /// The change of the rates at `(t, x, u)` that follows from the [`changes`](Self::changes) of the inputs.
    pub(super) fn rates(
        &mut self,
        model: &dyn Model,
        binding: &Binding,
        (t, x): (f64, &[f64]),
        u: &[f64],
    ) -> &[Law] {
        if self.left == 0 {
            self.differentiate(model, binding, (t, x), u);
            self.left = LIFE;
        }
        self.left -= 1;
        self.rates.fill(Law::default());
        let columns = self.columns.chunks_exact(x.len().max(1));
        for (column, change) in columns.zip(&self.changes) {
            for (rate, gain) in self.rates.iter_mut().zip(column) {
                for (rate, change) in rate.iter_mut().zip(change) {
                    *rate += gain * change;
                }
            }
        }
        &self.rates
    }

    fn differentiate(&mut self, model: &dyn Model, binding: &Binding, (t, x): (f64, &[f64]), u: &[f64]) {
        model.derivatives(t, x, u, &mut self.base);
        self.u.copy_from_slice(u);
        let columns = self.columns.chunks_exact_mut(x.len().max(1));
        for ((column, &place), nominal) in columns.zip(binding.inputs()).zip(&self.nominals) {
            self.u[place] = u[place] + STEP * u[place].abs().max(nominal.abs());
            let step = self.u[place] - u[place];
            model.derivatives(t, x, &self.u, &mut self.shifted);
            self.u[place] = u[place];
            for ((gain, shifted), base) in column.iter_mut().zip(&self.shifted).zip(&self.base) {
                *gain = (shifted - base) / step;
            }
        }
        self.evaluations += 1 + self.nominals.len() as u64;
    }

    /// What decides on the next answer: part of the state to save.
    pub(super) fn kept(&self) -> (&[f64], usize) {
        (&self.columns, self.left)
    }

    pub(super) fn restore(&mut self, columns: &[f64], left: usize) {
        self.columns.copy_from_slice(columns);
        self.left = left;
    }
}
