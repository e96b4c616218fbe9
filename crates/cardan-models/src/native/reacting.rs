//! Inputs that follow outputs inside a step.

use cardan_core::participant::{Failure, Outcome, Reactive};
use cardan_core::reaction::Reaction;
use cardan_core::time::SimTime;

use super::Native;
use super::binding::Binding;
use crate::model::Model;

/// The law in force, and room to apply it: an evaluation of the equations allocates nothing.
///
/// It is no part of a saved state. Whoever lets a step be repeated says by which law.
#[derive(Default)]
pub(super) struct Reacting {
    law: Reaction,
    /// By bound input: does it react?
    reacts: Vec<bool>,
    /// All outputs of the model, those that are bound, the bound inputs and all inputs.
    y: Vec<f64>,
    seen: Vec<f64>,
    given: Vec<f64>,
    u: Vec<f64>,
}

impl Reacting {
    pub(super) fn bind(&mut self, binding: &Binding, (inputs, outputs): (usize, usize)) {
        *self = Reacting {
            law: Reaction::default(),
            reacts: vec![false; binding.inputs().len()],
            y: vec![0.0; outputs],
            seen: vec![0.0; binding.width()],
            given: vec![0.0; binding.inputs().len()],
            u: vec![0.0; inputs],
        };
    }

    pub(super) fn is_idle(&self) -> bool {
        self.law.is_empty()
    }

    /// All inputs of the model at `(t, x)`, of which those that do not react are `u`.
    ///
    /// The outputs are those with the inputs as functions of time: what reacts must not feed through to what it
    /// reacts to.
    #[inline]
    pub(super) fn inputs<'a>(
        &'a mut self,
        model: &dyn Model,
        binding: &Binding,
        (t, x): (f64, &[f64]),
        u: &'a [f64],
    ) -> &'a [f64] {
        if self.law.is_empty() {
            return u;
        }
        model.outputs(t, x, u, &mut self.y);
        binding.gather(&self.y, &mut self.seen);
        for (given, &place) in self.given.iter_mut().zip(binding.inputs()) {
            *given = u[place];
        }
        self.law
            .apply(SimTime::from_seconds(t), &self.seen, &mut self.given);
        self.u.copy_from_slice(u);
        binding.scatter(&self.given, &mut self.u);
        &self.u
    }

    /// What a bound input was made to be where [`inputs`](Self::inputs) was last asked, if it reacts.
    pub(super) fn value(&self, index: usize) -> Option<f64> {
        self.reacts[index].then(|| self.given[index])
    }

    fn adopt(&mut self, reaction: &Reaction) -> Outcome<()> {
        let (inputs, outputs) = (self.given.len(), self.seen.len());
        if !reaction.parts.iter().all(|part| part.fits(inputs, outputs)) {
            return Err(Failure::failed(format!(
                "a reaction does not fit {inputs} bound inputs and {outputs} bound outputs"
            )));
        }
        self.law.clone_from(reaction);
        self.reacts.fill(false);
        for &place in reaction.parts.iter().flat_map(|part| &part.inputs) {
            self.reacts[place as usize] = true;
        }
        Ok(())
    }
}

impl Reactive for Native {
    fn react(&mut self, reaction: &Reaction) -> Outcome<()> {
        self.reacting.adopt(reaction)
    }
}
