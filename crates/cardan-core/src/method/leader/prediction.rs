//! What the leader was told to expect of its followers, against what they computed.

use super::stride::Off;
use super::tangent::Tangents;
use crate::astray::Judgement;
use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use crate::graph::ParticipantId;
use crate::method::Glue;
use crate::monitor::WarningKind;
use crate::plan::{Interaction, Plan};
use crate::time::SimTime;
use crate::world::World;
use std::sync::Arc;

pub(super) struct Predictions {
    plan: Arc<Plan>,
    glue: Glue,
    /// Parallel to the interactions.
    judgements: Vec<Judgement>,
    outputs: Vec<f64>,
    inputs: Vec<f64>,
}

impl Predictions {
    pub(super) fn new(plan: Arc<Plan>, glue: Glue) -> Self {
        let seat = &plan.seats[glue.leader.index()];
        Predictions {
            judgements: vec![Judgement::default(); plan.interactions.len()],
            outputs: vec![0.0; seat.output_extent.reals],
            inputs: vec![0.0; seat.real_inputs.len()],
            glue,
            plan,
        }
    }

    /// How far off the worst prediction for the leader's step was.
    pub(super) fn worst(
        &mut self,
        world: &mut World,
        tangents: &mut Tangents,
        step: (SimTime, SimTime),
    ) -> Off {
        let (mut worst, mut whose) = (Off::default(), None);
        for index in 0..self.judgements.len() {
            let Some((predicted, computed, _)) = self.compare(world, tangents, index, step) else {
                continue;
            };
            let (by, allowed) = ((predicted - computed).abs(), self.allowed(predicted));
            // Cross-multiplied, since nothing may be allowed.
            if by * worst.allowed > worst.by * allowed || whose.is_none() {
                let parting = None;
                (worst, whose) = (Off { by, allowed, parting }, Some(index));
            }
        }
        if let (true, Some(index)) = (worst.is_too_far(), whose) {
            let history = world.history(self.glue.leader);
            let begin = history.row(history.index_at(self.plan.resolution.just_after(step.0)));
            let room = (&mut self.outputs[..], &mut self.inputs[..]);
            worst.parting = tangents.parting(
                index,
                history.latest(),
                (begin.reals, history.latest_reals()),
                room,
            );
        }
        worst
    }

    /// Takes the predictions for a step of the leader down that is kept.
    pub(super) fn note(&mut self, world: &mut World, tangents: &Tangents, step: (SimTime, SimTime)) {
        for index in 0..self.judgements.len() {
            let Some((predicted, computed, at)) = self.compare(world, tangents, index, step) else {
                continue;
            };
            let off = (predicted - computed).abs();
            let exceeds = off > self.allowed(predicted);
            let astray = self.judgements[index].enter(off * off, computed * computed, exceeds);
            let interactions = &self.plan.interactions;
            world.monitor.predicted(
                (interactions, index),
                (predicted, computed),
                at,
                (exceeds, astray),
            );
            if exceeds {
                self.remark(world, &interactions[index], (predicted, computed), at, astray);
            }
        }
    }

    #[cold]
    fn remark(
        &self,
        world: &mut World,
        interaction: &Interaction,
        (predicted, computed): (f64, f64),
        at: SimTime,
        astray: bool,
    ) {
        let place = format!("{}: {}", interaction.name, interaction.component);
        let (absolute, relative) = (self.glue.absolute, self.glue.relative);
        world.monitor.notice(WarningKind::Prediction, &place, at, || {
            format!(
                "{predicted:.6e} was predicted and {computed:.6e} computed, which is off by more than {absolute} and by more than \
                 {} % of it",
                100.0 * relative
            )
        });
        if astray {
            world.monitor.notice(WarningKind::Unstable, &place, at, || {
                "the coupling is unstable: what was predicted was off by more than half of its value over the last points; take \
                 shorter steps, another reading, the tangent of the follower, or reject = true"
                    .to_owned()
            });
        }
    }

    /// What was predicted for the leader's step and what was computed, at the follower's last point in it.
    fn compare(
        &mut self,
        world: &mut World,
        tangents: &Tangents,
        index: usize,
        (from, to): (SimTime, SimTime),
    ) -> Option<(f64, f64, SimTime)> {
        let interaction = &self.plan.interactions[index];
        let (wire, input) = (interaction.wire, interaction.input);
        let leader = self.glue.leader;
        let resolution = self.plan.resolution;
        // One that is ahead has computed before; what it assumed is now to be seen.
        let history = world.history(wire.source);
        let latest = history.index_at(resolution.just_after(to));
        let at = history.time(latest);
        if !resolution.before(from, at) || resolution.before(to, at) {
            return None;
        }
        let computed = wire
            .conversion
            .apply(history.row(latest).reals[wire.column as usize]);
        let predicted = match tangents.feels(input) {
            true => {
                self.moved(world, leader, at);
                tangents.reaction.apply(at, &self.outputs, &mut self.inputs);
                self.inputs[input as usize]
            }
            false => world.input_used(leader, input as usize, at),
        };
        Some((predicted, computed, at))
    }

    /// The leader's outputs at an instant in its last step.
    fn moved(&mut self, world: &World, leader: ParticipantId, at: SimTime) {
        match self.plan.resolution.same(world.time_of(leader), at) {
            true => self.outputs.copy_from_slice(world.history(leader).latest_reals()),
            false => world.outputs_between(leader, at, &mut self.outputs),
        }
    }

    /// How far off a prediction may be: only what exceeds both errors is too far.
    fn allowed(&self, predicted: f64) -> f64 {
        self.glue.absolute.max(self.glue.relative * predicted.abs())
    }
}

impl Resumable for Predictions {
    fn keep(&self, writer: &mut Writer) {
        writer.length(self.judgements.len());
        self.judgements
            .iter()
            .for_each(|judgement| judgement.keep(writer));
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        reader.exactly(self.judgements.len(), "predictions")?;
        self.judgements
            .iter_mut()
            .try_for_each(|judgement| judgement.resume(reader))
    }
}
