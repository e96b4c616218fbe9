//! The contract, over the line.

use super::Remote;
use crate::wire::{
    Abilities, Flags, Kind, StepReply, read_planes, write_binding, write_planes, write_settings, write_step,
    write_window,
};
use cardan_core::interface::{Interface, PortId};
use cardan_core::participant::{
    Derivatives, Effort, EventMode, Outcome, OwnSteps, Participant, Past, Rollback, RunWindow, Settings,
    Slopes, StepEnd, StepRequest, Trace,
};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::time::SimTime;

impl Remote {
    /// A call whose reply says nothing but how the participant stands.
    pub(super) fn plain(
        &mut self,
        kind: Kind,
        write: impl FnOnce(&mut crate::wire::Writer<'_>),
    ) -> Outcome<()> {
        self.forget();
        self.channel.ask(kind, write)?;
        (self.standing, ()) = self.channel.reply(|_| Ok(()))?;
        Ok(())
    }
}

impl Participant for Remote {
    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        self.bound(inputs, outputs);
        self.plain(Kind::Bind, |writer| write_binding(inputs, outputs, writer))
    }

    fn begin_initialization(&mut self, run: &RunWindow, settings: &Settings) -> Outcome<()> {
        self.plain(Kind::BeginInitialization, |writer| {
            write_window(run, writer);
            write_settings(settings, writer);
        })
    }

    fn share_events(&mut self) -> Outcome<()> {
        match self.abilities.has(Abilities::EVENTS) {
            true => self.plain(Kind::ShareEvents, |_| {}),
            false => Ok(()),
        }
    }

    fn finish_initialization(&mut self) -> Outcome<()> {
        self.plain(Kind::FinishInitialization, |_| {})
    }

    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        self.go(&request, Flags::default())
    }
    fn outputs(&mut self, at: SimTime, inputs: &Planes, mut values: PlanesMut<'_>) -> Outcome<()> {
        if self.known_at == Some(at) {
            values.copy_from(self.known.view());
            return Ok(());
        }
        self.channel.ask(Kind::Outputs, |writer| {
            writer.time(at);
            write_planes(inputs.view(), writer);
        })?;
        (self.standing, ()) = self.channel.reply(|reader| read_planes(reader, values))?;
        Ok(())
    }

    fn set_parameters(&mut self, at: SimTime, changes: &Settings) -> Outcome<()> {
        self.plain(Kind::SetParameters, |writer| {
            writer.time(at);
            write_settings(changes, writer);
        })
    }

    /// Travels with the next step: a message of its own would cost as much as the step.
    fn accepted(&mut self, at: SimTime) {
        self.accepted = Some(at);
    }

    fn next_instant(&self) -> Option<SimTime> {
        self.standing.next_instant
    }

    /// What lives in another process may be anything.
    fn follows_inputs(&self) -> bool {
        false
    }

    fn terminate(&mut self) -> Outcome<()> {
        let outcome = self.plain(Kind::Terminate, |_| {});
        self.channel.close();
        outcome
    }

    fn effort(&self) -> Effort {
        self.standing.effort
    }

    fn rollback(&mut self) -> Option<&mut dyn Rollback> {
        self.abilities.has(Abilities::ROLLBACK).then_some(self as _)
    }

    fn events(&mut self) -> Option<&mut dyn EventMode> {
        self.abilities.has(Abilities::EVENTS).then_some(self as _)
    }

    fn derivatives(&mut self) -> Option<&mut dyn Derivatives> {
        let known = self.abilities.has(Abilities::DIRECTIONAL) || self.abilities.has(Abilities::TANGENT);
        known.then_some(self as _)
    }

    fn slopes(&mut self) -> Option<&mut dyn Slopes> {
        self.abilities.has(Abilities::SLOPES).then_some(self as _)
    }

    fn trace(&mut self) -> Option<&mut dyn Trace> {
        self.abilities.has(Abilities::TRACE).then_some(self as _)
    }

    fn past(&mut self) -> Option<&mut dyn Past> {
        self.abilities.has(Abilities::PAST).then_some(self as _)
    }

    fn own_steps(&mut self) -> Option<&mut dyn OwnSteps> {
        self.abilities.has(Abilities::OWN_STEPS).then_some(self as _)
    }
}

impl OwnSteps for Remote {
    fn step_once(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        self.go(&request, Flags::OWN_STEP)
    }
}

impl Remote {
    /// One round trip for a step, with the outputs at its end where they are known by then.
    fn go(&mut self, request: &StepRequest<'_>, wishes: Flags) -> Outcome<StepEnd> {
        self.forget();
        let sequence = self.channel.next();
        let accepted = self.accepted.take();
        let wishes = wishes.with(Flags::OUTPUTS, self.outputs_along);
        write_step(&mut self.channel.message, sequence, request, accepted, wishes);
        self.channel.exchange(Kind::Step)?;
        let read = StepReply::read(
            self.channel.flags(),
            self.channel.payload(),
            self.outputs,
            self.known.view_mut(),
            &mut self.watched,
        );
        let reply = read.map_err(|malformed| self.channel.broke(malformed.into()))?;
        self.standing = reply.standing;
        let stands_at = match reply.end {
            StepEnd::Completed => Some(request.to),
            StepEnd::Early { at } | StepEnd::Terminate { at } => Some(at),
            StepEnd::Rejected { .. } => None,
        };
        self.known_at = stands_at.filter(|_| reply.outputs);
        Ok(reply.end)
    }
}
