//! Inputs that follow outputs inside a step.

use cardan_core::participant::{Failure, Outcome, Reactive};
use cardan_core::reaction::{Motion, Reaction};

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
        self.law.apply(&self.seen, &mut self.given);
        self.u.copy_from_slice(u);
        binding.scatter(&self.given, &mut self.u);
        &self.u
    }

    /// What a bound input was made to be where [`inputs`](Self::inputs) was last asked, if it reacts.
    pub(super) fn value(&self, index: usize) -> Option<f64> {
        self.reacts[index].then(|| self.given[index])
    }

    fn adopt(&mut self, reaction: &Reaction) -> Outcome<()> {
        check(reaction, self.given.len(), self.seen.len())?;
        let law = &mut self.law;
        law.inputs.clone_from(&reaction.inputs);
        law.motions.clone_from(&reaction.motions);
        law.origin.clone_from(&reaction.origin);
        law.base.clone_from(&reaction.base);
        law.gains.clone_from(&reaction.gains);
        law.way.clone_from(&reaction.way);
        law.bends.clone_from(&reaction.bends);
        law.reach = reaction.reach;
        self.reacts.fill(false);
        for &place in &reaction.inputs {
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

/// A law that does not fit the bound ports is refused before it is in force.
fn check(reaction: &Reaction, inputs: usize, outputs: usize) -> Outcome<()> {
    if reaction.is_empty() {
        return Ok(());
    }
    let rows = reaction.inputs.len();
    let freedoms = reaction.freedoms();
    let places_fit = reaction.inputs.iter().all(|&place| (place as usize) < inputs)
        && reaction.motions.iter().all(|motion| match *motion {
            Motion::Value(place) => (place as usize) < outputs,
            Motion::Turn(place) => place as usize + 4 <= outputs,
        });
    let lengths_fit = reaction.origin.len() == outputs
        && reaction.base.len() == rows
        && reaction.gains.len() == rows * freedoms
        && (reaction.way.is_empty() || reaction.way.len() == freedoms)
        && (reaction.bends.is_empty() || reaction.bends.len() == rows);
    if places_fit && lengths_fit {
        return Ok(());
    }
    Err(Failure::failed(format!(
        "a reaction of {rows} inputs to {freedoms} motions does not fit {inputs} bound inputs and {outputs} bound outputs"
    )))
}
