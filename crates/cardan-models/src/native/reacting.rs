//! Inputs that follow outputs inside a step.

use cardan_core::participant::{Failure, Outcome, Reactive};
use cardan_core::reaction::Reaction;
use cardan_core::time::SimTime;

use super::Native;
use super::binding::Binding;
use super::unburdening::Unburdening;
use crate::model::Model;

/// The law in force, and room to apply it: an evaluation of the equations allocates nothing.
///
/// It is no part of a saved state. Whoever lets a step be repeated says by which law.
#[derive(Default)]
pub(super) struct Reacting {
    law: Reaction,
    /// By bound input: how it reacts.
    reacts: Vec<Reacts>,
    /// Does any law come on top of the inputs as they are given?
    on_top: bool,
    unburdening: Unburdening,
    /// All outputs of the model, those that are bound, the bound inputs and all inputs.
    y: Vec<f64>,
    seen: Vec<f64>,
    given: Vec<f64>,
    u: Vec<f64>,
}

/// How an input reacts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Reacts {
    #[default]
    No,
    /// It is what the law says.
    Wholly,
    /// The law comes on top of what is given.
    OnTop,
}

impl Reacting {
    pub(super) fn bind(&mut self, binding: &Binding, (inputs, outputs): (usize, usize)) {
        *self = Reacting {
            reacts: vec![Reacts::No; binding.inputs().len()],
            y: vec![0.0; outputs],
            seen: vec![0.0; binding.width()],
            given: vec![0.0; binding.inputs().len()],
            u: vec![0.0; inputs],
            ..Reacting::default()
        };
    }

    pub(super) fn is_idle(&self) -> bool {
        self.law.is_empty()
    }

    /// Do laws come on top of inputs, wherever these are given?
    pub(super) fn comes_on_top(&self) -> bool {
        self.on_top
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
        if !self.law.inertias.is_empty() {
            self.unburdening
                .apply(model, binding, (t, x), (&mut self.u, &mut self.given));
        }
        &self.u
    }

    /// Before a step: how much inertia there is where some is taken away.
    pub(super) fn prepare(
        &mut self,
        model: &dyn Model,
        binding: &Binding,
        place: (f64, &[f64]),
        u: &[f64],
    ) -> Outcome<()> {
        match self.law.inertias.is_empty() {
            true => Ok(()),
            false => self.unburdening.weigh(model, binding, place, u),
        }
    }

    /// What a bound input was made to be where [`inputs`](Self::inputs) was last asked, and whether that came on top of what
    /// was given, if it reacts.
    pub(super) fn value(&self, index: usize) -> Option<(f64, bool)> {
        let reacts = self.reacts[index];
        (reacts != Reacts::No).then(|| (self.given[index], reacts == Reacts::OnTop))
    }

    fn adopt(&mut self, reaction: &Reaction, (states, outputs_of_model): (usize, usize)) -> Outcome<()> {
        let (inputs, outputs) = (self.given.len(), self.seen.len());
        if !reaction.fits(inputs, outputs) {
            return Err(Failure::failed(format!(
                "a reaction does not fit {inputs} bound inputs and {outputs} bound outputs"
            )));
        }
        self.law.clone_from(reaction);
        self.reacts.fill(Reacts::No);
        for part in &reaction.parts {
            let how = match part.base.is_empty() {
                true => Reacts::OnTop,
                false => Reacts::Wholly,
            };
            for &place in &part.inputs {
                self.reacts[place as usize] = how;
            }
        }
        for inertia in &reaction.inertias {
            let how = &mut self.reacts[inertia.input as usize];
            if *how == Reacts::No {
                *how = Reacts::OnTop;
            }
        }
        self.on_top = self.reacts.contains(&Reacts::OnTop);
        self.unburdening
            .adopt(reaction, (states, outputs_of_model, outputs));
        Ok(())
    }
}

impl Reactive for Native {
    fn react(&mut self, reaction: &Reaction) -> Outcome<()> {
        let sizes = (self.scratch.x.len(), self.scratch.y.len());
        self.reacting.adopt(reaction, sizes)
    }
}
